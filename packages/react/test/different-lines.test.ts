import { lineEndWords } from "@askwire/client/text";
import fc from "fast-check";
import { expect, test } from "vitest";
import { differentLines, differingLines } from "../src/cards/different-lines.js";

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

test("a change that only ends lines otherwise has no changed line, since a sentence says it", () => {
  for (const [before, after] of [
    ["a\r\nb\r\n", "a\nb\n"],
    ["a\nb\n", "a\r\nb\r\n"],
  ] as const)
    expect(differentLines(change(before, after)).map(({ sign, text }) => sign + text)).toEqual([" a", " b"]);
});

test("lines of a file that ends them as Windows does have no sign of that, with or without the last line feed", () => {
  const signs = (before: string, after: string) =>
    differentLines(change(before, after)).map(({ sign, text }) => sign + text);
  expect(signs("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n")).toEqual([" a", "-b", "+B", " c"]);
  expect(signs("a\r\nb\r", "a\r\nB\r")).toEqual([" a", "-b", "+B"]);
  expect(signs("", "a\r\nb\r\n")).toEqual(["+a", "+b"]);
});

test("a line that ends otherwise among lines of both kinds is changed, since no sentence says which it is", () => {
  const lines = differentLines(change("a\r\nb\nc\n", "a\nb\r\nc\n"));
  expect(lines.map(({ sign, text }) => sign + text)).toEqual(["-a\r", "-b", "+a", "+b\r", " c"]);
});

test("a file of 60,000 lines with thousands of changes keeps the lines between them, in work that grows with its lines", () => {
  const old = Array.from({ length: 60_000 }, (_, at) => `const line${at} = ${at};\n`);
  const now = old.map((line, at) => (at % 20 === 7 ? `changed ${at}\n` : line));
  const lines = differentLines(change(old.join(""), now.join("")));
  const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
  expect([count("-"), count("+"), count(" ")]).toEqual([3_000, 3_000, 57_000]);
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
    "\ufeff",
  );
  const text = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(""));
  const linesOf = (whole: string) => (whole === "" ? [] : whole.replace(/\n$/, "").split("\n"));
  /** The lines without their ends: which they are, a sentence says or the lines themselves. */
  const bare = (lines: readonly string[]) => lines.map((line) => line.replace(/\r+$/, ""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const lines = differentLines(change(before, after));
      const all = (sign: "+" | "-") => lines.filter((line) => line.sign !== sign).map(({ text }) => text);
      expect([bare(all("+")), bare(all("-"))]).toEqual([bare(linesOf(before)), bare(linesOf(after))]);
      const isShown = lines.some(({ sign }) => sign !== " ");
      expect(isShown || lineEndWords.en(before, after) !== "").toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test("lines that differ are counted one by one, and where they are many from the first to the last", () => {
  const lines = (differs: (at: number) => boolean) =>
    Array.from({ length: 1_000 }, (_, at) => `${differs(at) ? "mine" : "line"} ${at}\n`).join("");
  const one = lines(() => false);
  expect(
    differingLines(
      one,
      lines((at) => at === 3 || at === 900),
    ),
  ).toBe(2);
  expect(
    differingLines(
      one,
      lines((at) => at >= 10 && at <= 810 && at % 2 === 0),
    ),
  ).toBe(801);
});
