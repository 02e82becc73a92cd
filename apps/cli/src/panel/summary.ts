import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { Paint } from "../terminal/paint.js";
import { visibleLine } from "../terminal/visible-text.js";
import type { AskedWords } from "../words/asked-words.js";

/** The lines that stay of questions once they are answered, or declined (L-44). */
export function questionSummary(
  questions: readonly CoreQuestion[],
  items: readonly AnswerItem[] | "declined",
  paint: Paint,
  words: AskedWords,
): string[] {
  return questions.flatMap((question) => {
    const item =
      items === "declined" ? undefined : items.find(({ question_id }) => question_id === question.id);
    const answers = item === undefined ? [] : answersOf(question, item, paint);
    const none = items === "declined" ? words.declined : words.notAnswered;
    return [
      `${answers.length > 0 ? paint("green", "●") : "○"} ${paint("bold", visibleLine(question.question))}`,
      ...(answers.length > 0 ? answers : [paint("dim", none)]).map((answer) => `  → ${answer}`),
    ];
  });
}

function answersOf({ options }: CoreQuestion, { selected, own_text = "" }: AnswerItem, paint: Paint) {
  const chosen = selected.flatMap((id) => {
    const option = options.find((option) => option.id === id);
    if (option === undefined) return [];
    const described = option.description === "" ? "" : paint("dim", ` · ${visibleLine(option.description)}`);
    return [`${visibleLine(option.label)}${described}`];
  });
  return own_text.trim() === "" ? chosen : [...chosen, visibleLine(own_text.trim())];
}
