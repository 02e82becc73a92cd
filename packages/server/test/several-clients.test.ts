import { expect, test } from "vitest";
import { QuestionRequest, type ServerOptions, wireSend } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { payload } from "./raw-client.js";
import { approvedTool, asks, callLine, colour, scenario, toolResult } from "./scenario.js";
import { until } from "./until.js";

const red = (id: unknown) => ({ request_id: id, answers: { "Which colour?": "Red" } });

/** Two clients on one session, the first of which has prompted and both of which have the question. */
async function twoAsked(options: Partial<ServerOptions> = {}, graceMs = 0) {
  const set = scenario([asks(), "text: b"], options);
  const session = set.server.createSession();
  const { client: one } = await set.meet({ session, graceMs });
  const { client: two } = await set.meet({ session, graceMs });
  const prompt = one.call("prompt", { user_input: "go" });
  const [askedOne, askedTwo] = [await one.seen("QuestionRequest"), await two.seen("QuestionRequest")];
  return { ...set, session, one, two, prompt, askedOne, askedTwo };
}

test("both clients are asked under one id; the first answer counts, the second changes nothing", async () => {
  const { one, two, prompt, askedOne, askedTwo, warnings } = await twoAsked();
  expect([askedTwo.id, payload(askedTwo)]).toEqual([askedOne.id, payload(askedOne)]);
  two.reply(askedTwo, red(askedTwo.id));
  expect(await toolResult(one)).toMatchObject({ output: '{"answers": {"Which colour?": "Red"}}' });
  one.reply(askedOne, { request_id: askedOne.id, answers: { "Which colour?": "Blue" } });
  expect((await prompt).result).toEqual({ status: "finished" });
  await two.settled();
  await one.settled();
  expect(warnings).toContain(`ignored: a response to nothing (id ${askedOne.id})`);
  const story = two.story();
  expect(story.filter((word) => word === "ask QuestionRequest")).toHaveLength(1);
  expect(story.slice(-5)).toEqual(["ToolResult", "StepBegin", "ContentPart", "StatusUpdate", "TurnEnd"]);
});

test("a failing client is taken off the question, the other may still answer", async () => {
  const { one, two, askedOne, askedTwo } = await twoAsked();
  one.replyError(askedOne, -32603, "crashed");
  await one.settled();
  expect(one.story()).not.toContain("ToolResult");
  two.reply(askedTwo, red(askedTwo.id));
  expect(await toolResult(one)).toMatchObject({ message: "User has answered." });
});

test("when both clients fail, the last one's reason is what the model reads", async () => {
  const { one, two, askedOne, askedTwo } = await twoAsked();
  one.replyError(askedOne, -32603, "crashed");
  await one.settled();
  two.replyError(askedTwo, -32601, "cannot");
  expect((await toolResult(one)).display).toEqual([{ type: "brief", text: "Client unsupported" }]);
});

test("when one client leaves, the other still answers", async () => {
  const { one, two, prompt, askedTwo } = await twoAsked();
  one.close();
  await two.settled();
  two.reply(askedTwo, red(askedTwo.id));
  expect(await toolResult(two)).toMatchObject({ message: "User has answered." });
  await expect(prompt).rejects.toThrow("closed");
  await two.seen("TurnEnd");
});

test("when both clients leave, the question waits for the grace, then the model reads that nobody answered", async () => {
  const clock = drivenClock();
  const { model, one, two, server, session } = await twoAsked({ clock }, 30_000);
  one.close();
  two.close();
  await gone(session);
  clock.advance(29_999);
  expect([session.pending.length, session.running]).toEqual([1, true]);
  clock.advance(1);
  expect(session.pending.length).toBe(0);
  await ended(session);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    result: { is_error: true, message: "Failed to get user response." },
  });
  await server.close();
  expect(clock.waiting).toBe(0);
});

test("a client that comes back within the grace answers the same question", async () => {
  const clock = drivenClock();
  const { meet, one, two, session, askedOne } = await twoAsked({ clock }, 30_000);
  one.close();
  two.close();
  await gone(session);
  const { client } = await meet({ session, graceMs: 30_000 });
  const again = await client.seen("QuestionRequest");
  expect(again.id).toBe(askedOne.id);
  clock.advance(60_000);
  client.reply(again, red(again.id));
  expect(await toolResult(client)).toMatchObject({ message: "User has answered." });
  await client.seen("TurnEnd");
});

test("a question on hold waits without limit, also through failures", async () => {
  const { meet, one, two, session, askedOne } = await twoAsked({ attendance: "hold" });
  one.replyError(askedOne, -32603, "crashed");
  await one.settled();
  one.close();
  two.close();
  await gone(session);
  const { client } = await meet({ session });
  const again = await client.seen("QuestionRequest");
  client.reply(again, red(again.id));
  expect(await toolResult(client)).toMatchObject({ message: "User has answered." });
});

test("only clients that can show a question are asked", async () => {
  const set = scenario([asks(), "text: b"]);
  const session = set.server.createSession();
  const { client: plain } = await set.meet({ session }, {});
  const { client } = await set.meet({ session });
  void plain.call("prompt", { user_input: "go" });
  const asked = await client.seen("QuestionRequest");
  client.reply(asked, red(asked.id));
  await plain.seen("TurnEnd");
  expect(plain.story()).not.toContain("ask QuestionRequest");
});

test("both clients hear how an approval ended, and the same action is not asked again", async () => {
  const scripts = [callLine("Shell", {}), callLine("Shell", {}, "tc-2"), "text: b"];
  const set = scenario(scripts, { tools: [approvedTool("Shell")] });
  const session = set.server.createSession();
  const { client: one } = await set.meet({ session });
  const { client: two } = await set.meet({ session });
  const prompt = one.call("prompt", { user_input: "go" });
  const [asked] = [await two.seen("ApprovalRequest"), await one.seen("ApprovalRequest")];
  two.reply(asked, { request_id: asked.id, response: "approve_for_session", feedback: "sure" });
  await prompt;
  await two.settled();
  for (const client of [one, two]) {
    expect(payload(await client.seen("ApprovalResponse"))).toEqual({
      request_id: asked.id,
      response: "approve_for_session",
      feedback: "sure",
    });
    expect(client.story().filter((word) => word === "ask ApprovalRequest")).toHaveLength(1);
  }
});

test("either client may cancel; the result goes to the one that asked", async () => {
  const { one, two, prompt } = await twoAsked();
  expect((await two.call("prompt", { user_input: "me too" })).error).toMatchObject({ code: -32000 });
  expect((await two.call("cancel")).result).toEqual({});
  expect((await prompt).result).toEqual({ status: "cancelled" });
  await two.settled();
  expect(two.story().filter((word) => /TurnEnd|cancelled|ToolResult/.test(word))).toEqual(["TurnEnd"]);
  expect(one.story()).not.toContain("ToolResult");
});

test("another connection may introduce itself while a turn runs", async () => {
  const { two, meet, session } = await twoAsked();
  expect((await two.call("initialize", { protocol_version: "1.10" })).error).toBeUndefined();
  const { client: three } = await meet({ session });
  expect(await three.seen("QuestionRequest")).toBeDefined();
});

test("a request with two equal texts is not shown to a base client, and says so", async () => {
  const request = new QuestionRequest({ tool_call_id: "tc", questions: [colour, colour] });
  const run = async () => {
    wireSend(request);
    await request.wait().catch(() => {});
  };
  const { client } = await scenario([], { run }).meet();
  await client.call("prompt", { user_input: "go" });
  expect(request.outcome).toMatchObject({ status: "unavailable", reason: "unsupported" });
});

/** Resolves when the session has no client left. */
const gone = (session: { offer: { canAsk: boolean }; attendance: string }) =>
  until(() => session.offer.canAsk === (session.attendance === "hold"));

/** Resolves when no turn runs. */
const ended = (session: { running: boolean }) => until(() => !session.running);
