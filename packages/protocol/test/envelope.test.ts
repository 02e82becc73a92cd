import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nullIdError, readEnvelope } from "../src/framing/envelope.js";
import { jsonText } from "../src/framing/json-text.js";
import { tooDeepAt, tooManyAt } from "../src/framing/nesting.js";

const read = (text: string | object, stringIds?: boolean) =>
  readEnvelope(
    typeof text === "string" ? text : JSON.stringify(text),
    { nesting: 64, values: 1_000 },
    stringIds,
  );

const invalidRequest = { kind: "invalid", error: "InvalidRequest" };

/** Any value of JSON whose texts are full of what means something outside of them. */
const text = fc.string({ unit: fc.constantFrom(...'[]{},\\"\u0001a界') });
const value = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 8 }, text, fc.array(tie("value")), fc.dictionary(text, tie("value"))),
})).value;

describe("the reading of a line from the other side", () => {
  test("a message of the other side is handed on whole, an error with its data or with null (P-ENV-9, P-ERR-4)", () => {
    const error = { code: -32000, message: "m" };
    expect(read({ id: "1", method: "a", params: [{ b: 1 }] })).toEqual({
      kind: "request",
      id: "1",
      method: "a",
      params: [{ b: 1 }],
    });
    expect(read({ method: "a", params: null })).toEqual({ kind: "notification", method: "a", params: null });
    expect(read({ id: "x", result: null })).toEqual({ kind: "response", id: "x", reply: { result: null } });
    expect(read({ id: "x", error })).toMatchObject({ reply: { error: { ...error, data: null } } });
    expect(read({ id: "x", result: {}, error: { ...error, data: { a: 1 } } })).toMatchObject({
      reply: { error: { ...error, data: { a: 1 } } },
    });
  });

  test("the sentence about a wrong message names the member that is wrong and what it must be", () => {
    expect(read({ id: 1, method: "a" }, true)).toMatchObject({
      message: "Invalid request: id: expected a string",
    });
    expect(read({ id: true, method: "a" })).toMatchObject({
      message: "Invalid request: id: expected a string or an integer",
    });
    expect(read({ jsonrpc: "1", method: "a" })).toMatchObject({
      message: 'Invalid request: jsonrpc: expected "2.0"',
    });
  });

  test.each([1, 0, -3, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    "the integer %d is an id, and stays that integer (P-FRM-5)",
    (id) => {
      expect(read({ id, method: "a" })).toMatchObject({ kind: "request", id });
      expect(read({ id, result: {} })).toMatchObject({ kind: "response", id });
      expect(read({ id, method: "a" }, true)).toMatchObject(invalidRequest);
    },
  );

  test.each(["1.5", "9007199254740992", "-9007199254740992", "1e400", "true", "false", "{}", "[1]"])(
    "%s is no id, since it is no string and no integer that comes back unchanged (P-ENV-4)",
    (id) => {
      expect(read(`{"id":${id},"method":"a"}`)).toMatchObject(invalidRequest);
    },
  );

  test("a line nested too deep is refused before it is parsed, with its place (P-LIM-3)", () => {
    const tooDeep = (place: number) => ({
      ...invalidRequest,
      message: `Invalid request: nested deeper than 64 at character ${place}`,
    });
    expect(read("[".repeat(100_000))).toMatchObject(tooDeep(65));
    expect(read('{"a":'.repeat(1_000))).toMatchObject(tooDeep(64 * 5 + 1));
    expect(read(String.raw`["]}", "\\", "\"]", ${"[".repeat(64)}`)).toMatchObject(tooDeep(84));
  });

  test("brackets in strings are no nesting, and none that parsing finds is overlooked (P-LIM-3)", () => {
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    fc.assert(
      fc.property(value, fc.nat(8), (value, levels) => {
        const deep = tooDeepAt(JSON.stringify(value), levels);
        expect(deep !== -1).toBe(depth(value) > levels);
      }),
    );
  });

  test("more values than the limit are not parsed, wherever they are (P-LIM-3)", () => {
    const tooMany = (place: number) => ({
      kind: "invalid",
      error: "InvalidRequest",
      message: `Invalid request: more than 1000 values at character ${place}`,
    });
    expect(read(`[${"{},".repeat(1_000)}0]`)).toMatchObject(tooMany(1 + 499 * 3 + 3));
    expect(read(`[${"0,".repeat(1_000)}0]`)).toMatchObject(tooMany(2_001));
    expect(read(`{"method":"a","params":{"k":${"[0,".repeat(60)}`)).toMatchObject({ error: "ParseError" });
  });

  test("commas and brackets in strings are no values, and none that parsing finds is overlooked (P-LIM-3)", () => {
    const count = (value: unknown): number => {
      if (typeof value !== "object" || value === null) return 0;
      const inner = Object.values(value);
      return 1 + Math.max(0, inner.length - 1) + inner.reduce((sum: number, each) => sum + count(each), 0);
    };
    fc.assert(
      fc.property(value, fc.nat(20), (value, values) => {
        expect(tooManyAt(JSON.stringify(value), values) !== -1).toBe(count(value) > values);
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

  test("a text that only looks like an escape stays unchanged, also beside half a character (P-FRM-4)", () => {
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
