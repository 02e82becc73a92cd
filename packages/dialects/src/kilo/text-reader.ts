import type { ModelPart } from "@askwire/server";
import { QuotedText } from "../quoted-text.js";
import { findTag, OPEN, passed } from "./call-element.js";
import { OpenCall } from "./open-call.js";

const BEGINNINGS = [OPEN, ...passed.keys()];

/** Finds the calls in a text that comes in pieces. All else is passed on as text. */
export class TextReader {
  readonly #begin: () => ModelPart;
  readonly #code = new QuotedText();
  /** The element that is being read; undefined in plain text. */
  #element: OpenCall | PassingText | undefined;
  /** The possible beginning of a tag. */
  #held = "";

  /** @param begin makes a tool call. */
  constructor(begin: () => ModelPart) {
    this.#begin = begin;
  }

  *more(text: string): Generator<ModelPart> {
    for (const piece of pieces(text)) {
      for (let rest = piece; rest !== ""; ) {
        if (this.#element === undefined) rest = yield* this.#plain(rest);
        else rest = yield* this.#left(this.#element, yield* this.#element.read(rest));
      }
    }
  }

  /** Ends the text before something else. Text that is held back goes out. */
  *end(): Generator<ModelPart> {
    while (this.#element instanceof OpenCall)
      yield* this.more(yield* this.#left(this.#element, yield* this.#element.giveUp()));
    this.#code.pass(this.#held);
    yield* say(this.#held);
    this.#held = "";
  }

  /** Reads up to an element. Returns the text after its open tag. */
  *#plain(text: string): Generator<ModelPart, string> {
    const all = this.#held + text;
    this.#held = "";
    for (let from = 0; ; ) {
      const { at, tag } = findTag(all, BEGINNINGS, from);
      this.#code.pass(all.slice(from, at));
      if (at === all.length || !this.#code.inside) {
        yield* say(all.slice(0, at));
        if (tag !== undefined) return yield* this.#enter(tag, all.slice(at + tag.length));
        this.#held = all.slice(at);
        return "";
      }
      this.#code.pass("<");
      from = at + 1;
    }
  }

  /** Enters the element of a tag. Returns the text after it. */
  *#enter(tag: string, rest: string): Generator<ModelPart, string> {
    const end = passed.get(tag);
    if (end === undefined) this.#element = new OpenCall(this.#begin);
    else {
      this.#code.pass("<");
      yield* say(tag);
      this.#element = new PassingText(end);
    }
    return rest;
  }

  /** Leaves an element that has ended. The tag of one that was none is text. Returns the text after it. */
  *#left(element: OpenCall | PassingText, rest: string): Generator<ModelPart, string> {
    if (element.isOpen) return rest;
    this.#element = undefined;
    if (element instanceof OpenCall && element.isText) {
      this.#code.pass(OPEN);
      yield* say(OPEN);
    }
    return rest;
  }
}

/** Reads text without calls up to its end. */
class PassingText {
  readonly #end: string;
  /** The last part so far, which may begin the end. */
  #tail = "";
  #isOpen = true;

  constructor(end: string) {
    this.#end = end;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Reads on. Returns the text after the end. */
  *read(text: string): Generator<ModelPart, string> {
    const all = this.#tail + text;
    const at = all.indexOf(this.#end);
    const used = at === -1 ? text.length : at + this.#end.length - this.#tail.length;
    this.#tail = all.slice(1 - this.#end.length);
    this.#isOpen = at === -1;
    yield* say(text.slice(0, used));
    return text.slice(used);
  }
}

function* say(text: string): Generator<ModelPart> {
  if (text !== "") yield { type: "content", part: { type: "text", text } };
}

/** The piece that is read at a time, in UTF-16 units. The text after each call or tag in it is copied. */
const PIECE = 16 * 1024;

/** A text in pieces, none of which ends in half a character. */
function* pieces(text: string): Generator<string> {
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = Math.min(from + PIECE, text.length);
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] as string)) end -= 1;
    yield text.slice(from, end);
  }
}
