import type { WireRequest } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { approval, question, rawServer } from "./raw-server.js";

describe("steer (P-CLI-7)", () => {
  test("steer says something to the agent while a turn runs", async () => {
    const { session, next, reply } = await rawServer();
    const turn = session.prompt("go");
    const prompt = await next();
    const steered = session.steer("in German");
    const { id, ...message } = await next();
    expect(message).toMatchObject({ method: "steer", params: { user_input: "in German" } });
    reply(id, { status: "steered" });
    expect(await steered).toBeUndefined();
    reply(prompt.id, { status: "finished" });
    await turn.result;
  });

  test("steer reaches somebody else's turn too", async () => {
    const { session, next, reply, event, settled } = await rawServer();
    event("TurnBegin", { user_input: "theirs" });
    await settled();
    const steered = session.steer("in German");
    reply((await next()).id, { status: "steered" });
    await steered;
  });

  test("steer is not sent between turns", async () => {
    const { session, next, reply, event, settled } = await rawServer();
    const turn = session.prompt("go");
    reply((await next()).id, { status: "finished" });
    await turn.result;
    await expect(session.steer("late")).rejects.toMatchObject({ code: "INVALID_STATE" });
    event("TurnBegin", { user_input: "theirs" });
    event("TurnEnd");
    await settled();
    await expect(session.steer("late")).rejects.toMatchObject({ code: "INVALID_STATE" });
    await settled();
  });

  test.each([-32000, -32601])("a server's refusal %i of a steer is reported unchanged", async (code) => {
    const { session, next, fail } = await rawServer();
    const steered = session.steer("hello");
    fail((await next()).id, code);
    await expect(steered).rejects.toMatchObject({ name: "WireError", code });
  });
});

describe("the answers of a handler by question text", () => {
  test.each([
    [{ "Whch colour?": "Red" }, '"Whch colour?" is no question of this request'],
    [{ "Which colour?": ["Red", "Blue"] }, 'expected a text for "Which colour?"'],
    [{ "Which colour?": null }, 'expected a text for "Which colour?"'],
  ])("answers that are none are a failure of the client, and no dismissal: %j", async (answers, why) => {
    const problems: string[] = [];
    const { ask, next } = await rawServer({
      handlers: { question: async () => ({ answers }) as never },
      onProblem: (problem) => problems.push(problem),
    });
    ask("QuestionRequest", question);
    expect(await next()).toMatchObject({ error: { message: expect.stringContaining(why) } });
  });
});

describe("plan mode", () => {
  test.each([[true], [false], [undefined]])(
    "the client says that it shows plans only if it was told that it does: %s (P-CAP-1)",
    async (planMode) => {
      const { initialize } = await rawServer(planMode === undefined ? {} : { planMode });
      const supports_plan_mode = planMode === true;
      expect(initialize).toMatchObject({ params: { capabilities: { supports_plan_mode } } });
    },
  );

  test("plan mode is switched, and the status has what the server made of it", async () => {
    const { session, next, reply } = await rawServer();
    expect(session.status.plan_mode).toBeNull();
    const switched = session.setPlanMode(true);
    const { id, ...message } = await next();
    expect(message).toMatchObject({ method: "set_plan_mode", params: { enabled: true } });
    reply(id, { status: "ok", plan_mode: true });
    expect([await switched, session.status.plan_mode]).toEqual([true, true]);
  });
});

describe("status", () => {
  test("the status keeps what an update does not name, or names as null (P-CLI-8)", async () => {
    const { session, event, settled } = await rawServer();
    const token_usage = { input_other: 1, output: 2, input_cache_read: 3, input_cache_creation: 4 };
    event("StatusUpdate", { context_usage: 0.25, token_usage, plan_mode: false });
    await settled();
    const before = session.status;
    expect(before).toMatchObject({ context_usage: 0.25, token_usage, plan_mode: false, message_id: null });
    event("StatusUpdate", { context_usage: null, context_tokens: 7, token_usage: null, plan_mode: true });
    await settled();
    expect(session.status).toMatchObject({
      context_usage: 0.25,
      context_tokens: 7,
      token_usage,
      plan_mode: true,
    });
    expect(before.plan_mode).toBe(false);
  });

  test("the status is that of the session, not of its sub-agents (P-CLI-8)", async () => {
    const { session, event, settled } = await rawServer();
    const inner = { type: "StatusUpdate", payload: { context_usage: 0.5 } };
    event("SubagentEvent", { parent_tool_call_id: "tc-1", agent_id: "a", subagent_type: "x", event: inner });
    await settled();
    expect(session.status.context_usage).toBeNull();
  });
});

describe("replay (P-CLI-9)", () => {
  /** A client that was asked nothing, and a replay that has begun. */
  async function replaying() {
    const asked: string[] = [];
    const live: string[] = [];
    const problems: string[] = [];
    const server = await rawServer({
      handlers: {
        question: ({ id }) => void asked.push(id) as never,
        approval: ({ id }) => void asked.push(id) as never,
        event: ({ type }) => void live.push(type),
      },
      tools: [
        {
          name: "T",
          description: "",
          parameters: {},
          run: (_args, { toolCallId }) => void asked.push(toolCallId) as never,
        },
      ],
      onProblem: (problem) => void problems.push(problem),
    });
    const events: unknown[] = [];
    const requests: WireRequest[] = [];
    const result = server.session.replay({
      event: (event) => void events.push(event),
      request: (request) => void requests.push(request),
    });
    const { id, method } = await server.next();
    expect(method).toBe("replay");
    return { ...server, id, result, asked, live, events, requests, problems };
  }

  test("a replay hands over events and requests, and asks nobody; each request is answered with -32601", async () => {
    const { event, ask, next, reply, id, result, asked, live, events, requests } = await replaying();
    event("TurnBegin", { user_input: "then" });
    ask("QuestionRequest", question);
    ask("ApprovalRequest", approval);
    ask("ToolCallRequest", { id: "tc-2", name: "T", arguments: "{}" });
    event("Later", { x: 1 });
    event("TurnEnd");
    for (const replayed of ["r-1", "a-1", "tc-2"])
      expect(await next()).toMatchObject({
        id: replayed,
        error: { code: -32601, data: { reason: "replayed" } },
      });
    reply(id, { status: "finished", events: 3, requests: 3 });
    expect(await result).toEqual({ status: "finished", events: 3, requests: 3 });
    expect(events).toMatchObject([{ type: "TurnBegin" }, { type: "unrecognized" }, { type: "TurnEnd" }]);
    expect(requests.map(({ type }) => type)).toEqual([
      "QuestionRequest",
      "ApprovalRequest",
      "ToolCallRequest",
    ]);
    expect(requests[0]?.payload).toMatchObject({ ...question, questions: [{ question: "Which?" }] });
    expect([asked, live]).toEqual([[], []]);
  });

  test("a message right after a replay's result is live again, also in the same moment", async () => {
    const { session, event, ask, next, reply, id, result, asked, live, events } = await replaying();
    event("TurnEnd");
    reply(id, { status: "finished", events: 1, requests: 0 });
    event("TurnBegin", { user_input: "theirs" });
    ask("QuestionRequest", question);
    expect((await next()).id).toBe("r-1");
    await result;
    expect([events.length, live, asked]).toEqual([1, ["TurnBegin"], ["r-1"]]);
    const steered = session.steer("hello");
    reply((await next()).id, { status: "steered" });
    await steered;
  });

  test("a replay changes neither status nor turns, and a failing handler costs nothing", async () => {
    const problems: string[] = [];
    const { session, next, event, reply } = await rawServer({
      onProblem: (problem) => void problems.push(problem),
    });
    const result = session.replay({
      event() {
        throw new Error("the display broke");
      },
    });
    const { id } = await next();
    event("StatusUpdate", { plan_mode: true });
    reply(id, { status: "finished", events: 1, requests: 0 });
    await result;
    expect(session.status.plan_mode).toBeNull();
    expect(problems).toEqual(["replay handler: StatusUpdate: Error: the display broke"]);
  });

  test("nothing else is begun during a replay, and it is not begun beside a turn", async () => {
    const { session, next, reply, id, result } = await replaying();
    const state = expect.objectContaining({ code: "INVALID_STATE" });
    expect(() => session.prompt("go")).toThrow(state);
    await expect(session.replay()).rejects.toThrow(state);
    await expect(session.steer("go")).rejects.toThrow(state);
    reply(id, { status: "finished", events: 0, requests: 0 });
    await result;
    const turn = session.prompt("go");
    await expect(session.replay()).rejects.toThrow(state);
    reply((await next()).id, { status: "finished" });
    await turn.result;
  });

  test("a replay can be cancelled; without handlers it only counts", async () => {
    const { session, next, reply, event, ask } = await rawServer();
    const result = session.replay();
    const { id } = await next();
    event("TurnBegin", { user_input: "then" });
    ask("QuestionRequest", question);
    expect(await next()).toMatchObject({ id: "r-1", error: { code: -32601 } });
    const cancelled = session.cancel();
    reply((await next()).id, {});
    reply(id, { status: "cancelled", events: 1, requests: 1 });
    await cancelled;
    expect(await result).toEqual({ status: "cancelled", events: 1, requests: 1 });
  });

  test("a refusal ends a replay, and what comes then is live", async () => {
    const { fail, id, result, event, settled, live } = await replaying();
    fail(id, -32000);
    event("TurnBegin", { user_input: "theirs" });
    await expect(result).rejects.toMatchObject({ code: -32000 });
    await settled();
    expect(live).toEqual(["TurnBegin"]);
  });
});

describe("cancel", () => {
  test("cancelling sends one cancel, and the prompt may still end finished", async () => {
    const { session, next, reply } = await rawServer();
    const turn = session.prompt("go");
    const prompt = await next();
    const cancelled = session.cancel();
    const { id, method } = await next();
    expect(method).toBe("cancel");
    reply(id, {});
    await cancelled;
    reply(prompt.id, { status: "finished" });
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test("cancelling when nothing runs is told the server's -32000", async () => {
    const { session, next, fail } = await rawServer();
    const cancelled = session.cancel();
    fail((await next()).id, -32000, "No agent turn is in progress");
    await expect(cancelled).rejects.toMatchObject({ name: "WireError", code: -32000 });
  });
});
