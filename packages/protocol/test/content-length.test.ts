import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ContentLengthDecoder, contentLengthFrame, framingOf } from "../src/framing/content-length.js";
import { anyCuts, cutBytes, OVERSIZED, wantFraming } from "./cut-bytes.js";

type Seen = string | typeof OVERSIZED | { unreadable: string };

const bytesOf = (text: string) => new TextEncoder().encode(text);
const frame = (text: string) => contentLengthFrame(text, bytesOf(text).length);

/** Decodes the bytes cut at the given places. */
function decode(input: string | Uint8Array, cuts: readonly number[] = [], limit = 1024 * 1024): Seen[] {
  const bytes = typeof input === "string" ? bytesOf(input) : input;
  const seen: Seen[] = [];
  const sink = {
    body: (text: string) => void seen.push(text),
    oversized: () => void seen.push(OVERSIZED),
    unreadable: (problem: string) => void seen.push({ unreadable: problem }),
  };
  const decoder = new ContentLengthDecoder(limit, undefined);
  for (const piece of cutBytes(bytes, cuts)) decoder.push(piece, sink);
  decoder.end(sink);
  return seen;
}

const anyText = fc
  .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\r\n\r\n", "\n", "\ufeff", "{}", "")))
  .map((parts) => parts.join(""));

wantFraming("bodies", { decode, anyText, frame }, "P-FRM-7");

describe("a stream of bodies", () => {
  test("whatever comes, its cuts change nothing (P-FRM-7, P-FRM-8)", () => {
    const piece = fc.oneof(
      anyText,
      anyText.map(frame),
      fc.constantFrom(
        "Content-Length: 3",
        "Content-Length:9\r\n",
        "\r\n",
        "x: y\r\n",
        "Content-Length: 99\r\n\r\n",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), anyCuts, (pieces, cuts) => {
        const text = pieces.join("");
        expect(decode(text, cuts, 20)).toEqual(decode(text, [], 20));
      }),
    );
  });
});

test("the first bytes tell the framing, as soon as they can (P-FRM-7)", () => {
  const told = (text: string) => framingOf(bytesOf(text));
  expect(["Content-Length: 2", "content-type: a/b", "CONTENT-"].map(told)).toEqual(
    Array(3).fill("content-length"),
  );
  expect(["", "c", "Content"].map(told)).toEqual(Array(3).fill(undefined));
  expect(['{"a":1}', "\n", "content{", "Contents", "é"].map(told)).toEqual(Array(5).fill("lines"));
});
