import type { FormResult } from "@askwire/client/form";
import { answerParts, visibleLine, visibleText } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";

/** The lines that stay of answered or declined questions (L-44). */
export function questionSummary(
  questions: readonly CoreQuestion[],
  items: readonly AnswerItem[] | Exclude<FormResult, { readonly items: unknown }>,
  paint: Paint,
  words: AskedWords,
): string[] {
  const asked = ({ question }: CoreQuestion, mark: string) =>
    `${mark} ${paint("bold", visibleLine(question))}`;
  const none = (why: string) => `  → ${paint("dim", why)}`;
  const open = () => questions.map((question) => asked(question, "○"));
  if (items === "declined") return [...open(), none(words.declined)];
  if ("declined" in items) return [...open(), none(words.discussed), ...noteLines(items.note, paint)];
  return questions.flatMap((question) => {
    const item = items.find(({ question_id }) => question_id === question.id);
    const answers = item === undefined ? [] : answersOf(question, item, paint, words);
    if (answers.length === 0) return [asked(question, "○"), none(words.notAnswered)];
    return [
      asked(question, paint("green", "●")),
      ...answers.flatMap((lines) => lines.map((line, at) => `  ${at === 0 ? "→" : " "} ${line}`)),
      ...noteLines(item?.note, paint),
    ];
  });
}

/** The words next to an answer, on lines of their own. */
const noteLines = (note = "", paint: Paint): string[] =>
  ownLines(note).map((line) => `    ${paint("dim", line)}`);

/** The lines of a person's own words. */
const ownLines = (text: string): string[] => (text.trim() === "" ? [] : visibleText(text.trim()).split("\n"));

/** Each answer to a question, as lines. */
function answersOf(question: CoreQuestion, item: AnswerItem, paint: Paint, words: AskedWords): string[][] {
  if (item.skipped === true && question.field !== undefined) return [[paint("dim", words.field.leftEmpty)]];
  const { chosen, said } = answerParts(question, item);
  const lines = chosen.map(({ label, description }) => {
    const described = description === "" ? "" : paint("dim", ` · ${visibleLine(description)}`);
    return [`${visibleLine(label)}${described}`];
  });
  return said.trim() === "" ? lines : [...lines, ownLines(said)];
}
