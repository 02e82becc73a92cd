import { randomUUID } from "node:crypto";
import type { ChannelSink } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { Scope } from "../../src/requests/scope.js";
import { servedSession } from "../../src/session/served-session.js";
import { drivenClock } from "../driven-clock.js";
import { hookCall } from "../interaction/asked.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import {
  approval,
  asking,
  everything,
  extended,
  introduction,
  items,
  lastState,
  meetExtended,
  question,
  states,
  told,
  twoAsked,
} from "./extended-client.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };
const hook = { id: "h", event: "PreToolUse", matcher: "Weather" };

const cancels = (client: ReturnType<typeof extended>) =>
  client.received.filter(({ method }) => method === "$/cancelRequest");

describe("the session's state (P-XST-2)", () => {
  test("the session's state rides on the message after which it has changed, and on no other", async () => {
    const requests = [question(), approval(), question()];
    const set = asking(() => requests);
    const { client } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go", turn_id: "turn 1" });
    const [first, third] = [await client.asked("QuestionRequest"), await client.asked("QuestionRequest", 2)];
    const second = await client.asked("ApprovalRequest");
    expect([first.id, second.id, third.id]).toEqual(requests.map(({ id }) => id));
    expect(lastState(client)).toEqual({ state: "waiting", pending: [first.id, second.id, third.id] });
    await client.answer(second, { response: "approve" });
    await client.answer(first, { items });
    expect(lastState(client)).toEqual({ state: "waiting", pending: [third.id] });
    await client.answer(third, { items });
    await prompt;
    expect(states(client)).toEqual([
      "TurnBegin: running",
      "QuestionRequest: waiting",
      "InteractionSettled: running",
      "TurnEnd: idle",
    ]);
    expect(client.events().map(({ seq }) => seq)).toEqual(client.events().map((_, index) => index + 1));
  });

  test("the session's state stays running for a tool call and a hook, which have the server's own ids (P-XTH-1)", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const { client } = await meetExtended(set, {}, { external_tools: [weather], hooks: [hook] });
    const { prompt, asked } = await client.begin("HookRequest");
    const hookId = asked.params?.payload.request_id;
    expect(lastState(client)).toMatchObject({ state: "running", pending: [hookId] });
    client.reply(asked, { request_id: asked.id, action: "allow" });
    const call = await client.seen("ToolCallRequest");
    const callId = call.params?.payload.request_id;
    expect(callId).not.toBe(call.id);
    expect([call.id, call.params?.payload.id]).toEqual(["tc-1", "tc-1"]);
    expect(lastState(client)).toMatchObject({ state: "running", pending: [callId] });
    client.reply(call, { tool_call_id: call.id, return_value: sunny });
    await prompt;
    expect(lastState(client)).toEqual({ state: "idle", pending: [] });
    expect(states(client)).toEqual(["TurnBegin: running", "TurnEnd: idle"]);
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

  test("the session's state rides on the next message where the one that changed it cannot be sent", async () => {
    const long = "x".repeat(20_000);
    const set = asking(() => [question()], { limits: { outboundLength: 16_000 } });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session });
    session.broadcast({ type: "ContentPart", payload: { type: "text", text: long } });
    const prompt = session.prompt(long);
    await client.answer(await client.asked("QuestionRequest"), { items });
    await prompt;
    await client.settled();
    expect(client.events().map(({ type }) => type)).toEqual([
      "QuestionRequest",
      "InteractionSettled",
      "TurnEnd",
    ]);
    expect(states(client)).toEqual([
      "QuestionRequest: waiting",
      "InteractionSettled: running",
      "TurnEnd: idle",
    ]);
  });

  test("the session's state is sent to a client that attaches, and not again where nothing has changed since", async () => {
    const set = asking(() => [question()]);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { prompt } = await base.begin("QuestionRequest");
    const { client, found } = await meetExtended(set, { session });
    expect(found).toMatchObject({ state: "waiting", seq: 0, pending: [set.opened[0]?.id] });
    expect(found.turn_id).toBeDefined();
    servedSession(session).core.open(hookCall("nobody"), new Scope());
    await client.answer(await client.asked("QuestionRequest"), { items });
    await prompt;
    expect(states(client)).toEqual(["InteractionSettled: running", "TurnEnd: idle"]);
  });
});

describe("the opening of a request (P-XST-1, P-XAT-3)", () => {
  test("the opening of a request is sent in short, under the same number, to an extended client that is not asked", async () => {
    const set = scenario([`${callLine("Weather", {})}\n${asks(undefined, "tc-2")}`, "text: b"]);
    const session = set.server.createSession();
    const { client: one } = await meetExtended(set, { session }, { external_tools: [weather] });
    const { client: two } = await meetExtended(set, { session }, { question: false });
    const { prompt, asked: call } = await one.begin("ToolCallRequest");
    one.reply(call, { tool_call_id: call.id, return_value: sunny });
    const asked = await one.asked("QuestionRequest");
    await two.settled();
    const [tool, question] = two.received.filter(({ params }) => params?.type === "InteractionOpened");
    const { seq, state } = call.params as { seq?: number; state?: string };
    expect(tool).toEqual({
      jsonrpc: "2.0",
      method: "event",
      params: {
        type: "InteractionOpened",
        payload: { request_id: call.params?.payload.request_id, kind: "tool_call" },
        seq,
      },
    });
    expect([state, question?.params]).toEqual([
      undefined,
      {
        type: "InteractionOpened",
        payload: { request_id: asked.id, kind: "question" },
        seq: told(asked).seq,
        state: "waiting",
      },
    ]);
    expect(two.requests()).toEqual([]);
    await one.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    await prompt;
  });

  test("the opening of a request is sent in short to a client that it is too long for, which is taken off it", async () => {
    const set = asking(() => [question({ questions: [{ question: "x".repeat(20_000), options: [] }] })], {
      limits: { outboundLength: 16_000 },
    });
    const { client } = await meetExtended(set);
    await client.call("prompt", { user_input: "go" });
    expect(client.events().map(({ type }) => type)).toEqual([
      "TurnBegin",
      "InteractionOpened",
      "InteractionSettled",
      "TurnEnd",
    ]);
    expect(set.opened[0]?.outcome).toMatchObject({
      status: "unavailable",
      reason: "protocol_error",
      note: expect.stringContaining("at most 16000"),
    });
  });

  test("the opening of a request is sent whole to a client on a channel that delivers at once, which answers from within, and to no other", async () => {
    const requests = [question()];
    const set = asking(() => requests);
    const session = set.server.createSession();
    const { client: two } = await meetExtended(set, { session });
    const told: string[] = [];
    let sink: ChannelSink | undefined;
    const say = (message: object) => sink?.message(JSON.stringify({ jsonrpc: "2.0", ...message }));
    set.server.connect(
      {
        send(text) {
          const { id, method, params } = JSON.parse(text);
          told.push(params?.type ?? `reply to ${id}`);
          if (method !== "event") return;
          const answer = {
            request_id: params.payload.id,
            answer_id: "a",
            outcome: { status: "answered" },
            items,
          };
          if (params.type === "QuestionRequest") say({ id: "answer", method: "answer", params: answer });
        },
        listen: (listening) => {
          sink = listening;
        },
        close() {},
        drained: () => Promise.resolve(),
      },
      { session },
    );
    say({ id: "hello", method: "initialize", params: introduction() });
    await session.prompt("go");
    await two.settled();
    const order = ["reply to hello", "TurnBegin", "QuestionRequest", "reply to answer", "TurnEnd"];
    expect(told).toEqual(order);
    expect(
      two
        .events()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["InteractionSettled", "QuestionRequest", "TurnBegin", "TurnEnd"]);
    expect(requests[0]?.outcome).toMatchObject({ status: "answered", by: "human" });
  });
});

describe("InteractionSettled (P-XST-1)", () => {
  test("InteractionSettled comes before the tool's result, with the next state", async () => {
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
    const words = client.story().filter((word) => /Settled|ToolResult|Request$|Turn/.test(word));
    expect(words).toEqual([
      "TurnBegin",
      "QuestionRequest",
      "InteractionSettled",
      "ToolResult",
      "ApprovalRequest",
      "InteractionSettled",
      "ToolResult",
      "TurnEnd",
    ]);
    expect(states(client).filter((word) => /Settled/.test(word))).toEqual([
      "InteractionSettled: running",
      "InteractionSettled: running",
    ]);
  });

  test("InteractionSettled comes before TurnEnd where the turn is cancelled, without a response", async () => {
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

  test("InteractionSettled comes when the session closes, before the connection does (P-CLO-2)", async () => {
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

  test("InteractionSettled is not sent for a request that was sent to nobody", async () => {
    const set = asking(() => [question()]);
    const { client } = await meetExtended(set, {}, { question: false });
    await client.call("prompt", { user_input: "go" });
    expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason: "unsupported" });
    expect(client.events().map(({ type }) => type)).toEqual(["TurnBegin", "TurnEnd"]);
  });

  test("InteractionSettled says who answered, also where a base client did", async () => {
    const set = asking(() => [question()]);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client } = await meetExtended(set, { session });
    const { prompt, asked } = await base.begin("QuestionRequest");
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
    const { client: two } = await meetExtended(set, { session });
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

  test("a call of a program has a number, and one that is sent again has none", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const session = set.server.createSession();
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const { client: one, found } = await meetExtended(
      set,
      { session },
      { ...same, external_tools: [weather] },
    );
    const prompt = one.call("prompt", { user_input: "go", turn_id: "t" });
    const call = await one.seen("ToolCallRequest");
    const { seq } = call.params as { seq?: number };
    expect([seq, one.events().at(-1)?.seq]).toEqual([
      servedSession(session).eventLog.seq,
      servedSession(session).eventLog.seq - 1,
    ]);
    const left = { id: session.id, stream: found.stream, after_seq: seq };
    const { client: two } = await meetExtended(set, { session }, { ...same, session: left });
    const again = await two.seen("ToolCallRequest");
    expect([again.params, two.events()]).toEqual([
      { type: "ToolCallRequest", payload: call.params?.payload },
      [],
    ]);
    two.reply(again, { tool_call_id: again.id, return_value: sunny });
    await two.seen("TurnEnd");
    expect(two.events()[0]?.seq).toBe((seq as number) + 1);
    void prompt;
  });

  test("a status that a client changes between turns is sent to all under one number, before the reply", async () => {
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
  test("$/cancelRequest is sent for a tool call that the end of the turn overtakes, to its extended client", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const { client, session } = await meetExtended(set, {}, { external_tools: [weather] });
    const { client: other } = await meetExtended(set, { session });
    const { prompt, asked: call } = await client.begin("ToolCallRequest");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(cancels(client)).toEqual([{ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: call.id } }]);
    await other.settled();
    expect(cancels(other)).toEqual([]);
  });

  test("$/cancelRequest is not sent to a base client", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const client = extended(set.connect().client);
    await client.call("initialize", { protocol_version: "1.10", external_tools: [weather] });
    const { prompt } = await client.begin("ToolCallRequest");
    await client.call("cancel");
    await prompt;
    await client.settled();
    expect(cancels(client)).toEqual([]);
  });

  test("$/cancelRequest is sent for a hook that gave no answer in time, and a late reply has no effect", async () => {
    const clock = drivenClock();
    const set = scenario(["text: b"], { clock });
    const hooks = [{ id: "h", event: "UserPromptSubmit", timeout: 5 }];
    const { client } = await meetExtended(set, {}, { hooks });
    const { prompt, asked } = await client.begin("HookRequest");
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

  test("$/cancelRequest is not sent for what was answered, nor for questions and approvals however they end", async () => {
    const set = scenario([`${callLine("Weather", {})}\n${asks(undefined, "tc-2")}`, "text: b"], {
      tools: [approvedTool("Shell")],
    });
    const { client } = await meetExtended(set, {}, { external_tools: [weather], hooks: [hook] });
    const { prompt, asked } = await client.begin("HookRequest");
    client.reply(asked, { request_id: asked.id, action: "allow" });
    const call = await client.seen("ToolCallRequest");
    client.reply(call, { tool_call_id: call.id, return_value: sunny });
    await client.asked("QuestionRequest");
    await client.call("cancel");
    await prompt;
    expect(cancels(client)).toEqual([]);
  });
});
