import { codeFences } from "./code-fences.js";
import { quotedLines } from "./quoted-lines.js";

/** Follows a text in pieces, and finds the places without calls: fences, backticks of one line, and quoting lines. */
export interface QuotedText {
  /** The text went on by this. */
  pass(text: string): void;
  /** True if the next text is code or quoted. */
  readonly inside: boolean;
}

/** Of a text of which nothing came yet. */
export function quotedText(): QuotedText {
  const fences = codeFences();
  const lines = quotedLines();
  /** The number of backticks that opened the code within a line; 0 outside. */
  let open = 0;
  /** Backticks that follow each other just now. */
  let ticks = 0;

  /** True if the last character other than a backtick was in a fence. */
  let fenced = false;

  const afterTicks = () => {
    if (ticks === 0) return open;
    if (open === 0) return ticks;
    return open === ticks ? 0 : open;
  };

  return {
    pass(text) {
      for (const c of text) {
        // Within a fence of backticks the others mean nothing, and the other way round.
        if (!fenced) lines.pass(c);
        if (lines.inside && c !== "\n") continue;
        fences.pass(c);
        if (c === "`") {
          ticks += 1;
          continue;
        }
        open = c === "\n" ? 0 : afterTicks();
        ticks = 0;
        // Right after a backtick it would say yes in any case.
        fenced = fences.inside;
        if (fenced) lines.rest();
      }
    },
    get inside() {
      return fenced || lines.inside || afterTicks() > 0;
    },
  };
}
