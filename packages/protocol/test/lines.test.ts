import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineDecoder } from "../src/index.js";
import { anyCuts, cutBytes } from "./cut-bytes.js";

const OVERSIZED = Symbol("oversized");

function collect() {
  const lines: (string | typeof OVERSIZED)[] = [];
  const sink = { line: (text: string) => lines.push(text), oversized: () => lines.push(OVERSIZED) };
  return { lines, sink };
}

/** Decodes the bytes cut at the given places. */
function decode(bytes: Uint8Array, cuts: readonly number[] = [], limit = 1024 * 1024) {
  const { lines, sink } = collect();
  const decoder = new LineDecoder(limit);
  for (const piece of cutBytes(bytes, cuts)) decoder.push(piece, sink);
  decoder.end(sink);
  return lines;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const anyLine = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u2028", "\u2029", "\ufeff", "\r", "\u{1f600}", "", "{}"),
    ),
  )
  .map((parts) => parts.join("").replaceAll("\n", ""));

describe("a stream of lines", () => {
  test("any messages arrive unchanged as lines, wherever the network cuts them (P-FRM-2)", () => {
    fc.assert(
      fc.property(fc.array(anyLine), anyCuts, (lines, cuts) => {
        expect(decode(bytesOf(lines.map((line) => `${line}\n`).join("")), cuts)).toEqual(lines);
      }),
    );
  });

  test("a last line without its line feed counts, an empty one does not (P-FRM-2)", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1 }), anyCuts, (lines, cuts) => {
        const expected = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
        expect(decode(bytesOf(lines.join("\n")), cuts)).toEqual(expected);
      }),
    );
  });
});

describe("a line that is too long", () => {
  test("lines up to the limit arrive, longer ones are reported once, in their place (P-LIM-2)", () => {
    const limit = 8;
    const size = fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(7, 8, 9));
    fc.assert(
      fc.property(fc.array(size), anyCuts, (sizes, cuts) => {
        const text = sizes.map((length) => `${"x".repeat(length)}\n`).join("");
        const expected = sizes.map((length) => (length > limit ? OVERSIZED : "x".repeat(length)));
        expect(decode(bytesOf(text), cuts, limit)).toEqual(expected);
      }),
    );
  });

  test("the part that was read is dropped, so that an endless line does not fill the memory (P-LIM-1)", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const { lines, sink } = collect();
    const decoder = new LineDecoder(1000);
    const chunks = Array.from({ length: 50 }, () => {
      const chunk = new Uint8Array(300).fill(0x78);
      decoder.push(chunk, sink);
      return new WeakRef(chunk);
    });
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(chunks.filter((chunk) => chunk.deref() !== undefined)).toHaveLength(0);
    decoder.push(bytesOf("\nnext\n"), sink);
    expect(lines).toEqual([OVERSIZED, "next"]);
  });
});
