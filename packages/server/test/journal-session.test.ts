import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { heard, keptBeforeTold } from "../../../scripts/kept-before-told.js";
import { watchedDisk } from "../../../scripts/watched-disk.js";
import { keepIn, latestSession, sessionFolder } from "../src/index.js";
import { nodeDisk } from "../src/journal/disk.js";
import { detailedLog, linesOf, messagesOf, temporaryFolder, typesOf } from "./journal-folder.js";
import { payload } from "./raw-client.js";
import { approvedTool, asks, callLine, colour, scenario } from "./scenario.js";

const id = "11111111-1111-4111-8111-111111111111";

/** A server whose sessions of one work directory are kept, started as often as the test wants. */
function keptServers() {
  const place = { share: temporaryFolder(), workDir: "/work" };
  const file = join(sessionFolder({ ...place, id }), "wire.jsonl");
  const { disk, written, safe } = watchedDisk(nodeDisk);
  const watch = keptBeforeTold({ written: () => written(file), safe: () => safe(file) });
  onTestFinished(() => expect(watch.early).toEqual([]));
  const keep = keepIn({ ...place, log: detailedLog(), disk });
  return {
    place,
    folder: sessionFolder({ ...place, id }),
    keep,
    start: (scripts: readonly string[], options: Parameters<typeof scenario>[1] = {}) =>
      scenario(scripts, { keep, hear: (channel) => heard(channel, watch.ear()), ...options }),
  };
}

test("a turn with a question is in the journal from its beginning to its end (P-JRN-4, P-JRN-5)", async () => {
  const { place, folder, start } = keptServers();
  const { meet, server } = start([asks(), "text: Re\ntext: d it is."]);
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "paint" });
  const request = await client.seen("QuestionRequest");
  client.reply(request, { request_id: request.id, answers: { "Which colour?": "Red" } });
  expect((await prompt).result).toEqual({ status: "finished" });
  await server.close();

  const messages = messagesOf(folder);
  // The update may come before the question or after it, since the tool begins while the model still speaks.
  const types = messages.map(({ type }) => type).filter((type) => type !== "StatusUpdate");
  expect(types).toEqual([
    "TurnOpened",
    "TurnBegin",
    "StepBegin",
    "ModelText",
    "ModelAsked",
    "ToolCall",
    "CallStarted",
    "InteractionOpened",
    "QuestionRequest",
    "InteractionSettled",
    "ToolResult",
    "StepBegin",
    "ModelAsked",
    "ContentPart",
    "TurnEnd",
    "TurnEnded",
  ]);
  const of = (type: string) => messages.find((message) => message.type === type)?.payload;
  expect(of("QuestionRequest")).toEqual(payload(request));
  expect(of("ContentPart")).toEqual({ type: "text", text: "Red it is." });
  expect(of("InteractionSettled")).toMatchObject({
    request_id: request.id,
    kind: "question",
    outcome: { status: "answered", by: "human", client: { name: "raw" } },
    response: { answers: { "Which colour?": "Red" } },
  });
  expect(latestSession(place)).toBe(id);
});

test("after a restart the question is asked again in the replay, and answering it does nothing (P-JRN-10)", async () => {
  const { start } = keptServers();
  const first = start([asks(), "text: Red it is."]);
  const before = (await first.meet({ sessionId: id })).client;
  const prompt = before.call("prompt", { user_input: "paint" });
  const asked = await before.seen("QuestionRequest");
  before.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  await prompt;
  await first.server.close();

  const second = start(["text: Still red."]);
  const { client } = await second.meet({ sessionId: id });
  const { result } = await client.call("replay");
  const again = await client.seen("QuestionRequest");
  expect([again.id, payload(again)]).toEqual([asked.id, payload(asked)]);
  const sent = client.received.filter(({ method }) => method === "event" || method === "request");
  expect(result).toEqual({ status: "finished", events: sent.length - 1, requests: 1 });
  client.story();
  client.reply(again, { request_id: again.id, answers: { "Which colour?": "Blue" } });
  await client.settled();
  expect(client.story()).toEqual([]);

  await client.call("prompt", { user_input: "and now?" });
  const roles = second.model.requests[0]?.messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  await second.server.close();
});

test("a session that is opened again is in plan mode if it was (P-PLN-1)", async () => {
  const { start } = keptServers();
  const planModes: unknown[] = [];
  for (const enabled of [true, false, undefined]) {
    const { meet, server } = start(["text: a"]);
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: 'StatusUpdate {"plan_mode":false}' });
    planModes.push(payload(await client.seen("StatusUpdate")).plan_mode);
    if (enabled !== undefined) await client.call("set_plan_mode", { enabled });
    await server.close();
  }
  expect(planModes).toEqual([false, true, false]);
});

test("a session that is shut down with a question open says so, and ends its turn (P-JRN-5)", async () => {
  const { folder, start } = keptServers();
  const { meet, server } = start([asks()], { resume: false });
  const { client } = await meet({ sessionId: id });
  void client.call("prompt", { user_input: "paint" });
  await client.seen("QuestionRequest");
  await server.close();
  expect(typesOf(folder).slice(-3)).toEqual(["InteractionSettled", "TurnEnd", "TurnEnded"]);
  expect(messagesOf(folder).at(-3)?.payload.outcome).toMatchObject({
    status: "withdrawn",
    reason: "shutdown",
    by: "system",
  });
});

test("the journal has our own records of an approval only, and a replay none (P-JRN-4, P-JRN-10)", async () => {
  const { folder, start } = keptServers();
  const { meet, server } = start([callLine("Shell", {}), "text: done"], { tools: [approvedTool("Shell")] });
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "list" });
  const request = await client.seen("ApprovalRequest");
  client.reply(request, { request_id: request.id, response: "approve", feedback: "" });
  await prompt;
  const { result } = await client.call("replay");
  expect(result).toMatchObject({ status: "finished", requests: 0 });
  await server.close();
  const notes = messagesOf(folder).filter(({ type }) => /Interaction|Approval/.test(type));
  expect(notes.map(({ type, payload }) => `${type} ${payload.kind}`)).toEqual([
    "InteractionOpened approval",
    "InteractionSettled approval",
  ]);
  expect(notes[0]?.payload.request).toMatchObject({ id: request.id, sender: "Shell", action: "run command" });
});

test("a session that another server has open is refused by its lock, and nothing of it is touched (P-JRN-7)", async () => {
  const { folder, start } = keptServers();
  const first = start([]);
  first.server.createSession({ id });
  const second = start([]);
  expect(() => second.server.createSession({ id })).toThrow(join(folder, "lock"));
  expect(second.server.sessions.size).toBe(0);
  await first.server.close();
  expect(second.server.createSession({ id }).id).toBe(id);
  await second.server.close();
});

test("the model's message is kept while its calls still run, so that a crash does not hide them (P-JRN-11)", async () => {
  const { keep, folder, start } = keptServers();
  const kept = keep(id);
  const { meet, server } = start([asks(), "text: Red it is."], { keep: () => kept });
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "paint" });
  const request = await client.seen("QuestionRequest");
  await client.seen("StatusUpdate");
  await kept.journal.flush();
  expect(linesOf(folder, "context.jsonl").map(({ role }) => role)).toEqual(["user", "assistant"]);
  client.reply(request, { request_id: request.id, answers: { "Which colour?": "Red" } });
  await prompt;
  await server.close();
  expect(linesOf(folder, "context.jsonl").map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("a recorded request that no longer fits on the wire is not counted as sent (P-JRN-10)", async () => {
  const { start } = keptServers();
  const first = start([asks([{ ...colour, question: "x".repeat(5000) }]), "text: a"]);
  const { client: before } = await first.meet({ sessionId: id });
  const prompt = before.call("prompt", { user_input: "paint" });
  const asked = await before.seen("QuestionRequest");
  before.reply(asked, { request_id: asked.id, answers: {} });
  await prompt;
  await first.server.close();
  const second = start([], { limits: { outboundLength: 4000 } });
  const { client } = await second.meet({ sessionId: id });
  expect((await client.call("replay")).result).toMatchObject({ status: "finished", requests: 0 });
  await second.server.close();
});
