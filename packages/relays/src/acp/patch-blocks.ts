// The hunks of a patch as differences, which clients show in colours and next to the file.
import type { DisplayBlockInput } from "@askwire/protocol";
import type { ToolCallContent } from "./shapes.js";

type DiffBlock = Extract<DisplayBlockInput, { type: "diff"; path: string }>;
type Change = NonNullable<ToolCallContent["changes"]>[number];

/** The most characters and hunks of a patch that is shown as differences. */
const MOST_TEXT = 200_000;
const MOST_HUNKS = 200;

/** Lines of a patch above its hunks that add nothing to the changes. */
const plainHeader = /^(diff --git |index |new file mode |deleted file mode |--- |\+\+\+ )/;
const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * The differences of a patch in git's format, one for each hunk.
 *
 * @param changes the files of the patch, in its order.
 * @returns undefined for a patch that says more than changed lines, such as a new name, or does not fit the changes.
 */
export function patchBlocks(text: string, changes: readonly Change[]): DiffBlock[] | undefined {
  if (text.length > MOST_TEXT) return undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  const blocks: DiffBlock[] = [];
  let file = -1;
  let path: string | undefined;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    const header = hunkHeader.exec(line);
    if (header !== null) {
      if (path === undefined || blocks.length === MOST_HUNKS) return undefined;
      const [olds, news] = [sizeOf(header[2]), sizeOf(header[4])];
      const hunk = readHunk(lines, at + 1, olds, news);
      if (hunk === undefined) return undefined;
      const [old_start, new_start] = [startOf(header[1], olds), startOf(header[3], news)];
      blocks.push({ type: "diff", path, old_text: hunk.old, new_text: hunk.now, old_start, new_start });
      at = hunk.end;
    } else {
      if (!plainHeader.test(line)) return undefined;
      if (line.startsWith("--- ")) {
        file += 1;
        path = pathOf(changes[file], line, lines[at + 1] ?? "");
        if (path === undefined) return undefined;
        at += 1;
      }
      at += 1;
    }
  }
  return file + 1 === changes.length && blocks.length > 0 ? blocks : undefined;
}

/** The path of a change, where the two lines of the patch name the same file and nothing is renamed. */
function pathOf(change: Change | undefined, before: string, after: string): string | undefined {
  const path = change?.path ?? change?.oldPath;
  if (path === undefined || (change?.oldPath ?? path) !== path || !after.startsWith("+++ ")) return undefined;
  const named = [before, after].map((line) => line.slice(4)).filter((name) => name !== "/dev/null");
  const isMeant = (name: string) =>
    [name, name.replace(/^[ab]\//, "")].some((one) => path === one || path.endsWith(`/${one}`));
  return named.length > 0 && named.every(isMeant) ? path : undefined;
}

const sizeOf = (digits: string | undefined) => (digits === undefined ? 1 : Number(digits));

/** The first line of a side. A side without lines is said to begin at the line before. */
const startOf = (digits: string | undefined, size: number) => Number(digits) + (size === 0 ? 1 : 0);

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** Reads the lines of a hunk. Undefined where they are others than its header counts. */
function readHunk(
  lines: readonly string[],
  begin: number,
  olds: number,
  news: number,
): { old: string; now: string; end: number } | undefined {
  const [old, now]: [string[], string[]] = [[], []];
  let end = begin;
  for (; end < lines.length && (old.length < olds || now.length < news); end++) {
    const line = lines[end] as string;
    const [mark, rest] = [line.slice(0, 1), line.slice(1)];
    if (mark === "\\") continue;
    if (mark !== " " && mark !== "-" && mark !== "+" && line !== "") return undefined;
    if (mark !== "+") old.push(rest);
    if (mark !== "-") now.push(rest);
  }
  if (lines[end]?.startsWith("\\") === true) end += 1;
  if (old.length !== olds || now.length !== news) return undefined;
  return { old: textOf(old), now: textOf(now), end };
}
