import { visibleText } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { LineFeed } from "../lines/line-readers.js";

/** The most characters that are given to a terminal to be copied. */
const MOST_COPIED = 100_000;

/**
 * Copies an answer as it was written, by the terminal's own clipboard, and tells so. Where nothing is drawn, as for a
 * pipe, the answer is shown instead.
 */
export function copied(
  answer: string | undefined,
  { draws }: Pick<LineFeed, "draws">,
  words: ChatWords,
): readonly string[] {
  if (answer === undefined) return [words.nothingSaid];
  if (!draws) return visibleText(answer.trimEnd()).split("\n");
  const text = answer.trimEnd().slice(0, MOST_COPIED);
  return [`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007${words.copied(text.length)}`];
}
