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
   * A tall frame that may stand alone has the terminal's second screen, of which nothing is kept; lines that come
   * meanwhile are written behind it.
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

/** The most UTF-16 units of lines that are held while a frame stands alone; with more they are written in between. */
const MOST_HELD = 1_048_576;
/** The width down to which a tall frame leaves nothing above the window, or half of what the window has. */
const NARROW = 40;

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

/** The lines that came while a frame stood alone. */
class HeldLines {
  #text = "";

  get isFull(): boolean {
    return this.#text.length > MOST_HELD;
  }

  add(lines: string): void {
    this.#text += lines;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

/** The most lines above a frame that are remembered. */
const MOST_SAID = 100;

/** The last lines above the frame, which a frame that stands alone shows above itself as far as there is room. */
class LastLines {
  #lines: readonly string[] = [];

  add(text: string): void {
    if (text === "") return;
    // A line that moves the cursor has done so.
    const lines = linesOf(text).filter((line) => !MOVES.test(line));
    this.#lines = [...this.#lines, ...lines].slice(-MOST_SAID);
  }

  last(count: number): readonly string[] {
    return count > 0 ? this.#lines.slice(-count) : [];
  }
}

/** Reports if a frame would lose its top where the window becomes narrower, or shows nothing above itself. */
function isTall(
  lines: readonly string[],
  { columns, rows }: Canvas["size"],
  rowsOf: typeof rowsOfLine,
): boolean {
  const narrow = Math.max(1, Math.min(NARROW, Math.ceil(columns / 2)));
  return lines.reduce((sum, line) => sum + rowsOf(line, narrow), 0) >= rows || lines.length >= rows - 1;
}

/** The rows of a frame, behind those of the last lines above one that stands alone; `first` is the first of its own. */
function rowsOfFrame(
  frame: Frame | undefined,
  said: LastLines,
  size: Canvas["size"],
  { fit, rowsOf }: { readonly fit: (line: string) => string; readonly rowsOf: typeof rowsOfLine },
) {
  const room = Math.max(1, size.rows - 1);
  const own = (frame?.lines ?? []).slice(0, room).map(fit);
  const goesAlone = frame?.mayStandAlone === true && isTall(own, size, rowsOf);
  const before = goesAlone ? said.last(room - own.length).map(fit) : [];
  return { lines: [...before, ...own], first: before.length, goesAlone };
}

/** The rows from the first one down to the cursor, after the terminal wrapped them at its width now. */
function rowsAbove(
  { rows, cursor, columns: from }: Painted,
  canvas: Canvas,
  rowsOf: typeof rowsOfLine,
): number {
  const to = canvas.size.columns;
  return canvas.strayCursor
    ? strayCursorRow(rows, cursor.row, { from, to }, rowsOf)
    : caretRow(rows, cursor, to, rowsOf);
}

/** The place of the cursor in so many lines, the first of them none of the frame's: hidden below them without a caret. */
function cursorIn(caret: Frame["caret"], first: number, lines: number, columns: number) {
  const isShown = caret !== undefined && first + caret.row < lines;
  const hidden = { row: lines, column: 0 };
  return {
    isShown,
    cursor: isShown ? { row: first + caret.row, column: Math.min(caret.column, columns - 1) } : hidden,
  };
}

interface Turning {
  readonly modes: TerminalModes;
  readonly held: HeldLines;
  erase(): string;
}

/** Goes to the screen that the next frame has, with the lines above it on the first one. */
function turned(above: string, goesAlone: boolean, { modes, held, erase }: Turning) {
  const isAlone = modes.has("secondScreen");
  const stays = isAlone ? "" : above;
  if (isAlone) held.add(above);
  if (isAlone === goesAlone && !held.isFull) return { cleared: "", above: stays };
  const bytes = erase();
  if (!goesAlone) return { cleared: bytes, above: stays };
  return { cleared: bytes + stays + modes.on("secondScreen"), above: "" };
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
  const held = new HeldLines();
  const said = new LastLines();
  const measures = new KeptMeasures(rowsOfLine);
  const rowsOf = (line: string, columns: number) => measures.of(line, columns);

  /** Goes to the start of the frame and erases from there, at the terminal's current width. */
  function erasePainted(): string {
    if (painted === undefined) return "";
    const { columns, rows } = canvas.size;
    const { rows: lines, cursor, columns: from } = painted;
    painted = undefined;
    // Terminals wrap nothing anew on their second screen.
    const isAsIs = from === columns || modes.has("secondScreen");
    const above = isAsIs ? cursor.row : rowsAbove({ rows: lines, cursor, columns: from }, canvas, rowsOf);
    // A frame that becomes higher takes the rows above it out of the window.
    const growth = isAsIs ? 0 : lines.reduce((sum, line) => sum + rowsOf(line, columns) - 1, 0);
    known.pushed(growth);
    return `${up(Math.min(above, rows - 1))}${ERASE_BELOW}${modes.off("cutRows")}`;
  }

  /** Takes the frame away, and goes back to the first screen with what was held meanwhile. */
  function erase(): string {
    const erased = erasePainted();
    if (!modes.has("secondScreen")) return erased;
    const lines = held.take();
    // The window may have changed meanwhile.
    known.count = 0;
    known.wrote(lines, 0, canvas.size.rows);
    return `${erased}${modes.off("secondScreen")}${lines}`;
  }

  const fits = new KeptMeasures(fitted);

  function repaint(written: string): void {
    const { columns, rows } = canvas.size;
    for (const kept of [measures, fits]) kept.next();
    said.add(written);
    const fit = (line: string) => fits.of(line, columns);
    const { lines, first, goesAlone } = rowsOfFrame(frame, said, canvas.size, { fit, rowsOf });
    const turn = turned(written, goesAlone, { modes, held, erase });
    const { above } = turn;
    const cleared = turn.cleared + (stale || painted?.columns !== columns ? erasePainted() : "");
    stale = false;
    // Behind a frame that is there, its rows may be among the lines.
    const [apart, joined] = painted === undefined || above === "" ? [above, []] : ["", linesOf(above)];
    const { isShown, cursor } = cursorIn(frame?.caret, first, lines.length, columns);
    const there = painted ?? { rows: [], cursor: { row: 0, column: 0 } };
    const { text, isSmall } = changedRows(there, { rows: lines, cursor }, joined, {
      isOneRow: (line) => !MOVES.test(line) && isFitting(line, columns),
      wrapping: (words) => `${modes.off("cutRows")}${words}${modes.on("cutRows")}`,
    });
    const cuts = modes.on("cutRows");
    painted = { rows: lines, cursor, columns };
    known.wrote(above, lines.length, rows);
    if (isSmall && cleared + apart === "" && isShown && !modes.has("hiddenCursor")) {
      if (text !== "") canvas.write(text);
      return;
    }
    const hides = modes.on("hiddenCursor");
    const shows = isShown ? modes.off("hiddenCursor") : "";
    canvas.write(`${TOGETHER.begin}${hides}${cleared}${apart}${cuts}${text}${shows}${TOGETHER.end}`);
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
      if (painted !== undefined || modes.has("secondScreen")) return repaint(text);
      said.add(text);
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

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n");

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
