import type { Frame } from "./loan.js";
import type { TerminalModes } from "./terminal-modes.js";
import { rowsOf, strayCursorRow } from "./wrapped-rows.js";

/** A frame that stands below everything else, and is painted again in its place. */
export interface Screen {
  /**
   * Paints a frame in the place of the one before, with whole lines above it if there are any. An equal frame is painted
   * only where the one before is not as it was painted.
   */
  show(frame: Frame, above?: string): void;
  /** Writes whole lines above the frame. */
  above(text: string): void;
  /** Takes the frame away. Gives what is to be written for that. */
  erase(): string;
  /** What was painted scrolled away, or was written over: the next frame is a new one. */
  forget(): void;
  /** The terminal may have wrapped the frame anew: an equal one is painted again. */
  resized(): void;
}

interface Canvas {
  /** The terminal as it is now. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Whether the cursor does not stay on its line when the terminal gets another width. */
  readonly strayCursor: boolean;
  write(text: string): void;
}

/** A terminal that knows these marks shows what is between them at once. */
const TOGETHER = { begin: "\u001b[?2026h", end: "\u001b[?2026l" };
const ERASE_BELOW = "\u001b[J";

/**
 * Paints on the rows below what was written before. The cursor is expected at the start of a line. Nothing above the
 * frame is touched, and each change is one write. Below the frame there is one more row, for the hidden cursor.
 *
 * @param modes where the hidden cursor is switched.
 */
export function createScreen(canvas: Canvas, modes: TerminalModes): Screen {
  let frame: Frame | undefined;
  /** What stands on the screen, with the line of it that the cursor is on; one more than there are is below them. */
  let painted: { lines: readonly string[]; cursor: number; columns: number } | undefined;
  let stale = false;

  /** Goes to where the frame begins and erases from there, at the width that the terminal has now. */
  function erase(): string {
    if (painted === undefined) return "";
    const { columns, rows } = canvas.size;
    const { lines, cursor, columns: from } = painted;
    const above =
      canvas.strayCursor && from !== columns
        ? strayCursorRow(lines, cursor, { from, to: columns })
        : rowsOf(lines.slice(0, cursor), columns);
    painted = undefined;
    return `${up(Math.min(above, rows - 1))}\r${ERASE_BELOW}`;
  }

  function paint({ lines: all, caret }: Frame): string {
    const { columns, rows } = canvas.size;
    const lines = fitting(all, columns, rows - 1);
    const text = lines.map((line) => `${line}\r\n`).join("");
    if (caret === undefined || caret.row >= lines.length) {
      painted = { lines, cursor: lines.length, columns };
      return text;
    }
    painted = { lines, cursor: caret.row, columns };
    const right = Math.min(caret.column, columns - 1);
    const back = up(rowsOf(lines.slice(caret.row), columns));
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

/** The first lines that have room: a frame that was drawn for a larger terminal must not scroll into what was said. */
function fitting(lines: readonly string[], columns: number, room: number): readonly string[] {
  let left = Math.max(1, room);
  const end = lines.findIndex((line) => {
    left -= rowsOf([line], columns);
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
