// The two sides of an approval's differences as whole files, where the file still has what the difference was made of.
import type { DisplayBlock, FileChange } from "@askwire/protocol";

/** The differences that an approval shows, by file. Those told only in words are left out. */
export function changesOf(display: readonly DisplayBlock[]): ReadonlyMap<string, readonly FileChange[]> {
  const changes = new Map<string, FileChange[]>();
  for (const block of display) {
    if (block.type !== "diff" || !("old_text" in block) || block.is_summary) continue;
    changes.set(block.path, [...(changes.get(block.path) ?? []), block]);
  }
  return changes;
}

/** Both sides of a diff editor. */
export interface Sides {
  readonly current: string;
  readonly proposed: string;
}

/**
 * Puts the changes of a file into its text. Where the text does not have them at their lines, the sides are the parts
 * that the agent sent, one after the other.
 *
 * @param text the file now. Undefined for one that is not there.
 */
export function sidesOf(text: string | undefined, changes: readonly FileChange[]): Sides {
  const inOrder = [...changes].sort((a, b) => a.old_start - b.old_start);
  const sent = (side: "old_text" | "new_text") => inOrder.map((change) => change[side]).join("\n");
  const parts = { current: sent("old_text"), proposed: sent("new_text") };
  if (text === undefined) return parts;
  const lines = text.split("\n");
  const proposed: string[] = [];
  let at = 0;
  for (const { old_text, new_text, old_start } of inOrder) {
    const begin = Math.max(0, old_start - 1);
    const old = linesOf(old_text);
    if (begin < at || old.some((line, index) => lines[begin + index] !== line)) return parts;
    proposed.push(...lines.slice(at, begin), ...linesOf(new_text));
    at = begin + old.length;
  }
  return { current: text, proposed: [...proposed, ...lines.slice(at)].join("\n") };
}

/** The lines of a part of a file. The end of the last line is no line of its own. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
