import stringWidth from "string-width";
import { cut } from "./fitted-text.js";
import { KeptMeasures } from "./kept-measures.js";
import type { Frame } from "./loan.js";
import { changedRows, ERASE_BELOW, type Rows } from "./row-changes.js";
import type { TerminalModes } from "./terminal-modes.js";
import { caretRow, rowsOfLine, strayCursorRow } from "./wrapped-rows.js";

/** A frame below everything else, painted again in its place. */
export interface Screen {
  /**
   * Paints a frame in place of the last one, with whole lines above it if there are any. Rows that stay are not written
   * again: rows of the last frame that are now lines above it stay where they are.
   * An equal frame is painted only if the last one was damaged.
   */
  show(frame: Frame, above?: string): void;
  /** Writes whole lines above the frame. */
  above(text: string): void;
  /** Takes the frame away. Returns the bytes to write for that. */
  erase(): string;
  /** The frame scrolled away or was written over: the next frame is new. */
  forget(): void;
  /** The terminal may have wrapped the frame anew: an equal frame is painted again. */
  resized(): void;
  /** The least number of rows that the window has above the frame. */
  readonly ahead: number;
}

interface Canvas {
  /** The current size of the terminal. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Set if the cursor leaves its line when the terminal gets another width. */
  readonly strayCursor: boolean;
  write(text: string): void;
}

interface Painted extends Rows {
  readonly columns: number;
}

/** Marks between which a terminal shows everything at once, if it knows them. */
const TOGETHER = { begin: "\u001b[?2026h", end: "\u001b[?2026l" };

/** Characters after which a terminal's cursor stands elsewhere than a count of columns says. */
const MOVES = /[\t\r\b\v\f]/;

/** The rows above the frame that are in the window, as far as they are known. */
class RowsAbove {
  count = 0;
  #height: number;

  constructor(height: number) {
    this.#height = height;
  }

  /** So many of them left the window. */
  pushed(rows: number): void {
    this.count = Math.max(0, this.count - rows);
  }

  /** These lines stand above the frame now. @param own the rows of the frame. */
  wrote(above: string, own: number, height: number): void {
    const lines = this.count - Math.max(0, this.#height - height) + above.split("\n").length - 1;
    this.#height = height;
    this.count = Math.max(0, Math.min(lines, height - 1 - own));
  }
}

/**
 * Paints on the rows below the earlier output. The cursor is expected at the start of a line.
 * Nothing above the frame is touched, and each change is one write. Below the frame stands one more row, for the
 * hidden cursor.
 *
 * @param modes switches the cursor and the wrapping of rows.
 */
export function createScreen(canvas: Canvas, modes: TerminalModes): Screen {
  let frame: Frame | undefined;
  /** The painted rows with the cursor, at the terminal's width then; the row below them has the next index. */
  let painted: Painted | undefined;
  let stale = false;
  const known = new RowsAbove(canvas.size.rows);
  const measures = new KeptMeasures(rowsOfLine);
  const rowsOf = (line: string, columns: number) => measures.of(line, columns);

  /** Goes to the start of the frame and erases from there, at the terminal's current width. */
  function erase(): string {
    if (painted === undefined) return "";
    const { columns, rows } = canvas.size;
    const { rows: lines, cursor, columns: from } = painted;
    const above =
      from === columns
        ? cursor.row
        : canvas.strayCursor
          ? strayCursorRow(lines, cursor.row, { from, to: columns }, rowsOf)
          : caretRow(lines, cursor, columns, rowsOf);
    painted = undefined;
    // A frame that becomes higher takes the rows above it out of the window.
    const growth = lines.reduce((sum, line) => sum + rowsOf(line, columns) - 1, 0);
    known.pushed(growth);
    return `${up(Math.min(above, rows - 1))}${ERASE_BELOW}${modes.off("cutRows")}`;
  }

  const fits = new KeptMeasures(fitted);

  function repaint(above: string): void {
    const { columns, rows } = canvas.size;
    for (const kept of [measures, fits]) kept.next();
    const cleared = stale || painted?.columns !== columns ? erase() : "";
    stale = false;
    const lines = (frame?.lines ?? []).slice(0, Math.max(1, rows - 1)).map((line) => fits.of(line, columns));
    // Behind a frame that is there, its rows may be among the lines.
    const [first, said] =
      painted === undefined || above === "" ? [above, []] : ["", above.replace(/\n$/, "").split("\n")];
    const caret = frame?.caret;
    const isShown = caret !== undefined && caret.row < lines.length;
    const cursor = isShown
      ? { row: caret.row, column: Math.min(caret.column, columns - 1) }
      : { row: lines.length, column: 0 };
    const before = painted ?? { rows: [], cursor: { row: 0, column: 0 } };
    const { text, isSmall } = changedRows(before, { rows: lines, cursor }, said, {
      isOneRow: (line) => !MOVES.test(line) && isFitting(line, columns),
      wrapping: (words) => `${modes.off("cutRows")}${words}${modes.on("cutRows")}`,
    });
    const cuts = modes.on("cutRows");
    painted = { rows: lines, cursor, columns };
    known.wrote(above, lines.length, rows);
    if (isSmall && cleared + first === "" && isShown && !modes.has("hiddenCursor")) {
      if (text !== "") canvas.write(text);
      return;
    }
    const hides = modes.on("hiddenCursor");
    const shows = isShown ? modes.off("hiddenCursor") : "";
    canvas.write(`${TOGETHER.begin}${hides}${cleared}${first}${cuts}${text}${shows}${TOGETHER.end}`);
  }

  return {
    get ahead() {
      return known.count;
    },
    show(next, above = "") {
      const isThere = painted !== undefined && !stale && frame !== undefined && isSame(frame, next);
      if (isThere && above === "") return;
      frame = next;
      repaint(above);
    },
    above(text) {
      if (painted !== undefined) return repaint(text);
      canvas.write(text);
      known.wrote(text, 0, canvas.size.rows);
    },
    erase() {
      frame = undefined;
      const bytes = erase();
      known.count = 0;
      return bytes;
    },
    forget() {
      painted = undefined;
      known.count = 0;
    },
    resized() {
      stale = true;
    },
  };
}

const up = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : "");

const isFitting = (line: string, columns: number) =>
  line.length * 2 <= columns || stringWidth(line) <= columns;

/** A line that takes one row: what has no room is cut. */
const fitted = (line: string, columns: number) => (isFitting(line, columns) ? line : cut(line, columns));

const isSame = (a: Frame, b: Frame) =>
  a.caret?.row === b.caret?.row &&
  a.caret?.column === b.caret?.column &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, index) => line === b.lines[index]);
