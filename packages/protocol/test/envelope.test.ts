import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nullIdError, readEnvelope } from "../src/framing/envelope.js";
import { jsonText } from "../src/framing/json-text.js";
import { tooDeepAt } from "../src/framing/nesting.js";

const lines = false;
const contentLength = true;
const read = (text: string | object, integerIds = lines) =>
  readEnvelope(typeof text === "string" ? text : JSON.stringify(text), 64, integerIds);

const parseError = { kind: "invalid", error: "ParseError", message: "Invalid JSON format" };
const invalidRequest = { kind: "invalid", error: "InvalidRequest" };
const silent = { kind: "ignored" };

describe("the reading of a line from the other side", () => {
  test.each<[string, string | object, object]>([
    ["a line that is no JSON (P-ENV-1)", "{not json", parseError],
    ["a blank line (P-ENV-1)", "", parseError],
    ["a line of blanks (P-ENV-1)", " \t\r", parseError],
    ["half of a pretty-printed object (P-ENV-1)", "{", parseError],
    ["two objects in one line (P-ENV-1)", "{}{}", parseError],
    [
      "an array: there are no batches (P-ENV-2)",
      [{ jsonrpc: "2.0", id: "1", method: "cancel" }],
      invalidRequest,
    ],
    ["a string (P-ENV-2)", '"x"', invalidRequest],
    ["a number (P-ENV-2)", "5", invalidRequest],
    ["null (P-ENV-2)", "null", invalidRequest],
    ["another version of JSON-RPC (P-ENV-3)", { jsonrpc: "1.0", id: "1", method: "a" }, invalidRequest],
    ["the version as a number (P-ENV-3)", { jsonrpc: 2.0, id: "1", method: "a" }, invalidRequest],
    ["the version as null (P-ENV-3)", { jsonrpc: null, id: "1", method: "a" }, invalidRequest],
    [
      "no version at all (P-ENV-3)",
      { id: "1", method: "a", params: { b: 1 } },
      { kind: "request", id: "1", method: "a", params: { b: 1 } },
    ],
    ["an integer as id (P-ENV-4)", { jsonrpc: "2.0", id: 1, method: "a" }, invalidRequest],
    ["a fraction as id (P-ENV-4)", { jsonrpc: "2.0", id: 1.5, method: "a" }, invalidRequest],
    ["a boolean as id (P-ENV-4)", { jsonrpc: "2.0", id: true, method: "a" }, invalidRequest],
    ["an object as id (P-ENV-4)", { jsonrpc: "2.0", id: {}, method: "a" }, invalidRequest],
    ["an integer as id of a response (P-ENV-4)", { jsonrpc: "2.0", id: 1, result: {} }, invalidRequest],
    [
      "id null and a method (P-ENV-6)",
      { id: null, method: "prompt" },
      { kind: "notification", method: "prompt" },
    ],
    ["a method without id (P-ENV-6)", { method: "cancel" }, { kind: "notification", method: "cancel" }],
    [
      "an empty id (P-ENV-4)",
      { id: "", method: "a" },
      { kind: "request", id: "", method: "a", params: undefined },
    ],
    ["a method that is a number (P-ENV-5)", { id: "1", method: 5 }, invalidRequest],
    ["a method that is null (P-ENV-5)", { id: "1", method: null }, invalidRequest],
    ["an empty method (P-ENV-5)", { id: "1", method: "" }, { kind: "request", method: "" }],
    ["an empty object (P-ENV-9)", {}, silent],
    ["nothing but the version (P-ENV-9)", { jsonrpc: "2.0" }, silent],
    ["an id with neither result nor error (P-ENV-9)", { id: "x" }, silent],
    ["a method and a result in one (P-ENV-7)", { id: "x", method: "a", result: {} }, silent],
    [
      "a method and an error in one (P-ENV-7)",
      { id: "x", method: "a", error: { code: 1, message: "m" } },
      silent,
    ],
    [
      "a result (P-ENV-9)",
      { id: "x", result: { a: 1 } },
      { kind: "response", id: "x", reply: { result: { a: 1 } } },
    ],
    ["a result of null (P-ENV-9)", { id: "x", result: null }, { kind: "response", reply: { result: null } }],
    ["a result without an id (P-ENV-9)", { result: {} }, silent],
    ["an error that is a string (P-ENV-8)", { id: "x", error: "broken" }, invalidRequest],
    ["an error without a message (P-ENV-8)", { id: "x", error: { code: 1 } }, invalidRequest],
    [
      "an error with a fraction as code (P-ENV-8)",
      { id: "x", error: { code: 1.5, message: "m" } },
      invalidRequest,
    ],
    [
      "an error without data (P-ERR-4)",
      { id: "x", error: { code: -32000, message: "m" } },
      { kind: "response", id: "x", reply: { error: { code: -32000, message: "m", data: null } } },
    ],
    [
      "a result together with an error: the error counts (P-ENV-9)",
      { id: "x", result: {}, error: { code: 1, message: "m", data: { a: 1 } } },
      { kind: "response", id: "x", reply: { error: { code: 1, message: "m", data: { a: 1 } } } },
    ],
    ["an error that belongs to no request (P-ENV-9)", { id: null, error: { code: 1, message: "m" } }, silent],
    [
      "members that nobody knows (P-ENV-10)",
      { jsonrpc: "2.0", id: "x", method: "a", trace: 1 },
      { kind: "request", id: "x", method: "a", params: undefined },
    ],
    ["a key twice: the last counts", '{"method":"a","method":"b"}', { kind: "notification", method: "b" }],
    [
      "a member called __proto__",
      '{"__proto__":{"method":"prompt","id":"1"}}',
      { kind: "ignored", why: "neither a method nor a response" },
    ],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  test.each([
    [1, true],
    [0, true],
    [-3, true],
    ["1", true],
    [1.5, false],
    [true, false],
  ])("with Content-Length framing the id %j is valid: %j (P-FRM-5)", (id, valid) => {
    expect(read({ id, method: "a" }, contentLength)).toMatchObject(
      valid ? { kind: "request", id } : invalidRequest,
    );
  });

  test("the sentence names the member that is wrong and what it must be", () => {
    expect(read({ id: 1, method: "a" })).toMatchObject({
      message: "Invalid request: id: expected a string",
    });
    expect(read({ id: true, method: "a" }, contentLength)).toMatchObject({
      message: "Invalid request: id: expected a string or an integer",
    });
    expect(read({ jsonrpc: "1", method: "a" })).toMatchObject({
      message: 'Invalid request: jsonrpc: expected "2.0"',
    });
  });

  test("64 levels of nesting are read, 65 are refused, and a hundred thousand crash nothing (P-LIM-3)", () => {
    const nested = (levels: number) => `{"method":"a","params":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(read(nested(63))).toMatchObject({ kind: "notification" });
    expect(read(nested(64))).toMatchObject(invalidRequest);
    expect(read(nested(64))).toMatchObject({
      message: "Invalid request: nested deeper than 64 at character 87",
    });
    expect(read(nested(100_000))).toMatchObject({ kind: "invalid" });
  });

  test("a line nested too deep is refused before it is parsed, with its place (P-LIM-3)", () => {
    const tooDeep = (place: number) => ({
      ...invalidRequest,
      message: `Invalid request: nested deeper than 64 at character ${place}`,
    });
    expect(read("[".repeat(1_000))).toMatchObject(tooDeep(65));
    expect(read('{"a":'.repeat(1_000))).toMatchObject(tooDeep(64 * 5 + 1));
    expect(read(String.raw`["]}", "\\", "\"]", ${"[".repeat(64)}`)).toMatchObject(tooDeep(84));
  });

  test("brackets in strings are no nesting, and none that parsing finds is overlooked (P-LIM-3)", () => {
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    const text = fc.string({ unit: fc.constantFrom(...'[]{}\\"\u0001a界') });
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 8 }, text, fc.array(tie("value")), fc.dictionary(text, tie("value"))),
    })).value;
    fc.assert(
      fc.property(value, fc.nat(8), (value, levels) => {
        const deep = tooDeepAt(JSON.stringify(value), levels);
        expect(deep !== -1).toBe(depth(value) > levels);
      }),
    );
  });

  test("no text whatever makes reading throw", () => {
    const member = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error");
    const envelopes = fc
      .dictionary(member, fc.oneof(fc.jsonValue(), fc.constant("2.0")))
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), envelopes), (text) => {
        expect(read(text)).toHaveProperty("kind");
      }),
    );
  });
});

describe("written text can be read by everyone", () => {
  test("any readable message comes back equal, in one line without raw line separators (P-FRM-3)", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), (message) => {
        const text = jsonText(message);
        expect(text).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(message)));
      }),
    );
  });

  test("line separators are escaped in values and in keys, and read back as they were (P-FRM-3)", () => {
    const message = { "a\u2028": "b\u2029c" };
    expect(jsonText(message)).toBe('{"a\\u2028":"b\\u2029c"}');
    expect(JSON.parse(jsonText(message))).toEqual(message);
  });

  test.each([
    ["a high surrogate alone", { a: "x\ud800y" }, { a: "x\ufffdy" }],
    ["a low surrogate alone", { a: "\udc00" }, { a: "\ufffd" }],
    ["a pair the wrong way round", { a: "\udc00\ud83d" }, { a: "\ufffd\ufffd" }],
    ["two high ones before a low one", { a: "\ud83d\ud83d\ude00" }, { a: "\ufffd\u{1f600}" }],
    ["one in a key", { a: { "k\ud800": [{ "\udfff": 1 }] } }, { a: { "k\ufffd": [{ "\ufffd": 1 }] } }],
    ["one in an array", { a: ["\ud800", 1, null] }, { a: ["\ufffd", 1, null] }],
    ["a good pair beside it", { a: "\u{1f600}\ud800" }, { a: "\u{1f600}\ufffd" }],
    ["one in the id", { id: "\udead" }, { id: "\ufffd" }],
  ])("half a character never leaves: %s (P-FRM-4)", (_, message, expected) => {
    expect(JSON.parse(jsonText(message))).toEqual(expected);
    expect(jsonText(message)).not.toMatch(/\\ud[89a-f]/i);
  });

  test("a text that only looks like an escape stays as it is, also beside half a character (P-FRM-4)", () => {
    const text = String.raw`\ud800 \\ud800 \u2028`;
    expect(JSON.parse(jsonText({ [text]: text }))).toEqual({ [text]: text });
    expect(JSON.parse(jsonText({ [text]: `${text}\ud800` }))).toEqual({ [text]: `${text}\ufffd` });
  });

  test("any text with halves of characters becomes well-formed and loses nothing else (P-FRM-4)", () => {
    const halves = fc.array(fc.constantFrom("\ud800", "\udfff", "\\ud800", "a", "\u{1f600}", "\u2028"));
    fc.assert(
      fc.property(
        halves.map((parts) => parts.join("")),
        (text) => {
          const expected = Buffer.from(text, "utf8").toString("utf8");
          expect(JSON.parse(jsonText({ a: text }))).toEqual({ a: expected });
        },
      ),
    );
  });

  test("half a character is accepted from the other side (P-FRM-4)", () => {
    expect(read('{"id":"\\ud800","method":"a","params":{"t":"\\udc00"}}')).toMatchObject({
      kind: "request",
      id: "\ud800",
      params: { t: "\udc00" },
    });
  });

  test("an error that belongs to no request has id null and data null (P-ERR-4)", () => {
    expect(nullIdError("ParseError", "Invalid JSON format")).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "Invalid JSON format", data: null },
    });
  });
});
