import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ContentLengthDecoder, contentLengthFrame, framingOf } from "../src/framing/content-length.js";
import { anyCuts, cutBytes } from "./cut-bytes.js";

const OVERSIZED = Symbol("oversized");
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
const unreadable = (problem: string) => ({ unreadable: expect.stringContaining(problem) });

describe("a stream of bytes is cut into bodies by their lengths", () => {
  test("any messages arrive as they were sent, wherever the network cuts them (P-FRM-7)", () => {
    fc.assert(
      fc.property(fc.array(anyText), anyCuts, (texts, cuts) => {
        expect(decode(texts.map(frame).join(""), cuts)).toEqual(texts);
      }),
    );
  });

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

  test("a message cut byte by byte, inside its header and its characters, arrives whole (P-FRM-7)", () => {
    const text = '{"a":"ü€😀"}';
    const everywhere = Array.from({ length: 100 }, (_, i) => i);
    expect(decode(frame(text) + frame("{}"), everywhere)).toEqual([text, "{}"]);
  });

  test.each([
    ["in any case", "CONTENT-length: 2\r\n\r\n{}"],
    ["without the blank", "Content-Length:2\r\n\r\n{}"],
    ["with blanks around the number", "Content-Length: \t 2 \r\n\r\n{}"],
    ["with lines that end in a line feed alone", "Content-Length: 2\n\n{}"],
    ["with a field that nobody knows", "X-Other: a:b\r\nContent-Length: 2\r\n\r\n{}"],
    [
      "with the type of a message",
      "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}",
    ],
    ["with the older name of UTF-8", 'Content-Type: x/y;charset="utf8"\r\nContent-Length: 2\r\n\r\n{}'],
    ["with a type that names no charset", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"],
  ])("a header is read %s (P-FRM-7)", (_, text) => {
    expect(decode(text + frame("[]"))).toEqual(["{}", "[]"]);
  });

  test("a body of no bytes is a message, which is no JSON (P-FRM-7)", () => {
    expect(decode(frame("") + frame("{}"))).toEqual(["", "{}"]);
  });
});

describe("a header that says no length ends the reading", () => {
  test.each([
    ["without a length", "Content-Type: application/json\r\n\r\n{}", "has no Content-Length"],
    ["without anything", "\r\n{}", "has no Content-Length"],
    ["with a length that is no number", "Content-Length: two\r\n\r\n{}", "expected a number of bytes"],
    ["with a negative length", "Content-Length: -2\r\n\r\n{}", "expected a number of bytes"],
    ["with a length beyond all numbers", "Content-Length: 1000000000000000\r\n\r\n", "expected a number"],
    ["with two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "expected once"],
    ["with a line that is no field", "Content-Length: 2\r\n{}\r\n\r\n{}", "not name: value"],
    ["with another charset", "Content-Type: a/b; charset=latin1\r\nContent-Length: 2\r\n\r\n{}", "utf-8"],
    ["that has no end", "x".repeat(9000), "longer than 8192 bytes"],
    ["of too many fields", "a: b\r\n".repeat(2000), "longer than 8192 bytes"],
  ])("%s (P-FRM-8)", (_, bad, problem) => {
    expect(decode(frame("{}") + bad + frame("[]"))).toEqual(["{}", unreadable(problem)]);
  });

  test.each([
    "Content-Le",
    "Content-Length: 2\r\n",
    "Content-Length: 2\r\n\r\n",
    "Content-Length: 2\r\n\r\n{",
  ])("so does a stream that ends inside a message: %j (P-FRM-8)", (half) => {
    expect(decode(frame("{}") + half)).toEqual(["{}", unreadable("the input ended inside it")]);
  });
});

describe("a body that is too long costs only itself", () => {
  test("bodies up to the limit arrive, longer ones are reported once, in their place (P-LIM-2)", () => {
    const limit = 8;
    const size = fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(7, 8, 9));
    fc.assert(
      fc.property(fc.array(size), anyCuts, (sizes, cuts) => {
        const text = sizes.map((length) => frame("x".repeat(length))).join("");
        const expected = sizes.map((length) => (length > limit ? OVERSIZED : "x".repeat(length)));
        expect(decode(text, cuts, limit)).toEqual(expected);
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
