import fc from "fast-check";
import { expect, test } from "vitest";
import { differentLines } from "../src/cards/different-lines.js";

const change = (old_text: string, new_text: string) => ({
  ...{ type: "diff" as const, path: "a.txt", is_summary: false },
  ...{ old_text, new_text, old_start: 5, new_start: 7 },
});

test("lines have their numbers before and after a change", () => {
  expect(differentLines(change("a\nb\nc\n", "a\nB\nc\n"))).toEqual([
    { sign: " ", before: 5, after: 7, text: "a" },
    { sign: "-", before: 6, after: undefined, text: "b" },
    { sign: "+", before: undefined, after: 8, text: "B" },
    { sign: " ", before: 7, after: 9, text: "c" },
  ]);
});

test("a change of too many lines to compare is shown whole: all that goes, then all that comes", () => {
  const many = (name: string) => Array.from({ length: 3_000 }, (_, at) => `${name}${at}`);
  const text = (name: string) => ["first", ...many(name), "last", ""].join("\n");
  const lines = differentLines(change(text("a"), text("b")));
  expect(lines.map(({ sign, text }) => sign + text)).toEqual([
    " first",
    ...many("a").map((line) => `-${line}`),
    ...many("b").map((line) => `+${line}`),
    " last",
  ]);
  expect(lines.at(-1)).toMatchObject({ before: 3_006, after: 3_008 });
});

test("no line is hidden: what goes and stays is the text before, what comes and stays the text after", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\\",
    "+",
    "-",
    " ",
    "@@",
    "\u2028",
    "\u0085",
    "\ufeff",
  );
  const text = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(""));
  const linesOf = (whole: string) => (whole === "" ? [] : whole.replace(/\n$/, "").split("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const lines = differentLines(change(before, after));
      const all = (sign: "+" | "-") => lines.filter((line) => line.sign !== sign).map(({ text }) => text);
      expect([all("+"), all("-")]).toEqual([linesOf(before), linesOf(after)]);
    }),
    { numRuns: 1_000 },
  );
});
