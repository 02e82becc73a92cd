// Foreign text that a person decides about: nothing pushes a part of it out of sight.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { callSubject, exactText, visibleLine, visibleText, withoutMiddle } from "../src/text/index.js";

test.each([
  ["300 wide blanks", `ls${"\u3000".repeat(300)}; rm -rf ~`, "ls␣×300; rm -rf ~"],
  ["blanks of several kinds", `a${" \t\u00a0".repeat(20)}b`, "a␣×60b"],
  ["80 line ends", `ls${"\n".repeat(80)}rm -rf ~`, "ls\n⏎×80\nrm -rf ~"],
  ["80 lines of blanks", `ls${"\n   ".repeat(80)}\nrm -rf ~`, "ls\n⏎×81\nrm -rf ~"],
  ["a soft hyphen and a blank Braille", "r\u00adm\u2800-rf", "r\\u{ad}m\\u{2800}-rf"],
  ["90 blanks without a width", `a${"\u200b".repeat(90)}b`, "a\\u{200b}×90b"],
])("%s are shown by their number or by name", (_, given, shown) => {
  expect(exactText(given)).toBe(shown);
  expect(visibleLine(given)).toBe(shown.replaceAll("\n", " "));
});

test.each([
  ["indented code", `if x:\n${" ".repeat(40)}return\n\n\n\ndone`],
  ["prose of several scripts", "Über 日本語\u3000の文 — naïve"],
])("%s stays unchanged", (_, given) => {
  expect(exactText(given)).toBe(given);
});

const filler = fc.constantFrom(" ", "\u3000", "\n", " \n", "\u2800", "\u00ad", "\u200b", "\t");

test("no run of invisible characters takes more room than its number, wherever it stands", () => {
  const run = fc.tuple(filler, fc.nat(400)).map(([one, count]) => one.repeat(count));
  void fc.assert(
    fc.property(fc.array(fc.oneof(run, fc.constantFrom("ls", "rm", ";")), { maxLength: 6 }), (parts) => {
      const shown = exactText(parts.join(""));
      expect(shown).not.toMatch(/[\u00ad\u2800]|[\p{Zs}\t]{41}|\n{7}/u);
      expect(shown.length).toBeLessThan(parts.length * 100 + 1);
      for (const word of ["ls", "rm", ";"])
        expect(shown.split(word).length).toBe(visibleText(parts.join("")).split(word).length);
    }),
  );
});

test("a text without its middle keeps its begin and its end, and tears no character", () => {
  void fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-composite", maxLength: 200 }),
      fc.integer({ min: 4, max: 80 }),
      (text, most) => {
        const shown = withoutMiddle(text, most);
        expect(shown.length).toBeLessThanOrEqual(Math.max(most, 0));
        if (text.length <= most) expect(shown).toBe(text);
        else expect(shown).toContain("…");
        expect(shown).not.toMatch(/\p{Cs}/u);
      },
    ),
  );
  expect(callSubject({ command: `ls ${"a".repeat(100)} && rm -rf ~` })).toMatch(/^ls a+…a+ && rm -rf ~$/);
});
