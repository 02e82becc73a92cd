import { codeFences } from "./code-fences.js";
import { quotedLines } from "./quoted-lines.js";

/**
 * Follows a text that comes in pieces, and knows where in it is no call: in fences, between backticks of one line, and in
 * lines that quote.
 */
export interface QuotedText {
  /** The text went on by this. */
  pass(text: string): void;
  /** Whether what comes next is code or quoted. */
  readonly inside: boolean;
}

/** Of a text of which nothing came yet. */
export function quotedText(): QuotedText {
  const fences = codeFences();
  const lines = quotedLines();
  /** How many backticks opened the code within a line; 0 outside. */
  let open = 0;
  /** Backticks that follow each other just now. */
  let ticks = 0;

  /** Whether the text is in a fence, as of the last character that was no backtick. */
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
