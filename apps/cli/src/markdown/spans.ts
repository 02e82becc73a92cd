import { brokenRows, charactersOf } from "../device/fitted-text.js";
import type { Paint, Style } from "../device/paint.js";

/** A part of a text in one style. A line feed in it ends a row. */
export interface Span {
  readonly text: string;
  readonly styles?: readonly Style[];
  /** The address that the part leads to. */
  readonly link?: string | undefined;
}

/** The means of an output to show more than characters. */
export interface Look {
  readonly paint: Paint;
  /** False for an output without colours, on which marks say what styles would. */
  readonly isStyled: boolean;
}

/** The rows of spans, and what stands in front of them. */
export interface Lead {
  /** In front of the first row. */
  readonly first: string;
  /** In front of the others; as wide as `first`. */
  readonly rest: string;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly span: Span;
}

/**
 * Breaks spans into rows between words or wide characters; a too long word is broken anywhere. Each row begins and ends
 * its own styles and links.
 */
export function wrapSpans(spans: readonly Span[], columns: number, look: Look, lead?: Lead): string[] {
  const rows: string[] = [];
  const finish = (cells: readonly Cell[]) => {
    const before = (rows.length === 0 ? lead?.first : lead?.rest) ?? "";
    rows.push(before + painted(withoutBlanksAtEnd(cells), look));
  };
  const room = Math.max(1, columns);
  for (const line of linesOf(spans)) for (const row of brokenRows(line, room)) finish(row);
  return rows;
}

/** The cells of each line of spans. */
function linesOf(spans: readonly Span[]): Cell[][] {
  const lines: Cell[][] = [[]];
  for (const span of spans) {
    for (const [index, part] of span.text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      const line = lines.at(-1) as Cell[];
      for (const { text, width } of charactersOf(part.replaceAll("\t", "    ")))
        line.push({ text, width, span });
    }
  }
  return lines;
}

const withoutBlanksAtEnd = (cells: readonly Cell[]) =>
  cells.slice(0, cells.findLastIndex(({ text }) => text !== " ") + 1);

function painted(cells: readonly Cell[], look: Look): string {
  let row = "";
  for (let at = 0; at < cells.length; ) {
    const { span } = cells[at] as Cell;
    const end = cells.findIndex((cell, index) => index > at && cell.span !== span);
    const own = cells.slice(at, end === -1 ? cells.length : end);
    row += inStyle(own.map(({ text }) => text).join(""), span, look);
    at += own.length;
  }
  return row;
}

/** A text in the style of a span, as a link where it is one. */
function inStyle(text: string, { styles = [], link }: Span, { paint, isStyled }: Look): string {
  const shown = styles.reduce((inner, style) => paint(style, inner), text);
  return link === undefined || !isStyled ? shown : `\u001b]8;;${link}\u001b\\${shown}\u001b]8;;\u001b\\`;
}
