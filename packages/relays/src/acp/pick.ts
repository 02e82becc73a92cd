import type { Turn } from "@askwire/server";

/** A value to choose. */
export interface PickChoice {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** Sets what the words after the command name, or what the person chooses. */
export async function pickOption(
  turn: Turn,
  header: string,
  choices: readonly PickChoice[],
  current: string | undefined,
  args: string,
  set: (id: string) => Promise<void>,
): Promise<void> {
  const known = (words: string) =>
    choices.find(({ id, name }) => id === words || name.toLowerCase() === words.toLowerCase());
  const named = args === "" ? undefined : known(args);
  if (args !== "" && named === undefined) {
    const names = choices.map(({ name }) => `- ${name}`).join("\n");
    return turn.say(`${header}: expected one of these:\n\n${names}`);
  }
  const id = named?.id ?? (await chosen(turn, header, choices, current));
  if (id === undefined) return turn.say(`${header}: unchanged.`);
  await set(id);
  turn.say(`${header}: ${known(id)?.name ?? id}`);
}

async function chosen(
  turn: Turn,
  header: string,
  choices: readonly PickChoice[],
  current: string | undefined,
): Promise<string | undefined> {
  const labels = choices.map(({ name, id }) =>
    choices.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name,
  );
  const { answer } = await turn.ask({
    question: `${header}?`,
    header,
    own_text: false,
    options: choices.map(({ id, description }, index) => ({
      id,
      label: labels[index] ?? id,
      description: [...(id === current ? ["(now)"] : []), description ?? ""].join(" ").trim(),
    })),
  });
  return answer;
}
