import { visibleText } from "@askwire/client/text";
import type { CoreQuestion } from "@askwire/protocol";
import { cutShort, firstLines, oneLine, widthOf, wrapped } from "../device/fitted-text.js";
import type { PanelWords } from "../words/panel-words.js";
import type { Drawing } from "./drawing.js";

/** The question's text, with its header if no tab shows that, and a note if several options may be chosen. */
export function* questionLines(
  asked: CoreQuestion,
  { tabs }: { tabs: boolean },
  { words, paint, columns }: Drawing,
): Generator<string> {
  const { question, header } = asked;
  const tag = tabs || header.trim() === "" ? "" : `${paint("cyan", oneLine(header))} · `;
  const note = answerNote(asked, words);
  const several = note === "" ? "" : paint("dim", note);
  const text = visibleText(question).trimEnd();
  // A colour over several lines is known only on its own line.
  const lines = text.split("\n").map((line) => (line === "" ? "" : paint("bold", line)));
  yield* wrapped(`${tag}${lines.join("\n")}${several}`, columns);
}

/** The note on the answer: the values of a field, or the number of options. Empty where all is said by the rows. */
function answerNote(asked: CoreQuestion, words: PanelWords): string {
  const { multi_select, field } = asked;
  if (field !== undefined) {
    const isPlain = field.type === "boolean" || (field.type === "text" && field.bounds === undefined);
    const parts = [
      ...(isPlain ? [] : [words.field.value(field)]),
      ...(field.required === false ? [words.field.mayBeEmpty] : []),
    ];
    return parts.length === 0 ? "" : words.note(parts.join(words.comma));
  }
  const choices = words.field.choices(asked);
  if (choices !== undefined) return words.note(choices);
  return multi_select ? words.selectSeveral : "";
}

/** The Markdown above the options, unrendered. */
export function* bodyLines({ body }: CoreQuestion, { columns }: Drawing): Generator<string> {
  const text = visibleText(body).trimEnd();
  if (text !== "") yield* wrapped(text, columns);
}

/** The subject of an approval, in painted lines. */
export function* subjectLines(subject: readonly string[], { columns }: Drawing): Generator<string> {
  for (const line of subject) yield* wrapped(line, columns);
}

/**
 * The first of these lines in so much room. If there are more, the last line names the key that shows them.
 * Without keys, or without another line, the last line ends with `…`.
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
