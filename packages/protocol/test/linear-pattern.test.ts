import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linearPattern, MATCHED_LENGTH, PATTERN_LENGTH } from "../src/linear-pattern.js";

function compiled(source: string) {
  const search = linearPattern(source);
  if (typeof search === "string") throw new Error(search);
  return search;
}

describe("a pattern (P-XFL-4)", () => {
  const texts = [
    "",
    "a",
    "ab",
    "aab b",
    "A1_-",
    "über",
    "日本",
    "😀",
    "a\nb",
    "x.y",
    "12-34",
    "\\",
    "]",
    "aaaa",
  ];

  test.each([
    "",
    "a",
    "^a*$",
    "^(?:a|b)+$",
    "^[a-z]{2,3}\\b",
    "\\Bb",
    ".",
    "^.$",
    "^\\S+$",
    "\\p{L}{2}",
    "[^a-z\\s]",
    "[\\]\\\\]",
    "\\u{1f600}",
    "\\ud83d\\ude00",
    "\\x61b",
    "(?<first>a)(b)",
    "^(a?){4}$",
    "a{2,}?",
    "()*",
    "(?:^|\\s)b",
    "\\.",
    "^$",
    "(|a)b",
  ])("the pattern %s finds what a regular expression of ECMAScript finds", (source) => {
    const expected = new RegExp(source, "u");
    const search = compiled(source);
    for (const text of texts) expect([text, search(text)]).toEqual([text, expected.test(text)]);
  });

  const part = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small", maxDepth: 4 },
      fc.constantFrom("a", "b", ".", "\\d", "[ab]", "[^a]", "\\b", "^", "$", "\\w", "é"),
      fc.tuple(tie("node"), tie("node")).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
        .map(([a, times]) => `(?:${a})${times}`),
    ),
  })).node as fc.Arbitrary<string>;

  test("a pattern with any of its parts within each other finds what a regular expression finds", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", " ", "é", "\n"), maxLength: 8 });
    fc.assert(
      fc.property(part, text, (source, subject) => {
        const search = linearPattern(source);
        if (typeof search === "string") return expect(search).toMatch(/at most|fewer/);
        expect(search(subject)).toBe(new RegExp(source, "u").test(subject));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a pattern that cannot be searched in linear time (P-XFL-2)", () => {
  test.each([
    ["(", /^a regular expression/],
    ["a{2}{3}", /^a regular expression/],
    ["(a)\\1", /^no reference/],
    ["(?<n>a)\\k<n>", /^no reference/],
    ["(?=a)b", /^no look/],
    ["(?<!a)b", /^no look/],
    ["a{501}", /^fewer repetitions/],
    ["(?:(?:a{20}){20}){20}", /^fewer repetitions/],
    ["x".repeat(PATTERN_LENGTH + 1), /^at most 512/],
  ])("a pattern that cannot be searched in linear time is refused: %s", (source, problem) => {
    expect(linearPattern(source)).toMatch(problem);
  });
});

test("a pattern that backtracks elsewhere looks at each character of the text once for each of its states", () => {
  const text = `${"a".repeat(MATCHED_LENGTH - 1)}!`;
  for (const source of ["^(a+)+$", "^(a|a)*$", "^(a*)*b", "^(?:a?){100}a{100}$"]) {
    expect(compiled(source)(text)).toBe(false);
  }
});
