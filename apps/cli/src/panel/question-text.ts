import type { CoreQuestion } from "@askwire/protocol";
import { cutShort, firstLines, oneLine, widthOf, wrapped } from "../device/fitted-text.js";
import { visibleText } from "../device/visible-text.js";
import type { Drawing } from "./drawing.js";

/** What is asked, with its header where no tab shows that, and that several may be chosen. */
export function* questionLines(
  { question, header, multi_select }: CoreQuestion,
  { tabs }: { tabs: boolean },
  { words, paint, columns }: Drawing,
): Generator<string> {
  const tag = tabs || header.trim() === "" ? "" : `${paint("cyan", oneLine(header))} · `;
  const several = multi_select ? paint("dim", words.selectSeveral) : "";
  const text = visibleText(question).trimEnd();
  // Of a colour that goes over several lines, only its own line knows.
  const lines = text.split("\n").map((line) => (line === "" ? "" : paint("bold", line)));
  yield* wrapped(`${tag}${lines.join("\n")}${several}`, columns);
}

/** The Markdown above the options, as it was written. */
export function* bodyLines({ body }: CoreQuestion, { columns }: Drawing): Generator<string> {
  const text = visibleText(body).trimEnd();
  if (text !== "") yield* wrapped(text, columns);
}

/** What an approval is about: painted lines. */
export function* subjectLines(subject: readonly string[], { columns }: Drawing): Generator<string> {
  for (const line of subject) yield* wrapped(line, columns);
}

/**
 * The first of these lines in so much room. Where there are more, the last line says so and names the key that shows
 * them, or ends with `…` where keys do not count, or there is no other line.
 */
export function shownLines(lines: Iterable<string>, room: number, drawing: Drawing): string[] {
  if (room < 1) return [];
  const first = firstLines(lines, room);
  if (first.length <= room) return first;
  const { words, paint, columns, ready } = drawing;
  const more = `… ${words.showsAll}`;
  if (ready && room > 1 && widthOf(more) <= columns) return [...first.slice(0, room - 1), paint("dim", more)];
  return [...first.slice(0, room - 1), cutShort(first[room - 1] ?? "", columns)];
}
