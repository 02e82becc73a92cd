import { equalEnds } from "@askwire/client/text";
import type { FileChange } from "@askwire/protocol";
import { type StructuredPatchHunk, structuredPatch } from "diff";

/** Lines of context around a change. */
const CONTEXT = 3;
/**
 * The most added and removed lines searched for common lines between them. The time for the search grows with their
 * square.
 */
const MOST_EDITS = 2_000;

/** A part of a file before and after a change, with its first line numbers. */
export type TextChange = Omit<FileChange, "is_summary">;

/** The difference in the unified format, with the file's line numbers and without its header. Empty for equal texts. */
export function unifiedDiff(change: TextChange): string[] {
  return hunksOf(change).flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines, change.old_start)} +${range(hunk.newStart, hunk.newLines, change.new_start)} @@`,
    ...hunk.lines,
  ]);
}

/** The number of added and removed lines of a change. */
export function countChanges(change: TextChange): { added: number; removed: number } {
  const lines = hunksOf(change).flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

export function hunksOf({ path, old_text, new_text }: TextChange): Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch(path, path, old_text, new_text, undefined, undefined, options);
  const hunks: readonly Hunk[] = patch?.hunks ?? [replaced(old_text, new_text)];
  const isSaid = (line: string) => !line.startsWith("\\") || !endsAlike({ old_text, new_text });
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter(isSaid) }));
}

export type Hunk = Pick<StructuredPatchHunk, "oldStart" | "oldLines" | "newStart" | "newLines" | "lines">;

/** Replaces all from the first different line to the last. */
function replaced(before: string, after: string): Hunk {
  const old = linesOf(before);
  const now = linesOf(after);
  const { head, tail } = equalEnds(old, now);
  const first = Math.max(0, head - CONTEXT);
  const rest = Math.max(0, tail - CONTEXT);
  return {
    oldStart: first + 1,
    oldLines: old.length - rest - first,
    newStart: first + 1,
    newLines: now.length - rest - first,
    lines: [
      ...marked(" ", old.slice(first, head)),
      ...marked("-", old.slice(head, old.length - tail)),
      ...marked("+", now.slice(head, now.length - tail)),
      ...marked(" ", old.slice(old.length - tail, old.length - rest)),
    ],
  };
}

/** The lines with their line feeds, ready to compare. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const marked = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    line.endsWith("\n") ? sign + line.slice(0, -1) : [sign + line, "\\ No newline at end of file"],
  );

/** Reports if both parts, or neither, end with a line feed. A part of a file says no more about the file's end. */
const endsAlike = ({ old_text, new_text }: Pick<TextChange, "old_text" | "new_text">) =>
  /\n$/.test(old_text) === /\n$/.test(new_text);

/** A range, counted from the first line of the file. An empty range is named by the line above it. */
function range(start: number, lines: number, first: number): string {
  const line = start + first - 1;
  return `${lines === 0 ? line - 1 : line},${lines}`;
}
