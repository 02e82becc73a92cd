import { type Blocks, blocksOf, type MarkdownBlock, tokensOf, unsettled } from "@askwire/react/blocks";
import { blockRows, endsApart, rowsAsWritten } from "./block-rows.js";
import { closedMarkup } from "./closed-markup.js";
import { type CodeColours, colouredCode } from "./code.js";
import type { GrowingText } from "./growing-lines.js";
import type { Look } from "./spans.js";

/** A block with the place of its rows among the others. */
interface Placed {
  readonly block: MarkdownBlock;
  readonly colours: CodeColours;
  /** The rows that were made last, and what of. */
  rows: readonly string[];
  from: string;
}

/** The Markdown of an agent while it comes. Its running block is shown in its style as far as that is known. */
export function growingMarkdown(look: Look): GrowingText {
  let source = "";
  const state: { blocks: Blocks | undefined; from: string; written: number; ended: boolean } = {
    blocks: undefined,
    from: "",
    written: 0,
    ended: false,
  };
  const placed = new Map<number, Placed>();

  function blocksNow(): Blocks {
    // A frame asks for them more than once.
    if (state.blocks !== undefined && state.from === source) return state.blocks;
    state.from = source;
    state.blocks = blocksOf(source.replace(/\r\n?/g, "\n"), state.blocks);
    return state.blocks;
  }

  function rowsOf(at: number, blocks: Blocks, columns: number): readonly string[] {
    const block = blocks.list[at] as MarkdownBlock;
    const isLast = !state.ended && at === blocks.list.length - 1;
    const from = `${columns} ${isLast} ${block.raw}`;
    const before = placed.get(at);
    if (before?.from === from) return before.rows;
    const colours = before?.colours ?? colouredCode();
    const rows = rowsOfBlock(block, blocks, { columns, look, colours, isLast });
    placed.set(at, { block, colours, rows, from });
    return rows;
  }

  return {
    get source() {
      return source;
    },
    add(text) {
      source += text;
    },
    end() {
      state.ended = true;
    },
    rows(columns) {
      const blocks = blocksNow();
      const settled = state.ended ? blocks.list.length : unsettled(blocks.list);
      const rows: string[] = [];
      let firm = 0;
      for (let at = state.written; at < blocks.list.length; at += 1) {
        const own = rowsOf(at, blocks, columns);
        if (own.length > 0 && isApart(blocks, at)) rows.push("");
        rows.push(...own);
        if (at < settled) firm = rows.length;
      }
      return { rows, firm };
    },
    wrote() {
      const blocks = blocksNow();
      state.written = state.ended ? blocks.list.length : unsettled(blocks.list);
      for (const at of placed.keys()) if (at < state.written) placed.delete(at);
    },
  };
}

function rowsOfBlock(
  { raw, isLong }: MarkdownBlock,
  { links }: Blocks,
  place: {
    readonly columns: number;
    readonly look: Look;
    readonly colours: CodeColours;
    readonly isLast: boolean;
  },
): readonly string[] {
  if (raw.trim() === "") return [];
  if (isLong) return rowsAsWritten(raw, place);
  try {
    return blockRows(tokensOf(place.isLast ? closedMarkup(raw) : raw, links), { ...place, depth: 0 });
  } catch {
    return rowsAsWritten(raw, place);
  }
}

/** Reports if a block stands apart from the one above, as it was written. */
function isApart({ list }: Blocks, at: number): boolean {
  const above = list
    .slice(Math.max(0, at - 2), at)
    .map(({ raw }) => raw)
    .join("");
  return above.trim() !== "" && endsApart(above);
}
