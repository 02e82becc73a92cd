import { exactText, visibleText } from "@askwire/client/text";
import type { PanelWords } from "@askwire/client/words";
import type { CoreQuestion } from "@askwire/protocol";
import { firstLines, oneLine } from "../device/fitted-text.js";
import { hangingRows } from "../device/hanging-rows.js";
import type { Drawing } from "./drawing.js";

/** The rows of the question's text. */
export function* questionLines(
  asked: CoreQuestion,
  shown: { tabs: boolean },
  drawing: Drawing,
): Generator<string> {
  yield* drawing.texts.wrapped(questionText(asked, shown, drawing).join("\n"), drawing.columns);
}

/** The question's lines, with its header if no tab shows that, and a note if several options may be chosen. */
export function questionText(
  asked: CoreQuestion,
  { tabs }: { tabs: boolean },
  { words, paint }: Pick<Drawing, "words" | "paint">,
): string[] {
  const { question, header } = asked;
  const tag = tabs || header.trim() === "" ? "" : `${paint("cyan", oneLine(header))} · `;
  const note = answerNote(asked, words, tabs);
  const several = note === "" ? "" : paint("dim", note);
  const text = exactText(question).trimEnd();
  // A colour over several lines is known only on its own line.
  const lines = text.split("\n").map((line) => (line === "" ? "" : paint("bold", line)));
  return `${tag}${lines.join("\n")}${several}`.split("\n");
}

/**
 * The note on the answer: the values of a field, or the number of options. Empty where all is said by the rows.
 *
 * @param several set if it is one of several questions, of which fields that are to be answered are marked.
 */
function answerNote(asked: CoreQuestion, words: PanelWords, several: boolean): string {
  const { multi_select, field } = asked;
  if (field !== undefined) {
    const isPlain = field.type === "boolean" || (field.type === "text" && field.bounds === undefined);
    const parts = [
      ...(isPlain ? [] : [words.field.value(field)]),
      ...(field.required === false ? [words.field.mayBeEmpty] : several ? [words.field.required] : []),
    ];
    return parts.length === 0 ? "" : words.note(parts.join(words.comma));
  }
  const choices = words.field.choices(asked);
  if (choices !== undefined) return words.note(choices);
  return multi_select ? words.selectSeveral : "";
}

/** The Markdown above the options, unrendered. */
export function* bodyLines({ body }: CoreQuestion, { texts, columns }: Drawing): Generator<string> {
  const text = visibleText(body).trimEnd();
  if (text !== "") yield* texts.wrapped(text, columns);
}

/** The subject of an approval, in painted lines. */
export function* subjectLines(
  subject: readonly string[],
  { texts, columns }: Pick<Drawing, "texts" | "columns">,
): Generator<string> {
  for (const line of subject) yield* hangingRows(line, columns, (text, room) => texts.wrapped(text, room));
}

/** The first rows of a text, and its last ones if it has more rows than the room. */
export interface Ends {
  /** One row more than the room if there are more. */
  readonly first: readonly string[];
  readonly last: readonly string[];
}

/** The rows at both ends of a text, in painted lines. The lines between are never wrapped. */
export function endsOf(
  lines: readonly string[],
  room: number,
  drawing: Pick<Drawing, "texts" | "columns">,
): Ends {
  const first = firstLines(subjectLines(lines, drawing), room);
  if (first.length <= room) return { first, last: first };
  let last: string[] = [];
  for (let at = lines.length - 1; at >= 0 && last.length < room; at -= 1)
    last = [
      ...subjectLines([endOf(lines[at] as string, UNITS_A_COLUMN * drawing.columns * room)], drawing),
      ...last,
    ];
  return { first, last };
}

/** The UTF-16 units read for a column of the last rows. */
const UNITS_A_COLUMN = 4;

/** The end of a line, in the colour of the line. */
function endOf(line: string, units: number): string {
  if (line.length <= units) return line;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
  const colour = /^(?:\u001b\[[0-9;]*m)*/.exec(line)?.[0] ?? "";
  return colour + line.slice(-units).replace(/^[\udc00-\udfff]/, "");
}

/**
 * Both ends of a text in so much room, since what runs last counts as much as what runs first. The line between names
 * the key that shows all, where keys count.
 */
export function shownEnds({ first, last }: Ends, room: number, drawing: Drawing): string[] {
  if (room < 1 || first.length <= room) return first.slice(0, Math.max(0, room));
  const { words, paint, texts, columns, ready } = drawing;
  const begin = texts.cutShort(first[0] ?? "", columns);
  if (room === 1) return [begin];
  if (room === 2) return [begin, last.at(-1) ?? ""];
  const more = `… ${words.showsAll}`;
  const between = paint("dim", ready && texts.widthOf(more) <= columns ? more : "…");
  const tail = Math.max(1, Math.floor((room - 1) / 3));
  return [...first.slice(0, room - 1 - tail), between, ...last.slice(-tail)];
}

/**
 * The first of these lines in so much room. If there are more, the last line names the key that shows them.
 * Without keys, or without another line, the last line ends with `…`.
 */
export function shownLines(lines: Iterable<string>, room: number, drawing: Drawing): string[] {
  if (room < 1) return [];
  const first = firstLines(lines, room);
  if (first.length <= room) return first;
  const { words, paint, texts, columns, ready } = drawing;
  const more = `… ${words.showsAll}`;
  if (ready && room > 1 && texts.widthOf(more) <= columns)
    return [...first.slice(0, room - 1), paint("dim", more)];
  return [...first.slice(0, room - 1), texts.cutShort(first[room - 1] ?? "", columns)];
}
