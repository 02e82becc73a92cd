import type { Block, Drawing } from "./drawing.js";
import { windowAround } from "./layout.js";
import type { ListRows } from "./list-rows.js";

/** The lines of a list, with all rows but the current cut to one line, and with all rows whole; both up to `room`. */
export function listNeeds(
  rows: ListRows,
  current: number,
  room: number,
): { readonly least: number; readonly most: number } {
  const least = rows.count - 1 + rows.whole(current, room).lines.length;
  let most = 0;
  for (let index = 0; index < rows.count && most <= room; index++)
    most += rows.whole(index, room).lines.length;
  return { least: Math.min(least, room + 1), most: Math.min(Math.max(least, most), room + 1) };
}

/** The rows in that many lines: all whole if they fit, otherwise the current row whole and its neighbours. */
export function optionList(rows: ListRows, current: number, room: number, drawing: Drawing): Block {
  if (room < 1) return { lines: [] };
  const { most } = listNeeds(rows, current, room);
  const focused = rows.whole(current, room);
  const drawn = (index: number) => {
    if (most <= room) return rows.whole(index, room).lines;
    return index === current ? shortened(focused.lines, room, drawing) : [rows.short(index)];
  };
  const heights = Array.from({ length: rows.count }, (_, index) =>
    most <= room || index === current ? drawn(index).length : 1,
  );
  const { first, last, above, below } = windowAround(heights, current, room);
  const { words, paint, texts, columns } = drawing;
  const marker = (arrow: string, text: string) => paint("dim", texts.cut(`  ${arrow} ${text}`, columns));
  const lines = above ? [marker("↑", words.above(first))] : [];
  let row = 0;
  for (let index = first; index <= last; index++) {
    if (index === current) row = lines.length;
    lines.push(...drawn(index));
  }
  if (below) lines.push(marker("↓", words.below(rows.count - 1 - last)));
  return focused.caret === undefined ? { lines } : { lines, caret: { row, column: focused.caret } };
}

function shortened(lines: readonly string[], room: number, { texts, columns }: Drawing): string[] {
  if (lines.length <= room) return [...lines];
  const shown = lines.slice(0, room);
  return [...shown.slice(0, -1), texts.cutShort(shown.at(-1) ?? "", columns)];
}
