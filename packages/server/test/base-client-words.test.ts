import { expect, test } from "vitest";
import { QuestionRequest, wireSend } from "../src/index.js";
import type { Message, RawClient } from "./raw-client.js";
import { asks, colour, scenario, toolResult } from "./scenario.js";

const failed = "Failed to get user response.";
const dismissed = '{"answers": {}, "note": "User dismissed the question without answering."}';
const question = colour.question;
type Reply = (client: RawClient, request: Message) => void;
const result =
  (value: unknown): Reply =>
  (client, request) =>
    client.reply(request, value);
const answers =
  (value: unknown): Reply =>
  (client, request) =>
    client.reply(request, { request_id: request.id, answers: value });
const error =
  (code: number, message = "no thanks"): Reply =>
  (client, request) =>
    client.replyError(request, code, message);

/** A client's words; the outcome; the model's text in `output` or `message`. */
const table: [string, Reply, string, string][] = [
  ["{}", answers({}), "declined/dismissed", dismissed],
  ["a blank", answers({ [question]: "  \n" }), "declined/dismissed", dismissed],
  ["only blanks", answers({ [question]: "", other: " " }), "declined/dismissed", dismissed],
  ["error 0", error(0), "unavailable/protocol_error", failed],
  ["error 1", error(1), "unavailable/protocol_error", failed],
  ["error -1", error(-1), "unavailable/protocol_error", failed],
  ["error -32000", error(-32000), "unavailable/protocol_error", failed],
  ["Kimi's error for a closed dialog", error(-32000, "User cancelled"), "declined/dismissed", dismissed],
  ["Kimi's words with another code", error(1, "User cancelled"), "unavailable/protocol_error", failed],
  ["error -32599", error(-32599), "unavailable/protocol_error", failed],
  ["error -32701", error(-32701), "unavailable/protocol_error", failed],
  ["error -32800", error(-32800), "unavailable/protocol_error", failed],
  ["error -32601", error(-32601), "unavailable/unsupported", "The connected client does not support"],
  ["error -32700", error(-32700), "unavailable/protocol_error", failed],
  ["error -32603", error(-32603), "unavailable/protocol_error", failed],
  ["error -32602", error(-32602), "unavailable/protocol_error", failed],
  ["error -32600", error(-32600), "unavailable/protocol_error", failed],
  ["null", result(null), "unavailable/protocol_error", failed],
  ["a string", result("Red"), "unavailable/protocol_error", failed],
  ["no answers", result({ request_id: "x" }), "unavailable/protocol_error", failed],
  ["no request_id", result({ answers: {} }), "unavailable/protocol_error", failed],
  ["a list as value", answers({ [question]: ["Red"] }), "unavailable/protocol_error", failed],
  ["a number as value", answers({ [question]: 1 }), "unavailable/protocol_error", failed],
  ["null as value", answers({ [question]: null }), "unavailable/protocol_error", failed],
  ["a label", answers({ [question]: "Red" }), "answered", '{"answers": {"Which colour?": "Red"}}'],
  ["own text", answers({ [question]: "Green" }), "answered", '{"answers": {"Which colour?": "Green"}}'],
  ["unknown keys", answers({ x: "y" }), "answered", '{"answers": {"x": "y"}}'],
];

/** A client whose agent asks a question itself, and then notes what it was told. */
async function asking(asked = colour) {
  const request = new QuestionRequest({ tool_call_id: "tc", questions: [asked] });
  const told: unknown[] = [];
  const run = async () => {
    wireSend(request);
    await request
      .waitForAnswer()
      .then((answer) => told.push(answer))
      .catch(() => {});
  };
  const { client } = await scenario([], { run }).meet();
  return { client, request, told, ...(await client.begin("QuestionRequest")) };
}

test.each(table)("a client that answers %s", async (_, reply, outcome, told) => {
  const { client } = await scenario([asks(), "text: on"]).meet();
  const prompt = client.call("prompt", { user_input: "go" });
  reply(client, await client.seen("QuestionRequest"));
  const value = await toolResult(client);
  expect(`${value.output}${value.message}`).toContain(told);
  expect(value.is_error).toBe(outcome.startsWith("unavailable"));
  expect((await prompt).result).toEqual({ status: "finished" });
});

test.each(table)("a direct asker learns the cause: %s", async (_, reply, outcome) => {
  const { client, request, prompt, asked } = await asking();
  reply(client, asked);
  await prompt;
  const [status, reason] = outcome.split("/");
  expect(request.outcome).toMatchObject({ status, ...(reason === undefined ? {} : { reason }) });
  if (status !== "unavailable")
    expect(request.outcome).toMatchObject({ by: "human", client: { name: "raw" } });
  if (request.outcome?.note !== undefined) expect(request.outcome.note).not.toBe("");
});

test("the error of a handler that crashed is no word of the person, and its message is the note (P-ANS-5)", async () => {
  const { client, request, prompt, asked } = await asking();
  client.replyError(asked, 0, "window is not defined");
  await prompt;
  expect(request.outcome).toMatchObject({
    status: "unavailable",
    reason: "protocol_error",
    note: "window is not defined",
  });
  expect(request.outcome?.by).not.toBe("human");
});

test("own text that equals a label counts as that option, for nothing on the wire tells them apart (P-ANS-2)", async () => {
  const { client, told, prompt, asked } = await asking();
  client.reply(asked, { request_id: asked.id, answers: { [question]: "Red" } });
  await prompt;
  expect(told).toEqual([
    { answers: { [question]: "Red" }, items: [{ question_id: "q1", selected: ["q1_o1"] }] },
  ]);
});

test("own text for a closed question wants to discuss, and never counts as a choice", async () => {
  const { client, request, told, prompt, asked } = await asking({ ...colour, own_text: false } as never);
  client.reply(asked, { request_id: asked.id, answers: { [question]: "Green" } });
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(told).toMatchObject([{ answers: {} }]);
  expect(request.outcome).toMatchObject({ status: "declined", reason: "discuss", note: "Green" });
});

test("the wrong request_id under the right id is taken, with a line in the log", async () => {
  const { meet, warnings } = scenario([asks(), "text: on"]);
  const { client } = await meet();
  void client.call("prompt", { user_input: "go" });
  client.reply(await client.seen("QuestionRequest"), { request_id: "wrong", answers: { [question]: "Red" } });
  expect((await toolResult(client)).message).toBe("User has answered.");
  expect(warnings).toContain("answered with another request_id");
});

test("a response to nothing, and a second answer, change nothing", async () => {
  const { client } = await scenario([asks(), "text: on"]).meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply({ id: "nobody" }, { request_id: asked.id, answers: { [question]: "Blue" } });
  client.reply(asked, { request_id: asked.id, answers: { [question]: "Red" } });
  client.reply(asked, { request_id: asked.id, answers: { [question]: "Blue" } });
  expect((await prompt).result).toEqual({ status: "finished" });
  await client.settled();
  expect((await toolResult(client)).output).toBe('{"answers": {"Which colour?": "Red"}}');
  expect(client.received.filter(({ params }) => params?.type === "ToolResult")).toHaveLength(1);
});

test("an error that is a string is refused, and the question can still be answered", async () => {
  const { client } = await scenario([asks(), "text: on"]).meet();
  const { asked } = await client.begin("QuestionRequest");
  client.send({ jsonrpc: "2.0", id: asked.id, error: "broken" });
  await client.settled();
  expect(client.received.at(-4)).toMatchObject({ id: null, error: { code: -32600 } });
  client.reply(asked, { request_id: asked.id, answers: { [question]: "Red" } });
  expect((await toolResult(client)).message).toBe("User has answered.");
});

test("a question whose text cannot be the key of an answer is refused, and the model told why (P-QST-3)", async () => {
  const { client } = await scenario([asks([{ ...colour, question: "__proto__" }]), "text: on"]).meet();
  await client.call("prompt", { user_input: "go" });
  expect(client.story()).not.toContain("ask QuestionRequest");
  expect(await toolResult(client)).toMatchObject({
    is_error: true,
    message: expect.stringContaining('another text than "__proto__"'),
  });
});
