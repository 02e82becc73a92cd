import { type FormState, itemOf, type QuestionDraft, questionsWith } from "@askwire/client/form";
import { visibleText } from "@askwire/client/text";
import { oneLine } from "../device/fitted-text.js";
import { choicesIn } from "../terminal/choices-in.js";
import type { Drawing } from "./drawing.js";
import { numberThatFits } from "./row-parts.js";
import { isUnconfirmed } from "./tab-bar.js";

/** The confirmed answers, on a line for each choice. Unanswered questions stand out (L-34). */
export function answerLines(form: FormState, { words, paint, texts, columns }: Drawing): string[] {
  return form.questions.flatMap((question, index) => {
    const draft = form.drafts[index] as QuestionDraft;
    const asked = (mark: string, remark = "") =>
      `${mark} ${texts.cut(oneLine(question.question), columns - 2 - texts.widthOf(remark))}${remark}`;
    if (isUnconfirmed(question, draft)) {
      const item = itemOf(question, draft);
      const begun = item === undefined ? [draft.text.text] : choicesIn(question, item, words);
      return [
        texts.cut(paint("yellow", asked("◐", words.remark(words.begun))), columns),
        ...begun.map((choice) => texts.cut(paint("dim", `  → ${oneLine(choice)}`), columns)),
      ];
    }
    if (draft.confirmed === undefined)
      return [texts.cut(paint("yellow", asked("○", words.remark(words.notAnswered))), columns)];
    const choices = choicesIn(question, draft.confirmed, words);
    return [
      texts.cut(asked(paint("green", "●")), columns),
      ...choices.map((choice) => texts.cut(`  → ${oneLine(choice)}`, columns)),
    ];
  });
}

/** The confirmed answers in full. */
export function* answersInFull(form: FormState, drawing: Drawing): Generator<string> {
  const { words, paint, texts, columns } = drawing;
  for (const [index, question] of form.questions.entries()) {
    const draft = form.drafts[index] as QuestionDraft;
    if (index > 0) yield "";
    yield* texts.wrapped(paint("bold", oneLine(question.question)), columns);
    if (draft.confirmed === undefined)
      yield paint(
        "yellow",
        texts.cut(isUnconfirmed(question, draft) ? `◐ ${words.begun}` : `○ ${words.notAnswered}`, columns),
      );
    else
      for (const answer of choicesIn(question, draft.confirmed, words))
        yield* indented(texts.wrapped(visibleText(answer), columns - 4), "  → ", drawing);
  }
}

/** The note that something is missing, or that nothing is. */
export function* reviewNotes(form: FormState, { words, paint, texts, columns }: Drawing): Generator<string> {
  const isOpen = questionsWith(form, "open").length > 0;
  yield* texts.wrapped(isOpen ? paint("yellow", `! ${words.warnOpen}`) : words.readyToSubmit, columns);
}

/** The rows of the page, the current row first if only that fits. Numbers give way to the text. */
export function reviewRows(
  current: number,
  room: number,
  { words, paint, texts, columns }: Drawing,
): string[] {
  const rows = [words.submitAnswers, words.cancel].map((text, index) => {
    const row = texts.cut(`${numberThatFits(index + 1, columns)}${text}`, columns - 1);
    return index === current ? paint("cyan", `❯${row}`) : ` ${row}`;
  });
  return room < rows.length ? rows.slice(current, current + room) : rows;
}

/** Lines behind a mark, the further ones below the first. */
export function* indented(
  lines: Iterable<string>,
  mark: string,
  { texts, columns }: Pick<Drawing, "texts" | "columns">,
): Generator<string> {
  let lead = mark;
  for (const line of lines) {
    yield texts.cut(`${lead}${line}`, columns);
    lead = " ".repeat(mark.length);
  }
}
