import { sameLines } from "./same-lines.js";

/** The end of a line as editors know it. No other separator of Unicode ends a line. */
export type LineEnd = "\r\n" | "\n" | "\r";

/** A text as a text area holds it, next to the ends that its lines have. */
export interface LinedText {
  /** The text with a line feed at each end of a line. */
  readonly shown: string;
  /** The ends in order, one for each line feed. */
  readonly ends: readonly LineEnd[];
}

/** A part of {@link LinedText.shown}, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The text with a line feed at each end of a line. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");

export const linedText = (text: string): LinedText => ({ shown: withLineFeeds(text), ends: endsOf(text) });

export const endsOf = (text: string): LineEnd[] => (text.match(/\r\n|\n|\r/g) ?? []) as LineEnd[];

/** The text with its own ends. */
export function writtenText({ shown, ends }: LinedText): string {
  if (ends.every((end) => end === "\n")) return shown;
  const lines = shown.split("\n");
  return lines.map((line, index) => line + (index < ends.length ? ends[index] : "")).join("");
}

/** The lines of a text with their ends. A text without any is no line. */
export const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [];

/**
 * Puts a text in the place of each of these ranges, which come in order and do not overlap. Lines that stay keep their
 * ends, in the ranges too; a new line takes the end of its neighbour. A new text with a carriage return says its ends
 * itself.
 */
export function replacedIn(text: LinedText, ranges: readonly TextRange[], now: string): LinedText {
  const { shown } = text;
  const own = now.includes("\r") ? endsOf(now) : undefined;
  const nowShown = withLineFeeds(now);
  const parts: string[] = [];
  const ends: LineEnd[] = [];
  const placed: LineRange[] = [];
  let at = 0;
  let line = 0;
  for (const { from, to } of ranges) {
    const first = line + countFeeds(shown, at, from);
    const last = first + countFeeds(shown, from, to);
    for (; line < first; line += 1) ends.push(text.ends[line] as LineEnd);
    const replaced = { shown: shown.slice(from, to), ends: text.ends.slice(first, last) };
    const neighbour = text.ends[last] ?? text.ends[first - 1] ?? "\n";
    const given = own ?? endsFor(replaced, nowShown, neighbour);
    if (own === undefined) placed.push({ from: ends.length, to: ends.length + given.length });
    for (const end of given) ends.push(end);
    parts.push(shown.slice(at, from), nowShown);
    [at, line] = [to, last];
  }
  for (; line < text.ends.length; line += 1) ends.push(text.ends[line] as LineEnd);
  return keptApart({ shown: [...parts, shown.slice(at)].join(""), ends }, placed);
}

/** Lines by position, from the first to before the last. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The text with other ends for lines in these ranges, where a carriage return and the line feed of a blank line would
 * become one end.
 */
export function keptApart({ shown, ends }: LinedText, ranges: readonly LineRange[]): LinedText {
  if (!ends.includes("\r") || !ends.includes("\n")) return { shown, ends };
  const lines = shown.split("\n");
  const apart = [...ends];
  const isFeed = (line: number) => lines[line] === "" && apart[line] === "\n";
  for (const { from, to } of ranges) {
    for (let line = from; line < to; line += 1) {
      if (isFeed(line) && apart[line - 1] === "\r") apart[line] = isFeed(line + 1) ? "\r\n" : "\r";
      else if (apart[line] === "\r" && line + 1 >= to && isFeed(line + 1)) apart[line] = "\r\n";
    }
  }
  return { shown, ends: apart };
}

function countFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/**
 * The ends for a changed text: of the lines that are the same their own, of a line changed in its place those of that
 * line, of a new line those of the line before.
 *
 * @param now has a line feed at each end of a line.
 * @param neighbour the end where no line before the change has one.
 */
export function endsFor({ shown, ends }: LinedText, now: string, neighbour: LineEnd): LineEnd[] {
  const count = countFeeds(now, 0, now.length);
  if (count === 0) return [];
  const common = ends[0] ?? neighbour;
  if (ends.every((end) => end === common)) return new Array(count).fill(common);
  const old = shown.split("\n");
  const lines = now.split("\n");
  const same = sameLines(old, lines);
  const given: LineEnd[] = [];
  let before = 0;
  for (let line = 0; line < count; ) {
    const stays = same[line] as number;
    if (stays >= 0) {
      given.push(ends[stays] ?? given.at(-1) ?? neighbour);
      before = stays + 1;
      line += 1;
      continue;
    }
    let next = line;
    while (next < lines.length && same[next] === -1) next += 1;
    const until = next < lines.length ? (same[next] as number) : old.length;
    const replaced = { lines: old.slice(before, until), ends: ends.slice(before, until) };
    const beside = given.at(-1) ?? ends[until] ?? neighbour;
    for (const end of endsOfChanged(replaced, lines.slice(line, next), beside)) given.push(end);
    [before, line] = [until, next];
  }
  return given.slice(0, count);
}

/**
 * The ends of lines in the place of as many others are theirs, in order. Of more or fewer lines those ends stay that
 * stand between the same characters.
 */
function endsOfChanged(
  old: { readonly lines: readonly string[]; readonly ends: readonly LineEnd[] },
  now: readonly string[],
  neighbour: LineEnd,
): LineEnd[] {
  const { ends } = old;
  const last = ends.at(-1) ?? neighbour;
  if (ends.length === 0 || old.lines.length === now.length) return now.map((_, index) => ends[index] ?? last);
  const before = charactersOf(old.lines);
  const characters = charactersOf(now);
  const same = sameLines(before, characters);
  /** The number of ends up to each character before the change. */
  const passed = before.map(
    (
      (count) => (character) =>
        character === "\n" ? count++ : count
    )(0),
  );
  const given: LineEnd[] = [];
  for (const [index, character] of characters.entries()) {
    if (character !== "\n") continue;
    const stays = same[index] as number;
    given.push(stays === -1 ? (given.at(-1) ?? ends[0] ?? last) : (ends[passed[stays] as number] ?? last));
  }
  return given;
}

/** The characters of lines, each with a line feed behind it. */
const charactersOf = (lines: readonly string[]) => lines.flatMap((line) => [...line, "\n"]);
