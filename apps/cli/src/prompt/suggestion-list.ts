import type { TextField } from "@askwire/client/form";
import type { TypedKey } from "../device/typed-keys.js";
import { promptKey } from "./prompt-keys.js";

/** A word for the draft. */
export interface SuggestedWord {
  readonly word: string;
  /** The meaning of the word, in a few words; may be empty. */
  readonly about: string;
}

/** Finds words for one that begins with `/` or `@`, the best first. */
export type Suggests = (begun: string) => readonly SuggestedWord[];

/** The most words that are suggested at once. */
const MOST = 6;

/** The words that are suggested for the one before the caret, while it is typed. */
export class SuggestionList {
  readonly #suggests: Suggests;
  /** Set from a typed character on, until the list is closed. */
  #isOpen = false;
  #marked: number | undefined;

  constructor(suggests: Suggests) {
    this.#suggests = suggests;
  }

  /** The suggested words, and the one that is marked. Empty where there is nothing to suggest. */
  shown(draft: TextField): { readonly words: readonly SuggestedWord[]; readonly marked: number | undefined } {
    const begun = this.#isOpen ? begunWord(draft) : undefined;
    const found = begun === undefined ? [] : this.#suggests(begun).slice(0, MOST);
    const words = found.length === 1 && found[0]?.word === begun ? [] : found;
    return {
      words,
      marked: this.#marked === undefined ? undefined : Math.min(this.#marked, words.length - 1),
    };
  }

  /** Takes a key that is meant for the list. Returns the draft after it; undefined for a key that is not. */
  key(typed: TypedKey, draft: TextField): TextField | undefined {
    const { words, marked } = this.shown(draft);
    const [first] = words;
    if (first === undefined || !("name" in typed)) return undefined;
    if (typed.name === "escape") {
      this.close();
      return draft;
    }
    const key = promptKey(typed);
    if (key === "up" || key === "down") {
      const from = marked ?? (key === "down" ? -1 : words.length);
      this.#marked = (from + (key === "down" ? 1 : -1) + words.length) % words.length;
      return draft;
    }
    if (key === "tab") return this.#take(words[marked ?? 0] ?? first, draft);
    // An Enter sends what was typed, unless the person has gone to a word.
    return key === "send" && marked !== undefined ? this.#take(words[marked] ?? first, draft) : undefined;
  }

  /** Notes a key that has changed the draft: only what is typed opens the list. */
  typed(key: TypedKey): void {
    const isErased = "name" in key && key.name === "backspace";
    this.#isOpen = "text" in key || (this.#isOpen && isErased);
    this.#marked = undefined;
  }

  close(): void {
    this.#isOpen = false;
    this.#marked = undefined;
  }

  /** Puts a word in the place of the begun one. A folder is gone into, behind other words stands a blank. */
  #take({ word }: SuggestedWord, { text, caret }: TextField): TextField {
    this.#isOpen = word.endsWith("/");
    this.#marked = undefined;
    const from = caret - (begunWord({ text, caret })?.length ?? 0);
    const rest = text.slice(caret);
    const put = word.endsWith("/") || /^\s/.test(rest) ? word : `${word} `;
    const after = word.endsWith("/") || put !== word ? 0 : 1;
    return { text: text.slice(0, from) + put + rest, caret: from + put.length + after };
  }
}

/** The most UTF-16 units of a word that are read. */
const LONGEST = 512;

/** The word that ends at the caret: a command at the very beginning, or a file behind `@`. */
function begunWord({ text, caret }: TextField): string | undefined {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const command = caret <= LONGEST ? /^\/[\w:-]*$/.exec(before) : null;
  return (command ?? /(?<=^|\s)@\S*$/.exec(before))?.[0];
}
