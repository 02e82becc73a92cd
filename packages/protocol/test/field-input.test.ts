import { describe, expect, test } from "vitest";
import { QuestionInputs, validate } from "../src/index.js";
import { asked } from "./asked.js";

const question = "How many?";
const several = { question, multi_select: true, options: ["A", "B", "C"].map((label) => ({ label })) };

function problem(input: object): string {
  const parsed = validate(QuestionInputs, [{ question, options: [], ...input }]);
  return parsed.ok ? "fits" : parsed.problem;
}

describe("a field that cannot be answered (P-XFL-2)", () => {
  test.each<[string, object]>([
    ["[0].field.type", { field: { type: "time" } }],
    [
      "[0].field.bounds.min: expected a bound that max, 2",
      { field: { type: "integer", bounds: { min: 3, max: 2 } } },
    ],
    ["[0].field.bounds.min: expected a whole number", { field: { type: "integer", bounds: { min: 0.5 } } }],
    ["[0].field.bounds.max: expected a number", { field: { type: "number", bounds: { max: "9" } } }],
    [
      "[0].field.bounds.min: expected a whole number of characters",
      { field: { type: "text", bounds: { min: -1 } } },
    ],
    ["[0].field.bounds.min: expected a date", { field: { type: "date", bounds: { min: "2026-1-1" } } }],
    ["[0].field.bounds.min: expected none", { field: { type: "boolean", bounds: { min: 0 } } }],
    ["[0].field.pattern: expected a regular expression", { field: { type: "text", pattern: "(" } }],
    ["[0].field.pattern: expected no reference", { field: { type: "text", pattern: "(a)\\1" } }],
    ["[0].field.pattern: expected none for the type integer", { field: { type: "integer", pattern: "1" } }],
    ["[0].field.prefill: expected a whole number", { field: { type: "integer", prefill: "many" } }],
    [
      "[0].field.prefill: expected a whole number, 9 or less",
      { field: { type: "integer", bounds: { max: 9 }, prefill: "10" } },
    ],
    [
      "[0].field.prefill: expected a text that matches",
      { field: { type: "text", pattern: "^a", prefill: "b" } },
    ],
    ["[0].options: expected none beside a field", { field: { type: "text" }, options: [{ label: "A" }] }],
    [
      '[0].options: expected none, or two with the ids "true"',
      { field: { type: "boolean" }, options: [{ label: "A" }] },
    ],
    ["[0].own_text: expected true beside a field", { field: { type: "text" }, own_text: false }],
    ["[0].multi_select: expected false beside a field", { field: { type: "text" }, multi_select: true }],
    ["[0].min: expected 4 at most", { ...several, min: 5 }],
    ["[0].min: expected 3 at most", { ...several, own_text: false, min: 4 }],
    ["[0].min: expected a number that max, 2", { ...several, min: 3, max: 2 }],
    ["[0].min: expected 1 or more", { ...several, min: 0 }],
    ["[0].max: expected none, unless multi_select", { ...several, multi_select: false, max: 2 }],
    ["[0].default: expected as many options", { ...several, min: 2, default: ["q1_o1"] }],
    [
      "[0].options: expected at most 1000 entries",
      { options: Array.from({ length: 10_000 }, (_, n) => ({ label: `${n}` })) },
    ],
  ])(
    "a field that cannot be answered is refused where the question is made, by its place: %s",
    (expected, input) => {
      expect(problem(input)).toContain(expected);
    },
  );

  test("as many as 1000 options are taken, and each kind of field that can be answered", () => {
    expect(problem({ options: Array.from({ length: 1000 }, (_, n) => ({ label: `${n}` })) })).toBe("fits");
    expect(problem({ field: { type: "text", pattern: "^[a-z]+$", bounds: { max: 9 }, prefill: "x" } })).toBe(
      "fits",
    );
    expect(problem({ field: { type: "boolean", prefill: "yes", required: false } })).toBe("fits");
    expect(problem({ ...several, min: 1, max: 4 })).toBe("fits");
  });
});

test("a boolean has two options, its own words or Yes and No, and takes no other words (P-XFL-3)", () => {
  const words = [
    { id: "true", label: "Enable" },
    { id: "false", label: "Leave" },
  ];
  const [plain, own] = asked(
    { question, options: [], field: { type: "boolean" } },
    { question: "On?", options: words, field: { type: "boolean" } },
  );
  expect(plain?.options.map(({ id, label }) => [id, label])).toEqual([
    ["true", "Yes"],
    ["false", "No"],
  ]);
  expect(own?.options.map(({ label }) => label)).toEqual(["Enable", "Leave"]);
  expect(plain?.own_text).toBe(false);
});
