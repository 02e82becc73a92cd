const TICKS = 3;

/** Follows a text by its characters, and knows where in it is code as Markdown has it. */
export class CodeFences {
  /** The number of backticks that opened the fence; 0 outside a fence. */
  #fence = 0;
  /** The effect of the line so far. The rest of the line may speak against a fence that opens or closes. */
  #line: "begins" | "opens" | "closes" | "text" = "begins";
  /** The backticks at the beginning of the line. */
  #ticks = 0;
  #afterTick = false;

  /** True if the next text is code: in a fence of backticks, or right after a backtick. */
  get inside(): boolean {
    return this.#afterTick || this.#fence > 0;
  }

  /** Takes the next character. */
  pass(c: string): void {
    this.#afterTick = c === "`";
    if (c === "\n") this.#endLine();
    else if (this.#line === "begins") this.#begin(c);
    else this.#goOn(c);
  }

  #begin(c: string): void {
    if (c === "`") this.#ticks += 1;
    else if (this.#ticks > 0 || !isBlank(c)) {
      this.#endTicks();
      this.#goOn(c);
    }
  }

  #endTicks(): void {
    const isFence = this.#ticks >= TICKS && this.#ticks >= this.#fence;
    if (!isFence) this.#line = "text";
    else if (this.#fence > 0) this.#line = "closes";
    else {
      this.#fence = this.#ticks;
      this.#line = "opens";
    }
  }

  #goOn(c: string): void {
    if (this.#line === "closes" && !isBlank(c)) this.#line = "text";
    else if (this.#line === "opens" && c === "`") {
      // Code within one line, in as many backticks.
      this.#fence = 0;
      this.#line = "text";
    }
  }

  #endLine(): void {
    if (this.#line === "begins") this.#endTicks();
    if (this.#line === "closes") this.#fence = 0;
    this.#line = "begins";
    this.#ticks = 0;
  }
}

/** True for a space within a line. */
export const isBlank = (c: string): boolean => c === " " || c === "\t" || c === "\r";
