// The two sides of an approval's differences as whole files, where the file still has what the difference was made of.
import { isBinaryChange } from "@askwire/client/text";
import type { DisplayBlock, FileChange } from "@askwire/protocol";

/**
 * The differences that an approval shows, by file. Those told only in words are left out, and files of whose differences
 * none is of text.
 */
export function changesOf(display: readonly DisplayBlock[]): ReadonlyMap<string, readonly FileChange[]> {
  const changes = new Map<string, FileChange[]>();
  for (const block of display) {
    if (block.type !== "diff" || !("old_text" in block) || block.is_summary) continue;
    changes.set(block.path, [...(changes.get(block.path) ?? []), block]);
  }
  for (const [path, blocks] of changes) if (blocks.every(isBinaryChange)) changes.delete(path);
  return changes;
}

/** The files that an approval names as changed, each once. */
export function filesOf(display: readonly DisplayBlock[]): readonly string[] {
  const paths = display.flatMap((block) =>
    block.type === "diff" && "old_text" in block ? [block.path] : [],
  );
  return [...new Set(paths)];
}

/** The files of an approval that `changesOf` leaves out. */
export function leftOutOf(display: readonly DisplayBlock[]): readonly string[] {
  const shown = changesOf(display);
  return filesOf(display).filter((path) => !shown.has(path));
}

/** Both sides of a diff editor. */
export interface Sides {
  readonly current: string;
  readonly proposed: string;
}

/**
 * Puts the changes of a file into its text. Where the text does not have them at their lines, the sides are the parts
 * that the agent sent, one after the other. Line ends and a byte order mark decide nothing about that, since VS Code
 * keeps the mark apart and makes all ends of a document alike: proposed lines have the ends of the lines in whose place
 * they are.
 *
 * @param text the file now. Undefined for one that is not there.
 */
export function sidesOf(text: string | undefined, changes: readonly FileChange[]): Sides {
  const inOrder = [...changes].sort((a, b) => a.old_start - b.old_start);
  const sent = (side: "old_text" | "new_text") => inOrder.map((change) => change[side]).join("\n");
  const parts = { current: sent("old_text"), proposed: sent("new_text") };
  if (text === undefined) return parts;
  const lines = linesWithEnds(withoutMark(text));
  const common = lines[0]?.end || "\n";
  const proposed: Line[] = [];
  let at = 0;
  for (const { old_text, new_text, old_start } of inOrder) {
    const begin = Math.max(0, old_start - 1);
    const old = lines.length === 0 && old_text === BOM ? [] : linesOf(old_text);
    const there = lines.slice(begin, begin + old.length);
    if (begin < at || !areEqual(there, old)) return parts;
    const last = there.at(-1)?.end || common;
    const now = linesOf(new_text).map((words, index) => ({ words, end: there[index]?.end || last }));
    proposed.push(...lines.slice(at, begin), ...now);
    at = begin + old.length;
    const line = now.at(-1);
    if (line === undefined || at < lines.length) continue;
    const isEnded = hasFeed(old_text) === hasFeed(new_text) ? hasEnd(text) : hasFeed(new_text);
    line.end = isEnded ? last : "";
  }
  const all = [...proposed, ...lines.slice(at)];
  const written = all.map(({ words, end }, index) => words + (index < all.length - 1 ? end || common : end));
  return { current: text, proposed: (text.startsWith(BOM) ? BOM : "") + written.join("") };
}

const BOM = "\ufeff";

/** A line and what ends it: nothing, where the file ends. */
interface Line {
  readonly words: string;
  end: string;
}

const linesWithEnds = (text: string): Line[] =>
  Array.from(text.matchAll(/([^\r\n]*)(\r\n|\n|\r)|[^\r\n]+/g), ([all, words = all, end = ""]) => ({
    words,
    end,
  }));

/** The lines of a part of a file. The end of the last line is not another line; a mark alone is a blank line. */
function linesOf(part: string): string[] {
  if (part === "") return [];
  return withoutMark(part)
    .replace(/(?:\r\n|\n|\r)$/, "")
    .split(/\r\n|\n|\r/);
}

const withoutMark = (text: string) => (text.startsWith(BOM) ? text.slice(1) : text);
const hasFeed = (text: string) => text.endsWith("\n");
const hasEnd = (text: string) => /[\r\n]$/.test(text);
const areEqual = (lines: readonly Line[], words: readonly string[]) =>
  lines.length === words.length && lines.every((line, index) => line.words === words[index]);
