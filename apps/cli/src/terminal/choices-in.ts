import { answerChoices } from "@askwire/client/text";
import type { PanelWords } from "@askwire/client/words";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";

/** The choices of an answer, for a row each, or the word for an answer that has none. */
export function choicesIn(
  question: CoreQuestion,
  item: AnswerItem,
  words: Pick<PanelWords, "leftOut" | "field">,
): string[] {
  if (item.skipped === true) return [question.field === undefined ? words.leftOut : words.field.leftEmpty];
  return answerChoices(question, item);
}
