import { equalEnds } from "@askwire/client/text";
import type { DisplayBlockInput } from "@askwire/protocol";

type DiffBlock = Extract<DisplayBlockInput, { type: "diff"; path: string }>;

/** Lines of context around a change. */
const CONTEXT = 3;
/** The most characters of a shown difference. */
const MOST_SHOWN = 200_000;

/**
 * The difference of a file's texts for a person: all from the first changed line to the last, in which clients mark the
 * changes. A difference too long to read only counts lines.
 *
 * @param oldText null for a new file.
 */
export function wholeFileDiff(path: string, oldText: string | null, newText: string): DiffBlock {
  const old = linesOf(oldText ?? "");
  const now = linesOf(newText);
  const { head, tail } = equalEnds(old, now);
  const first = Math.max(0, head - CONTEXT);
  const after = Math.max(0, tail - CONTEXT);
  const old_text = old.slice(first, old.length - after).join("\n");
  const new_text = now.slice(first, now.length - after).join("\n");
  if (old_text.length + new_text.length > MOST_SHOWN) {
    return { type: "diff", path, old_text: counted(old), new_text: counted(now), is_summary: true };
  }
  return { type: "diff", path, old_text, new_text, old_start: first + 1, new_start: first + 1 };
}

/** The lines without their line feeds; none of an empty text. */
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const counted = ({ length }: readonly string[]) => `(${length} ${length === 1 ? "line" : "lines"})`;
