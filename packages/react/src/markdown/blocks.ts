import { Lexer, type Token, type Tokens, type TokensList } from "marked";

/** The most characters of a block that is read: a longer one is shown as it was written, unless it is code. */
const LONGEST = 20_000;

/** A block as it was written; of a heading with its depth. */
export interface MarkdownBlock {
  readonly raw: string;
  readonly depth: number | undefined;
  /** True for a block that takes too long to read. */
  readonly isLong: boolean;
}

/** The blocks of a text, and what its links are defined as. */
export interface Blocks {
  readonly text: string;
  readonly list: readonly MarkdownBlock[];
  readonly links: TokensList["links"];
}

/**
 * Cuts Markdown into its blocks. A text that grows is cut again from its last blocks, which may change.
 *
 * @param before the blocks of a beginning of the text. Default: none.
 */
export function blocksOf(text: string, before?: Blocks): Blocks {
  const goesOn = before !== undefined && text.startsWith(before.text);
  const stay = goesOn ? before.list.slice(0, unsettled(before.list)) : [];
  const from = stay.reduce((length, { raw }) => length + raw.length, 0);
  const lexer = new Lexer();
  // The last block may have defined a link otherwise than it does now.
  for (const { raw } of stay.filter(mayDefine)) lexer.blockTokens(raw, []);
  return { text, list: [...stay, ...cut(text.slice(from), lexer)], links: lexer.tokens.links };
}

const mayDefine = ({ raw, isLong }: MarkdownBlock) => !isLong && raw.includes("]:");

/** Quotes within quotes may be too many to read. */
function cut(text: string, lexer: Lexer): MarkdownBlock[] {
  try {
    return lexer.blockTokens(text, []).map(blockOf);
  } catch {
    return [{ raw: text, depth: undefined, isLong: true }];
  }
}

const blockOf = (token: Token): MarkdownBlock => ({
  raw: token.raw,
  depth: token.type === "heading" ? (token as Tokens.Heading).depth : undefined,
  isLong: token.raw.length > LONGEST && token.type !== "code",
});

/**
 * The position of the first block that may still change while the text grows: the one before the last, which may take up a line that has only
 * begun. A long block is not read again.
 */
export function unsettled(list: readonly MarkdownBlock[]): number {
  const [before = 0, last = before] = list
    .map(({ raw }, position) => (raw.trim() === "" ? -1 : position))
    .filter((position) => position !== -1)
    .slice(-2);
  if (list[last]?.isLong === true) return list.length;
  return list[before]?.isLong === true ? last : before;
}

/**
 * The levels of headings in each block, from the lowest on, without a gap: a text's own depths may begin anywhere.
 *
 * @param lowest the level of the first heading.
 */
export function headingLevels(blocks: readonly MarkdownBlock[], lowest: number): number[] {
  const open: number[] = [];
  return blocks.map(({ depth }) => {
    if (depth === undefined) return Math.min(6, lowest + open.length);
    while (open.length > 0 && (open.at(-1) as number) >= depth) open.pop();
    open.push(depth);
    return Math.min(6, lowest + open.length - 1);
  });
}

/** Reads one block, with the definitions of the whole text. */
export function tokensOf(raw: string, links: TokensList["links"]): Token[] {
  const lexer = new Lexer();
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(raw);
}
