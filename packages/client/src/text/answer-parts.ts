import type { AnswerItem, CoreQuestion } from "@askwire/protocol";

/** The parts of a question that an answer is read by, and the parts of an answer with its choices. */
type Asked<O> = { readonly options: readonly O[] } & Pick<CoreQuestion, "field">;
type Answered = Pick<AnswerItem, "selected" | "own_text">;

/** The chosen options of an answer, and its own text; empty without any. The value of a boolean is one of its options. */
export function answerParts<O extends { readonly id: string }>(
  { options, field }: Asked<O>,
  { selected, own_text = "" }: Answered,
): { chosen: O[]; said: string } {
  const isOption = field !== undefined && options.length > 0 && own_text !== "";
  const ids = isOption ? [own_text] : selected;
  return { chosen: options.filter(({ id }) => ids.includes(id)), said: isOption ? "" : own_text };
}

/**
 * The choices of an answer as a person reads them: the labels in the order of the options, then the own text. To be
 * shown apart, each in a row or an element: a label may hold any separator.
 */
export function answerChoices(
  question: Asked<{ readonly id: string; readonly label: string }>,
  answer: Answered,
): string[] {
  const { chosen, said } = answerParts(question, answer);
  return [...chosen.map(({ label }) => label), said].filter((text) => text.trim() !== "");
}
