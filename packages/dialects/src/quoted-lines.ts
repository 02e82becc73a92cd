import { isBlank } from "./code-fences.js";

const TILDES = 3;

/** Follows a text by its characters, and knows where in it are fences of tildes, and lines that begin with `>`. */
export class QuotedLines {
  /** The number of tildes that opened the fence; 0 outside a fence. */
  #fence = 0;
  /** The effect of the line so far. The rest of the line may speak against the end of a fence. */
  #line: "begins" | "quotes" | "closes" | "text" = "begins";
  /** The tildes at the beginning of the line. */
  #tildes = 0;

  /** True if the next text is quoted. */
  get inside(): boolean {
    return this.#line === "quotes" || this.#fence > 0;
  }

  /** Takes the next character. */
  pass(c: string): void {
    if (c === "\n") this.#endLine();
    else if (this.#line === "begins") this.#begin(c);
    else this.#goOn(c);
  }

  /** Begins a fence of another kind: until it ends, nothing is passed. */
  rest(): void {
    this.#line = "begins";
    this.#tildes = 0;
  }

  #begin(c: string): void {
    if (c === "~") this.#tildes += 1;
    else if (this.#tildes > 0) {
      this.#endTildes();
      this.#goOn(c);
    } else if (c === ">" && this.#fence === 0) this.#line = "quotes";
    else if (!isBlank(c)) this.#line = "text";
  }

  #endTildes(): void {
    const isFence = this.#tildes >= TILDES && this.#tildes >= this.#fence;
    this.#line = isFence && this.#fence > 0 ? "closes" : "text";
    if (isFence && this.#fence === 0) this.#fence = this.#tildes;
  }

  #goOn(c: string): void {
    if (this.#line === "closes" && !isBlank(c)) this.#line = "text";
  }

  #endLine(): void {
    if (this.#line === "begins") this.#endTildes();
    if (this.#line === "closes") this.#fence = 0;
    this.rest();
  }
}
