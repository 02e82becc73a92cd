import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const listed: Readonly<Record<string, { skin_tone_support: boolean }>> = require("unicode-emoji-json");

const tones = ["🏻", "🏼", "🏽", "🏾", "🏿"];
/** The sign that asks for an emoji instead of a symbol. */
const SELECTOR = "\ufe0f";

/** An emoji with a tone of skin for its first person and one for the others. A selector gives way to the tone. */
function toned(whole: string, first: string, others: string): string {
  let tone = first;
  return whole.replace(/(\p{Emoji_Modifier_Base})\ufe0f?/gu, (_whole, person: string) => {
    const shown = person + tone;
    tone = others;
    return shown;
  });
}

/** Every emoji of Unicode 17: as listed, in each tone of skin, and without selectors. */
export const allEmoji: readonly string[] = [
  ...new Set(
    Object.entries(listed).flatMap(([whole, { skin_tone_support }]) => [
      whole,
      whole.replaceAll(SELECTOR, ""),
      ...(skin_tone_support
        ? tones.flatMap((first) => tones.map((others) => toned(whole, first, others)))
        : []),
    ]),
  ),
];
