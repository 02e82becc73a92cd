import { cutMark } from "../input/cut-mark.js";

/** Keeps the beginning and the end of a text of any length. */
export class KeptOutput {
  /** The characters kept of either end. */
  readonly #half: number;
  #head = "";
  #isHeadFull = false;
  #tail = "";
  #dropped = 0;
  /** The line ends among the dropped characters. */
  #droppedEnds = 0;

  /** @param limit characters that are kept, half of them from the beginning and half from the end. */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2);
  }

  push(text: string): void {
    this.#tail += this.#isHeadFull ? text : this.#fillHead(text);
    if (this.#tail.length > 2 * this.#half) this.#cutTail();
  }

  /** The kept text, with a line in the middle that counts the missing characters and line ends. */
  text(): string {
    if (this.#tail.length > this.#half) this.#cutTail();
    if (this.#dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n${cutMark(this.#dropped, this.#droppedEnds)}\n${this.#tail}`;
  }

  /** Returns the rest of a text, without the part that the head takes. */
  #fillHead(text: string): string {
    let end = Math.min(text.length, this.#half - this.#head.length);
    this.#isHeadFull = end < text.length;
    if (this.#isHeadFull && isLowSurrogate(text.charCodeAt(end))) end -= 1;
    this.#head += text.slice(0, end);
    return text.slice(end);
  }

  /** Keeps the end only, without cutting a character in two. */
  #cutTail(): void {
    let start = this.#tail.length - this.#half;
    if (isLowSurrogate(this.#tail.charCodeAt(start))) start += 1;
    this.#dropped += start;
    this.#droppedEnds += this.#tail.slice(0, start).split("\n").length - 1;
    this.#tail = this.#tail.slice(start);
  }
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
