// Foreign text made visible by a plain walk over its characters, whose patterns see one character each: what engines
// get wrong at the end of a text cannot happen here.

const UNSEEN = [
  /\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}|\p{Cs}/u,
  /\u200d|[\u200b\u200c\u2028\u2029\u2060-\u206f\ufeff\ufff0-\ufffb]|[\ufe00-\ufe0f]/,
  /\u034f|[\u115f\u1160\u17b4\u17b5\u3164\uffa0\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u180b-\u180f]/u,
];
/** The rest of the flags of England, Scotland and Wales, behind the black flag. */
const REGIONS = ["gbeng", "gbsct", "gbwls"].map((region) =>
  [...Array.from(region, (c) => (c.codePointAt(0) as number) + 0xe0000), 0xe007f]
    .map((code) => String.fromCodePoint(code))
    .join(""),
);

const isPictograph = (c: string) => /\p{Extended_Pictographic}/u.test(c);
const isJoining = (c: string) =>
  /\p{L}|\p{M}/u.test(c) &&
  !["Latn", "Grek", "Cyrl", "Hani", "Hira", "Kana", "Hang", "Zinh"].some((script) => isOf(script, c));
const scripts = new Map<string, RegExp>();
function isOf(script: string, c: string): boolean {
  const pattern = scripts.get(script) ?? new RegExp(`\\p{scx=${script}}`, "u");
  scripts.set(script, pattern);
  return pattern.test(c);
}

/** Reports if an unseen character belongs behind the one before it, which has another one before. */
function belongs(c: string, before: string, other: string): boolean {
  const code = c.codePointAt(0) as number;
  if (code === 0x200c) return isJoining(before);
  if (code === 0x200d) {
    const isVaried = before === "\ufe0f" || /\p{Emoji_Modifier}/u.test(before);
    return isPictograph(isVaried ? other : before) || isJoining(before);
  }
  if (code >= 0xfe00 && code <= 0xfe0f)
    return /\p{S}|\p{N}|\p{P}/u.test(before) || isOf("Hani", before) || isJoining(before);
  if (code >= 0xe0100 && code <= 0xe01ef) return isOf("Hani", before);
  return code >= 0x180b && code <= 0x180f && isOf("Mong", before);
}

/** The text that `visibleText` has to give. */
export function walked(text: string): string {
  const all = Array.from(text.replaceAll("\r\n", "\n"));
  let shown = "";
  for (let at = 0; at < all.length; at += 1) {
    const c = all[at] as string;
    const region = REGIONS.find((tags) => all.slice(at, at + 6).join("") === tags);
    if (region !== undefined && all[at - 1] === "🏴") {
      shown += region;
      at += 5;
    } else if (c === "\t" || c === "\n" || !UNSEEN.some((unseen) => unseen.test(c))) shown += c;
    else if (belongs(c, all[at - 1] ?? "", all[at - 2] ?? "")) shown += c;
    else shown += `\\u{${(c.codePointAt(0) as number).toString(16)}}`;
  }
  return shown;
}
