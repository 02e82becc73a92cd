import { expect, test } from "vitest";
import { QuestionRequest, wireSend } from "../src/index.js";
import { type Message, payload, type RawClient } from "./raw-client.js";
import { scenario } from "./scenario.js";

const port = {
  question: "Which port?",
  options: [],
  field: { type: "integer", bounds: { min: 1, max: 65535 } },
};
const tls = { question: "With TLS?", options: [], body: "For the API.", field: { type: "boolean" } };
const parts = {
  question: "Which parts?",
  multi_select: true,
  options: [{ label: "A" }, { label: "B" }, { label: "C" }],
  min: 2,
};

/** A base client that is asked these questions. */
async function askedOf(...questions: object[]) {
  type Init = ConstructorParameters<typeof QuestionRequest>[0];
  const request = new QuestionRequest({ tool_call_id: "tc", questions: questions as Init["questions"] });
  const set = scenario([], {
    async run() {
      wireSend(request);
      await request.wait().catch(() => {});
    },
  });
  const { client } = await set.meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  return { request, set, client, prompt, asked };
}

const say = (client: RawClient, to: Message, answers: object) =>
  client.reply(to, { request_id: to.id, answers });
const bodies = (asked: Message) => (payload(asked).questions as { body: string }[]).map(({ body }) => body);

test("a base client is asked a field as text, in its own fields alone, and the value is canonical (P-XFL-8, P-XFL-3)", async () => {
  const { request, client, prompt, asked } = await askedOf(port, tls, parts);
  expect(bodies(asked)).toEqual([
    "Expected: a whole number from 1 to 65535.",
    "For the API.",
    "Expected: at least 2 choices.",
  ]);
  const [first, second] = payload(asked).questions as Record<string, unknown>[];
  const names = ["question", "header", "options", "multi_select", "body", "other_label", "other_description"];
  expect(Object.keys(first ?? {})).toEqual(names);
  expect(second?.options).toEqual([
    { label: "Yes", description: "" },
    { label: "No", description: "" },
  ]);
  say(client, asked, { "Which port?": "+0443", "With TLS?": "No", "Which parts?": "A, mine", other: "kept" });
  await prompt;
  expect(await request.waitForAnswer()).toEqual({
    answers: { "Which port?": "443", "With TLS?": "false", "Which parts?": "A, mine", other: "kept" },
    items: [
      { question_id: "q1", selected: [], own_text: "443" },
      { question_id: "q2", selected: [], own_text: "false" },
      { question_id: "q3", selected: ["q3_o1"], own_text: "mine" },
    ],
  });
  expect(request.outcome?.degraded).toEqual([
    { question_id: "q1", feature: "field" },
    { question_id: "q2", feature: "field" },
    { question_id: "q3", feature: "choices" },
  ]);
});

test("an answer that does not fit is asked again with the mistake, under an id of its own (P-XFL-9, P-ANS-7)", async () => {
  const { request, client, prompt, asked } = await askedOf(port, parts);
  say(client, asked, { "Which port?": "70000", "Which parts?": "B" });
  const again = await client.seen("QuestionRequest", 2);
  expect([again.id, payload(again).id]).toEqual([`${request.id}#2`, `${request.id}#2`]);
  expect(bodies(again)).toEqual([
    'Not taken: expected a whole number from 1 to 65535, found "70000".',
    "Not taken: expected at least 2 choices, found 1.",
  ]);
  expect(request.resolved).toBe(false);
  say(client, again, { "Which port?": "7000", "Which parts?": "A, B" });
  await prompt;
  expect(await request.wait()).toEqual({ "Which port?": "7000", "Which parts?": "A, B" });
});

test("after the fourth answer that does not fit the request ends, with what was said as its note (P-XFL-9)", async () => {
  const { request, client, prompt, asked } = await askedOf(port);
  let last = asked;
  for (const n of [2, 3, 4]) {
    say(client, last, { "Which port?": "any" });
    last = await client.seen("QuestionRequest", n);
  }
  expect(last.id).toBe(`${request.id}#4`);
  say(client, last, { "Which port?": "whatever" });
  await prompt;
  expect(request.outcome).toMatchObject({
    status: "unavailable",
    reason: "protocol_error",
    note: "whatever",
  });
});

test("a person who is asked again may decline, and a turn that ends meanwhile waits for no answer (P-XFL-9)", async () => {
  const { request, client, prompt, asked } = await askedOf(port);
  say(client, asked, { "Which port?": "any" });
  say(client, await client.seen("QuestionRequest", 2), {});
  await prompt;
  expect(request.outcome).toMatchObject({ status: "declined", reason: "dismissed" });

  const cancelled = await askedOf(tls);
  say(cancelled.client, cancelled.asked, { "With TLS?": "perhaps" });
  const again = await cancelled.client.seen("QuestionRequest", 2);
  await cancelled.client.call("cancel", {});
  await cancelled.prompt;
  say(cancelled.client, again, { "With TLS?": "yes" });
  await cancelled.client.settled();
  expect(cancelled.request.outcome).toMatchObject({ status: "withdrawn", reason: "interrupted" });
});

test("a field that is left blank beside other answers is asked again, unless it may be left empty (P-XFL-5)", async () => {
  const optional = { ...port, question: "Which other port?", field: { ...port.field, required: false } };
  const { request, client, prompt, asked } = await askedOf(port, optional);
  say(client, asked, { "Which other port?": "80" });
  const again = await client.seen("QuestionRequest", 2);
  say(client, again, { "Which port?": "443", "Which other port?": " " });
  await prompt;
  expect((await request.waitForAnswer()).items).toEqual([
    { question_id: "q1", selected: [], own_text: "443" },
    { question_id: "q2", selected: [], skipped: true },
  ]);
});
