import fc from "fast-check";
import { expect, test } from "vitest";
import { allEmoji } from "../../../scripts/all-emoji.js";
import { visibleLine, visibleText } from "../src/text/index.js";
import { walked } from "./visible-walk.js";

/** Nothing of it may reach a terminal, wherever it stands. */
const never =
  /(?![\t\n])\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}|\p{Cs}|[\u200b\u2028\u2029\u2060-\u206f\u3164\ufeff\u{e0001}-\u{e001f}]/u;

const point = fc.oneof(
  fc.integer({ min: 0, max: 0x10ffff }),
  fc.constantFrom(
    0x200b,
    0x200c,
    0x200d,
    0x2028,
    0x2060,
    0x202e,
    0xfeff,
    0xfe0f,
    0xe0041,
    0xd83d,
    0xffff,
    0x1b,
  ),
  fc.constantFrom(0x41, 0x4e2d, 0x1f469, 0x6cc, 0x915),
);
const text = fc.array(point.map((code) => String.fromCodePoint(code))).map((all) => all.join(""));

test("no control, bidirectional or unseen character is left in any text", () => {
  fc.assert(
    fc.property(text, (given) => {
      const shown = visibleText(given);
      expect(shown).not.toMatch(never);
      expect(visibleText(shown)).toBe(shown);
      expect(visibleLine(given)).not.toMatch(/\n/);
      const cut = Math.floor(given.length / 2);
      expect(visibleText(given.slice(cut), given.slice(0, cut))).not.toMatch(never);
    }),
  );
});

/** Code points of which text is varied: selectors, joiners, tags, and signs on both sides of U+FFFF. */
const varied = fc.constantFrom(
  ...[0x200c, 0x200d, 0xfe0e, 0xfe0f, 0x180b, 0xe0100, 0xe0067, 0xe007f, 0x1f3fd, 0x20e3, 0xd83d, 0xdee0],
  ...[0x1f6e0, 0x1f5c2, 0x2764, 0x1f3f4, 0x2a6d6, 0x845b, 0x1826, 0x11680, 0x10a00, 0x1e900, 0x915, 0x61],
);

test("each unseen character stays or becomes an escape by the characters before it, also beyond U+FFFF", () => {
  const pieces = fc.array(
    fc.oneof({ weight: 4, arbitrary: varied.map((code) => String.fromCodePoint(code)) }, text),
  );
  fc.assert(
    fc.property(
      pieces.map((all) => all.join("")),
      fc.nat(),
      (given, cut) => {
        expect(visibleText(given)).toBe(walked(given));
        // A text in two pieces, as a model streams it, is no other text; a line end and a flag are not cut.
        const whole = given.replaceAll("\r", "").replaceAll("\u{e0067}", "");
        const characters = Array.from(whole);
        const first = characters.slice(0, cut % (characters.length + 1)).join("");
        expect(visibleText(first) + visibleText(whole.slice(first.length), first)).toBe(walked(whole));
      },
    ),
    { numRuns: 300 },
  );
});

test("all emoji of Unicode stay unchanged, in every tone of skin and without selectors", () => {
  expect(allEmoji.length).toBeGreaterThan(4_000);
  expect(allEmoji.filter((emoji) => visibleText(emoji) !== emoji)).toEqual([]);
  expect(visibleText(allEmoji.join(" "))).toBe(allEmoji.join(" "));
});

/** The letters, marks and signs of all scripts, as this engine knows them; of the largest scripts some. */
function* signs(): Generator<string> {
  for (let code = 0x80; code < 0x32000; code += 1) {
    const sign = String.fromCodePoint(code);
    if (!/\p{L}|\p{M}|\p{N}|\p{P}|\p{S}/u.test(sign)) continue;
    if (code % 31 === 0 || !/\p{sc=Hani}|\p{sc=Hang}|\p{sc=Tang}|\p{sc=Egyp}/u.test(sign)) yield sign;
  }
}

test("selectors and joiners behind the signs of all scripts stay where the script uses them", () => {
  const behind = ["", "\ufe0f", "\u200d", "\u200c", "\u180b", "\u{e0100}", "\ufe00\u200d"];
  const texts = Array.from(signs(), (sign) => behind.map((unseen) => sign + unseen + sign).join(" "));
  expect(texts.length).toBeGreaterThan(30_000);
  const shown = visibleText(texts.join("\n")).split("\n");
  const right = walked(texts.join("\n")).split("\n");
  expect(shown.filter((line, at) => line !== right[at])).toEqual([]);
});

test.each([
  ["English, with what is in a code", "naïve – “x” = {a: 1};\tend\nnext … ½ €"],
  ["German with a soft hyphen", "Silben\u00adtrennung"],
  ["Chinese", "我应该使用哪一个数据库？（默认：SQLite）「一」"],
  ["a name with a variant of its ideograph", "葛\u{e0100}城 辻\u{e0101}"],
  ["Japanese", "データベースを選んでください｡ ﾊﾝｶｸ"],
  ["Korean", "어떤 데이터베이스를 쓸까요?"],
  ["Persian with its joiners", "می\u200cخواهم خانه\u200cها"],
  ["Arabic with its marks", "السَّلَامُ عَلَيْكُمْ"],
  ["Hebrew with its points", "שָׁלוֹם"],
  ["Hindi with its joiners", "क्\u200dष क्\u200cष नमस्ते"],
  ["Sinhala", "ශ්\u200dරී ලංකා"],
  ["Malayalam", "അവന്\u200d"],
  ["Bengali", "র\u200d্যাম"],
  ["Thai", "สวัสดีครับ"],
  ["Mongolian with a variant", "ᠮᠣᠩᠭᠣᠯ\u180b ᠠᠷ\u180e"],
  ["Vietnamese in parts", "Vie\u0302\u0323t Nam"],
  [
    "emoji of one sign and of several",
    "👍🏽 👩\u200d💻 👩🏿\u200d🚀 ❤\ufe0f\u200d🔥 👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 ☎\ufe0e",
  ],
  [
    "keys and flags",
    "1\ufe0f\u20e3 #\ufe0f\u20e3 🇨🇳 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
  ],
])("%s stays unchanged", (_what, ordinary) => {
  expect(visibleText(ordinary)).toBe(ordinary);
});

test.each([
  ["an escape", "a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["marks that reorder", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
  ["separators of lines", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
  ["blanks without width", "pay\u200bpal \ufeff\u2060\u2064", "pay\\u{200b}pal \\u{feff}\\u{2060}\\u{2064}"],
  ["words in tags", "Hi\u{e0068}\u{e0069}", "Hi\\u{e0068}\\u{e0069}"],
  ["tags behind a flag that is none", "🏴\u{e0068}\u{e0069}\u{e007f}", "🏴\\u{e0068}\\u{e0069}\\u{e007f}"],
  ["joiners in Latin words", "a\u200cb\u200dc", "a\\u{200c}b\\u{200d}c"],
  ["all but one of many variation selectors", "☎\ufe0f\ufe01\u{e0100}", "☎\ufe0f\\u{fe01}\\u{e0100}"],
  ["noncharacters", "a\ufffe\u{1ffff}\ufdd0", "a\\u{fffe}\\u{1ffff}\\u{fdd0}"],
  ["half a character", "a\ud83d b\ude00", "a\\u{d83d} b\\u{de00}"],
  ["a filler", "a\u3164b", "a\\u{3164}b"],
])("%s is shown as an escape", (_what, given, shown) => {
  expect(visibleText(given)).toBe(shown);
});

test("an emoji that comes in two pieces stays one, and nothing of the first piece is shown twice", () => {
  expect(visibleText("\u200d💻 ok\u200b", "by 👩")).toBe("\u200d💻 ok\\u{200b}");
  expect(visibleText("b", "a\u001b")).toBe("b");
});

test("lines may end as on Windows; on one line their ends are a blank", () => {
  expect(visibleText("a\r\nb\rc")).toBe("a\nb\\u{d}c");
  expect(visibleLine("a \r\n  b")).toBe("a b");
});
