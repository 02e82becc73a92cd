import { describe, expect, test } from "vitest";
import { QuestionRequest } from "../../src/index.js";
import type { Message } from "../raw-client.js";
import { payload } from "../raw-client.js";
import { asking, everything, meetExtended } from "./extended-client.js";

const shows = everything;
const port = { type: "integer", bounds: { min: 1, max: 65535 }, prefill: "8080" } as const;
const questions = [
  { id: "port", question: "Which port?", field: port },
  { id: "tls", question: "With TLS?", field: { type: "boolean" } },
  { id: "from", question: "From when?", field: { type: "date", required: false } },
  {
    id: "parts",
    question: "Which parts?",
    multi_select: true,
    own_text: false,
    options: [{ label: "A" }, { label: "B" }, { label: "C" }],
    min: 2,
    max: 2,
  },
];
type Init = ConstructorParameters<typeof QuestionRequest>[0];
const request = (list: readonly object[] = questions) =>
  new QuestionRequest({ tool_call_id: "tc-1", questions: list as Init["questions"] });

/** A client that is asked these questions. */
async function askedOf(declared: object = shows, list: readonly object[] = questions) {
  const set = asking(() => [request(list)]);
  const { client } = await meetExtended(set, {}, { shows: declared });
  const { prompt, asked } = await client.begin("QuestionRequest");
  return { client, prompt, asked, ended: () => set.opened[0] as QuestionRequest };
}

const sent = (asked: Message) => payload(asked).questions as Record<string, unknown>[];
const codes = ({ error }: Message) => {
  const data = error?.data as { issues: { question_id: string; code: string }[] } | undefined;
  return data?.issues.map(({ question_id, code }) => `${question_id}: ${code}`);
};
const item = (question_id: string, own_text: string) => ({ question_id, selected: [], own_text });
const right = [
  item("port", " 0443 "),
  { question_id: "tls", selected: ["true"] },
  { question_id: "from", selected: [], skipped: true },
  { question_id: "parts", selected: ["parts_o1", "parts_o3"] },
];

describe("a question with a field", () => {
  test("a question with a field reaches a client that declared `fields` with all its members, a boolean with two options (P-XFL-1, P-XFL-3, P-XFL-7)", async () => {
    const { asked } = await askedOf();
    const [first, second, third, fourth] = sent(asked);
    expect(first).toMatchObject({ field: port, options: [] });
    for (const member of ["own_text", "body"]) expect(first).not.toHaveProperty(member);
    expect(second).toMatchObject({
      field: { type: "boolean" },
      own_text: false,
      options: [
        { id: "true", label: "Yes" },
        { id: "false", label: "No" },
      ],
    });
    expect(third).toMatchObject({ field: { type: "date", required: false } });
    expect(fourth).toMatchObject({ min: 2, max: 2 });
  });

  test("a question with a field reaches another client as text, which says what is expected and what was lost (P-XFL-8, P-XQS-3)", async () => {
    const { client, prompt, asked, ended } = await askedOf({ ...everything, fields: false });
    const bodies = sent(asked).map(({ body }) => body);
    expect(bodies).toEqual([
      "Expected: a whole number from 1 to 65535.",
      undefined,
      "Expected: a date such as 2026-03-01.",
      "Expected: 2 choices.",
    ]);
    for (const question of sent(asked)) {
      for (const member of ["field", "min", "max"]) expect(question).not.toHaveProperty(member);
    }
    expect((await client.answer(asked, { items: right })).error).toBeUndefined();
    await prompt;
    expect(ended().outcome?.degraded).toEqual([
      { question_id: "port", feature: "field" },
      { question_id: "tls", feature: "field" },
      { question_id: "from", feature: "field" },
      { question_id: "parts", feature: "choices" },
    ]);
  });

  test("a question with a field ends with its value in canonical form, for whoever asked and for every client (P-XFL-3, P-XFL-5)", async () => {
    const { client, prompt, asked, ended } = await askedOf();
    expect((await client.answer(asked, { items: right })).error).toBeUndefined();
    await prompt;
    const items = [
      item("port", "443"),
      item("tls", "true"),
      { question_id: "from", selected: [], skipped: true },
      right[3],
    ];
    const answers = { "Which port?": "443", "With TLS?": "true", "Which parts?": "A, C" };
    expect(await ended().waitForAnswer()).toEqual({ answers, items });
    expect(ended().outcome).not.toHaveProperty("degraded");
    const [told] = client.events("InteractionSettled");
    expect(told?.payload.response).toEqual({ answers, items });
  });

  test("a question with a field stays open after an answer that does not fit, which is refused with all its mistakes (P-XFL-5, P-XFL-7, P-XAN-4)", async () => {
    const { client, prompt, asked, ended } = await askedOf();
    const wrong = [
      item("port", "70000"),
      item("tls", "perhaps"),
      item("from", "tomorrow"),
      { question_id: "parts", selected: ["parts_o1"] },
    ];
    const refused = await client.answer(asked, { items: wrong });
    expect(codes(refused)).toEqual(["port: bounds", "tls: type", "from: type", "parts: too_few"]);
    const skipped = await client.answer(asked, {
      items: right.map(({ question_id }) => ({ question_id, selected: [], skipped: true })),
    });
    expect(codes(skipped)).toEqual(["port: missing", "tls: missing", "null: nothing_answered"]);
    expect(ended().resolved).toBe(false);
    expect((await client.answer(asked, { items: right })).error).toBeUndefined();
    await prompt;
  });

  test("a question with a field that alone was left empty is answered, with no value (P-XFL-5)", async () => {
    const { client, prompt, asked, ended } = await askedOf(shows, [questions[2] as object]);
    const said = await client.answer(asked, { items: [{ question_id: "from", selected: [], own_text: "" }] });
    expect(said.result).toMatchObject({ outcome: { status: "answered" } });
    await prompt;
    expect(await ended().waitForAnswer()).toEqual({
      answers: {},
      items: [{ question_id: "from", selected: [], skipped: true }],
    });
  });

  test("a field with a pattern that backtracks elsewhere is checked by the server (P-XFL-4)", async () => {
    const field = { type: "text", pattern: "^(a+)+$" };
    const { client, prompt, asked } = await askedOf(shows, [{ id: "q", question: "Which?", field }]);
    const hostile = `${"a".repeat(1023)}!`;
    expect(codes(await client.answer(asked, { items: [item("q", hostile)] }))).toEqual(["q: pattern"]);
    expect(codes(await client.answer(asked, { items: [item("q", `a${hostile}`)] }))).toEqual(["q: bounds"]);
    expect((await client.answer(asked, { items: [item("q", "aa")] })).error).toBeUndefined();
    await prompt;
  });

  test("a field begins with its prefill, which does not count when nobody answers (P-XFL-6)", async () => {
    const { asked, prompt, client, ended } = await askedOf(shows, [questions[0] as object]);
    expect(sent(asked)[0]).toMatchObject({ field: { prefill: "8080" } });
    expect(ended().defaultAnswer).toBeUndefined();
    await client.call("cancel", {});
    await prompt;
    expect(ended().outcome).toMatchObject({ status: "withdrawn" });
  });
});

describe("a question that nobody could answer", () => {
  test.each<[string, object]>([
    ["questions: [0].field.bounds.min: expected", { field: { type: "number", bounds: { min: 2, max: 1 } } }],
    ["questions: [0].field.pattern: expected", { field: { type: "text", pattern: "(?=a)" } }],
    ["questions: [0].field.prefill: expected", { field: { type: "date", prefill: "soon" } }],
    [
      "questions: [0].options: expected",
      { options: Array.from({ length: 10_000 }, (_, n) => ({ label: `${n}` })) },
    ],
  ])("a question that nobody could answer is refused where it is made: %s (P-XFL-2)", (problem, question) => {
    expect(() => request([{ question: "Which?", ...question }])).toThrow(problem);
  });
});

test("an answer from the server's own process has to fit, and is canonical (P-XFL-3)", async () => {
  const made = request([questions[0] as object]);
  expect(() => made.resolve({ "Which port?": "none" })).toThrow("expected a whole number from 1 to 65535");
  expect(made.resolve({ "Which port?": "+80" })).toBe(true);
  expect(await made.wait()).toEqual({ "Which port?": "80" });
});
