import { lineEndNames } from "@askwire/client/words/changes";
import type { FileChange } from "@askwire/protocol";
import { diffArrays, structuredPatch } from "diff";
import { anchorsOf } from "./line-anchors.js";

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
const MOST_EDITS = 600;
/** The lines of both texts from which on they are searched piece by piece: between lines that each of them has once. */
const LONG = 10_000;
/** The most edits of such a piece. */
const MOST_EDITS_BETWEEN = 100;

/** All lines of a change, also those that stay. The ends of lines decide nothing where words can tell them. */
export function differentLines(change: FileChange): DifferentLine[] {
  const { old_text, new_text, old_start, new_start } = change;
  const [old, now] = endsAreTold(old_text, new_text)
    ? ([withFeeds(old_text), withFeeds(new_text)] as const)
    : ([old_text, new_text] as const);
  const lines: DifferentLine[] = [];
  let before = old_start;
  let after = new_start;
  for (const { sign, lines: run } of runsOf(linesOf(old), linesOf(now))) {
    for (const line of run) {
      const text = line.endsWith("\n") ? line.slice(0, -1) : line;
      if (sign === "+") lines.push({ sign, before: undefined, after: after++, text });
      else if (sign === "-") lines.push({ sign, before: before++, after: undefined, text });
      else lines.push({ sign, before: before++, after: after++, text: text.replace(/\r$/, "") });
    }
  }
  return lines;
}

/** A text whose lines end in a line feed alone. The last one may end in a carriage return, whose line feed was left out. */
const withFeeds = (text: string): string => text.replaceAll("\r\n", "\n").replace(/([^\r\n])\r$/, "$1");

/** True where no line has to say its end: all are alike, or a sentence names those before and those after. */
function endsAreTold(before: string, after: string): boolean {
  const names = (part: string, other: string) => lineEndNames(part, other).filter((name) => name !== "CR");
  const [old, now] = [names(before, after), names(after, before)];
  const isSaid = old.length > 0 && now.length > 0 && old.join() !== now.join();
  return isSaid || new Set([...old, ...now]).size < 2;
}

/** The lines of a text, each with its line feed. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

interface LineRun {
  readonly sign: DifferentLine["sign"];
  readonly lines: readonly string[];
}

/** The runs of lines that stay, go and come. Only what lies between the first and the last change is searched. */
function runsOf(old: readonly string[], now: readonly string[]): LineRun[] {
  const { head, tail } = endsInCommon(old, now);
  return [
    { sign: " ", lines: old.slice(0, head) },
    ...between(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    { sign: " ", lines: old.slice(old.length - tail) },
  ];
}

/** The number of lines before the first change, and of those behind the last one. */
function endsInCommon(old: readonly string[], now: readonly string[]): Record<"head" | "tail", number> {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return { head, tail };
}

/** The runs of two texts: by the shortest way between them, or piece by piece where that is long. */
function between(old: readonly string[], now: readonly string[]): LineRun[] {
  const shortest = old.length + now.length > LONG ? undefined : searched(old, now, MOST_EDITS);
  if (shortest !== undefined) return shortest;
  const runs: LineRun[] = [];
  let [from, to] = [0, 0];
  for (const [before, after] of [...anchorsOf(old, now), [old.length, now.length] as const]) {
    const [goes, comes] = [old.slice(from, before), now.slice(to, after)];
    if (goes.length + comes.length > 0)
      runs.push(...(searched(goes, comes, MOST_EDITS_BETWEEN) ?? replaced(goes, comes)));
    if (before < old.length) runs.push({ sign: " ", lines: old.slice(before, before + 1) });
    [from, to] = [before + 1, after + 1];
  }
  return runs;
}

/** The runs by the shortest way. Undefined where that has too many steps. */
function searched(old: readonly string[], now: readonly string[], most: number): LineRun[] | undefined {
  if (old.length === 0 || now.length === 0) return replaced(old, now);
  const parts = diffArrays([...old], [...now], { maxEditLength: most });
  return parts?.map(({ added, removed, value }) => ({
    sign: added ? "+" : removed ? "-" : " ",
    lines: value,
  }));
}

/** All goes, then all comes. */
const replaced = (old: readonly string[], now: readonly string[]): LineRun[] => [
  { sign: "-", lines: old },
  { sign: "+", lines: now },
];

/** The most added and removed lines that are searched for while the person types. */
const MOST_COUNTED = 200;

/** The number of lines in which a text differs from another: with many changes, all from the first to the last one. */
export function differingLines(one: string, other: string): number {
  if (one === other) return 0;
  const options = { context: 0, maxEditLength: MOST_COUNTED };
  const patch = structuredPatch("", "", one, other, "", "", options);
  if (patch === undefined) {
    const [old, now] = [linesOf(one), linesOf(other)];
    const { head, tail } = endsInCommon(old, now);
    return Math.max(old.length, now.length) - head - tail;
  }
  const count = (lines: readonly string[], sign: string) => lines.filter((line) => line[0] === sign).length;
  return patch.hunks.reduce((sum, { lines }) => sum + Math.max(count(lines, "+"), count(lines, "-")), 0);
}
