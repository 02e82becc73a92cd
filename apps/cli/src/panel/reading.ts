import { visibleText } from "@askwire/client/text";
import type { CoreQuestion } from "@askwire/protocol";
import { oneLine } from "../device/fitted-text.js";
import type { PanelContent, Reading } from "./content.js";
import type { Drawing } from "./drawing.js";
import { previewOf } from "./preview-box.js";
import { bodyLines, questionLines, subjectLines } from "./question-text.js";
import { answersInFull, indented } from "./review.js";
import { optionNotes, ownLabel } from "./row-parts.js";

/** The full text of the shown page, uncut, for the pager. */
export function readingLines(
  { form, title, subject, subjectInFull = subject }: PanelContent,
  drawing: Drawing,
): string[] {
  const { paint, texts, columns } = drawing;
  const lines = title === "" ? [] : [...texts.wrapped(paint("bold", oneLine(title)), columns), ""];
  const question = form.questions[form.tab];
  const draft = form.drafts[form.tab];
  if (question === undefined || draft === undefined) return [...lines, ...answersInFull(form, drawing)];
  lines.push(...questionLines(question, { tabs: false }, drawing));
  if (subjectInFull.length > 0) lines.push("", ...subjectLines(subjectInFull, drawing));
  const body = [...bodyLines(question, drawing)];
  if (body.length > 0) lines.push("", ...body);
  if (question.options.length > 0) lines.push("", ...optionsInFull(question, drawing));
  if (question.own_text && question.options.length > 0)
    lines.push(...ownInFull(question, draft.text.text, drawing));
  else if (draft.text.text !== "") lines.push("", ...texts.wrapped(visibleText(draft.text.text), columns));
  return lines;
}

function* optionsInFull(question: CoreQuestion, drawing: Drawing): Generator<string> {
  const { words, paint, texts, columns } = drawing;
  for (const [index, option] of question.options.entries()) {
    const notes = optionNotes(option, question, drawing);
    const noted = notes.map((note) => paint("dim", words.note(note))).join("");
    const mark = `${index + 1}. `;
    yield* indented(texts.wrapped(oneLine(option.label) + noted, columns - mark.length), mark, drawing);
    yield* below(visibleText(option.description), drawing);
    const preview = visibleText(previewOf(option));
    if (preview === "") continue;
    for (const line of texts.wrapped(preview, columns - 5)) yield `   ${paint("dim", "│")} ${line}`.trimEnd();
  }
}

function* ownInFull(question: CoreQuestion, typed: string, drawing: Drawing): Generator<string> {
  const { texts, columns } = drawing;
  const mark = `${question.options.length + 1}. `;
  yield* indented(texts.wrapped(ownLabel(question, drawing), columns - mark.length), mark, drawing);
  yield* below(visibleText(question.other_description), drawing);
  yield* below(visibleText(typed), drawing);
}

/** The lines of text that belongs to an option. */
function* below(text: string, drawing: Drawing): Generator<string> {
  if (text.trim() === "") return;
  yield* indented(drawing.texts.wrapped(text.trimEnd(), drawing.columns - 3), "   ", drawing);
}

/** Makes a {@link readingLines} that keeps its last lines. Lines are wrapped anew only for another content or width. */
export function keptReading(): Reading {
  let kept: { of: readonly unknown[]; lines: readonly string[] } = { of: [], lines: [] };
  return (content, drawing) => {
    const { form, title, subject, subjectInFull = subject } = content;
    const shown = form.drafts[form.tab]?.text.text ?? form.drafts;
    const of = [
      form.questions,
      form.tab,
      shown,
      title,
      subjectInFull,
      drawing.columns,
      drawing.paint,
      drawing.words,
    ];
    if (of.length !== kept.of.length || of.some((value, index) => value !== kept.of[index]))
      kept = { of, lines: readingLines(content, drawing) };
    return kept.lines;
  };
}
