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

/** The number of UTF-16 units before an unseen character that decide if it belongs there. */
const BEFORE = 4;

/**
 * Unseen characters that belong behind others, with a test of the characters before. Those are looked at one by one:
 * V8 14.6 searches for `[\p{L}\p{M}]$` one unit before the end, and finds nothing beyond U+FFFF.
 */
const belonging: readonly (readonly [what: RegExp, isBehind: (before: readonly string[]) => boolean])[] = [
  // Joiners: in an emoji, and between letters.
  [/^\u200d/, (before) => isEmoji(before) || joins(last(before))],
  [/^\u200c/, (before) => joins(last(before))],
  // Variation selectors: of emoji and symbols, of ideographs, of letters.
  [
    /^[\ufe00-\ufe0f]/,
    (before) => /[\p{S}\p{N}\p{P}\p{scx=Hani}]/u.test(last(before)) || joins(last(before)),
  ],
  [/^[\u{e0100}-\u{e01ef}]/u, (before) => /\p{scx=Hani}/u.test(last(before))],
  [/^[\u180b-\u180f]/, (before) => /\p{scx=Mong}/u.test(last(before))],
  // The flags of England, Scotland and Wales.
  [/^\u{e0067}\u{e0062}./u, (before) => last(before) === "🏴"],
];

const last = (characters: readonly string[]) => characters.at(-1) ?? "";

/** Reports if the characters end with an emoji of one sign, which may have its selector or its colour of skin. */
function isEmoji(before: readonly string[]): boolean {
  const sign = /[\ufe0f\p{Emoji_Modifier}]/u.test(last(before)) ? before.at(-2) : last(before);
  return sign !== undefined && /\p{Extended_Pictographic}/u.test(sign);
}

/** Reports if a letter or mark is of a script whose letters join or vary by unseen characters. */
const joins = (character: string) =>
  /[\p{L}\p{M}]/u.test(character) &&
  !/[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Zinh}]/u.test(
    character,
  );

const escaped = (found: string) =>
  Array.from(found, (c) => `\\u{${(c.codePointAt(0) as number).toString(16)}}`).join("");

/**
 * Foreign text, safe to write to a terminal, and to show on a page as text. Controls, bidirectional marks and unseen
 * characters become visible escapes.
 * Joiners and variation selectors stay where they belong, in emoji and in the scripts that use them. A line may end
 * as on Windows.
 *
 * @param before the text just before this, if the text comes in pieces. Default: nothing.
 */
export function visibleText(text: string, before = ""): string {
  // Half a character was shown as an escape: it joins no other half, and nothing belongs behind it.
  const known = before.slice(-BEFORE).replace(/[\ud800-\udbff]+$/, "x");
  const all = known + text.replaceAll("\r\n", "\n");
  const shown = all.replace(UNSEEN, (found: string, at: number) => {
    const told = Math.max(0, known.length - at);
    if (told > 0) return found.slice(0, told) + escaped(found.slice(told));
    const ahead = Array.from(all.slice(Math.max(0, at - BEFORE), at));
    return belonging.some(([what, isBehind]) => what.test(found) && isBehind(ahead)) ? found : escaped(found);
  });
  return shown.slice(known.length);
}

/** The longest runs that stay as they are: of blanks (half of a line), of line ends, of one escape. */
const BLANKS = 40;
const LINE_ENDS = 5;
const ESCAPES = 8;

const runOfLineEnds = new RegExp(`\\n(?:[\\p{Zs}\\t]*\\n){${LINE_ENDS},}`, "gu");
const runOfBlanks = new RegExp(`[\\p{Zs}\\t]{${BLANKS + 1},}`, "gu");
const runOfEscapes = new RegExp(`(\\\\u\\{[0-9a-f]+\\})\\1{${ESCAPES},}`, "g");

/**
 * Foreign text that a person decides about: a command, a title, a label, an argument. As {@link visibleText}, and
 * nothing pushes a part of it out of sight or looks like nothing: long runs are told by their number (`␣×300`, `⏎×80`,
 * `\u{200b}×90`), and blank Braille and soft hyphens become escapes too.
 */
export function exactText(text: string): string {
  return visibleText(text)
    .replace(/[\u00ad\u2800]/g, escaped)
    .replace(runOfEscapes, (run, one: string) => `${one}×${run.length / one.length}`)
    .replace(runOfLineEnds, (run) => `\n⏎×${run.split("\n").length - 1}\n`)
    .replace(runOfBlanks, (run) => `␣×${run.length}`);
}

/** As {@link exactText}, on one line. */
export function visibleLine(text: string): string {
  // Each run of blanks is read once: a pattern of blanks around a line feed takes seconds on many blanks without one.
  return exactText(text).replace(/\s\s+|\n/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
}

/** A text of at most that many UTF-16 units: a longer one loses its middle, so that its end is in sight too. */
export function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 3);
  const begin = text.slice(0, most - 1 - end).replace(/[\ud800-\udbff]$/, "");
  return `${begin.trimEnd()}…${text
    .slice(text.length - end)
    .replace(/^[\udc00-\udfff]/, "")
    .trimStart()}`;
}
