import { visibleText } from "@askwire/client/text";
import * as fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { cut, firstLines, widthOf, withoutTabs, wrapped } from "../../../src/device/fitted-text.js";
import { MeasuredTexts } from "../../../src/device/measured-texts.js";
import { paintFor } from "../../../src/device/paint.js";
import { textWindow } from "../../../src/panel/text-window.js";

const paint = paintFor({ isTTY: true }, {});
const texts = new MeasuredTexts();

const lineOf = (part: fc.Arbitrary<string>) =>
  fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));

/** Text as it comes: words, wide characters, marks on letters, emoji of several characters, half a pair. */
const anyLine = lineOf(
  fc.oneof(
    fc.constantFrom(
      "word",
      " ",
      "  ",
      "漢",
      "字",
      "。",
      "（",
      "e\u0301",
      "👩‍👩‍👧",
      "👍🏽",
      "🇩🇪",
      "1️⃣",
      "✔",
      "✔️",
      "한",
      "ก็",
    ),
    fc.constantFrom(
      "\u0301",
      "\u200d",
      "\ufe0f",
      "\ud83d",
      "…",
      "—",
      "я",
      "\u1112\u1161\u11ab",
      "\u3099",
      "かﾞ",
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll(/\p{Control}/gu, "")),
  ),
);
const widths = fc.integer({ min: 1, max: 40 });

test("a text is as wide as terminals draw it", async () => {
  for (let code = 0x20; code <= 0xffff; code++) {
    const one = String.fromCharCode(code);
    if (code === 0x7f || (code >= 0x80 && code < 0xa0)) continue;
    if (widthOf(one) !== stringWidth(one)) throw new Error(`U+${code.toString(16)}`);
  }
  await fc.assert(
    fc.property(anyLine, (line) => widthOf(line) === stringWidth(line)),
    { numRuns: 500 },
  );
  expect(widthOf(paint("green", "漢字"))).toBe(4);
});

test("text that is cut or filled has the right width, and a text that fits is unchanged", async () => {
  await fc.assert(
    fc.property(anyLine, widths, (line, columns) => {
      expect(stringWidth(cut(line, columns))).toBeLessThanOrEqual(columns);
      expect(stringWidth(texts.cutShort(line, columns))).toBeLessThanOrEqual(columns);
      expect(stringWidth(texts.filled(line, columns))).toBe(columns);
      if (stringWidth(line) <= columns) expect(cut(line, columns)).toBe(line);
      else expect(cut(line, columns)).toMatch(/…$/);
    }),
    { numRuns: 300 },
  );
  expect(cut(paint("red", "abcdef"), 4)).toBe("\u001b[31mabc…\u001b[0m");
});

test("wrapped lines fit, and contain all of the text", async () => {
  const inked = (text: string) => text.replaceAll(/\s/g, "");
  await fc.assert(
    fc.property(anyLine, fc.integer({ min: 8, max: 40 }), (line, columns) => {
      const lines = [...wrapped(line, columns)];
      for (const text of lines) expect(stringWidth(text)).toBeLessThanOrEqual(columns);
      expect(inked(lines.join(""))).toBe(inked(line));
    }),
    { numRuns: 300 },
  );
});

test("lines break between words and between wide characters, never before a closing mark", () => {
  expect([...wrapped("one two three", 8)]).toEqual(["one two", "three"]);
  expect([...wrapped("abcdefghij kl", 4)]).toEqual(["abcd", "efgh", "ij", "kl"]);
  expect([...wrapped("汉字汉字，汉字", 8)]).toEqual(["汉字汉", "字，汉字"]);
  expect([...wrapped("  indented text here", 12)]).toEqual(["  indented", "text here"]);
  expect([...wrapped("a\n\nb", 5)]).toEqual(["a", "", "b"]);
  expect([...wrapped(paint("green", "one two"), 4)]).toEqual([
    "\u001b[32mone\u001b[0m",
    "\u001b[32mtwo\u001b[39m",
  ]);
});

test("tabs become blanks to the next stop, before anything is measured", () => {
  expect(withoutTabs("\ta\tbcd\te")).toBe("    a   bcd e");
  expect(withoutTabs("汉\tx")).toBe("汉  x");
});

test("only the shown lines of a long text are wrapped", () => {
  let lines = 0;
  function* counted(text: string) {
    for (const line of wrapped(text, 80)) {
      lines += 1;
      yield line;
    }
  }
  expect(firstLines(counted("漢字 and words ".repeat(1_000_000)), 10)).toHaveLength(11);
  expect(lines).toBe(11);
});

test("a field shows what is around the caret, and where there is more", () => {
  const text = "one two three four five";
  expect(textWindow({ text, caret: 23 }, 30, texts)).toEqual({ text, caret: 23 });
  expect(textWindow({ text, caret: 23 }, 10, texts)).toEqual({ text: "…our five", caret: 9 });
  expect(textWindow({ text, caret: 0 }, 10, texts)).toEqual({ text: "one two t…", caret: 0 });
  expect(textWindow({ text, caret: 8 }, 10, texts)).toEqual({ text: "…e two th…", caret: 7 });
  expect(textWindow({ text: "a\nb\tc", caret: 2 }, 10, texts)).toEqual({ text: "a⏎b c", caret: 2 });
  expect(textWindow({ text: "汉字汉字汉字", caret: 6 }, 8, texts)).toEqual({ text: "…字汉字", caret: 7 });
});

test("the caret is where the text before it ends, in any field", async () => {
  await fc.assert(
    fc.property(anyLine, fc.nat(), widths, (line, at, columns) => {
      const starts = Array.from(new Intl.Segmenter().segment(line), ({ index }) => index);
      const carets = [...starts, line.length];
      const caret = carets[at % carets.length] as number;
      const { text, caret: column } = textWindow({ text: line, caret }, columns, texts);
      expect(stringWidth(text)).toBeLessThanOrEqual(columns);
      expect(column).toBeLessThan(columns);
      if (stringWidth(visibleText(line)) < columns)
        expect(column).toBe(stringWidth(visibleText(line.slice(0, caret))));
    }),
    { numRuns: 500 },
  );
});
