import { describe, expect, test } from "vitest";
import { isBegun, reduceForm, shownQuestion } from "../../src/form/index.js";
import { formOf, issuesOf, press, seen, type single } from "./press.js";

const field = (type: string, more: object = {}, question = "How many?") =>
  ({ question, options: [], field: { type, ...more } }) as unknown as typeof single;
const port = field("integer", { bounds: { min: 1, max: 65535 } });
const counted = {
  question: "Which checks?",
  options: ["Lint", "Types", "Tests"].map((label) => ({ label })),
  multi_select: true,
  min: 2,
  max: 2,
};

describe("a field in the form", () => {
  test("a field takes a value in any form of its type, and sends the canonical one (P-XFL-3)", () => {
    const form = press(formOf([port]), " 0443", "enter");
    expect(seen(form).result).toEqual([["443"]]);
    expect(issuesOf(form)).toEqual([]);
  });

  test.each([
    ["another type", "many", "type"],
    ["a value out of bounds", "70000", "bounds"],
  ])("a field refuses %s where it is typed, and continues from there (P-XFL-4)", (_what, text, problem) => {
    const form = press(formOf([port]), text, "enter");
    expect(form).toMatchObject({ hint: { why: "no_value", problem } });
    expect(form.result).toBeUndefined();
    expect(seen(form).text).toBe(`${text}|`);
    expect(seen(press(form, "delete_to_start", "8080", "enter")).result).toEqual([["8080"]]);
  });

  test("a field begins with its prefill, which is no work that could be lost, and which Enter sends (P-XFL-6)", () => {
    const form = formOf([field("integer", { prefill: "8080" })]);
    expect(seen(form)).toMatchObject({ text: "8080|", tabs: "☐" });
    const { question, draft } = shownQuestion(form) as NonNullable<ReturnType<typeof shownQuestion>>;
    expect(isBegun(question, draft)).toBe(false);
    expect(seen(press(form, "enter")).result).toEqual([["8080"]]);
    expect(press(form, "escape", "escape").result).toBe("declined");
  });

  test.each([
    ["date", "2026/3/1", "2026-03-01"],
    ["number", "1.50", "1.5"],
    ["email", " me@EXAMPLE.com ", "me@example.com"],
    ["uri", "HTTPS://example.com", "https://example.com/"],
  ])("a field of the type %s shows its prefill %j as it is sent (P-XFL-6)", (type, prefill, shown) => {
    expect(seen(formOf([field(type, { prefill })])).text).toBe(`${shown}|`);
  });

  test("a field is left empty by Enter only where it may be (P-XFL-5)", () => {
    expect(press(formOf([port]), "enter")).toMatchObject({ hint: { why: "blank_text" } });
    const form = press(formOf([field("date", { required: false })]), "enter");
    expect(form.result).toEqual({ items: [{ question_id: "q1", selected: [], skipped: true }] });
    expect(issuesOf(form)).toEqual([]);
  });

  test("a field is left out only where it may be empty (P-XFL-5)", () => {
    const skip = { type: "skip" } as const;
    expect(reduceForm(formOf([port]), skip)).toMatchObject({ hint: { why: "nothing_chosen" } });
    const form = reduceForm(formOf([field("date", { required: false })]), skip);
    expect(form.result).toEqual({ items: [{ question_id: "q1", selected: [], skipped: true }] });
  });

  test("a field of a boolean is one of two options, the prefilled one under the cursor (P-XFL-3)", () => {
    const form = formOf([field("boolean", { prefill: "no" }), port]);
    expect(seen(form)).toMatchObject({ at: "No", chosen: [] });
    const chosen = press(form, "enter", "left");
    expect(seen(chosen)).toMatchObject({ chosen: ["No"], tabs: "✔☐" });
    const done = press(chosen, "right", "80", "enter", "enter");
    expect(done.result).toEqual({
      items: [
        { question_id: "q1", selected: [], own_text: "false" },
        { question_id: "q2", selected: [], own_text: "80" },
      ],
    });
    expect(issuesOf(done)).toEqual([]);
  });

  test("a field is open again with its text where the server refuses the value, as a pattern may (P-XFL-4)", () => {
    const sent = press(formOf([field("text", { pattern: "^v" })]), "2", "enter");
    const issues = issuesOf(sent);
    expect(issues.map(({ code }) => code)).toEqual(["pattern"]);
    const again = reduceForm(sent, { type: "refused", issues });
    expect(seen(again)).toMatchObject({ text: "2|", hint: "refused" });
  });
});

test("several choices are confirmed once there are as many as are wanted, own text counted (P-XFL-7)", () => {
  const one = press(formOf([counted]), "1", "up", "enter");
  expect(one).toMatchObject({ hint: { why: "too_few" } });
  const three = press(formOf([counted]), "1", "2", "3", "up", "up", "enter");
  expect(three).toMatchObject({ hint: { why: "too_many" } });
  const two = press(formOf([counted]), "1", "Docs", "enter", "enter");
  expect(seen(two).result).toEqual([["Lint", "Docs"]]);
  expect(issuesOf(two)).toEqual([]);
});
