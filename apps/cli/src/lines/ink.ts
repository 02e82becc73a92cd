// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const SEQUENCE = /(\u001b\[[0-9;]*m|\u001b\]8;[^\u001b]*\u001b\\)/;
/** Blanks and the lines of tables, which depend on the width. */
const NO_INK = /[\s\u2500-\u257f↪]/g;

const inkOf = (row: string) => row.split(SEQUENCE).reduce((sum, part) => sum + inkOfPart(part), 0);

const inkOfPart = (part: string) => (part.startsWith("\u001b") ? 0 : part.replace(NO_INK, "").length);

/** The number of characters of rows that are the same at any width, in UTF-16 units. */
export const inkIn = (rows: readonly string[]): number => rows.reduce((sum, row) => sum + inkOf(row), 0);

/** The rows behind a number of characters. A row in which they end is cut there, with its styles. */
export function withoutInk(rows: readonly string[], ink: number): readonly string[] {
  let left = ink;
  for (const [index, row] of rows.entries()) {
    if (left === 0) return rows.slice(index);
    const own = inkOf(row);
    if (own > left) return [cutRow(row, left), ...rows.slice(index + 1)];
    left -= own;
  }
  return [];
}

/** A row without its first characters. */
function cutRow(row: string, ink: number): string {
  let left = ink;
  let isText = false;
  let shown = "";
  for (const part of row.split(SEQUENCE)) {
    if (part.startsWith("\u001b")) {
      shown += part;
      continue;
    }
    for (const character of part) {
      const own = inkOfPart(character);
      if (left > 0) left -= own;
      else if (isText || own > 0) {
        shown += character;
        isText = true;
      }
    }
  }
  return shown;
}
