import { CodeFences } from "./code-fences.js";
import { QuotedLines } from "./quoted-lines.js";

/** Follows a text in pieces, and finds the places without calls: fences, backticks of one line, and quoting lines. */
export class QuotedText {
  readonly #fences = new CodeFences();
  readonly #lines = new QuotedLines();
  /** The number of backticks that opened the code within a line; 0 outside. */
  #open = 0;
  /** Backticks that follow each other just now. */
  #ticks = 0;
  /** True if the last character other than a backtick was in a fence. */
  #isFenced = false;

  /** True if the next text is code or quoted. */
  get inside(): boolean {
    return this.#isFenced || this.#lines.inside || this.#afterTicks() > 0;
  }

  /** Takes the next text. */
  pass(text: string): void {
    for (const c of text) this.#next(c);
  }

  #next(c: string): void {
    // Within a fence of backticks the others mean nothing, and the other way round.
    if (!this.#isFenced) this.#lines.pass(c);
    if (this.#lines.inside && c !== "\n") return;
    this.#fences.pass(c);
    if (c === "`") this.#ticks += 1;
    else this.#endTicks(c);
  }

  #endTicks(c: string): void {
    this.#open = c === "\n" ? 0 : this.#afterTicks();
    this.#ticks = 0;
    // Right after a backtick it would say yes in any case.
    this.#isFenced = this.#fences.inside;
    if (this.#isFenced) this.#lines.rest();
  }

  #afterTicks(): number {
    if (this.#ticks === 0) return this.#open;
    if (this.#open === 0) return this.#ticks;
    return this.#open === this.#ticks ? 0 : this.#open;
  }
}
