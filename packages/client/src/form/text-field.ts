import { answerLimits } from "@askwire/protocol/fields";

/**
 * A text with a cursor, as a person edits it. Its lines end with line feeds.
 */
export interface TextField {
  readonly text: string;
  /** The position of the cursor in UTF-16 units, always between two characters as a person sees them. */
  readonly caret: number;
}

/** A field without text. */
export const emptyField: TextField = { text: "", caret: 0 };

/** The longest own text, in UTF-16 units. The wire itself has no bound for it. */
export const OWN_TEXT_LENGTH: number = answerLimits.words;

/** An edit of a field. Words are found by the rules of the text's language. */
export type FieldEdit =
  | { readonly type: "insert"; readonly text: string }
  | { readonly type: "set"; readonly text: string; readonly caret: number }
  | {
      readonly type: "delete";
      readonly what: "back" | "forward" | "word_back" | "to_start" | "to_end" | "all";
    }
  | { readonly type: "caret"; readonly to: CaretMotion | number };

/**
 * Motions of a caret. `line_start` and `line_end` are the ends of its line; a caret that is there already goes to the
 * end of the text on that side.
 */
export type CaretMotion =
  | "left"
  | "right"
  | "word_left"
  | "word_right"
  | "line_start"
  | "line_end"
  | "start"
  | "end";

/**
 * The field after an edit. Line ends of an inserted text become line feeds. A text too long is cut between two
 * characters, with `cut` true.
 *
 * @param length of the longest text, in UTF-16 units. Default: {@link OWN_TEXT_LENGTH}.
 */
export function editField(
  field: TextField,
  edit: FieldEdit,
  length = OWN_TEXT_LENGTH,
): { field: TextField; cut: boolean } {
  if (edit.type === "insert") return insert(field, edit.text.replace(/\r\n?/g, "\n"), length);
  if (edit.type === "set") return set(edit, length);
  const { text, caret } = field;
  if (edit.type === "caret") return { field: { text, caret: target(field, edit.to) }, cut: false };
  const [from, to] = deleted(field, edit.what);
  const left = text.slice(0, from) + text.slice(to);
  // Two characters may have become a single one.
  return { field: { text: left, caret: characterEnd(left, Math.min(caret, from)) }, cut: false };
}

function insert(
  { text, caret }: TextField,
  added: string,
  length: number,
): { field: TextField; cut: boolean } {
  const room = length - text.length;
  const cut = added.length > room;
  const taken = cut ? added.slice(0, characterStart(added, Math.max(0, room))) : added;
  const whole = text.slice(0, caret) + taken + text.slice(caret);
  return { field: { text: whole, caret: characterEnd(whole, caret + taken.length) }, cut };
}

/** Takes a whole text. Its caret counts in the text as given, and comes to the end of a character. */
function set(
  { text: given, caret }: Extract<FieldEdit, { type: "set" }>,
  length: number,
): { field: TextField; cut: boolean } {
  const { field, cut } = insert(emptyField, given.replace(/\r\n?/g, "\n"), length);
  const before = given.slice(0, Math.max(0, caret)).replace(/\r\n?/g, "\n").length;
  return {
    field: { text: field.text, caret: characterEnd(field.text, Math.min(before, field.text.length)) },
    cut,
  };
}

/** Finds the begin and the end of a deleted part. */
function deleted(
  field: TextField,
  what: Extract<FieldEdit, { type: "delete" }>["what"],
): readonly [number, number] {
  const { text, caret } = field;
  switch (what) {
    case "back":
      return [target(field, "left"), caret];
    case "forward":
      return [caret, target(field, "right")];
    case "word_back":
      return [target(field, "word_left"), caret];
    case "to_start":
      return [0, caret];
    case "to_end":
      return [caret, text.length];
    case "all":
      return [0, text.length];
  }
}

function target({ text, caret }: TextField, to: CaretMotion | number): number {
  if (typeof to === "number") return characterEnd(text, placeIn(text, to));
  switch (to) {
    case "left":
      return caret === 0 ? 0 : characterStart(text, caret - 1);
    case "right":
      return caret === text.length ? caret : characterEnd(text, caret + 1);
    case "word_left":
      return characterStart(text, wordEdge(text, caret, false));
    case "word_right":
      return characterEnd(text, wordEdge(text, caret, true));
    case "line_start":
      return caret === 0 || text[caret - 1] === "\n" ? 0 : text.lastIndexOf("\n", caret - 1) + 1;
    case "line_end": {
      const end = text.indexOf("\n", caret);
      return end === -1 || end === caret ? text.length : end;
    }
    case "start":
      return 0;
    case "end":
      return text.length;
  }
}

/** Finds the nearest position in a text. */
const placeIn = (text: string, at: number) =>
  Number.isNaN(at) ? text.length : Math.max(0, Math.min(text.length, Math.trunc(at)));

/** Made on demand: the first segmenter takes long enough to be seen in the start of a program. */
const segments = (text: string, granularity: "grapheme" | "word") =>
  new Intl.Segmenter(undefined, { granularity }).segment(text);

/** Finds the start of the character at this position; between two characters the position itself. */
function characterStart(text: string, at: number): number {
  return segments(text, "grapheme").containing(at)?.index ?? at;
}

function characterEnd(text: string, at: number): number {
  const held = segments(text, "grapheme").containing(at);
  return held === undefined || held.index === at ? at : held.index + held.segment.length;
}

/**
 * Finds the end of a word in one direction: over blanks, then over a word or up to the next blank, as Ctrl-W deletes.
 */
function wordEdge(text: string, caret: number, isForward: boolean): number {
  const parts = segments(text, "word");
  let at = caret;
  let passed: Kind = "blank";
  for (;;) {
    const part = parts.containing(isForward ? at : at - 1);
    if (part === undefined) return at;
    const next = kindOf(part);
    if (passed === "word" || (passed === "sign" && next !== "sign")) return at;
    passed = next;
    at = part.index + (isForward ? part.segment.length : 0);
  }
}

type Kind = "blank" | "word" | "sign";
const kindOf = ({ segment, isWordLike }: Intl.SegmentData): Kind =>
  isWordLike ? "word" : segment.trim() === "" ? "blank" : "sign";
