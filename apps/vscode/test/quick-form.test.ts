import type { CoreQuestion } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import {
  chosen,
  isEnough,
  quickForm,
  stepOf,
  withAnswer,
  withoutLast,
  written,
} from "../src/cards/quick-form.js";

const question = (more: Partial<CoreQuestion> = {}): CoreQuestion => ({
  ...{ id: "q1", question: "Which database?", header: "DB", body: "", multi_select: false, own_text: true },
  ...{ other_label: "", other_description: "" },
  options: [
    { id: "a", label: "SQLite", description: "" },
    { id: "b", label: "PostgreSQL", description: "" },
  ],
  ...more,
});
const several = question({ id: "q2", multi_select: true });
const text = (type: "text" | "integer", more = {}) => question({ options: [], field: { type, ...more } });

describe("questions in quick picks", () => {
  test("quick picks ask one question after the other and end with all answers", () => {
    const first = quickForm([question(), several]);
    expect(stepOf(first)).toMatchObject({ is: "choice", many: false });
    const second = withAnswer(first, { question_id: "q1", selected: ["a"] });
    expect(stepOf(second)).toMatchObject({ is: "choice", many: true });
    const done = withAnswer(second, { question_id: "q2", selected: ["b"] });
    expect(stepOf(done)).toEqual({ is: "done", items: done.items });
  });

  test("quick picks lead back to the previous question, whose answer is asked for again", () => {
    const second = withAnswer(quickForm([question(), several]), { question_id: "q1", selected: ["a"] });
    expect(stepOf(withoutLast(second))).toMatchObject({ question: { id: "q1" } });
  });

  test("quick picks ask for a text where a question has no options", () => {
    expect(stepOf(quickForm([text("text")]))).toMatchObject({ is: "text" });
  });
});

describe("a choice", () => {
  test("a choice of nothing is no answer", () => {
    expect(chosen(several, [])).toBeUndefined();
  });

  test("a choice keeps the order of the options", () => {
    expect(chosen(several, ["b", "a"])).toEqual({ question_id: "q2", selected: ["a", "b"] });
  });

  test("a choice of an option that the question does not have is no answer", () => {
    expect(chosen(question(), ["c"])).toBeUndefined();
  });

  test.each([
    [{ min: 2 }, ["a"]],
    [{ max: 1 }, ["a", "b"]],
  ])("a choice that is too small or too large for %o is no answer", (bounds, ids) => {
    expect(chosen({ ...several, ...bounds }, ids)).toBeUndefined();
  });

  test.each([
    [{ min: 2 }, 1, false],
    [{ max: 2 }, 3, false],
    [{ min: 2, max: 2 }, 2, true],
    [{ multi_select: false }, 2, false],
  ])(
    "own words count as an option: under the bounds %o, %i choices with own words are judged right",
    (bounds, choices, fits) => {
      expect(isEnough({ ...several, ...bounds }, choices)).toBe(fits);
    },
  );

  test("a choice of yes or no is the value of its field", () => {
    const options = ["true", "false"].map((id) => ({ id, label: id, description: "" }));
    const isSure = question({ field: { type: "boolean" }, options });
    expect(chosen(isSure, ["false"])).toEqual({ question_id: "q1", selected: [], own_text: "false" });
  });
});

describe("a text", () => {
  test("a text is an answer in the person's own words", () => {
    expect(written(question(), "MariaDB", "en", "empty")).toEqual({
      value: { question_id: "q1", selected: [], own_text: "MariaDB" },
    });
  });

  test("a blank text is no answer", () => {
    expect(written(question(), "  ", "en", "empty")).toEqual({ problem: "empty" });
  });

  test("a text may be left out where its field may stay empty", () => {
    expect(written(text("integer", { required: false }), "", "en", "empty")).toEqual({
      value: { question_id: "q1", selected: [], skipped: true },
    });
  });

  test.each(["en", "zh"] as const)(
    "a text that does not fit its field is refused with what is expected (%s)",
    (language) => {
      const refused = written(text("integer", { bounds: { min: 1, max: 9 } }), "12", language, "empty");
      expect(refused).toEqual({ problem: expect.stringContaining("9") });
    },
  );

  test("a text for a field is sent in the form that the agent reads", () => {
    expect(written(text("integer"), " +7 ", "en", "empty")).toMatchObject({ value: { own_text: "7" } });
  });
});
