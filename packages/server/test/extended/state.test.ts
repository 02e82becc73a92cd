import { describe, expect, test } from "vitest";
import { Scope } from "../../src/requests/scope.js";
import { servedSession } from "../../src/session/served-session.js";
import { drivenClock } from "../driven-clock.js";
import { hookCall } from "../interaction/asked.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import {
  approval,
  asking,
  extended,
  items,
  lastState,
  meetExtended,
  question,
  twoAsked,
} from "./extended-client.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };
const hook = { id: "h", event: "PreToolUse", matcher: "Weather" };

const cancels = (client: ReturnType<typeof extended>) =>
  client.received.filter(({ method }) => method === "$/cancelRequest");

describe("SessionState (P-XST-2)", () => {
  test("says what the session does and what is open, after each change and only then", async () => {
    const requests = [question(), approval(), question()];
    const set = asking(() => requests);
    const { client } = await meetExtended(set);
    const turn_id = "turn 1";
    const prompt = client.call("prompt", { user_input: "go", turn_id });
    const [first, third] = [await client.asked("QuestionRequest"), await client.asked("QuestionRequest", 2)];
    const second = await client.asked("ApprovalRequest");
    expect([first.id, second.id, third.id]).toEqual(requests.map(({ id }) => id));
    await client.answer(second, { response: "approve" });
    await client.answer(first, { items });
    await client.answer(third, { items });
    await prompt;
    expect(client.events("SessionState").map(({ payload }) => payload)).toEqual([
      { state: "running", turn_id, pending: [] },
      { state: "waiting", turn_id, pending: [first.id] },
      { state: "waiting", turn_id, pending: [first.id, second.id] },
      { state: "waiting", turn_id, pending: [first.id, second.id, third.id] },
      { state: "waiting", turn_id, pending: [first.id, third.id] },
      { state: "waiting", turn_id, pending: [third.id] },
      { state: "running", turn_id, pending: [] },
      { state: "idle", pending: [] },
    ]);
  });

  test("counts a tool call and a hook as running, under the server's own ids (P-XTH-1)", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const { client } = await meetExtended(set, {}, { external_tools: [weather], hooks: [hook] });
    const prompt = client.call("prompt", { user_input: "go" });
    const asked = await client.seen("HookRequest");
    await client.settled();
    const hookId = asked.params?.payload.request_id;
    expect(lastState(client)).toMatchObject({ state: "running", pending: [hookId] });
    client.reply(asked, { request_id: asked.id, action: "allow" });
    const call = await client.seen("ToolCallRequest");
    await client.settled();
    const callId = call.params?.payload.request_id;
    expect(callId).not.toBe(call.id);
    expect([call.id, call.params?.payload.id]).toEqual(["tc-1", "tc-1"]);
    expect(lastState(client)).toMatchObject({ state: "running", pending: [callId] });
    client.reply(call, { tool_call_id: call.id, return_value: sunny });
    await prompt;
    expect(lastState(client)).toEqual({ state: "idle", pending: [] });
    expect(client.events("InteractionSettled").map(({ payload }) => payload)).toMatchObject([
      {
        request_id: hookId,
        kind: "hook",
        outcome: { status: "answered", by: "hook" },
        response: { action: "allow" },
      },
      { request_id: callId, kind: "tool_call", outcome: { status: "answered" }, response: sunny },
    ]);
  });

  test("does not come again where nothing has changed, as with a request that is too long for everybody", async () => {
    const long = "x".repeat(20_000);
    const set = asking(() => [question(), question({ questions: [{ question: long, options: [] }] })], {
      limits: { outboundLength: 16_000 },
    });
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client } = await meetExtended(set, { session });
    const prompt = base.call("prompt", { user_input: "go" });
    const asked = await client.asked("QuestionRequest");
    await client.settled();
    expect(set.opened[1]?.outcome?.status).toBe("unavailable");
    const { client: late } = await meetExtended(set, { session });
    await late.answer(asked, { items });
    await prompt;
    await client.settled();
    const states = client.events("SessionState").map(({ payload }) => JSON.stringify(payload));
    expect(states.filter((state, index) => state === states[index - 1])).toEqual([]);
    expect(client.events("SessionState").map(({ payload }) => (payload.pending as string[]).length)).toEqual(
      expect.arrayContaining([0, 1]),
    );
  });

  test("does not come to who attaches where nothing has changed since", async () => {
    const requests = [question()];
    const set = asking(() => requests);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const prompt = base.call("prompt", { user_input: "go" });
    await base.seen("QuestionRequest");
    const { client, found } = await meetExtended(set, { session });
    expect(found).toMatchObject({ state: "waiting", seq: 0 });
    // One that nobody can be asked any more settles at once.
    servedSession(session).core.open(hookCall("nobody"), new Scope());
    servedSession(session).core.open(
      question({ questions: [{ question: "x".repeat(2 ** 24), options: [] }] }),
      new Scope(),
    );
    await client.settled();
    expect(client.events("SessionState").map(({ payload }) => payload.pending)).not.toContainEqual(
      found.pending,
    );
    await client.answer(await client.asked("QuestionRequest"), { items });
    await prompt;
  });

  test("is what a client that attaches is told too", async () => {
    const set = await twoAsked();
    const { client, found } = await meetExtended(set, { session: set.session });
    expect(found).toMatchObject({
      state: "waiting",
      pending: [set.asked.id],
      turn_id: lastState(set.one)?.turn_id,
    });
    expect(found.seq).toBe(set.one.events().at(-1)?.seq);
    await client.answer(await client.asked("QuestionRequest"), { items });
    await set.prompt;
  });
});

describe("InteractionSettled (P-XST-1)", () => {
  test("comes before the tool's result and the next state, and the next state before the result", async () => {
    const set = scenario([asks(), callLine("Shell", {}, "tc-2"), "text: b"], {
      tools: [approvedTool("Shell")],
    });
    const { client } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("QuestionRequest"), {
      items: [{ question_id: "q1", selected: ["q1_o1"] }],
    });
    await client.answer(await client.asked("ApprovalRequest"), { response: "approve" });
    await prompt;
    const words = client.story().filter((word) => /Settled|State|ToolResult|^ask|Turn/.test(word));
    expect(words).toEqual([
      "TurnBegin",
      "SessionState",
      "ask QuestionRequest",
      "SessionState",
      "InteractionSettled",
      "SessionState",
      "ToolResult",
      "ask ApprovalRequest",
      "SessionState",
      "InteractionSettled",
      "SessionState",
      "ToolResult",
      "TurnEnd",
      "SessionState",
    ]);
  });

  test("comes before TurnEnd where the turn is cancelled, without a response", async () => {
    const { one, two, asked, prompt } = await twoAsked(() => [question(), approval()]);
    await one.call("cancel");
    await prompt;
    await two.seen("TurnEnd");
    const settled = two.events("InteractionSettled").map(({ payload }) => payload);
    const outcome = {
      status: "withdrawn",
      reason: "interrupted",
      by: expect.any(String),
      at: expect.any(String),
    };
    expect(settled).toEqual([
      { request_id: asked.id, kind: "question", outcome },
      { request_id: expect.any(String), kind: "approval", outcome },
    ]);
    const types = two.events().map(({ type }) => type);
    expect(types.lastIndexOf("InteractionSettled")).toBeLessThan(types.indexOf("TurnEnd"));
  });

  test("comes when the session closes, before the connection does (P-CLO-2)", async () => {
    const { one, two, session } = await twoAsked();
    await session.close();
    for (const client of [one, two]) {
      expect(client.events("InteractionSettled").map(({ payload }) => payload.outcome)).toMatchObject([
        { status: "withdrawn", reason: "session_closed" },
      ]);
      expect(lastState(client)).toEqual({ state: "idle", pending: [] });
      expect(client.isClosed).toBe(true);
    }
  });

  test("does not come of a request that was sent to nobody", async () => {
    const set = asking(() => [question()]);
    const { client } = await meetExtended(set, {}, { question: false });
    await client.call("prompt", { user_input: "go" });
    expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason: "unsupported" });
    expect([client.events("InteractionSettled"), client.events("SessionState")]).toMatchObject([
      [],
      [{}, {}],
    ]);
  });

  test("says who answered, also where a base client did", async () => {
    const set = asking(() => [question()]);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client } = await meetExtended(set, { session });
    const prompt = base.call("prompt", { user_input: "go" });
    const asked = await base.seen("QuestionRequest");
    base.reply(asked, {
      request_id: asked.id,
      answers: { "Which colour?": "Red", "Which extras?": "Light, bright" },
    });
    await prompt;
    expect(client.events("InteractionSettled")[0]?.payload).toMatchObject({
      request_id: asked.id,
      outcome: { status: "answered", by: "human", client: { name: "raw" } },
      response: {
        answers: { "Which colour?": "Red", "Which extras?": "Light, bright" },
        items: [items[0], { question_id: "extras", selected: ["light"] }],
      },
    });
  });
});

describe("numbers (P-XAT-3)", () => {
  test("every extended client is told the same events under the same numbers, one after the other from 1", async () => {
    const set = scenario([`text: hm\n${asks()}`, callLine("Shell", {}, "tc-2"), "text: b"], {
      tools: [approvedTool("Shell")],
    });
    const session = set.server.createSession();
    const { client: one } = await meetExtended(set, { session });
    const { client: two } = await meetExtended(set, { session }, { question: false, shows: {} });
    const prompt = two.call("prompt", { user_input: "go" });
    await one.answer(await one.asked("QuestionRequest"), {
      items: [{ question_id: "q1", selected: ["q1_o1"] }],
    });
    await two.answer(await two.asked("ApprovalRequest"), { response: "approve" });
    await prompt;
    await one.settled();
    const [left, right] = [one, two].map(({ received }) =>
      received.filter(({ method }) => method === "event").map((message) => JSON.stringify(message)),
    );
    expect(left).toEqual(right);
    expect(one.events().map(({ seq }) => seq)).toEqual(one.events().map((_, index) => index + 1));
  });

  test("a request carries the number of the last event before it, and takes none", async () => {
    const { one, two, prompt, asked } = await twoAsked(() => [question(), approval()]);
    for (const client of [one, two]) {
      let last: number | undefined;
      for (const { method, params } of client.received) {
        const { seq } = (params ?? {}) as { seq?: number };
        if (method === "event") last = seq;
        if (method === "request") expect(seq).toBe(last);
      }
    }
    await one.answer(asked, { items });
    await one.answer(await one.asked("ApprovalRequest"), { response: "approve" });
    await prompt;
    expect(one.events().map(({ seq }) => seq)).toEqual(one.events().map((_, index) => index + 1));
  });

  test("a status that a client changes between turns is told to all under one number, before the reply", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const { client: one } = await meetExtended(set, { session });
    const { client: two } = await meetExtended(set, { session });
    await two.call("set_plan_mode", { enabled: true });
    await one.settled();
    expect(two.story()).toEqual(["StatusUpdate", "set_plan_mode: ok"]);
    expect(one.events()).toEqual(two.events());
    expect(one.events()).toMatchObject([{ seq: 1, payload: { plan_mode: true } }]);
    const { found } = await meetExtended(set, { session });
    expect(found).toMatchObject({ plan_mode: true, seq: 1 });
  });
});

describe("$/cancelRequest (P-XST-4)", () => {
  test("is sent for a tool call that the end of the turn overtakes, to its extended client", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const { client, session } = await meetExtended(set, {}, { external_tools: [weather] });
    const { client: other } = await meetExtended(set, { session });
    const prompt = client.call("prompt", { user_input: "go" });
    const call = await client.seen("ToolCallRequest");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(cancels(client)).toEqual([{ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: call.id } }]);
    await other.settled();
    expect(cancels(other)).toEqual([]);
  });

  test("is not sent to a base client", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const client = extended(set.connect().client);
    await client.call("initialize", { protocol_version: "1.10", external_tools: [weather] });
    const prompt = client.call("prompt", { user_input: "go" });
    await client.seen("ToolCallRequest");
    await client.call("cancel");
    await prompt;
    await client.settled();
    expect(cancels(client)).toEqual([]);
  });

  test("is sent for a hook that gave no answer in time, and a late reply has no effect", async () => {
    const clock = drivenClock();
    const set = scenario(["text: b"], { clock });
    const hooks = [{ id: "h", event: "UserPromptSubmit", timeout: 5 }];
    const { client } = await meetExtended(set, {}, { hooks });
    const prompt = client.call("prompt", { user_input: "go" });
    const asked = await client.seen("HookRequest");
    await client.settled();
    clock.advance(5_000);
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(cancels(client)).toMatchObject([{ params: { id: asked.id } }]);
    expect(client.events("InteractionSettled").map(({ payload }) => payload)).toMatchObject([
      { kind: "hook", outcome: { status: "expired", reason: "deadline", by: "timer" } },
    ]);
    client.reply(asked, { request_id: asked.id, action: "block", reason: "no" });
    await client.settled();
    expect(client.events("InteractionSettled")).toHaveLength(1);
  });

  test("is not sent for what was answered, nor for questions and approvals however they end", async () => {
    const set = scenario([`${callLine("Weather", {})}\n${asks(undefined, "tc-2")}`, "text: b"], {
      tools: [approvedTool("Shell")],
    });
    const { client } = await meetExtended(set, {}, { external_tools: [weather], hooks: [hook] });
    const prompt = client.call("prompt", { user_input: "go" });
    const asked = await client.seen("HookRequest");
    client.reply(asked, { request_id: asked.id, action: "allow" });
    const call = await client.seen("ToolCallRequest");
    client.reply(call, { tool_call_id: call.id, return_value: sunny });
    await client.asked("QuestionRequest");
    await client.call("cancel");
    await prompt;
    expect(cancels(client)).toEqual([]);
  });
});
