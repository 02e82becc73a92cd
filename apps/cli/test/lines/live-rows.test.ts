import fc from "fast-check";
import { expect, test } from "vitest";
import { LeavingRows } from "../../src/lines/live-rows.js";
import { growingMarkdown } from "../../src/markdown/growing-markdown.js";

const look = { paint: (_style: unknown, text: string) => text, isStyled: true };

/** The words of a text, without blanks and the marks of its blocks. */
const said = (text: string) => text.replace(/[\s\u2500-\u257f↪*`#-]/g, "");

test("each word of a growing text is written once, in any window, while its width changes", () => {
  const word = fc.stringMatching(/^[a-z]{1,9}$/);
  const piece = fc.oneof(
    word.map((text) => `${text} `),
    fc.constantFrom("\n\n", "\n- ", "**bold** ", "`code` ", "中文，"),
  );
  const step = fc.record({
    text: piece,
    columns: fc.option(fc.integer({ min: 14, max: 60 }), { nil: undefined, freq: 5 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 6 }), (steps, room) => {
      const text = growingMarkdown(look);
      const leaving = new LeavingRows();
      let written = "";
      let columns = 30;
      for (const { text: more, columns: next = columns } of steps) {
        columns = next;
        text.add(more);
        written += leaving.take(text, columns, room).above;
      }
      text.end();
      written += leaving.end(text, columns);
      expect(said(written)).toBe(said(steps.map((one) => one.text).join("")));
    }),
    { numRuns: 300 },
  );
});

test("rows without room leave, and what changes later does not show them again", () => {
  const text = growingMarkdown(look);
  const leaving = new LeavingRows();
  text.add("one two three four five");
  expect(leaving.take(text, 10, 1)).toEqual({ above: "one two\nthree four\n", rows: ["five"] });
  text.add(" six seven");
  expect(leaving.take(text, 10, 2)).toEqual({ above: "", rows: ["five six", "seven"] });
  text.end();
  expect(leaving.end(text, 40)).toBe("five six seven\n");
});
