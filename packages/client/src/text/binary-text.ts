/** The characters at the beginning of a text that tell what it is. */
const LOOKED_AT = 8_000;
/** The share of characters that no text has, from which on it counts as bytes. */
const MOST_STRANGE = 0.1;

/** Characters that stand for bytes which are no text, and controls other than blanks, page feeds and escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the controls that no text has
const strange = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f\ufffd]/g;

/** True for the content of a file that is no text, such as a picture: it has a NUL, or many characters that no text has. */
export function isBinaryText(text: string): boolean {
  const beginning = text.slice(0, LOOKED_AT);
  if (beginning.includes("\0")) return true;
  const found = beginning.match(strange)?.length ?? 0;
  return found > beginning.length * MOST_STRANGE;
}

/** The bytes of a file by its text, about: a byte that is no text counts as one, as far as its character tells. */
export const bytesOfText = (text: string): number =>
  new TextEncoder().encode(text).length - 2 * (text.match(/\ufffd/g)?.length ?? 0);
