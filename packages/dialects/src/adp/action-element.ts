import { type OpenString, openString } from "./open-string.js";
import type { Tag } from "./tags.js";
import { MAX_ELEMENT } from "./text-event.js";

const CDATA = "<![CDATA[";
const CDATA_END = "]]>";

/** An action's element as it was written; `body` is undefined for one without an end. */
interface WrittenAction {
  readonly raw: string;
  readonly body: string | undefined;
}

/** Reads an action's element within its service's, whose open tag is there. */
export class ActionElement {
  readonly name: string;
  /** The beginning of its content in the text. */
  readonly #from: number;
  readonly #close: RegExp;
  readonly #inString: OpenString;
  /** The place up to which there is no close tag. */
  #searched: number;
  /** The first close tag within a string of JSON. The call ends there if no close tag follows the string. */
  #quotedEnd: { readonly at: number; readonly to: number } | undefined;

  /** @param from the place in the text after the tag. */
  constructor({ name }: Tag, from: number) {
    this.name = name;
    this.#from = from;
    this.#close = new RegExp(`</${name.replaceAll(".", "\\.")}\\s{0,8}>`, "g");
    this.#inString = openString(from);
    this.#searched = from;
  }

  /** Reads on in all unread text; undefined to wait for more. */
  read(text: string, final: boolean): WrittenAction | undefined {
    const all = text.slice(0, MAX_ELEMENT);
    const closed = this.#closed(all);
    if (closed !== undefined) return closed;
    if (!final && text.length < MAX_ELEMENT) {
      this.#searched = Math.max(this.#from, text.length - this.name.length - 12);
      return undefined;
    }
    const end = this.#quotedEnd;
    if (end === undefined) return { raw: all, body: undefined };
    return { raw: all.slice(0, end.to), body: all.slice(this.#from, end.at).trim() };
  }

  /** Reads the element up to the first close tag that does not belong to its content. */
  #closed(all: string): WrittenAction | undefined {
    const close = this.#close;
    close.lastIndex = this.#searched;
    for (let found = close.exec(all); found !== null; found = close.exec(all)) {
      const inner = all.slice(this.#from, found.index).trim();
      const quoted = inner.startsWith(CDATA);
      if (quoted && !inner.includes(CDATA_END)) continue;
      // The text may contain the tag: arguments end after their strings.
      if (inner.startsWith("{") && this.#inString(all, found.index)) {
        this.#quotedEnd ??= { at: found.index, to: close.lastIndex };
        continue;
      }
      const body = quoted && inner.endsWith(CDATA_END) ? inner.slice(CDATA.length, -CDATA_END.length) : inner;
      return { raw: all.slice(0, close.lastIndex), body };
    }
    return undefined;
  }
}
