import type { Tokens } from "@askwire/react/blocks";
import { widthOf } from "../device/fitted-text.js";
import { inlineSpans } from "./inline.js";
import { type Look, type Span, wrapSpans } from "./spans.js";

const BETWEEN = " │ ";
const CROSSING = "─┼─";
/** The fewest columns of a cell that is broken. */
const LEAST = 8;

/**
 * A table whose long cells are broken within their columns. Where a column would have fewer than {@link LEAST} of the
 * window's columns, each row is told as lines, with the name of the column in front.
 */
export function tableRows(table: Tokens.Table, columns: number, look: Look): string[] {
  const { header, rows, align } = table;
  const spans = [header, ...rows].map((row) => row.map(({ tokens }) => inlineSpans(tokens, look)));
  const needed = header.map((_, index) =>
    Math.max(1, ...spans.map((row) => widthOf(inOneRow(row[index] ?? [], look)))),
  );
  const widths = fittedWidths(needed, columns - BETWEEN.length * (needed.length - 1));
  if (widths === undefined)
    return rows.flatMap((row, index) => asLines(header, row, index, { columns, look }));
  const bar = look.paint("dim", BETWEEN);
  const rule = look.paint("dim", widths.map((width) => "─".repeat(width)).join(CROSSING));
  const [head = [], ...body] = spans.map((row) =>
    wrappedRow(row, (text, at) => aligned(text, widths[at] ?? 0, align[at] ?? "left"), widths, look),
  );
  const isBroken = body.some((lines) => lines.length > 1);
  return [
    ...head.map((cells) => cells.map((cell) => look.paint("bold", cell)).join(bar)),
    rule,
    // Broken rows are hard to tell apart.
    ...body.flatMap((lines, at) => [
      ...(isBroken && at > 0 ? [rule] : []),
      ...lines.map((cells) => cells.join(bar)),
    ]),
  ].map((row) => row.trimEnd());
}

const inOneRow = (spans: readonly Span[], look: Look) =>
  wrapSpans(spans, Number.MAX_SAFE_INTEGER, look).join(" ");

/** The columns of each cell, the widest ones with less than they need. Undefined where one would have too few. */
function fittedWidths(needed: readonly number[], room: number): readonly number[] | undefined {
  const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);
  const upTo = (most: number) => needed.map((width) => Math.min(width, most));
  if (sum(needed) <= room) return needed;
  if (sum(upTo(LEAST)) > room) return undefined;
  let most = LEAST;
  while (sum(upTo(most + 1)) <= room) most += 1;
  let left = room - sum(upTo(most));
  return needed.map((width) => {
    const isMore = width > most && left > 0;
    if (isMore) left -= 1;
    return Math.min(width, most) + (isMore ? 1 : 0);
  });
}

/** A row as lines of cells, as many as its longest cell has. */
function wrappedRow(
  row: readonly (readonly Span[])[],
  align: (text: string, index: number) => string,
  widths: readonly number[],
  look: Look,
): string[][] {
  const cells = widths.map((width, at) => wrapSpans(row[at] ?? [], width, look));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines, at) => align(lines[line] ?? "", at)));
}

function aligned(text: string, width: number, align: "left" | "right" | "center"): string {
  const blanks = width - widthOf(text);
  const before = align === "right" ? blanks : align === "center" ? Math.floor(blanks / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(blanks - before);
}

function asLines(
  header: readonly Tokens.TableCell[],
  row: readonly Tokens.TableCell[],
  index: number,
  { columns, look }: { readonly columns: number; readonly look: Look },
): string[] {
  const lines = row.flatMap((cell, at) => {
    const name = inlineSpans(header[at]?.tokens, look).map((span) => ({
      ...span,
      styles: ["bold" as const],
    }));
    const spans = [...name, { text: name.length === 0 ? "" : ": " }, ...inlineSpans(cell.tokens, look)];
    return wrapSpans(spans, columns - 2, look, { first: at === 0 ? "- " : "  ", rest: "  " });
  });
  return index === 0 ? lines : ["", ...lines];
}
