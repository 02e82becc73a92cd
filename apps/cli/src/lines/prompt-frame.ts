import type { TextField } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import { cut, widthOf } from "../device/fitted-text.js";
import type { Frame } from "../device/loan.js";
import type { LabelOf } from "../prompt/draft-rows.js";
import { type PromptView, promptView } from "../prompt/prompt-view.js";
import type { HalfLine } from "./half-line.js";

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
}

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

  /** @returns the frame, and the lines to write above it since they have no room in it. */
  draw(shown: Shown, { columns, rows }: Size): { readonly frame: Frame; readonly above: string } {
    const { begun, queue, draft } = shown;
    const room = Math.max(1, rows - 1);
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
    const frame = { lines: [...before, ...drawn.lines], caret: { row: before.length + row, column } };
    return { frame, above: fitted.above };
  }
}

function withoutPrompt(begun: HalfLine, columns: number, room: number) {
  // An empty line is a place for the cursor.
  const { rows, above } = begun.text === "" ? { rows: [""], above: "" } : begun.fit(columns, room);
  const caret = { row: rows.length - 1, column: widthOf(rows.at(-1) ?? "") };
  return { frame: { lines: rows, caret }, above };
}
