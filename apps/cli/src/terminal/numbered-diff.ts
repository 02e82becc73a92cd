import { visibleText } from "@askwire/client/text";
import { diffWordsWithSpace } from "diff";
import { HANGS } from "../device/hanging-rows.js";
import type { Paint } from "../device/paint.js";
import { type Hunk, hunksOf, type TextChange } from "./diff.js";

/** A line of a difference. A note about the line above it has no number. */
interface Line {
  readonly sign: string;
  readonly text: string;
  readonly number: number | undefined;
}

/**
 * A difference with a line number in front of each line: of the old file for what goes, of the new one for all else.
 * The words that differ within a changed line are underlined, and the text hangs from its sign.
 */
export function numberedDiff(change: TextChange, paint: Paint): string[] {
  const hunks = hunksOf(change).map((hunk) => linesOf(hunk, change));
  const numbers = hunks.flat().flatMap(({ number }) => number ?? []);
  const width = String(Math.max(1, ...numbers)).length;
  const gap = paint("dim", `${" ".repeat(width - 1)}⋮`);
  return hunks.flatMap((lines, at) => [
    ...(at === 0 ? [] : [gap]),
    ...withWords(lines, paint).map(({ sign, number, shown }) => {
      const style = sign === "+" ? "green" : sign === "-" ? "red" : "dim";
      const counted = paint("dim", String(number ?? "").padStart(width));
      return `${counted} ${paint(style, sign)}${HANGS}${paint(style, shown)}`;
    }),
  ]);
}

function linesOf({ oldStart, newStart, lines }: Hunk, { old_start, new_start }: TextChange): Line[] {
  let before = oldStart + old_start - 1;
  let after = newStart + new_start - 1;
  return lines.map((line) => {
    const sign = line.slice(0, 1);
    if (sign === "\\") return { sign, text: line.slice(1), number: undefined };
    const number = sign === "-" ? before : after;
    if (sign !== "+") before += 1;
    if (sign !== "-") after += 1;
    return { sign, text: line.slice(1), number };
  });
}

type Shown = Line & { readonly shown: string };

/** Lines that go and those that come in their place are compared word by word. */
function withWords(lines: readonly Line[], paint: Paint): Shown[] {
  const shown: Shown[] = [];
  for (let at = 0; at < lines.length; ) {
    const gone = runOf(lines, at, "-");
    const come = runOf(lines, at + gone.length, "+");
    const pairs = gone.slice(0, come.length).map((line, index) => pairOf(line, come[index] as Line, paint));
    const [before, after] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
    shown.push(...before, ...gone.slice(pairs.length).map(asItIs));
    shown.push(...after, ...come.slice(pairs.length).map(asItIs));
    at += gone.length + come.length;
    const same = lines[at];
    if (same === undefined || gone.length + come.length > 0) continue;
    shown.push(asItIs(same));
    at += 1;
  }
  return shown;
}

const asItIs = (line: Line): Shown => ({ ...line, shown: visibleText(line.text) });

function runOf(lines: readonly Line[], from: number, sign: string): readonly Line[] {
  let to = from;
  while (lines[to]?.sign === sign) to += 1;
  return lines.slice(from, to);
}

/** The longest line that is compared word by word, in UTF-16 units. */
const LONGEST = 1_000;
/** The greatest part of a line that is marked. Of a line that is another one altogether nothing is. */
const MOST_MARKED = 0.6;

function pairOf(before: Line, after: Line, paint: Paint): readonly [Shown, Shown] {
  const isLong = before.text.length > LONGEST || after.text.length > LONGEST;
  const parts = isLong ? [] : diffWordsWithSpace(before.text, after.text);
  const marked = parts.filter(({ added, removed }) => added || removed);
  const units = marked.reduce((sum, { value }) => sum + value.length, 0);
  if (units === 0 || units > MOST_MARKED * (before.text.length + after.text.length))
    return [asItIs(before), asItIs(after)];
  const marking = (line: Line, other: "added" | "removed"): Shown => {
    const own = parts.filter((part) => !part[other]);
    // A character that is torn would be shown otherwise.
    if (own.map(({ value }) => visibleText(value)).join("") !== visibleText(line.text)) return asItIs(line);
    const shown = own.map(({ value, added, removed }) =>
      added || removed ? paint("underline", visibleText(value)) : visibleText(value),
    );
    return { ...line, shown: shown.join("") };
  };
  return [marking(before, "added"), marking(after, "removed")];
}
