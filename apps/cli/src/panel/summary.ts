import { answerParts, visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";

/** The lines that stay of answered or declined questions (L-44). */
export function questionSummary(
  questions: readonly CoreQuestion[],
  items: readonly AnswerItem[] | "declined",
  paint: Paint,
  words: AskedWords,
): string[] {
  const asked = ({ question }: CoreQuestion, mark: string) =>
    `${mark} ${paint("bold", visibleLine(question))}`;
  const none = (why: string) => `  → ${paint("dim", why)}`;
  if (items === "declined")
    return [...questions.map((question) => asked(question, "○")), none(words.declined)];
  return questions.flatMap((question) => {
    const item = items.find(({ question_id }) => question_id === question.id);
    const answers = item === undefined ? [] : answersOf(question, item, paint, words);
    if (answers.length === 0) return [asked(question, "○"), none(words.notAnswered)];
    return [asked(question, paint("green", "●")), ...answers.map((answer) => `  → ${answer}`)];
  });
}

function answersOf(question: CoreQuestion, item: AnswerItem, paint: Paint, words: AskedWords): string[] {
  if (item.skipped === true && question.field !== undefined) return [paint("dim", words.field.leftEmpty)];
  const { chosen, said } = answerParts(question, item);
  const lines = chosen.map(({ label, description }) => {
    const described = description === "" ? "" : paint("dim", ` · ${visibleLine(description)}`);
    return `${visibleLine(label)}${described}`;
  });
  return said.trim() === "" ? lines : [...lines, visibleLine(said.trim())];
}
