import { equalEnds } from "./equal-ends.js";
import {
  endsFor,
  endsOf,
  keptApart,
  type LineEnd,
  linedText,
  linesOf,
  replacedIn,
  withLineFeeds,
  writtenText,
} from "./lined-text.js";
import { sameLines } from "./same-lines.js";

const BOM = "\ufeff";

/**
 * The text as a person changed it, with what their editor dropped unasked (P-XAO-9): a byte order mark at the
 * beginning, and the ends of lines. An end that `edited` no longer has anywhere, though lines that had it are still
 * there, was dropped by the editor: then each line that stays has its own end again, and a new line that of its
 * neighbour. Any other text is taken unchanged.
 *
 * @param original the text before, as it was sent.
 */
export function keptText(original: string, edited: string): string {
  if (edited === original || edited === "") return edited;
  return withMarkOf(original, withEndsKept(withoutMark(original), withoutMark(edited)));
}

/**
 * A text that somebody wrote without seeing the ends of lines, in the place of another: with those of the other text,
 * and its byte order mark. A text with a carriage return says its ends itself.
 */
export function inLineEndsOf(original: string, text: string): string {
  if (text === "" || text.includes("\r")) return text;
  const { shown, ends } = linedText(withoutMark(original));
  const now = withoutMark(text);
  const given = endsFor({ shown, ends }, now, ends[0] ?? "\n");
  const all = [{ from: 0, to: given.length }];
  return withMarkOf(original, writtenText(keptApart({ shown: now, ends: given }, all)));
}

/**
 * The text after a change in a text area, which drops carriage returns: what was not touched keeps its ends.
 *
 * @param before the text before the change, with its own ends.
 * @param value the text area's text now.
 * @param caret the position behind the change, as the text area has it. Where it does not fit, the texts are compared.
 */
export function typedText(before: string, value: string, caret: number): string {
  const text = linedText(before);
  const now = withLineFeeds(value);
  const { shown } = text;
  const most = Math.min(shown.length, now.length);
  const behind = now.length - Math.min(Math.max(caret, 0), now.length);
  let tail = 0;
  if (behind <= most && shown.endsWith(now.slice(now.length - behind))) tail = behind;
  else while (tail < most && shown.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  let head = 0;
  while (head < most - tail && shown[head] === now[head]) head += 1;
  const changed = now.slice(head, now.length - tail);
  return writtenText(replacedIn(text, [{ from: head, to: shown.length - tail }], changed));
}

const withoutMark = (text: string) => (text.startsWith(BOM) ? text.slice(1) : text);

const withMarkOf = (original: string, text: string) => (original.startsWith(BOM) ? BOM + text : text);

function withEndsKept(original: string, edited: string): string {
  const left = new Set(endsOf(edited));
  const had = endsOf(original);
  const dropped = new Set(had.filter((end) => !left.has(end)));
  if (dropped.size === 0 || left.size === 0) return edited;
  const [old, now] = [linesOf(original), linesOf(edited)];
  const { head, tail } = equalEnds(old, now);
  const changed = { old: old.slice(head, old.length - tail), now: now.slice(head, now.length - tail) };
  const isNew = [...left].every((end) => !had.includes(end));
  if (!isDropped(changed.old, changed.now, dropped, isNew)) return edited;
  const neighbour = endsOf(old[head - 1] ?? "")[0] ?? had[0] ?? "\n";
  const between = withLineFeeds(changed.now.join(""));
  const given = endsFor(linedText(changed.old.join("")), between, neighbour);
  const before = endsOf(now.slice(0, head).join(""));
  const behind = endsOf(now.slice(now.length - tail).join(""));
  const ends = [...before, ...given, ...behind];
  const to = before.length + given.length;
  return writtenText(keptApart({ shown: withLineFeeds(edited), ends }, [{ from: before.length, to }]));
}

/**
 * True if a line is there that had an end of those that are not, as an editor leaves it that makes all ends alike.
 * If the old text had the remaining end too, blank lines do not count, and a single line only if no other has its words.
 */
function isDropped(
  old: readonly string[],
  now: readonly string[],
  dropped: ReadonlySet<LineEnd>,
  isNew: boolean,
): boolean {
  const words = old.map(wordsOf);
  const found = [...sameLines(words, now.map(wordsOf))].filter((line) => {
    const [end] = line === -1 ? [] : endsOf(old[line] as string);
    return end !== undefined && dropped.has(end);
  });
  if (isNew) return found.length > 0;
  const [first, second] = found.map((line) => words[line] as string).filter((line) => line !== "");
  if (first === undefined) return false;
  return second !== undefined || words.indexOf(first) === words.lastIndexOf(first);
}

const wordsOf = (line: string) => line.replace(/[\r\n]+$/, "");
