/** Characters that end a line, move the cursor, turn the direction of text, or cannot be seen. */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u200b\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]+/gu;

/** UTF-16 units that are looked at for each unit of the result, since most of a text may be blank. */
const LOOKED_AT = 16;

/**
 * Makes one line of foreign text that is safe to show in a list: without controls and invisible characters, each run of
 * white space one blank, and cut after `length` UTF-16 units. A cut line ends in `…`.
 */
export function shortLine(text: string, length: number): string {
  const line = text
    .slice(0, length * LOOKED_AT)
    .replace(unsafe, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= length) return line;
  return `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
