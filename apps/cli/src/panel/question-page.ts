import { hasReview, type QuestionDraft } from "@askwire/client/form";
import type { CoreQuestion } from "@askwire/protocol";
import { firstLines } from "../device/fitted-text.js";
import type { PageContent, PanelContent } from "./content.js";
import type { Block, Drawing } from "./drawing.js";
import { hintLines } from "./form-hint.js";
import { LEAST_PREVIEW, questionShares, sideBySide } from "./layout.js";
import { listRows } from "./list-rows.js";
import { listNeeds, optionList } from "./option-list.js";
import { hasPreviews, previewBox, previewNeeds, widestPreview } from "./preview-box.js";
import { bodyLines, endsOf, questionText, shownEnds, shownLines } from "./question-text.js";
import { sideBlock } from "./side-lines.js";
import { hasTitle, titleLines } from "./title-line.js";

/** The columns of a preview below its list. */
const BELOW = 80;

/** The page of a question: subject, question and rows, with a preview of the current row. */
export function questionPage(
  content: PanelContent,
  { question, draft }: { question: CoreQuestion; draft: QuestionDraft },
  { room, drawing }: { room: number; drawing: Drawing },
): PageContent {
  const { form, subject, bodyIsShown = false } = content;
  const { columns } = drawing;
  const tabs = hasReview(form);
  const previews = hasPreviews(question);
  const side = previews ? sideBySide(columns, widestPreview(question, room, drawing.texts)) : undefined;
  const beside = { ...drawing, columns: side?.list ?? columns };
  const rows = listRows({ question, draft, options: form.options }, beside);
  const list = listNeeds(rows, draft.row, room);
  const typed = sideBlock(form, draft, drawing);
  const box = previews ? previewNeeds(question, room) : 0;

  const texts = {
    subject: endsOf(subject, room, drawing),
    question: endsOf(questionText(question, { tabs }, drawing), room, drawing),
    body: bodyIsShown ? [] : firstLines(bodyLines(question, drawing), room),
  };
  const needs = {
    title: hasTitle(content) ? titleLines(content, drawing).length : 0,
    tabs: tabs ? 1 : 0,
    subject: texts.subject.first.length,
    question: texts.question.first.length,
    body: texts.body.length,
    listLeast: list.least,
    listMost: side ? Math.max(list.most, box) : list.most,
    preview: side ? 0 : box,
    side: typed.lines.length,
    hint: firstLines(hintLines(form, drawing), room).length,
  };
  const shares = questionShares(room, needs);
  const drawn = optionList(rows, draft.row, shares.list, beside);
  const option = question.options[draft.row];
  const lines = {
    subject: shownEnds(texts.subject, shares.subject, drawing),
    question: shownEnds(texts.question, shares.question, { ...drawing, ready: false }),
    body: shownLines(texts.body, shares.body, drawing),
    list: side
      ? withPreview(
          drawn,
          previewBox(option, Math.min(shares.list, box), { ...drawing, columns: side.preview }),
          { texts: drawing.texts, columns: side.list },
        )
      : drawn.lines,
    preview:
      shares.preview >= LEAST_PREVIEW
        ? previewBox(option, shares.preview, { ...drawing, columns: Math.min(columns, BELOW) })
        : [],
    side: typed.lines,
  };
  const isCut =
    needs.subject > shares.subject ||
    needs.question > shares.question ||
    needs.body > shares.body ||
    drawn.isCut;
  const more = previews || bodyIsShown || isCut || list.most > shares.list;
  const { caret } = form.side === undefined ? drawn : typed;
  const section = form.side === undefined ? "list" : "side";
  return { shares, lines, more, isCut, ...(caret && { caret: { ...caret, section } }) };
}

/** Two columns of lines, with a blank between them. */
function withPreview(
  { lines }: Block,
  box: readonly string[],
  { texts, columns }: Pick<Drawing, "texts" | "columns">,
): string[] {
  if (box.length === 0) return [...lines];
  return Array.from({ length: Math.max(lines.length, box.length) }, (_, index) => {
    const left = lines[index] ?? "";
    const right = box[index];
    return right === undefined ? left : `${texts.filled(left, columns)} ${right}`;
  });
}
