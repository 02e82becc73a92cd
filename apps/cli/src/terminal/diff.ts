import { structuredPatch } from "diff";

/** Lines of context around a change. */
const CONTEXT = 3;

/** The difference of two texts in the unified format, without its file header. Empty if there is none. */
export function unifiedDiff(path: string, oldText: string, newText: string): string[] {
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, { context: CONTEXT });
  return patch.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines.filter((line) => !line.startsWith("\\")),
  ]);
}

/** An empty range is named by the line before it. */
const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
