import type { FileChange } from "@askwire/protocol";

/** The characters at the beginning of a text that tell what it is. */
const LOOKED_AT = 8_000;
/** The fewest controls of bytes. A text may have a few, which are then shown. */
const LEAST_CONTROLS = 8;
/** The share of controls that no text has, from which on it counts as bytes: of packed files about a tenth are. */
const LEAST_SHARE = 0.05;

/** Controls other than blanks, page feeds and escapes. U+FFFD is not one: letters in another encoding become that too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the controls that no text has
const controls = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f]/g;

/** True for the content of a file that is no text, such as a picture: many of its characters are controls. */
function isBinaryText(text: string): boolean {
  const beginning = text.slice(0, LOOKED_AT);
  const found = beginning.match(controls)?.length ?? 0;
  return found >= LEAST_CONTROLS && found > beginning.length * LEAST_SHARE;
}

/**
 * True for a change of bytes: neither what goes nor what comes is text. Text on one side makes it a change of text, so
 * that no control hides it.
 */
export function isBinaryChange({ old_text, new_text }: Pick<FileChange, "old_text" | "new_text">): boolean {
  const sides = [old_text, new_text].filter((text) => text !== "");
  return sides.length > 0 && sides.every(isBinaryText);
}

/** The bytes of a file by its text, about: a byte that is no text counts as one, as far as its character tells. */
export const bytesOfText = (text: string): number =>
  new TextEncoder().encode(text).length - 2 * (text.match(/\ufffd/g)?.length ?? 0);
