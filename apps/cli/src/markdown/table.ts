import type { Tokens } from "@askwire/react/blocks";
import { widthOf } from "../device/fitted-text.js";
import { inlineSpans } from "./inline.js";
import { type Look, wrapSpans } from "./spans.js";

const BETWEEN = " │ ";
const CROSSING = "─┼─";

/** A table whose columns fit, or else each of its rows as lines, with the name of the column in front. */
export function tableRows(table: Tokens.Table, columns: number, look: Look): string[] {
  const { header, rows, align } = table;
  const cells = [header, ...rows].map((row) => row.map((cell) => inOneRow(cell, look)));
  const widths = header.map((_, index) => Math.max(1, ...cells.map((row) => widthOf(row[index] ?? ""))));
  const whole = widths.reduce((sum, width) => sum + width, BETWEEN.length * (widths.length - 1));
  if (whole > columns) return rows.flatMap((row, index) => asLines(header, row, index, { columns, look }));
  const bar = look.paint("dim", BETWEEN);
  const [head = [], ...body] = cells.map((row) =>
    widths.map((width, index) => aligned(row[index] ?? "", width, align[index] ?? "left")),
  );
  return [
    head.map((cell) => look.paint("bold", cell)).join(bar),
    look.paint("dim", widths.map((width) => "─".repeat(width)).join(CROSSING)),
    ...body.map((row) => row.join(bar)),
  ].map((row) => row.trimEnd());
}

const inOneRow = ({ tokens }: Tokens.TableCell, look: Look) =>
  wrapSpans(inlineSpans(tokens, look), Number.MAX_SAFE_INTEGER, look).join(" ");

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
