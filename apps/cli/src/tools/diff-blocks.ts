import type { DisplayBlockInput } from "@askwire/protocol";
import { structuredPatch } from "diff";

type DiffBlock = Extract<DisplayBlockInput, { type: "diff"; path: string }>;

/** Lines of context around a change. */
const CONTEXT = 3;
/** The most changed lines for which a difference is searched. The time for the search grows with their square. */
const MAX_EDITS = 1_000;
/** The most characters of a shown difference. */
const MAX_SHOWN = 200_000;

/**
 * The difference of a file's texts for a person: a block for each change. Very many changes make one block, from the
 * first to the last.
 * A difference too long to read is a block that only counts lines. The last line of a side has no line feed, unless
 * the line feed changes.
 *
 * @param path where the file is, as clients open it.
 */
export function diffBlocks(path: string, oldText: string | null, newText: string): DiffBlock[] {
  const old_text = oldText ?? "";
  const found = changes(path, old_text, newText) ?? [wholeChange(path, old_text, newText)];
  const blocks = found.map(withoutLastFeed);
  const shown = blocks.reduce((sum, block) => sum + block.old_text.length + block.new_text.length, 0);
  if (shown <= MAX_SHOWN) return blocks;
  const counts = { old_text: countLines(old_text), new_text: countLines(newText) };
  return [{ type: "diff", path, ...counts, is_summary: true }];
}

/** The changes with context. Undefined if there are too many. */
function changes(path: string, oldText: string, newText: string): DiffBlock[] | undefined {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, options);
  return patch?.hunks.map(({ oldStart, newStart, lines }) => ({
    type: "diff",
    path,
    old_text: side(lines, "-"),
    new_text: side(lines, "+"),
    old_start: oldStart,
    new_start: newStart,
  }));
}

/** One side of a hunk. A last line of the file without a line feed has none here either. */
function side(lines: readonly string[], sign: "-" | "+"): string {
  return lines
    .map((line, index) => {
      if (!line.startsWith(sign) && !line.startsWith(" ")) return "";
      return lines[index + 1]?.startsWith("\\") ? line.slice(1) : `${line.slice(1)}\n`;
    })
    .join("");
}

function withoutLastFeed(block: DiffBlock): DiffBlock {
  const sides = [block.old_text, block.new_text];
  // A blank line at the end would look like no line.
  if (!sides.every((text) => text === "" || /[^\n]\n$/.test(text))) return block;
  const [old_text = "", new_text = ""] = sides.map((text) => text.replace(/\n$/, ""));
  return { ...block, old_text, new_text };
}

/** All from the first change to the last, with context. */
function wholeChange(path: string, oldText: string, newText: string): DiffBlock {
  const oldLines = splitLines(oldText);
  const newLines = splitLines(newText);
  const shorter = Math.min(oldLines.length, newLines.length);
  let before = 0;
  while (before < shorter && oldLines[before] === newLines[before]) before += 1;
  let after = 0;
  while (after < shorter - before && oldLines.at(-1 - after) === newLines.at(-1 - after)) after += 1;
  const first = Math.max(0, before - CONTEXT);
  const kept = Math.max(0, after - CONTEXT);
  return {
    type: "diff",
    path,
    old_text: oldLines.slice(first, oldLines.length - kept).join(""),
    new_text: newLines.slice(first, newLines.length - kept).join(""),
    old_start: first + 1,
    new_start: first + 1,
  };
}

/** The lines with their line feeds. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

function countLines(text: string): string {
  const count = splitLines(text).length;
  return `(${count} ${count === 1 ? "line" : "lines"})`;
}
