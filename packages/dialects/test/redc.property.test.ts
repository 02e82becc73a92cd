import { QuestionRequest, type ToolRun } from "@askwire/server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dialects } from "../src/index.js";

const asking = dialects.redc().begin();
const read = (raw: string | null) =>
  asking.read(
    { type: "function", id: "tc-1", function: { name: "ask_user", arguments: raw }, extras: null },
    {} as ToolRun,
  );

const text = fc.oneof(fc.string(), fc.constantFrom("", " ", "A", "a, b", "constructor", "不继续"));
const said = text.filter((words) => words.trim() !== "");
/** Four of five as they should be, so that many a call is right in all that it has. */
const mostly = (right: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: right }, odd);
const calls = fc.record(
  {
    question: mostly(said, fc.oneof(text, fc.jsonValue())),
    choices: mostly(fc.array(said), fc.oneof(fc.array(fc.oneof(text, fc.jsonValue())), fc.jsonValue())),
    allow_freeform: mostly(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: ["question"] },
);

test("whatever the model writes is an error, or a question that can be answered", async () => {
  const asked = { count: 0 };
  const raw = fc.oneof({ weight: 4, arbitrary: calls.map((call) => JSON.stringify(call)) }, fc.json(), text);
  await fc.assert(
    fc.asyncProperty(raw, async (written) => {
      const found = await read(written);
      if (!("questions" in found)) {
        expect(found).toMatchObject({ is_error: true });
        return;
      }
      // The one text that no answer can be keyed by; whoever asks it is told (P-QST-3).
      fc.pre(found.questions[0]?.question !== "__proto__");
      asked.count += 1;
      const [question] = new QuestionRequest({ tool_call_id: "tc-1", questions: found.questions }).questions;
      const labels = question?.options.map(({ label }) => label) ?? [];
      expect(question?.question.trim()).not.toBe("");
      expect(question?.own_text === true || labels.length > 0).toBe(true);
      expect(new Set(labels).size).toBe(labels.length);
      expect(labels.filter((label) => label.trim() === "")).toEqual([]);
    }),
  );
  expect(asked.count).toBeGreaterThan(10);
});
