import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectedOf, type Field, fieldTypes, readField } from "../src/index.js";
import { canonicalItems } from "../src/internal.js";
import { tableBelow } from "./protocol-page.js";

const read = (type: Field["type"], text: string, bounds?: Field["bounds"]) => {
  const found = readField(bounds === undefined ? { type } : { type, bounds }, text);
  return "value" in found ? found.value : `!${found.problem}`;
};

test("the types are those of the page on the protocol, in its order (P-XFL-1)", () => {
  const { rows } = tableBelow("P-XFL-1");
  expect(rows.map(([type = ""]) => type.replaceAll("`", ""))).toEqual([...fieldTypes]);
});

describe("a text as the value of a field (P-XFL-3)", () => {
  test.each<[Field["type"], string, string]>([
    ["text", " as it came\n", " as it came\n"],
    ["number", " +007.50 ", "7.5"],
    ["number", "-0", "0"],
    ["number", ".5", "0.5"],
    ["number", "1e3", "1000"],
    ["number", "１２．５", "12.5"],
    ["number", "1e999", "!type"],
    ["number", "1,5", "!type"],
    ["number", "0x10", "!type"],
    ["number", "NaN", "!type"],
    ["number", "10²", "!type"],
    ["number", "12345678901234567890", "!type"],
    ["number", "100000000000000000000", "100000000000000000000"],
    ["number", "1e-999", "!type"],
    ["integer", "+0042", "42"],
    ["integer", "-0", "0"],
    ["integer", "８０８０", "8080"],
    ["integer", "1.0", "!type"],
    ["integer", "9007199254740993", "!type"],
    ["integer", "12345678901234567890", "!type"],
    ["integer", "10²", "!type"],
    ["boolean", "Yes", "true"],
    ["boolean", "TRUE", "true"],
    ["boolean", "否", "false"],
    ["boolean", "maybe", "!type"],
    ["boolean", "1", "!type"],
    ["date", "2026-2-3", "2026-02-03"],
    ["date", "2026/02/28", "2026-02-28"],
    ["date", "2024-02-29", "2024-02-29"],
    ["date", "2026-02-30", "!type"],
    ["date", "2026-13-01", "!type"],
    ["date", "03.02.2026", "!type"],
    ["date", "2026-02/03", "!type"],
    ["email", " Ann.Lee+x@Example.ORG ", "Ann.Lee+x@example.org"],
    ["email", "用户@例子.广告", "用户@例子.广告"],
    ["email", "a@b", "a@b"],
    ["email", "a..b@c.d", "!type"],
    ["email", "a b@c.d", "!type"],
    ["email", "@c.d", "!type"],
    ["email", "a@-c.d", "!type"],
    ["uri", "HTTPS://Example.org/A b", "!type"],
    ["uri", "HTTPS://Example.org/A", "https://example.org/A"],
    ["uri", "urn:isbn:123", "urn:isbn:123"],
    ["uri", "example.org", "!type"],
    ["uri", "localhost:3000/x", "!type"],
    ["uri", "C:\\temp", "!type"],
  ])("a text is read as the value of a field, in canonical form, %s: %s", (type, text, expected) => {
    expect(read(type, text)).toBe(expected);
  });

  test.each<[Field["type"], Field["bounds"], string, string]>([
    ["integer", { min: 1, max: 65535 }, "0", "!bounds"],
    ["integer", { min: 1, max: 65535 }, "65535", "65535"],
    ["integer", { min: 10 }, "9", "!bounds"],
    ["number", { max: 0.5 }, "0.51", "!bounds"],
    ["date", { min: "2026-01-01" }, "2025-12-31", "!bounds"],
    ["date", { max: "2026-01-01" }, "2026-1-1", "2026-01-01"],
    ["text", { min: 2, max: 2 }, "😀😀", "😀😀"],
    ["text", { max: 2 }, "abc", "!bounds"],
    ["email", { max: 6 }, "a@bc.de", "!bounds"],
  ])("a text is read as the value of a field, %s within %j: %s", (type, bounds, text, expected) => {
    expect(read(type, text, bounds)).toBe(expected);
  });

  test("a canonical form is read as itself, and any text is read without an exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fieldTypes), fc.string({ unit: "binary" }), (type, text) => {
        const found = readField({ type }, text);
        if ("value" in found) expect(readField({ type }, found.value)).toEqual(found);
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(read("number", String(value)))).toBe(value + 0);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(read("integer", String(value))).toBe(String(value));
      }),
    );
    const dates = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (value) => {
        const date = value.toISOString().slice(0, 10);
        expect(read("date", date)).toBe(date);
      }),
    );
  });

  test.each<[Field["type"], Field["bounds"], string]>([
    ["integer", { min: 1, max: 65535 }, "a whole number from 1 to 65535"],
    ["number", { min: 0 }, "a number, 0 or more"],
    ["date", { max: "2026-01-01" }, "a date such as 2026-03-01, 2026-01-01 or earlier"],
    ["text", { min: 1, max: 20 }, "a text of 1 to 20 characters"],
    ["text", { max: 1 }, "a text of at most 1 character"],
    ["boolean", undefined, "yes or no"],
  ])("a field of type %s within %j is described: %s", (type, bounds, expected) => {
    expect(expectedOf(bounds === undefined ? { type } : { type, bounds })).toBe(expected);
  });
});

test("a field that is left empty is skipped, unless pictures stand in its place (P-XFL-5)", () => {
  const questions = [{ id: "q1", field: { type: "uri" as const, required: false } }];
  const attachments = [
    { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA", id: null } },
  ];
  const blank = { question_id: "q1", selected: [], own_text: " " };
  expect(canonicalItems(questions, [blank])).toEqual([{ question_id: "q1", selected: [], skipped: true }]);
  expect(canonicalItems(questions, [{ ...blank, attachments }])).toEqual([
    { question_id: "q1", selected: [], own_text: "", attachments },
  ]);
});
