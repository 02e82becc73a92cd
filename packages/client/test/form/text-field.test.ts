import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editField, emptyField, type FieldEdit, OWN_TEXT_LENGTH } from "../../src/form/index.js";

/** A field from its text with `|` where the caret is. */
const field = (written: string) => ({ text: written.replace("|", ""), caret: written.indexOf("|") });
const written = ({ text, caret }: { text: string; caret: number }) =>
  `${text.slice(0, caret)}|${text.slice(caret)}`;
const edited = (start: string, ...edits: FieldEdit[]) =>
  written(edits.reduce((before, edit) => editField(before, edit).field, field(start)));

const to = (where: Extract<FieldEdit, { type: "caret" }>["to"]): FieldEdit => ({ type: "caret", to: where });
const away = (what: Extract<FieldEdit, { type: "delete" }>["what"]): FieldEdit => ({ type: "delete", what });
const insert = (text: string): FieldEdit => ({ type: "insert", text });

describe("the caret goes", () => {
  test.each([
    ["over an emoji of several code points", "👩‍👩‍👧‍👦|x", "left", "|👩‍👩‍👧‍👦x"],
    ["over a flag", "|🇩🇪🇫🇷", "right", "🇩🇪|🇫🇷"],
    ["over a letter with its accent", "e\u0301|", "left", "|e\u0301"],
    ["nowhere from the start", "|ab", "left", "|ab"],
    ["nowhere from the end", "ab|", "right", "ab|"],
    ["to the start", "a b|c", "start", "|a bc"],
    ["to the end", "a| b", "end", "a b|"],
    ["a word back", "one two|", "word_left", "one |two"],
    ["over blanks and a word back", "one two  |", "word_left", "one |two  "],
    ["over signs apart from words", "one ...|", "word_left", "one |..."],
    ["to the end of a word", "|one two", "word_right", "one| two"],
    ["over blanks to the end of a word", "one|  two", "word_right", "one  two|"],
    ["over an apostrophe within a word", "don't|", "word_left", "|don't"],
    ["over a line end", "one\n|two", "word_left", "|one\ntwo"],
    ["over a Chinese word", "你好|世界", "word_right", "你好世界|"],
    ["back over a Chinese word", "你好世界|", "word_left", "你好|世界"],
  ] as const)("the caret moves by whole characters or words: %s: %s, %s", (_what, before, where, after) => {
    expect(edited(before, to(where))).toBe(after);
  });
});

describe("deletions", () => {
  test.each([
    ["the character before the caret", "ab|c", "back", "a|c"],
    ["a whole emoji", "a👩‍💻|", "back", "a|"],
    ["a whole flag after the caret", "|🇩🇪x", "forward", "|x"],
    ["nothing before the start", "|a", "back", "|a"],
    ["nothing after the end", "a|", "forward", "a|"],
    ["the word before the caret", "one two|", "word_back", "one |"],
    ["an emoji, and not the word before it", "one 😀|", "word_back", "one |"],
    ["all before the caret", "ab|c", "to_start", "|c"],
    ["all after the caret", "a|bc", "to_end", "a|"],
    ["all", "a|bc", "all", "|"],
    ["text between two halves that become one character", "🇩x|🇪", "back", "🇩🇪|"],
  ] as const)("a deletion takes whole characters or words: %s: %s, %s", (_what, before, what, after) => {
    expect(edited(before, away(what))).toBe(after);
  });
});

describe("insertions", () => {
  test("an insertion stands at the caret, which goes behind it", () => {
    expect(edited("a|d", insert("bc"))).toBe("abc|d");
    expect(edited("|\u0301", insert("e"))).toBe("e\u0301|");
  });

  test("an insertion has line feeds as line ends, whatever it came with", () => {
    expect(edited("|", insert("a\r\nb\rc\n\nd"))).toBe("a\nb\nc\n\nd|");
  });

  test("an insertion is cut between two characters where there is no room for all, and the field reports it", () => {
    const full = "x".repeat(OWN_TEXT_LENGTH - 3);
    const { field: after, cut } = editField(field(`${full}|`), insert("a👩‍💻b"));
    expect(cut).toBe(true);
    expect(after.text).toBe(`${full}a`);
    expect(editField(field(`${full}|`), insert("abc"))).toEqual({ field: field(`${full}abc|`), cut: false });
  });

  test("an insertion is nothing where the field is full", () => {
    const full = field(`${"x".repeat(OWN_TEXT_LENGTH)}|`);
    expect(editField(full, insert("y"))).toEqual({ field: full, cut: true });
    expect(editField(full, insert(""))).toEqual({ field: full, cut: false });
  });
});

describe("any changes of a field", () => {
  const piece = fc.constantFrom(
    "a",
    "don't",
    " ",
    "\n",
    "\r",
    ".",
    "é",
    "\u0301",
    "字典",
    "😀",
    "\u200d",
    "👩",
    "🇩",
    "क्",
    "ष",
    "\u0e33",
    "\u0600",
    "ᄀ",
    "ᅡ",
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  const edit: fc.Arbitrary<FieldEdit> = fc.oneof(
    text.map(insert),
    fc.constantFrom(...(["back", "forward", "word_back", "to_start", "to_end", "all"] as const)).map(away),
    fc.constantFrom(...(["left", "right", "word_left", "word_right", "start", "end"] as const)).map(to),
  );
  const edits = fc.array(edit, { maxLength: 30 });

  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const betweenCharacters = (whole: string) =>
    new Set([...segmenter.segment(whole)].map(({ index }) => index).concat(whole.length));

  test("the caret is between two characters, whatever is done to a field", () => {
    fc.assert(
      fc.property(edits, (list) => {
        let now = emptyField;
        for (const one of list) {
          now = editField(now, one).field;
          expect(betweenCharacters(now.text)).toContain(now.caret);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("the text of a field is that of an editor which only knows lists of characters", () => {
    fc.assert(
      fc.property(edits, (list) => {
        let now = emptyField;
        for (const one of list) {
          const { text: before, caret } = now;
          const { field: after } = editField(now, one);
          if (one.type === "caret") expect(after.text).toBe(before);
          if (one.type === "insert") {
            const added = one.text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
            expect(after.text).toBe(before.slice(0, caret) + added + before.slice(caret));
          }
          const characters = (part: string) => [...segmenter.segment(part)].map(({ segment }) => segment);
          if (one.type === "delete" && one.what === "back") {
            expect(after.text).toBe(
              characters(before.slice(0, caret)).slice(0, -1).join("") + before.slice(caret),
            );
          }
          if (one.type === "delete" && one.what === "forward") {
            expect(after.text).toBe(
              before.slice(0, caret) + characters(before.slice(caret)).slice(1).join(""),
            );
          }
          now = after;
        }
      }),
      { numRuns: 100 },
    );
  });

  test("the caret reaches either end word after word", () => {
    fc.assert(
      fc.property(text, (whole) => {
        let left = { text: whole, caret: whole.length };
        while (left.caret > 0) {
          const next = editField(left, to("word_left")).field;
          expect(next.caret).toBeLessThan(left.caret);
          left = next;
        }
        let right = { text: whole, caret: 0 };
        while (right.caret < whole.length) {
          const next = editField(right, to("word_right")).field;
          expect(next.caret).toBeGreaterThan(right.caret);
          right = next;
        }
      }),
      { numRuns: 100 },
    );
  });
});
