import { visibleLine } from "@askwire/client/text";

/** Sequences that call a person back to a terminal. Empty if the terminal is not to be disturbed. */
export interface Attention {
  /** Rings, and shows a notification on terminals that can. */
  ring(text: string): string;
  /** Marks the title of the window while the terminal is lent. */
  mark(title: string): string;
}

/** The most characters of a notification. */
const LONGEST = 120;

const BEL = "\u0007";

export const noAttention: Attention = { ring: () => "", mark: () => "" };

/** The sequences for a kind of terminal. The console of Linux would write a title and a notification as text. */
export function attentionOf(term: string | undefined): Attention {
  if (term === "linux" || term === "dumb") return { ...noAttention, ring: () => BEL };
  return {
    // The text begins with a name, since some terminals give a number there another meaning.
    ring: (text) => `${BEL}\u001b]9;askwire: ${plain(text)}${BEL}`,
    mark: (title) => `\u001b]0;❓ ${plain(title)}${BEL}`,
  };
}

/** Foreign text on one line, without controls, not too long. */
export function plain(text: string): string {
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
