/** The most lines of a paste that stands in a draft as it is. */
const MOST_LINES = 10;
/** The most UTF-16 units that are kept of pastes that have left every draft. */
const MOST_UNITS = 1024 * 1024;
/** Characters that Unicode keeps for uses like this one, so that no text has them. */
const MARKS = Array.from({ length: 32 }, (_, index) => String.fromCharCode(0xfdd0 + index));
const MARK = /[\ufdd0-\ufdef]/g;

/** Long pastes, for each of which one character stands in a draft: what is sent has them in full. */
export class Pastes {
  readonly #kept = new Map<string, string>();
  readonly #label: (lines: number) => string;

  /** @param label what is shown for a paste of so many lines. */
  constructor(label: (lines: number) => string = (lines) => `[${lines}]`) {
    this.#label = label;
  }

  /** The character that stands for a paste; the paste as it is if it is short, or if too many stand in the draft. */
  fold(paste: string, draft: string): string {
    if (paste.split("\n").length <= MOST_LINES) return withoutMarks(paste);
    const mark = MARKS.find((one) => !this.#kept.has(one)) ?? this.#free(draft);
    if (mark === undefined) return withoutMarks(paste);
    this.#kept.delete(mark);
    this.#kept.set(mark, paste);
    let units = this.#units;
    for (const [one, text] of this.#kept) {
      if (units <= MOST_UNITS) break;
      if (one === mark || draft.includes(one)) continue;
      this.#kept.delete(one);
      units -= text.length;
    }
    return mark;
  }

  /** The text with its pastes in full. */
  whole(draft: string): string {
    return draft.replace(MARK, (mark) => this.#kept.get(mark) ?? mark);
  }

  /** A whole text as a draft: known pastes in it are one character again. */
  folded(text: string): string {
    let draft = withoutMarks(text);
    for (const [mark, paste] of this.#kept) draft = draft.replace(withoutMarks(paste), () => mark);
    return draft;
  }

  /** The text of the paste that stands next to a place, or else of the last one, with its place. */
  at(draft: string, caret: number): { readonly at: number; readonly text: string } | undefined {
    const places = [...draft.matchAll(MARK)].map(({ index }) => index);
    const at = places.find((place) => place === caret - 1 || place === caret) ?? places.at(-1);
    const text = at === undefined ? undefined : this.#kept.get(draft[at] ?? "");
    return at === undefined || text === undefined ? undefined : { at, text };
  }

  /** The text that is shown for a character. Undefined for one that stands for itself. */
  labelOf(character: string): string | undefined {
    const paste = this.#kept.get(character);
    return paste === undefined ? undefined : this.#label(paste.split("\n").length);
  }

  /** A whole text as it is shown. */
  shown(text: string): string {
    return this.folded(text).replace(MARK, (mark) => this.labelOf(mark) ?? mark);
  }

  get #units(): number {
    return [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The mark of the oldest paste that is in no draft. */
  #free(draft: string): string | undefined {
    return [...this.#kept.keys()].find((mark) => !draft.includes(mark));
  }
}

/** A text in which no character stands for a paste. */
export const withoutMarks = (text: string): string => text.replace(MARK, "\ufffd");
