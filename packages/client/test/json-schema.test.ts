import type { AnswerItem, QuestionInput } from "@askwire/protocol";
import { expect, test } from "vitest";
import { type AskForm, type FormToAsk, fillForm, Unshowable } from "../src/json-schema/index.js";

const answered = { status: "answered", by: "human" } as const;

/** Fills in a form as a person who gives these texts, one round after the other. */
async function filledIn(form: FormToAsk, ...rounds: string[][]) {
  const asked: QuestionInput[][] = [];
  const ask: AskForm<typeof answered> = async (questions, round) => {
    asked.push(questions);
    const items = rounds[round]?.map(
      (own_text, index): AnswerItem => ({ question_id: `q${index + 1}`, selected: [], own_text }),
    );
    return { outcome: answered, items };
  };
  return { end: await fillForm(form, ask), asked };
}

const start = { type: "string", format: "date-time", title: "Start" };
const schema = { properties: { name: { type: "string" }, start }, required: ["name", "start"] };

test("a form has the values that fit its schema, and only what did not fit is asked again with the mistake", async () => {
  const { end, asked } = await filledIn(
    { message: "Book it", schema },
    ["Ann", "soon"],
    ["2026-03-01T09:30:00Z"],
  );
  expect(end).toMatchObject({
    content: new Map([
      ["name", "Ann"],
      ["start", "2026-03-01T09:30:00Z"],
    ]),
  });
  expect(asked.map((questions) => questions.length)).toEqual([2, 1]);
  expect(asked[1]?.[0]?.body).toContain("The answer did not fit: expected a time such as");
});

test("a form that never fits ends with the mistakes after ten rounds", async () => {
  const wrong = ["Ann", "soon"];
  const { end, asked } = await filledIn({ message: "Book it", schema }, wrong, ...Array(20).fill(["soon"]));
  expect(end).toEqual({ unfit: expect.stringContaining("start: expected a time") });
  expect(asked).toHaveLength(10);
});

test("a form with a pattern that takes unbounded time cannot be shown, unless its asker can search it in time", async () => {
  const pattern = "^(?!x)a";
  const form = { message: "Code?", schema: { properties: { code: { type: "string", pattern } } } };
  await expect(filledIn(form, ["ab"])).rejects.toThrow(Unshowable);
  const patternSearch = (source: string) => (text: string) => new RegExp(source, "u").test(text);
  expect((await filledIn({ ...form, patternSearch }, ["xab"], ["ab"])).end).toMatchObject({
    content: new Map([["code", "ab"]]),
  });
});
