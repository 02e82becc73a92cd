import { shownQuestion } from "@askwire/client/form";
import { firstLines } from "../device/fitted-text.js";
import type { Drawn, PageContent, PanelContent, PanelSize, Reading } from "./content.js";
import type { Drawing } from "./drawing.js";
import { hintLines } from "./form-hint.js";
import { keyHints, readingHints } from "./key-hints.js";
import { reviewShares, roomIn, type Section, sections } from "./layout.js";
import { questionPage } from "./question-page.js";
import { shownLines } from "./question-text.js";
import { answerLines, reviewNotes, reviewRows } from "./review.js";
import { tabBar } from "./tab-bar.js";
import { hasTitle, titleLine, titleLines } from "./title-line.js";

/** The frame of a panel for a terminal of this size: fewer lines than rows, and no wider. */
export function panelPage(
  content: PanelContent,
  { columns, rows }: PanelSize,
  { reading, ...means }: Omit<Drawing, "columns" | "ready"> & { reading: Reading },
): Drawn {
  const drawing: Drawing = { ...means, columns, ready: content.ready };
  const room = roomIn(rows);
  if (room < 1 || columns < 1) return { lines: [], lastTop: 0, isCut: true };
  if (content.form.reading) return readingPage(reading(content, drawing), content, room, drawing);
  const shown = shownQuestion(content.form);
  const page =
    shown === undefined
      ? reviewPage(content, room, drawing)
      : questionPage(content, shown, { room, drawing });
  return assembled(content, page, drawing);
}

function readingPage(
  all: readonly string[],
  { form, top }: PanelContent,
  room: number,
  drawing: Drawing,
): Drawn {
  const why = firstLines(hintLines(form, drawing), Math.floor(room / 3));
  const height = (room > 1 ? room - 1 : room) - why.length;
  const lastTop = Math.max(0, all.length - height);
  const first = Math.min(Math.max(0, top), lastTop);
  const lines = all.slice(first, first + height).map((line) => drawing.texts.cut(line, drawing.columns));
  if (room < 2) return { lines, lastTop, isCut: true };
  const where = { first: first + 1, last: first + lines.length, all: all.length };
  return { lines: [...lines, ...why, readingHints(where, drawing)], lastTop, isCut: lastTop > 0 };
}

function reviewPage(content: PanelContent, room: number, drawing: Drawing): PageContent {
  const { form } = content;
  const { words, paint, texts, columns } = drawing;
  const answers = answerLines(form, drawing);
  const notes = [...reviewNotes(form, drawing)];
  const hint = [...hintLines(form, drawing)];
  const shares = reviewShares(room, {
    title: hasTitle(content) ? 1 : 0,
    answers: answers.length,
    notes: notes.length,
    hint: hint.length,
  });
  const lines = {
    question: [texts.cut(paint("bold", words.review), columns)],
    body: shownLines(answers, shares.body, drawing),
    notes: notes.slice(0, shares.notes),
    list: reviewRows(form.reviewRow, shares.list, drawing),
  };
  return { shares, lines, more: true, isCut: answers.length > shares.body };
}

/** Puts the sections together, with the sections common to all pages. */
function assembled(
  content: PanelContent,
  { shares, lines: own, caret, more, isCut }: PageContent,
  drawing: Drawing,
): Drawn {
  const { form } = content;
  const common: Partial<Record<Section, readonly string[]>> = {
    title: shares.title > 1 ? titleLines(content, drawing) : [titleLine(content, drawing)],
    tabs: shares.tabs > 0 ? [tabBar(form, drawing)] : [],
    hint:
      shares.hint > 0 ? shownLines(hintLines(form, drawing), shares.hint, { ...drawing, ready: false }) : [],
    footer: [keyHints(content, more, drawing)],
  };
  const blank = [""];
  const linesOf = (section: Section) => (own[section] ?? common[section] ?? blank).slice(0, shares[section]);
  const lines = sections.flatMap(linesOf);
  if (caret === undefined) return { lines, lastTop: 0, isCut };
  const { section, ...place } = caret;
  const above = sections.slice(0, sections.indexOf(section)).flatMap(linesOf);
  return { lines, caret: { ...place, row: above.length + place.row }, lastTop: 0, isCut };
}
