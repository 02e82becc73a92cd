import { commonStart } from "./common-start.js";

/** Rows on a terminal, and the place of the cursor among them, from 0. The row below them is there too. */
export interface Rows {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

interface Manner {
  /** Reports if a line that is to stay takes one row. */
  isOneRow(line: string): boolean;
  /** The bytes that write lines which are to stay: the terminal wraps them. */
  wrapping(text: string): string;
}

/**
 * Erases from the start of the cursor's row. The terminal is told so from the second column on: tmux takes what is
 * erased from the first of all for a screen to keep, and copies the screen into its history.
 */
export const ERASE_BELOW = "\r\u001b[K\u001b[C\u001b[J\r";
const ERASE_ROW = "\u001b[2K";
/** Keep the place of the cursor, and go back there. */
const [SAVE, RESTORE] = ["\u001b7", "\u001b8"];

/**
 * The bytes that change rows in place. Only rows that differ are written, and of a row that grows only what is new.
 * Rows above the frame push it down: at the bottom of the terminal the terminal scrolls.
 *
 * @param said the lines that are to stay above the rows.
 * @returns the bytes, and `isSmall` if they write in one row at most.
 */
export function changedRows(
  before: Rows,
  after: Rows,
  said: readonly string[],
  { isOneRow, wrapping }: Manner,
): { readonly text: string; readonly isSmall: boolean } {
  const wide = said.findIndex((line) => !isOneRow(line));
  const all = [...said, ...after.rows];
  const inPlace = Math.min(before.rows.length, all.length, wide === -1 ? all.length : wide);
  const pen = penAt(before.cursor);
  let changed = 0;
  for (const [row, line] of all.slice(0, inPlace).entries()) {
    const old = before.rows[row] ?? "";
    if (old === line) continue;
    const written = change(old, line);
    changed += 1;
    pen.go(row, written.column);
    pen.write(row < said.length ? wrapping(written.text) : written.text);
  }
  if (inPlace < before.rows.length) pen.go(inPlace, 0).write(ERASE_BELOW);
  if (inPlace < all.length) {
    pen.go(inPlace, 0);
    const stays = said.slice(inPlace).map(ended).join("");
    const below = all.slice(Math.max(inPlace, said.length)).map(ended).join("");
    pen.write((stays === "" ? "" : wrapping(stays)) + below).isAt({ row: all.length, column: 0 });
  }
  const isSmall = changed <= 1 && inPlace === all.length && inPlace === before.rows.length;
  const { row, column } = after.cursor;
  const isPlaced = said.length === 0 && row === before.cursor.row && column === before.cursor.column;
  // A terminal that became smaller meanwhile may have its cursor in its last row: down and up again would be a row up.
  if (isSmall && isPlaced && changed === 1) return { text: `${SAVE}${pen.text}${RESTORE}`, isSmall };
  pen.go(said.length + row, column);
  return { text: pen.text, isSmall };
}

const ended = (line: string) => `${line}\r\n`;

/** The bytes that make one row of another, and their column. */
function change(row: string, later: string): { column: number; text: string } {
  const { columns, rest } = commonStart(row, later);
  const isLonger = row.length === later.length - rest.length;
  if (isLonger) return { column: columns, text: rest };
  // A row that is erased in part keeps its length in tmux, which would wrap it at another width.
  return { column: 0, text: `${ERASE_ROW}${later}` };
}

/** Writes at places among rows. After each text the column is unknown. */
function penAt(start: { readonly row: number; readonly column: number }) {
  let text = "";
  let { row, column }: { row: number; column: number | undefined } = start;
  const pen = {
    get text() {
      return text;
    },
    go(toRow: number, toColumn: number) {
      if (toRow !== row) text += toRow < row ? `\u001b[${row - toRow}A` : `\u001b[${toRow - row}B`;
      if (toColumn !== column) text += toColumn === 0 ? "\r" : `\u001b[${toColumn + 1}G`;
      row = toRow;
      column = toColumn;
      return pen;
    },
    write(more: string) {
      text += more;
      column = undefined;
      return pen;
    },
    isAt(place: { readonly row: number; readonly column: number }) {
      row = place.row;
      column = place.column;
      return pen;
    },
  };
  return pen;
}
