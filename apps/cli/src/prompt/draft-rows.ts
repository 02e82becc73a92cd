import { visibleText } from "@askwire/client/text";
import { brokenRows, charactersOf, widthOf } from "../device/fitted-text.js";
import { segmentsOf } from "../device/segments-of.js";

/**
 * A row of a draft on the screen, broken at blanks as all text is. The line feed at its end is in no row; a blank at
 * which a row is broken is at the end of that row, and may have no column.
 */
export interface DraftRow {
  /** The part of the draft, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** The columns of the row. */
  readonly columns: number;
  /** The text of the row, with visible escapes. */
  readonly shown: string;
}

/** A shown character of a draft. */
interface Cell {
  readonly length: number;
  readonly text: string;
  readonly width: number;
}

/** The text that is shown for a character that stands for another text. Undefined for a plain character. */
export type LabelOf = (character: string) => string | undefined;

const noLabel: LabelOf = () => undefined;

/** Breaks drafts into rows. The lines of the last draft are kept, so that a key costs only its change. */
export function draftRows(
  labelOf: LabelOf = noLabel,
): (text: string, columns: number) => readonly DraftRow[] {
  let kept = new Map<string, readonly DraftRow[]>();
  let keptFor = 0;
  return (text, columns) => {
    const before = columns === keptFor ? kept : new Map<string, readonly DraftRow[]>();
    kept = new Map();
    keptFor = columns;
    const rows: DraftRow[] = [];
    let start = 0;
    for (const line of text.split("\n")) {
      const own = before.get(line) ?? rowsOfLine(line, columns, labelOf);
      kept.set(line, own);
      for (const row of own) rows.push({ ...row, from: start + row.from, to: start + row.to });
      start += line.length + 1;
    }
    return rows;
  };
}

function rowsOfLine(line: string, columns: number, labelOf: LabelOf): readonly DraftRow[] {
  let at = 0;
  const placed = Array.from(charactersIn(line, labelOf), (cell) => {
    const from = at;
    at += cell.length;
    return { ...cell, from };
  });
  const rows = [...brokenRows(placed, columns)];
  return rows.map((cells, index) => {
    const next = rows[index + 1]?.[0];
    const shown = cells.map(({ text }) => text).join("");
    return {
      from: index === 0 ? 0 : (cells[0]?.from ?? at),
      to: next?.from ?? at,
      columns,
      shown: next === undefined ? shown : shown.trimEnd(),
    };
  });
}

/** The row of the caret. At the end of a row that continues below, the next row. */
export function rowOf(rows: readonly DraftRow[], caret: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle] as DraftRow).from <= caret) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The column of the caret in its row. */
export function caretColumn(
  text: string,
  { from, to, columns }: DraftRow,
  caret: number,
  labelOf: LabelOf = noLabel,
): number {
  let column = 0;
  let at = from;
  for (const { length, width } of cellsOf(text.slice(from, to), columns, labelOf)) {
    at += length;
    if (at > caret) break;
    column += width;
  }
  return Math.min(column, columns);
}

/** The caret's position in a row for a column: at most before the last character of a row that continues below. */
export function caretAt(
  text: string,
  { from, to, columns }: DraftRow,
  column: number,
  labelOf: LabelOf = noLabel,
): number {
  const goesOn = to < text.length && text[to] !== "\n";
  let at = from;
  let used = 0;
  for (const { length, width } of cellsOf(text.slice(from, to), columns, labelOf)) {
    used += width;
    if (used > column || (goesOn && at + length === to)) break;
    at += length;
  }
  return at;
}

/** Characters that may stand for another text. */
const MAY_STAND = /[\ufdd0-\ufdef]/;

/** The characters of a line, with `…` for a character wider than all columns. */
function* cellsOf(line: string, columns: number, labelOf: LabelOf): Generator<Cell> {
  for (const cell of charactersIn(line, labelOf))
    yield cell.width <= columns ? cell : { ...cell, text: "…", width: 1 };
}

/** The characters of a line. If some cannot be shown unchanged, each is checked with the text in front of it. */
function* charactersIn(line: string, labelOf: LabelOf): Generator<Cell> {
  const isPlain = !MAY_STAND.test(line) && visibleText(line) === line && !line.includes("\t");
  if (isPlain) return yield* charactersOf(line);
  for (const { segment, index } of segmentsOf(line)) {
    const label = labelOf(segment);
    const shown = label ?? visibleText(segment, line.slice(0, index)).replaceAll("\t", " ");
    yield { length: segment.length, text: shown, width: widthOf(shown) };
  }
}
