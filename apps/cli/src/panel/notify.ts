import { visibleLine } from "../device/visible-text.js";

/** What makes a person look at a terminal again: sequences for it, empty where it is not to be disturbed. */
export interface Attention {
  /** Rings, and shows a notification where terminals know how to. */
  ring(text: string): string;
  /** Gives the window a title that is marked, for as long as the terminal is lent. */
  mark(title: string): string;
}

/** Characters of a notification. */
const LONGEST = 120;

const BEL = "\u0007";

export const noAttention: Attention = { ring: () => "", mark: () => "" };

/** By the kind of terminal: the console of Linux would write a title and a notification as text. */
export function attentionOf(term: string | undefined): Attention {
  if (term === "linux" || term === "dumb") return { ...noAttention, ring: () => BEL };
  return {
    // Begins with a name: a number there has another meaning to some terminals.
    ring: (text) => `${BEL}\u001b]9;askwire: ${plain(text)}${BEL}`,
    mark: (title) => `\u001b]0;❓ ${plain(title)}${BEL}`,
  };
}

/** Foreign text on one line, without controls, not too long. */
function plain(text: string): string {
  const characters = [
    ...visibleLine(text.slice(0, 10 * LONGEST))
      .replaceAll("\t", " ")
      .trim(),
  ];
  return characters.length <= LONGEST
    ? characters.join("")
    : `${characters
        .slice(0, LONGEST - 1)
        .join("")
        .trimEnd()}…`;
}
