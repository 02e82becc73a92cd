import type { Block, Drawing } from "./drawing.js";
import { windowAround } from "./layout.js";
import type { ListRows } from "./list-rows.js";

/** The lines of a list, with all rows but the current short, and with all rows whole; both up to `room`. */
export function listNeeds(
  rows: ListRows,
  current: number,
  room: number,
): { readonly least: number; readonly most: number } {
  const sum = (linesOf: (index: number) => number) => {
    let lines = 0;
    for (let index = 0; index < rows.count && lines <= room; index++) lines += linesOf(index);
    return lines;
  };
  const whole = (index: number) => rows.whole(index, room).lines.length;
  const least = sum((index) => (index === current ? whole(index) : shortHeight(rows, index, room)));
  return { least: Math.min(least, room + 1), most: Math.min(Math.max(least, sum(whole)), room + 1) };
}

/** The lines of a short row. Rows of one line are not drawn for that. */
const shortHeight = (rows: ListRows, index: number, room: number) =>
  rows.saysAll ? rows.short(index, room).length : 1;

/** The rows in that many lines: all whole if they fit, otherwise the current row whole and its neighbours short. */
export function optionList(
  rows: ListRows,
  current: number,
  room: number,
  drawing: Drawing,
): Block & { readonly isCut: boolean } {
  if (room < 1) return { lines: [], isCut: true };
  const { most } = listNeeds(rows, current, room);
  const focused = rows.whole(current, room);
  const drawn = (index: number) => {
    if (most <= room) return rows.whole(index, room).lines;
    return index === current ? shortened(focused.lines, room, drawing) : rows.short(index, room);
  };
  const heights = Array.from({ length: rows.count }, (_, index) =>
    most <= room || index === current ? drawn(index).length : shortHeight(rows, index, room),
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
  const { caret } = focused;
  const isCut = focused.lines.length > room;
  return caret === undefined ? { lines, isCut } : { lines, isCut, caret: { ...caret, row: row + caret.row } };
}

function shortened(lines: readonly string[], room: number, { texts, columns }: Drawing): string[] {
  if (lines.length <= room) return [...lines];
  const shown = lines.slice(0, room);
  return [...shown.slice(0, -1), texts.cutShort(shown.at(-1) ?? "", columns)];
}
