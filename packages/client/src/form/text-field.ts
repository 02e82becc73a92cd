/** A line of text with a cursor, as a person edits it. It may hold line feeds: who shows it makes one line of it. */
export interface TextField {
  readonly text: string;
  /** In UTF-16 units, always between two characters as a person sees them. */
  readonly caret: number;
}

/** Nothing typed. */
export const emptyField: TextField = { text: "", caret: 0 };

/** How long own text may be, in UTF-16 units. The wire has no bound of its own for it. */
export const OWN_TEXT_LENGTH = 65_536;

/** One edit of a field. Words are found as the language of the text has them. */
export type FieldEdit =
  | { readonly type: "insert"; readonly text: string }
  | {
      readonly type: "delete";
      readonly what: "back" | "forward" | "word_back" | "to_start" | "to_end" | "all";
    }
  | { readonly type: "caret"; readonly to: "left" | "right" | "word_left" | "word_right" | "start" | "end" };

/**
 * A field after an edit. Line ends of an inserted text become line feeds. A text without room for all of it is cut
 * between two characters, and `cut` is true.
 *
 * @param length of the longest text, in UTF-16 units. Default: {@link OWN_TEXT_LENGTH}.
 */
export function editField(
  field: TextField,
  edit: FieldEdit,
  length = OWN_TEXT_LENGTH,
): { field: TextField; cut: boolean } {
  if (edit.type === "insert") return insert(field, edit.text.replace(/\r\n?/g, "\n"), length);
  const { text, caret } = field;
  if (edit.type === "caret") return { field: { text, caret: target(field, edit.to) }, cut: false };
  const [from, to] = deleted(field, edit.what);
  const left = text.slice(0, from) + text.slice(to);
  // What stood apart may be one character now.
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

/** Where a part of the text that goes away begins and ends. */
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

function target({ text, caret }: TextField, to: Extract<FieldEdit, { type: "caret" }>["to"]): number {
  switch (to) {
    case "left":
      return caret === 0 ? 0 : characterStart(text, caret - 1);
    case "right":
      return caret === text.length ? caret : characterEnd(text, caret + 1);
    case "word_left":
      return characterStart(text, wordEdge(text, caret, false));
    case "word_right":
      return characterEnd(text, wordEdge(text, caret, true));
    case "start":
      return 0;
    case "end":
      return text.length;
  }
}

/** Made where it is needed: the first one takes long enough to be seen in the start of a program. */
const segments = (text: string, granularity: "grapheme" | "word") =>
  new Intl.Segmenter(undefined, { granularity }).segment(text);

/** Where the character that holds this position begins; the position itself between two. */
function characterStart(text: string, at: number): number {
  return segments(text, "grapheme").containing(at)?.index ?? at;
}

function characterEnd(text: string, at: number): number {
  const held = segments(text, "grapheme").containing(at);
  return held === undefined || held.index === at ? at : held.index + held.segment.length;
}

/** Over blanks, then over a word, or over all up to a blank or a word: what Ctrl-W takes. */
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
