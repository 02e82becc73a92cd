import { KeptMeasures } from "./kept-measures.js";
import type { Frame } from "./loan.js";
import type { TerminalModes } from "./terminal-modes.js";
import { rowsOfLine, strayCursorRow } from "./wrapped-rows.js";

/** A frame below everything else, painted again in its place. */
export interface Screen {
  /**
   * Paints a frame in place of the last one, with whole lines above it if there are any.
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
}

interface Canvas {
  /** The current size of the terminal. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Set if the cursor leaves its line when the terminal gets another width. */
  readonly strayCursor: boolean;
  write(text: string): void;
}

/** Marks between which a terminal shows everything at once, if it knows them. */
const TOGETHER = { begin: "\u001b[?2026h", end: "\u001b[?2026l" };
const ERASE_BELOW = "\u001b[J";

/**
 * Paints on the rows below the earlier output. The cursor is expected at the start of a line.
 * Nothing above the frame is touched, and each change is one write. Below the frame stands one more row, for the
 * hidden cursor.
 *
 * @param modes switches the cursor off and on.
 */
export function createScreen(canvas: Canvas, modes: TerminalModes): Screen {
  let frame: Frame | undefined;
  /** The painted lines, and the index of the cursor's line; the row below the lines has the next index. */
  let painted: { lines: readonly string[]; cursor: number; columns: number } | undefined;
  let stale = false;
  const measures = new KeptMeasures(rowsOfLine);
  const rowsOf = (line: string, columns: number) => measures.of(line, columns);
  const rowsIn = (lines: readonly string[], columns: number) =>
    lines.reduce((rows, line) => rows + rowsOf(line, columns), 0);

  /** Goes to the start of the frame and erases from there, at the terminal's current width. */
  function erase(): string {
    if (painted === undefined) return "";
    const { columns, rows } = canvas.size;
    const { lines, cursor, columns: from } = painted;
    const above =
      canvas.strayCursor && from !== columns
        ? strayCursorRow(lines, cursor, { from, to: columns }, rowsOf)
        : rowsIn(lines.slice(0, cursor), columns);
    painted = undefined;
    return `${up(Math.min(above, rows - 1))}\r${ERASE_BELOW}`;
  }

  function paint({ lines: all, caret }: Frame): string {
    const { columns, rows } = canvas.size;
    measures.next();
    const lines = fitting(all, rows - 1, (line) => rowsOf(line, columns));
    const text = lines.map((line) => `${line}\r\n`).join("");
    if (caret === undefined || caret.row >= lines.length) {
      painted = { lines, cursor: lines.length, columns };
      return text;
    }
    painted = { lines, cursor: caret.row, columns };
    const right = Math.min(caret.column, columns - 1);
    const back = up(rowsIn(lines.slice(caret.row), columns));
    return `${text}${back}${right > 0 ? `\u001b[${right}C` : ""}${modes.off("hiddenCursor")}`;
  }

  function repaint(text: string): void {
    const hidden = modes.on("hiddenCursor");
    stale = false;
    const painting = frame === undefined ? "" : paint(frame);
    canvas.write(`${TOGETHER.begin}${hidden}${text}${painting}${TOGETHER.end}`);
  }

  return {
    show(next, above = "") {
      const isThere = painted !== undefined && !stale && frame !== undefined && isSame(frame, next);
      if (isThere && above === "") return;
      frame = next;
      repaint(erase() + above);
    },
    above(text) {
      if (painted === undefined) canvas.write(text);
      else repaint(erase() + text);
    },
    erase() {
      frame = undefined;
      return erase();
    },
    forget() {
      painted = undefined;
    },
    resized() {
      stale = true;
    },
  };
}

const up = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : "");

const isSame = (a: Frame, b: Frame) =>
  a.caret?.row === b.caret?.row &&
  a.caret?.column === b.caret?.column &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, index) => line === b.lines[index]);

/** The first lines that fit: a frame for a larger terminal must not scroll into earlier output. */
function fitting(
  lines: readonly string[],
  room: number,
  rowsOf: (line: string) => number,
): readonly string[] {
  let left = Math.max(1, room);
  const end = lines.findIndex((line) => {
    left -= rowsOf(line);
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
