import { visibleText } from "@askwire/client/text";
import type { MarkedToken, Token, Tokens } from "@askwire/react/blocks";
import type { CodeColours } from "./code.js";
import { inlineSpans } from "./inline.js";
import { type Look, wrapSpans } from "./spans.js";
import { tableRows } from "./table.js";

export interface BlockPlace {
  readonly columns: number;
  readonly look: Look;
  readonly colours: CodeColours;
  /** The number of lists and quotes around. */
  readonly depth: number;
}

/** Lists and quotes within each other: what is deeper is shown as it was written. */
const DEEPEST = 8;
/** The columns of a rule. */
const RULE = 40;

/** Reports if a text ends in an empty line: what follows stands apart. */
export const endsApart = (raw: string): boolean => /\n[ \t]*\n\s*$/.test(raw);

/** The rows of blocks, with an empty row between those that were written apart. */
export function blockRows(tokens: readonly Token[], place: BlockPlace): string[] {
  const rows: string[] = [];
  let isApart = false;
  for (const token of tokens as MarkedToken[]) {
    const own = token.type === "space" ? [] : rowsOf(token, place);
    if (own.length > 0) {
      if (isApart && rows.length > 0) rows.push("");
      rows.push(...own);
      isApart = false;
    }
    isApart ||= endsApart(token.raw);
  }
  return rows;
}

function rowsOf(token: MarkedToken, place: BlockPlace): string[] {
  const { columns, look } = place;
  if (place.depth > DEEPEST) return rowsAsWritten(token.raw, place);
  switch (token.type) {
    case "def":
      return [];
    case "heading":
      return heading(token, place);
    case "paragraph":
      return wrapSpans(inlineSpans(token.tokens, look), columns, look);
    case "text":
      return wrapSpans(inlineSpans([token], look), columns, look);
    case "blockquote":
      return setIn(token.tokens, place, look.paint("dim", "│ "), look.paint("dim", "│ "), 2);
    case "list":
      return list(token, place);
    case "code":
      return code(token, place);
    case "table":
      return tableRows(token, columns, look);
    case "hr":
      return [look.paint("dim", "─".repeat(Math.min(RULE, columns)))];
    default:
      return rowsAsWritten(token.raw, place);
  }
}

/** A text as it was written. */
export const rowsAsWritten = (
  raw: string,
  { columns, look }: Pick<BlockPlace, "columns" | "look">,
): string[] => wrapSpans([{ text: visibleText(raw.trimEnd()) }], columns, look);

function heading({ depth, tokens }: Tokens.Heading, { columns, look }: BlockPlace): string[] {
  const marks = look.isStyled ? [] : [{ text: `${"#".repeat(depth)} ` }];
  const spans = inlineSpans(tokens, look).map(({ styles = [], ...rest }) => ({
    ...rest,
    styles: [...new Set([...styles, "bold" as const, ...(depth === 1 ? ["underline" as const] : [])])],
  }));
  return wrapSpans([...marks, ...spans], columns, look);
}

/** Blocks with something in front of each row. */
function setIn(
  tokens: readonly Token[],
  place: BlockPlace,
  first: string,
  rest: string,
  width: number,
): string[] {
  const columns = Math.max(1, place.columns - width);
  const rows = blockRows(tokens, { ...place, columns, depth: place.depth + 1 });
  return (rows.length === 0 ? [""] : rows).map((row, index) => (index === 0 ? first : rest) + row);
}

function list({ ordered, start, items, loose }: Tokens.List, place: BlockPlace): string[] {
  const from = typeof start === "number" ? start : 1;
  const width = ordered ? `${from + items.length - 1}. `.length : 2;
  return items.flatMap(({ tokens }, index) => {
    const bullet = (ordered ? `${from + index}. ` : "- ").padStart(width);
    const shown = place.look.paint("cyan", bullet);
    const rows = setIn(tokens, place, shown, " ".repeat(width), width);
    return loose && index > 0 ? ["", ...rows] : rows;
  });
}

/** Code with the fence that ends it. */
const WHOLE = /\n {0,3}(?:```+|~~~+)\s*$/;

/** Code in its colours, two columns in. A row that continues a long line has a mark. */
function code({ text, lang = "", raw }: Tokens.Code, { columns, look, colours }: BlockPlace): string[] {
  const rest = look.paint("dim", "↪ ");
  const rows: string[] = [];
  let line: { text: string }[] = [];
  const finish = () => {
    rows.push(...wrapSpans(line, columns - 2, look, { first: "  ", rest }));
    line = [];
  };
  // The last line of code that still comes is not whole.
  const isWhole = WHOLE.test(raw);
  for (const span of colours.spans(isWhole ? `${text}\n` : text, lang)) {
    for (const [index, part] of span.text.split("\n").entries()) {
      if (index > 0) finish();
      if (part !== "") line.push({ ...span, text: part });
    }
  }
  if (!isWhole) finish();
  return rows;
}
