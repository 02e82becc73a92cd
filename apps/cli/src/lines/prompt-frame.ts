import type { TextField } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import { cut, widthOf } from "../device/fitted-text.js";
import type { Frame } from "../device/loan.js";
import type { LabelOf } from "../prompt/draft-rows.js";
import type { PromptEditor } from "../prompt/prompt-editor.js";
import { type PromptView, promptView } from "../prompt/prompt-view.js";
import type { HalfLine } from "./half-line.js";
import { rowsIfNarrow, type Taken } from "./live-rows.js";

/** The prompt of words without a reader. */
export const BARE = "> ";
/** The most sent lines shown while they wait for a reader. */
const MOST_WAITING = 3;

interface Shown {
  /** The unfinished line of other output. Its finished rows become whole lines. */
  readonly begun: HalfLine;
  /** The lines that wait for a reader. */
  readonly queue: readonly string[];
  /** The prompt of the reader. */
  readonly prompt: string | undefined;
  readonly draft: TextField;
  /** The words suggested below the draft. */
  readonly suggested: PromptEditor["suggested"];
  /** The rows of text that grows; those without room leave. They have that room in a narrow window as well. */
  text(room: number, mayGrow: number): Taken;
  /** The rows of what runs. */
  work(room: number): readonly string[];
  /** The row below the prompt. */
  readonly status: string | undefined;
  /** The most rows that a narrow window may add to the frame. */
  readonly mayGrow: number;
}

/** The fewest rows of a window with a row below the prompt. */
const LEAST_ROWS = 5;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Draws the prompt below the unfinished line and the lines that wait for a reader. */
export class PromptFrame {
  readonly #view: PromptView;

  /** @param labelOf what is shown for characters of a draft that stand for another text. */
  constructor(labelOf: LabelOf) {
    this.#view = promptView(labelOf);
  }

  get vertical(): PromptView["vertical"] {
    return this.#view.vertical;
  }

  /** @returns the frame, and the lines to write above it since they stay or have no room in it. */
  draw(shown: Shown, { columns, rows }: Size): { readonly frame: Frame; readonly above: string } {
    const status = shown.status === undefined || rows < LEAST_ROWS ? [] : [shown.status];
    const below = [...suggestedRows(shown.suggested, columns, Math.floor((rows - 2) / 2)), ...status];
    const room = Math.max(1, rows - 1 - below.length);
    // Running calls have at most half of the window.
    const work = shown.work(Math.floor(room / 2));
    const { frame, above, left } = this.#drawPrompt(shown, columns, room - work.length);
    const wrapped = [...work, ...frame.lines, ...below].reduce(
      (sum, line) => sum + rowsIfNarrow(line, columns) - 1,
      0,
    );
    const taken = shown.text(Math.max(Math.min(1, left), left - wrapped), shown.mayGrow - wrapped);
    const before = [...taken.rows, ...work];
    const caret = { ...frame.caret, row: frame.caret.row + before.length };
    return { frame: { lines: [...before, ...frame.lines, ...below], caret }, above: taken.above + above };
  }

  /** Draws the prompt, with the unfinished line above it. `left` is the number of rows that it leaves. */
  #drawPrompt(shown: Shown, columns: number, room: number) {
    const { begun, queue, draft } = shown;
    const waiting = queue
      .slice(-Math.min(MOST_WAITING, room - 1))
      .map((line) => cut(BARE + visibleLine(line), columns));
    const prompt = shown.prompt ?? (draft.text === "" && waiting.length === 0 ? undefined : BARE);
    if (prompt === undefined) return withoutPrompt(begun, columns, room);
    const forDraft = room - waiting.length - (begun.text === "" || room < 2 ? 0 : 1);
    const drawn = this.#view.draw(prompt, draft, { columns, room: Math.max(1, forDraft) });
    const fitted = begun.fit(columns, room - waiting.length - drawn.lines.length);
    const before = [...fitted.rows, ...waiting];
    const { row, column } = drawn.caret;
    const lines = [...before, ...drawn.lines];
    const frame = { lines, caret: { row: before.length + row, column } };
    return { frame, above: fitted.above, left: Math.max(0, room - lines.length) };
  }
}

/** The suggested words, one a row with its meaning beside it, around the marked one. */
function suggestedRows({ words, marked }: Shown["suggested"], columns: number, room: number): string[] {
  const from = Math.max(0, (marked ?? 0) - room + 1);
  const width = Math.max(0, ...words.map(({ word }) => widthOf(word)));
  return words.slice(from, from + Math.max(0, room)).map(({ word, about }, at) => {
    const padded = about === "" ? word : `${word}${" ".repeat(width - widthOf(word))}  ${about}`;
    return cut(`${from + at === marked ? "❯" : " "} ${padded}`, columns);
  });
}

function withoutPrompt(begun: HalfLine, columns: number, room: number) {
  // An empty line is a place for the cursor.
  const { rows, above } = begun.text === "" ? { rows: [""], above: "" } : begun.fit(columns, room);
  const caret = { row: rows.length - 1, column: widthOf(rows.at(-1) ?? "") };
  return { frame: { lines: rows, caret }, above, left: Math.max(0, room - rows.length) };
}
