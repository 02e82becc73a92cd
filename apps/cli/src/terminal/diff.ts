import { structuredPatch } from "diff";

/** Lines of context around a change. */
const CONTEXT = 3;

/** A part of a file before and after a change, and the line numbers that it begins with. */
export interface Change {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
  readonly old_start: number;
  readonly new_start: number;
}

/** The difference in the unified format, with the file's line numbers and without its header. Empty if there is none. */
export function unifiedDiff(change: Change): string[] {
  return hunksOf(change).flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines, change.old_start)} +${range(hunk.newStart, hunk.newLines, change.new_start)} @@`,
    ...hunk.lines.filter((line) => !line.startsWith("\\") || !endsAlike(change)),
  ]);
}

/** How many lines a change adds and removes. */
export function countChanges(change: Change): { added: number; removed: number } {
  const lines = hunksOf(change).flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

function hunksOf({ path, old_text, new_text }: Change) {
  return structuredPatch(path, path, old_text, new_text, undefined, undefined, { context: CONTEXT }).hunks;
}

/** Whether both parts, or neither, end with a line feed: a part of a file says no more about the file's end. */
const endsAlike = ({ old_text, new_text }: Change) => /\n$/.test(old_text) === /\n$/.test(new_text);

/** Counted from the first line of the file. An empty range is named by the line before it. */
function range(start: number, lines: number, first: number): string {
  const line = start + first - 1;
  return `${lines === 0 ? line - 1 : line},${lines}`;
}
