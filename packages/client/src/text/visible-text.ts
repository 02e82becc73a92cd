/**
 * Text that a terminal or a page would act on, or a person would not see.
 * Controls but tab and line feed; characters that reorder text; separators of lines; joiners and blanks without a
 * width; variation selectors; fillers; tags; noncharacters; halves of a character. The tags of a flag are one match.
 */
const UNSEEN = new RegExp(
  [
    "(?![\\t\\n])\\p{Cc}|\\p{Bidi_Control}|\\p{Noncharacter_Code_Point}|\\p{Cs}",
    "[\\u200b-\\u200d\\u2028\\u2029\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff0-\\ufffb]",
    "[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}]",
    "\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}",
    "[\\u{e0000}-\\u{e0fff}]",
  ].join("|"),
  "gu",
);

/** The number of characters before an unseen character that decide if it belongs there. */
const BEFORE = 4;

/** Unseen characters that belong behind others, with a test of the text before. Patterns are made on demand. */
const belonging: readonly (readonly [what: RegExp, isBehind: (before: string) => boolean])[] = [
  // Joiners: in an emoji, and between letters.
  [/^\u200d/, (before) => isEmoji(before) || joins(before)],
  [/^\u200c/, (before) => joins(before)],
  // Variation selectors: of emoji and symbols, of ideographs, of letters.
  [/^[\ufe00-\ufe0f]/, (before) => /[\p{S}\p{N}\p{P}\p{scx=Hani}]$/u.test(before) || joins(before)],
  [/^[\u{e0100}-\u{e01ef}]/u, (before) => /\p{scx=Hani}$/u.test(before)],
  [/^[\u180b-\u180f]/, (before) => /\p{scx=Mong}$/u.test(before)],
  // The flags of England, Scotland and Wales.
  [/^\u{e0067}\u{e0062}./u, (before) => before.endsWith("🏴")],
];

const isEmoji = (text: string) => /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?$/u.test(text);

/** Reports if the last letter or mark is of a script whose letters join or vary by unseen characters. */
const joins = (text: string) =>
  /[\p{L}\p{M}]$/u.test(text) &&
  !/[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Zinh}]$/u.test(
    text,
  );

const escaped = (found: string) =>
  Array.from(found, (c) => `\\u{${(c.codePointAt(0) as number).toString(16)}}`).join("");

/**
 * Foreign text, safe to write to a terminal, and to show on a page as text. Controls, bidirectional marks and unseen characters become visible
 * escapes.
 * Joiners and variation selectors stay where they belong, in emoji and in the scripts that use them. A line may end
 * as on Windows.
 *
 * @param before the text just before, if the text comes in pieces. Default: nothing.
 */
export function visibleText(text: string, before = ""): string {
  const last = before.slice(-BEFORE).replace(/[\ud800-\udbff]+$/, "");
  const all = last + text.replaceAll("\r\n", "\n");
  const shown = all.replace(UNSEEN, (found: string, at: number) => {
    const told = Math.max(0, last.length - at);
    if (told > 0) return found.slice(0, told) + escaped(found.slice(told));
    const ahead = all.slice(Math.max(0, at - BEFORE), at);
    return belonging.some(([what, isBehind]) => what.test(found) && isBehind(ahead)) ? found : escaped(found);
  });
  return shown.slice(last.length);
}

/** Foreign text on one line, safe to write to a terminal. */
export function visibleLine(text: string): string {
  // Each run of blanks is read once: a pattern of blanks around a line feed takes seconds on many blanks without one.
  return visibleText(text).replace(/\s\s+|\n/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
}
