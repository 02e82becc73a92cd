import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { segmentsOf } from "./segments-of.js";

/** The rows of a line on a terminal that wraps it. A wide character without room goes down whole. */
export function rowsOfLine(line: string, columns: number): number {
  if (stringWidth(line) <= columns) return 1;
  let rows = 1;
  let used = 0;
  for (const { segment } of segmentsOf(stripVTControlCharacters(line))) {
    const width = stringWidth(segment);
    if (used + width > columns) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows;
}

/**
 * The number of rows from the first of these lines down to the cursor, after a terminal wrapped them at another width.
 * The cursor stays at its character.
 *
 * @param rowsOf counts the rows of a line.
 */
export function caretRow(
  lines: readonly string[],
  cursor: { readonly row: number; readonly column: number },
  columns: number,
  rowsOf: typeof rowsOfLine,
): number {
  const above = lines.slice(0, cursor.row).reduce((sum, line) => sum + rowsOf(line, columns), 0);
  const own = rowsOf(lines[cursor.row] ?? "", columns);
  return above + Math.min(Math.floor(cursor.column / columns), own - 1);
}

/**
 * The number of rows from the first of these lines down to the cursor, after a terminal made of xterm.js got another
 * width. The lines were written at the old width, with the cursor on the line `cursor`.
 * Other terminals keep the cursor there. This one moves it by each row of wrapping; the line that it takes for the
 * cursor's, searched from below, stays unwrapped.
 *
 * @param rowsOf counts the rows of a line.
 */
export function strayCursorRow(
  lines: readonly string[],
  cursor: number,
  { from, to }: { from: number; to: number },
  rowsOf: typeof rowsOfLine,
): number {
  const before = lines.map((line) => rowsOf(line, from));
  let start = before.reduce((sum, rows) => sum + rows, 0);
  const own = before.slice(0, cursor).reduce((sum, rows) => sum + rows, 0);
  let row = own;
  for (const [index, line] of [...lines.entries()].reverse()) {
    const rows = before[index] ?? 1;
    start -= rows;
    const at = to < from ? row : own;
    if (at < start || at >= start + rows) row += rowsOf(line, to) - rows;
  }
  return row;
}
