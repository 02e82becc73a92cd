import { QuotedText } from "../quoted-text.js";
import type { Catalogue } from "./catalogue.js";
import { passingReader, queryReader, resultReader } from "./elements.js";
import { ServiceElement } from "./service-element.js";
import { isQuery, type Tag, tagAt } from "./tags.js";
import type { ElementReader, TextEvent } from "./text-event.js";

/** The elements that pass unchanged, by their beginning and end. */
const passed: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
];
const EXECUTE = "execute_tools";
const EXECUTE_END = /^\s*<\/execute_tools\s*>/;
const EXECUTE_ENDING = /^\s{0,64}(?:<(?:\/[a-z_]*\s*)?)?$/;

/** The thing that begins at a place; "more" while that is not known yet. */
type Beginning = ElementReader | { readonly execute: number } | "more" | undefined;

/** Finds queries, calls and results in a text that comes in pieces. Code, thoughts, comments and CDATA are text (P-15). */
export class TextScanner {
  readonly #catalogue: Pick<Catalogue, "service" | "find">;
  readonly #code = new QuotedText();
  #rest = "";
  #element: ElementReader | undefined;
  /** UTF-16 units that are done with. */
  #done = 0;
  /** Up to where no result ends, of all units: many that begin are not looked through again and again. */
  #noResult = 0;

  constructor(catalogue: Pick<Catalogue, "service" | "find">) {
    this.#catalogue = catalogue;
  }

  *more(text: string): Generator<TextEvent> {
    this.#rest += text;
    const { quietBelow = 0 } = this.#element ?? {};
    if (this.#rest.length >= quietBelow || text.includes(">")) yield* this.#read(false);
  }

  /** Ends the text before something else, and decides all held text. */
  *end(): Generator<TextEvent> {
    yield* this.#read(true);
    // A call of which all is there may still wait for the tag of its service.
    if (this.#element !== undefined && this.#rest === "") yield* this.#within(this.#element, true);
  }

  *#read(final: boolean): Generator<TextEvent> {
    while (this.#rest !== "") {
      const on =
        this.#element === undefined ? yield* this.#plain(final) : yield* this.#within(this.#element, final);
      if (!on) return;
    }
  }

  /** Reads plain text; false to wait for more. */
  *#plain(final: boolean): Generator<TextEvent, boolean> {
    for (let at = 0; ; ) {
      const next = this.#rest.indexOf("<", at);
      this.#code.pass(this.#rest.slice(at, next === -1 ? undefined : next));
      if (next === -1) {
        yield* this.#take(this.#rest.length);
        return false;
      }
      const found = this.#code.inside ? undefined : this.#beginning(next, final);
      if (found !== undefined) {
        yield* this.#take(next);
        return yield* this.#begin(found);
      }
      this.#code.pass("<");
      at = next + 1;
    }
  }

  /** Begins the thing that was found; false to wait for more. */
  *#begin(found: NonNullable<Beginning>): Generator<TextEvent, boolean> {
    if (found === "more") return false;
    if ("execute" in found) yield { type: "execute", raw: this.#drop(found.execute) };
    else this.#element = found;
    return true;
  }

  /** Reads on in an element; false to wait for more. */
  *#within(element: ElementReader, final: boolean): Generator<TextEvent, boolean> {
    const step = element.read(this.#rest, final);
    if (step === undefined) return false;
    const { events, used, over, text = 0 } = step;
    this.#drop(used);
    if (over) this.#element = undefined;
    yield* events;
    if (text > 0) {
      this.#code.pass(this.#rest.slice(0, text));
      yield* this.#take(text);
    }
    return over || used > 0 || events.some(({ type }) => type === "call-begins");
  }

  /** So much of the text is done with. */
  #drop(length: number): string {
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    this.#done += length;
    return text;
  }

  *#take(length: number): Generator<TextEvent> {
    const text = this.#drop(length);
    if (text !== "") yield { type: "text", text };
  }

  /** Finds the thing that begins at a `<`. */
  #beginning(at: number, final: boolean): Beginning {
    for (const [begin, end] of passed) {
      if (this.#rest.startsWith(begin, at)) return passingReader(end);
      if (!final && begin.startsWith(this.#rest.slice(at, at + begin.length))) return "more";
    }
    const tag = tagAt(this.#rest, at, this.#isWanted);
    if (tag === "more") return final ? undefined : "more";
    if (tag === undefined || !this.#isWanted(tag.name)) return undefined;
    if (tag.name === EXECUTE) return this.#execute(tag, at, final);
    return tag.close ? undefined : this.#reader(tag, at);
  }

  readonly #isWanted = (name: string): boolean =>
    isQuery(name) ||
    name === "result" ||
    name === "think" ||
    name === EXECUTE ||
    this.#catalogue.service(name) !== undefined;

  /** Finds the end of the element that runs calls. */
  #execute(tag: Tag, at: number, final: boolean): Beginning {
    if (tag.empty || tag.close) return { execute: tag.length };
    const after = this.#rest.slice(at + tag.length);
    const end = EXECUTE_END.exec(after);
    if (end === null && !final && EXECUTE_ENDING.test(after)) return "more";
    return { execute: tag.length + (end?.[0].length ?? 0) };
  }

  #reader(tag: Tag, at: number): ElementReader | undefined {
    if (isQuery(tag.name)) return queryReader(tag);
    if (tag.name === "result") {
      const begun = this.#done + at;
      return resultReader(tag, this.#noResult - begun, (to) => {
        this.#noResult = begun + to;
      });
    }
    if (tag.empty) return undefined;
    return tag.name === "think" ? passingReader("</think>") : new ServiceElement(tag, this.#catalogue);
  }
}
