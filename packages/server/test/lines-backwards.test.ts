import fc from "fast-check";
import { expect, test } from "vitest";
import { readLinesBackwards } from "../src/journal/lines-backwards.js";

/** A file in memory, which gives so many bytes at a time. */
const fileOf = (bytes: Buffer, most = Number.POSITIVE_INFINITY) => ({
  size: () => bytes.length,
  readSync: (into: Uint8Array, at: number) =>
    bytes.copy(into, 0, at, Math.min(bytes.length, at + Math.min(most, into.length))),
});
const linesOf = (text: string) =>
  [...readLinesBackwards(fileOf(Buffer.from(text)))].map((line) => line.text).filter((line) => line !== "");

test("the lines of a file come from its end, whatever lies on the edge of what is read at once", () => {
  const CHUNK = 64 * 1024;
  for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1]) {
    const long = "x".repeat(length);
    expect(linesOf(`first\n${long}\nlast`)).toEqual(["last", long, "first"].filter((line) => line !== ""));
    expect(linesOf(`${long}\n`)).toEqual([long].filter((line) => line !== ""));
    expect(linesOf(long)).toEqual([long].filter((line) => line !== ""));
  }
});

test("a disk that gives a few bytes at a time gives the same lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-zé]*$/), { minLength: 1 }),
      fc.integer({ min: 1, max: 5 }),
      (lines, most) => {
        const bytes = Buffer.from(lines.join("\n"));
        const read = [...readLinesBackwards(fileOf(bytes, most))].map(({ text }) => text);
        expect(read).toEqual(lines.toReversed());
      },
    ),
  );
});
