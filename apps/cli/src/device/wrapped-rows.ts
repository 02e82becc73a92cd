import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";

const clusters = new Intl.Segmenter();

/** The rows that lines take on a terminal that wraps them; a wide character that has no room goes down as a whole. */
export const rowsOf = (lines: readonly string[], columns: number): number =>
  lines.reduce((rows, line) => rows + rowsOfLine(line, columns), 0);

function rowsOfLine(line: string, columns: number): number {
  if (stringWidth(line) <= columns) return 1;
  let rows = 1;
  let used = 0;
  for (const { segment } of clusters.segment(stripVTControlCharacters(line))) {
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
 * How many rows the cursor is below the first of these lines when a terminal made of xterm.js has another width than when
 * they were written with the cursor on the line `cursor`. Others keep it there. This one moves it by each row that any
 * line wraps into; and it leaves the line alone that it takes for the cursor's, looking for it from below.
 */
export function strayCursorRow(
  lines: readonly string[],
  cursor: number,
  { from, to }: { from: number; to: number },
): number {
  const before = lines.map((line) => rowsOfLine(line, from));
  let start = before.reduce((sum, rows) => sum + rows, 0);
  const own = before.slice(0, cursor).reduce((sum, rows) => sum + rows, 0);
  let row = own;
  for (const [index, line] of [...lines.entries()].reverse()) {
    const rows = before[index] ?? 1;
    start -= rows;
    const at = to < from ? row : own;
    if (at < start || at >= start + rows) row += rowsOfLine(line, to) - rows;
  }
  return row;
}
