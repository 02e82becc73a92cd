import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineDecoder } from "../src/index.js";
import { anyCuts, cutBytes, OVERSIZED, wantFraming } from "./cut-bytes.js";

function collect() {
  const lines: (string | typeof OVERSIZED)[] = [];
  const sink = { line: (text: string) => lines.push(text), oversized: () => lines.push(OVERSIZED) };
  return { lines, sink };
}

/** Decodes the bytes cut at the given places. */
function decode(text: string, cuts: readonly number[] = [], limit = 1024 * 1024) {
  const { lines, sink } = collect();
  const decoder = new LineDecoder(limit);
  for (const piece of cutBytes(bytesOf(text), cuts)) decoder.push(piece, sink);
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

wantFraming("lines", { decode, anyText: anyLine, frame: (line) => `${line}\n` }, "P-FRM-2");

describe("a stream of lines", () => {
  test("a last line without its line feed counts, an empty one does not (P-FRM-2)", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1 }), anyCuts, (lines, cuts) => {
        const expected = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
        expect(decode(lines.join("\n"), cuts)).toEqual(expected);
      }),
    );
  });
});

describe("a line that is too long", () => {
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
