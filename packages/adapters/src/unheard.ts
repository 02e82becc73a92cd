/**
 * The rounds in a row that nobody answers, after which a driver ends: a program that asks until it hears a yes would ask
 * for ever.
 */
const MOST_UNHEARD = 20;

/**
 * Counts the rounds in a row in which no person said anything, as where nobody is there.
 *
 * @param place what ends, with which the message begins.
 * @returns takes the statuses of the outcomes of a round. Throws Error after 20 rounds.
 */
export function unheard(place: string): (statuses: readonly string[]) => void {
  let rounds = 0;
  return (statuses) => {
    const isHeard = statuses.some((status) => status === "answered" || status === "declined");
    rounds = isHeard ? 0 : rounds + 1;
    if (rounds < MOST_UNHEARD) return;
    throw new Error(
      `${place}: nobody answered ${MOST_UNHEARD} times in a row; see that people are there, or that the program takes a refusal`,
    );
  };
}
