import type { FileChange } from "@askwire/protocol";
import { structuredPatch } from "diff";

/** A line of a difference, with its numbers before and after the change. */
export interface DifferentLine {
  readonly sign: "+" | "-" | " ";
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/**
 * The most added and removed lines searched for common lines between them. The time for the search grows with their
 * square, and the person could not answer meanwhile.
 */
const MOST_EDITS = 2_000;

/** All lines of a change, also those that stay. */
export function differentLines({ old_text, new_text, old_start, new_start }: FileChange): DifferentLine[] {
  const options = { context: Number.MAX_SAFE_INTEGER, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("", "", old_text, new_text, "", "", options);
  const marked = patch?.hunks.flatMap((hunk) => hunk.lines) ?? replaced(old_text, new_text);
  const lines: DifferentLine[] = [];
  let before = old_start;
  let after = new_start;
  for (const line of marked) {
    const sign = line[0];
    const text = line.slice(1);
    if (sign === "+") lines.push({ sign, before: undefined, after: after++, text });
    else if (sign === "-") lines.push({ sign, before: before++, after: undefined, text });
    else if (sign === " ") lines.push({ sign, before: before++, after: after++, text });
  }
  return lines;
}

/** The most changed lines that are told apart while the person types: from there on all between the first and the last count. */
const MOST_COUNTED = 200;

/** The number of lines in which a text differs from another. */
export function differingLines(one: string, other: string): number {
  if (one === other) return 0;
  const options = { context: 0, maxEditLength: MOST_COUNTED };
  const patch = structuredPatch("", "", one, other, "", "", options);
  const runs = patch?.hunks.map(({ lines }) => lines) ?? [replaced(one, other)];
  const count = (lines: readonly string[], sign: string) => lines.filter((line) => line[0] === sign).length;
  return runs.reduce((sum, lines) => sum + Math.max(count(lines, "+"), count(lines, "-")), 0);
}

/** Replaces all from the first different line to the last. */
function replaced(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n")) as [
    string[],
    string[],
  ];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
}
