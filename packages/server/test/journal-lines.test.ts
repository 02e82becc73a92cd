import fc from "fast-check";
import { expect, test } from "vitest";
import { type LinePart, linesIn } from "../src/journal/lines.js";

/** A file in memory, which gives so many bytes at a time. */
const fileOf = (bytes: Buffer, most = Number.POSITIVE_INFINITY) => ({
  size: () => bytes.length,
  readSync: (into: Uint8Array, at: number) =>
    bytes.copy(into, 0, at, Math.min(bytes.length, at + Math.min(most, into.length))),
});
const linesOf = (text: string, part?: LinePart) => [...linesIn(fileOf(Buffer.from(text)), part)];
const textsOf = (text: string, part?: LinePart) => linesOf(text, part).map((line) => line.text);

test.each([
  ["with a last line feed", "a\nb\n", ["a", "b"]],
  ["without one", "a\nb", ["a", "b"]],
  ["none at all", "", []],
  ["only feeds", "\n\n", ["", ""]],
  ["longer than what is read at a time", `x\n${"é".repeat(80_000)}\n`, ["x", "é".repeat(80_000)]],
])("the lines of a file come whole, %s", (_, text, lines) => {
  expect(textsOf(text)).toEqual(lines);
});

test("the lines of a file come whole, whatever lies on the edge of what is read at once", () => {
  const CHUNK = 32 * 1024;
  for (const length of [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1]) {
    const long = "x".repeat(length);
    expect(textsOf(`first\n${long}\nlast`)).toEqual(["first", long, "last"]);
    expect(textsOf(`${long}\n`)).toEqual([long]);
    expect(textsOf(long)).toEqual([long]);
  }
});

test("a disk that gives a few bytes at a time gives the same lines, each with its place", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-zé]*$/), { minLength: 1 }),
      fc.integer({ min: 1, max: 5 }),
      fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
      (lines, most, lineBytes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const read = [...linesIn(fileOf(bytes, most), { ...(lineBytes !== undefined && { lineBytes }) })];
        const textOf = (line = "") =>
          Buffer.byteLength(line) > (lineBytes ?? bytes.length) ? undefined : line;
        expect(read.map(({ text }) => text)).toEqual(lines.map(textOf));
        for (const { at, number } of read) {
          const [rest] = linesIn(fileOf(bytes, most), { from: at });
          expect(rest).toEqual({ number: 1, at, text: lines[number - 1] });
        }
      },
    ),
  );
});

test("the lines of a part of a file come from its beginning to its end, without what is left out", () => {
  const text = "one\ntwo\nthree\nfour\nfive\n";
  expect(textsOf(text, { from: 4, end: 13 })).toEqual(["two", "three"]);
  expect(linesOf(text, { without: { from: 4, to: 14 } })).toEqual([
    { number: 1, at: 0, text: "one" },
    { number: 2, at: 14, text: "four" },
    { number: 3, at: 19, text: "five" },
  ]);
});

test("lines that are not wanted are left out, and the others keep their numbers and places", () => {
  const beginnings: string[] = [];
  const long = `b${"x".repeat(200)}`;
  const wants = (beginning: string) => {
    beginnings.push(beginning);
    return beginning.startsWith("b");
  };
  expect(linesOf(`a\n\nbé\n${long}\n`, { wants })).toEqual([
    { number: 3, at: 3, text: "bé" },
    { number: 4, at: 7, text: long },
  ]);
  expect(beginnings.map(({ length }) => length)).toEqual([1, 0, 3, 100]);
});
