/** Follows a text that comes in pieces, and knows where in it is code as Markdown has it. */
export interface CodeFences {
  /** The text went on by this. */
  pass(text: string): void;
  /** True if the next text is code: in a fence of backticks, or right after a backtick. */
  readonly inside: boolean;
}

const TICKS = 3;

/** Of a text of which nothing came yet. */
export function codeFences(): CodeFences {
  /** The number of backticks that opened the fence; 0 outside a fence. */
  let fence = 0;
  /** The backticks at the beginning of the line; undefined after any other text. */
  let ticks: number | undefined = 0;
  /** The effect of the line, unless its rest speaks against it. */
  let line: "opens" | "closes" | undefined;
  let afterTick = false;

  function endOfTicks(): void {
    if (ticks !== undefined && ticks >= TICKS) {
      if (fence === 0) {
        fence = ticks;
        line = "opens";
      } else if (ticks >= fence) line = "closes";
    }
    ticks = undefined;
  }

  function next(c: string): void {
    afterTick = c === "`";
    if (c === "\n") {
      endOfTicks();
      if (line === "closes") fence = 0;
      line = undefined;
      ticks = 0;
    } else if (ticks !== undefined) {
      if (c === "`") ticks += 1;
      else if (ticks > 0 || !isBlank(c)) {
        endOfTicks();
        if (line === "closes" && !isBlank(c)) line = undefined;
      }
    } else if (line === "opens" && c === "`") {
      // Code within one line, in as many backticks.
      fence = 0;
      line = undefined;
    } else if (line === "closes" && !isBlank(c)) line = undefined;
  }

  return {
    pass(text) {
      for (const c of text) next(c);
    },
    get inside() {
      return afterTick || fence > 0;
    },
  };
}

const isBlank = (c: string) => c === " " || c === "\t" || c === "\r";
