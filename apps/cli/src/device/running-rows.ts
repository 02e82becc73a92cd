import { type Cell, cellsOf, follow, mayBreak, RESET } from "./fitted-text.js";

/** The distance of tab stops on a terminal, in columns. */
const TERMINAL_TAB = 8;

/**
 * The rows of a line that still grows, broken at blanks, which are dropped there, and between wide characters. A word
 * longer than a row is broken anywhere. Each row has the colours of its text, and all but the last end them: the last
 * one is as it came, so that more can follow.
 */
export function runningRows(line: string, columns: number): string[] {
  const rows: string[] = [];
  const colours: string[] = [];
  let row: Cell[] = [];
  let used = 0;
  let breakAt = 0;

  function finish(cells: readonly Cell[]): void {
    const lead = colours.join("");
    for (const { colour, text } of cells) if (colour) follow(colours, text);
    rows.push(lead + textOf(cells).trimEnd() + (colours.length > 0 ? RESET : ""));
  }
  for (const cell of cellsOf(line)) {
    let shown = asShown(cell, used);
    const last = row.at(-1);
    if (last !== undefined && mayBreak(last, shown)) breakAt = row.length;
    while (used + shown.width > columns && used > 0) {
      const at = isBlank(shown) || breakAt === 0 ? row.length : breakAt;
      finish(row.slice(0, at));
      row = row.slice(at);
      used = row.reduce((sum, { width }) => sum + width, 0);
      breakAt = 0;
      shown = asShown(cell, used);
    }
    if (rows.length > 0 && used === 0 && isBlank(shown)) continue;
    row.push(shown);
    used += shown.width;
  }
  return [...rows, colours.join("") + textOf(row)];
}

const isBlank = ({ text }: Cell) => text.trim() === "" && text !== "";

const textOf = (cells: readonly Cell[]) => cells.map(({ text }) => text).join("");

/** A tab as the blanks up to the next stop. */
function asShown(cell: Cell, used: number): Cell {
  if (cell.text !== "\t") return cell;
  const width = TERMINAL_TAB - (used % TERMINAL_TAB);
  return { ...cell, text: " ".repeat(width), width };
}
