import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import {
  agentMethods,
  bindPeer,
  clientMethods,
  type Handlers,
  LocalError,
  type PeerOptions,
  type RequestPayloadInput,
  request,
  type requests,
  taggedNotification,
  type Unrecognized,
  WireError,
  type WireEvent,
} from "../src/index.js";
import { linkedPair } from "../src/testing.js";
import { rawChannel, stateOf, turns } from "./raw-channel.js";

type AgentHandlers = Handlers<typeof agentMethods>;
type ClientHandlers = Handlers<typeof clientMethods>;
type Settings = Partial<Pick<PeerOptions<never, never>, "limits" | "onProblem" | "answerMalformed">>;

const bindAgent = (
  channel: Parameters<typeof bindPeer>[0]["channel"],
  handlers: AgentHandlers,
  more: Settings = {},
) => bindPeer({ channel, local: agentMethods, remote: clientMethods, handlers, ...more });
const bindClient = (
  channel: Parameters<typeof bindPeer>[0]["channel"],
  handlers: ClientHandlers,
  more: Settings = {},
) => bindPeer({ channel, local: clientMethods, remote: agentMethods, handlers, ...more });

/** An agent and a client, connected. */
function pair(agentHandlers: AgentHandlers, clientHandlers: ClientHandlers = {}, more: Settings = {}) {
  const { left, right } = linkedPair();
  const agent = bindAgent(left, agentHandlers, more);
  const client = bindClient(right, clientHandlers, more);
  return { agent, client };
}

/** A peer whose other side is typed by the test. */
function agentAlone(handlers: AgentHandlers = {}, more: Settings = {}) {
  const wire = rawChannel();
  return { wire, agent: bindAgent(wire.channel, handlers, { answerMalformed: true, ...more }) };
}
function clientAlone(handlers: ClientHandlers = {}) {
  const wire = rawChannel();
  const problems: string[] = [];
  const client = bindClient(wire.channel, handlers, { onProblem: (message) => void problems.push(message) });
  return { wire, client, problems };
}

async function answersTo(wire: ReturnType<typeof rawChannel>, ...messages: (string | object)[]) {
  wire.receive(...messages);
  await turns(5);
  return wire.messages();
}

/** A question or another request, with its answer as a promise. */
function ask<K extends keyof typeof requests>(
  agent: ReturnType<typeof bindAgent>,
  type: K,
  payload: RequestPayloadInput<K>,
  id: string,
) {
  let forget = () => {};
  const response = new Promise<unknown>((resolve, reject) => {
    const call = agent.ask("request", type, payload as never, id, (answer) => {
      if (answer.ok) resolve(answer.value);
      else reject(answer.error);
    });
    forget = () => call.forget();
  });
  return { response, forget };
}

const questionPayload = (id = "q1") => ({
  id,
  tool_call_id: "t1",
  questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }],
});
const eventLine = (type: unknown, payload: unknown) => ({
  jsonrpc: "2.0",
  method: "event",
  params: { type, payload },
});
const requestLine = (id: string, type: unknown, payload: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "request",
  params: { type, payload },
});

describe("a call from one side to the other", () => {
  test("arrives with its defaults filled in and returns the validated result", async () => {
    const { client } = pair({
      initialize: ({ capabilities, hooks }) => ({
        protocol_version: "1.10",
        server: { name: `${capabilities?.supports_question} ${hooks?.[0]?.timeout}`, version: "1" },
        slash_commands: [],
      }),
    });
    const params = {
      protocol_version: "1.10",
      capabilities: { supports_question: true },
      hooks: [{ id: "h", event: "Stop" }],
    };
    await expect(client.request("initialize", params)).resolves.toEqual({
      protocol_version: "1.10",
      server: { name: "true 30", version: "1" },
      slash_commands: [],
    });
  });

  test("events told during a turn are heard before its result [P-ENG-2]", async () => {
    const heard: string[] = [];
    const { agent, client } = pair(
      {
        prompt({ user_input }) {
          agent.tell("event", "TurnBegin", { user_input });
          agent.tell("event", "TurnEnd", {});
          return { status: "finished" };
        },
      },
      { event: (event) => void heard.push(event.type) },
    );
    const response = client.request("prompt", { user_input: "hi" });
    const result = await response.then((value) => [...heard, value.status]);
    expect(result).toEqual(["TurnBegin", "TurnEnd", "finished"]);
  });

  test("a question is asked under its own id and its answer comes back", async () => {
    const wire = rawChannel();
    const agent = bindAgent(wire.channel, {});
    const { response } = ask(agent, "QuestionRequest", questionPayload("q1"), "q1");
    expect(wire.messages()).toMatchObject([
      { id: "q1", method: "request", params: { type: "QuestionRequest", payload: { id: "q1" } } },
    ]);
    wire.receive({ id: "q1", result: { request_id: "q1", answers: { "Which?": "A" } } });
    expect(await response).toEqual({ request_id: "q1", answers: { "Which?": "A" } });
  });

  test("several requests that are out at once are answered in any order", async () => {
    const { agent } = pair(
      {},
      {
        async request(wanted) {
          if (wanted.type !== "HookRequest") return { request_id: wanted.payload.id, answers: {} };
          await turns(wanted.payload.id === "h1" ? 6 : 1);
          return { request_id: wanted.payload.id, reason: wanted.payload.target };
        },
      },
    );
    const order: string[] = [];
    const hook = async (id: string) => {
      const payload = { id, subscription_id: "s", event: "Stop", target: `for ${id}`, input_data: {} };
      const answer = await ask(agent, "HookRequest", payload, id).response;
      order.push(id);
      return answer;
    };
    expect(await Promise.all([hook("h1"), hook("h2")])).toEqual([
      { request_id: "h1", action: "allow", reason: "for h1" },
      { request_id: "h2", action: "allow", reason: "for h2" },
    ]);
    expect(order).toEqual(["h2", "h1"]);
  });

  test("forgotten, it ends with -32800 and a late answer is ignored [P-ENG-6]", async () => {
    const { wire, agent } = agentAlone();
    const call = ask(agent, "QuestionRequest", questionPayload(), "q1");
    call.forget();
    await expect(call.response).rejects.toMatchObject({ name: "WireError", code: -32800 });
    expect(await answersTo(wire, { id: "q1", result: { request_id: "q1", answers: {} } })).toHaveLength(1);
  });
});

describe("what cannot be answered is refused in words", () => {
  test.each([
    ["nope", "Unexpected method received: nope"],
    ["", "Unexpected method received: "],
    ["Prompt", "Unexpected method received: Prompt"],
    ["event", "Unexpected method received: event"],
    ["constructor", "Unexpected method received: constructor"],
    ["__proto__", "Unexpected method received: __proto__"],
    ["$/cancelRequest", "Unexpected method received: $/cancelRequest"],
    ["steer", "Unexpected method received: steer"],
  ])(
    "the method %j is unknown to this agent, which says so with -32601 [P-MSG-8]",
    async (method, message) => {
      const { wire } = agentAlone({ prompt: () => ({ status: "finished" }) });
      expect(await answersTo(wire, { id: "1", method, params: {} })).toEqual([
        { jsonrpc: "2.0", id: "1", error: { code: -32601, message, data: null } },
      ]);
    },
  );

  test.each<[unknown, string]>([
    [undefined, "expected object"],
    [null, "expected object"],
    [[], "expected object"],
    [["hi"], "expected object"],
    [{}, "user_input: "],
    [{ user_input: 5 }, "user_input: "],
    [{ user_input: [{ type: "text" }] }, "user_input"],
    [{ user_input: [{ type: "hologram" }] }, "user_input"],
  ])(
    "a prompt with the params %j gets -32602 and the field that is wrong [P-ENG-8]",
    async (params, place) => {
      const prompt = vi.fn(() => ({ status: "finished" as const }));
      const { wire } = agentAlone({ prompt });
      const [answer] = await answersTo(wire, { id: "1", method: "prompt", params });
      expect(answer).toMatchObject({ id: "1", error: { code: -32602, data: null } });
      const { message } = (answer as { error: unknown }).error as { message: string };
      expect(message).toContain(`Invalid parameters for method \`prompt\`: ${place}`);
      expect(prompt).not.toHaveBeenCalled();
    },
  );

  test("each wrong field is named with what was expected", async () => {
    const { wire } = agentAlone({ initialize: () => ({}) as never });
    const params = { protocol_version: 1, hooks: [{ id: "h" }], capabilities: { supports_question: "x" } };
    expect(await answersTo(wire, { id: "1", method: "initialize", params })).toMatchObject([
      {
        error: {
          message:
            "Invalid parameters for method `initialize`: protocol_version: expected string; " +
            "hooks[0].event: expected string; capabilities.supports_question: expected boolean",
        },
      },
    ]);
  });

  test("what a handler throws as WireError crosses with its number and data [P-ERR-3]", async () => {
    const { client } = pair({
      cancel() {
        throw new WireError("InvalidState", "No agent turn is in progress", { data: { a: 1 } });
      },
    });
    await expect(client.request("cancel", {})).rejects.toMatchObject({
      name: "WireError",
      code: -32000,
      message: "No agent turn is in progress",
      data: { a: 1 },
    });
  });

  test.each([
    [new RangeError("too far"), "RangeError: too far"],
    ["just a text", "just a text"],
    [undefined, "undefined"],
  ])(
    "anything else that a handler throws is this side's fault, -32603: %s [P-ERR-3]",
    async (thrown, message) => {
      const { client } = pair({
        prompt: () => Promise.reject(thrown),
      });
      await expect(client.request("prompt", { user_input: "" })).rejects.toMatchObject({
        code: -32603,
        message,
        data: null,
      });
    },
  );

  test("without an id a method of the agent is dropped and nothing runs [P-ENV-6]", async () => {
    const prompt = vi.fn(() => ({ status: "finished" as const }));
    const { wire } = agentAlone({ prompt });
    expect(
      await answersTo(
        wire,
        { method: "prompt", params: { user_input: "x" } },
        { id: null, method: "prompt" },
      ),
    ).toEqual([]);
    expect(prompt).not.toHaveBeenCalled();
  });
});

describe("nothing unfit leaves this side or gets in", () => {
  test("a handler's result that does not fit is -32603 and says where", async () => {
    const { client } = pair({ prompt: () => ({ status: "done" }) as never });
    await expect(client.request("prompt", { user_input: "" })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("prompt does not fit the protocol: status: expected"),
    });
  });

  test("params that do not fit are not sent: BAD_MESSAGE", () => {
    const { wire, client } = clientAlone();
    expect(() => client.request("prompt", { user_input: 5 as never })).toThrow(
      expect.objectContaining({ code: "BAD_MESSAGE", message: expect.stringContaining("user_input") }),
    );
    expect(wire.sent).toEqual([]);
  });

  test("an event or a question that does not fit is not sent: BAD_MESSAGE", () => {
    const { wire, agent } = agentAlone();
    expect(() => agent.tell("event", "StepBegin", { n: 0 })).toThrow(
      expect.objectContaining({
        code: "BAD_MESSAGE",
        message: "event StepBegin does not fit the protocol: n: expected at least 1",
      }),
    );
    expect(() => agent.ask("request", "QuestionRequest", { id: "x" } as never, "x", () => {})).toThrow(
      LocalError,
    );
    expect(wire.sent).toEqual([]);
  });

  test("a result of the other side that does not fit is BAD_PEER and says where", async () => {
    const { wire, client } = clientAlone();
    const response = client.request("prompt", { user_input: "x" });
    wire.receive({ id: "1", result: { status: "max_steps_reached", steps: "many" } });
    await expect(response).rejects.toMatchObject({
      name: "LocalError",
      code: "BAD_PEER",
      message: 'malformed result of "prompt": steps: expected number',
    });
  });

  test.each([
    null,
    "x",
    { request_id: "q1" },
    { answers: {} },
    { request_id: "q1", answers: { "Which?": ["A"] } },
  ])("the answer %j to a question is BAD_PEER", async (result) => {
    const { wire, agent } = agentAlone();
    const { response } = ask(agent, "QuestionRequest", questionPayload(), "q1");
    wire.receive({ id: "q1", result });
    await expect(response).rejects.toMatchObject({ code: "BAD_PEER" });
  });

  test("a message over the limit is not sent, whether asked, called or told: BAD_MESSAGE [P-LIM-4]", async () => {
    const { agent, client } = pair(
      { prompt: () => ({ status: "finished" }) },
      {},
      { limits: { outboundLength: 500 } },
    );
    const long = "x".repeat(600);
    const expected = expect.objectContaining({
      code: "BAD_MESSAGE",
      message: expect.stringContaining("at most 500"),
    });
    await expect(client.request("prompt", { user_input: long })).rejects.toEqual(expected);
    await expect(
      ask(agent, "QuestionRequest", { ...questionPayload(), tool_call_id: long }, "q1").response,
    ).rejects.toEqual(expected);
    expect(() => agent.tell("event", "TurnBegin", { user_input: long })).toThrow(expected);
    await expect(client.request("prompt", { user_input: "short" })).resolves.toEqual({
      status: "finished",
    });
  });

  test("extra members pass in both directions, since a newer side may add some [P-ENV-10]", async () => {
    const seen: unknown[] = [];
    const { agent } = pair({}, { event: (event) => void seen.push("payload" in event && event.payload) });
    agent.tell("event", "StepBegin", { n: 1, seq: 7 });
    await turns(5);
    expect(seen).toEqual([{ n: 1, seq: 7 }]);
  });
});

describe("events", () => {
  /** What the client's handler makes of one line. */
  async function heard(line: object) {
    const events: (WireEvent | Unrecognized)[] = [];
    const { wire, problems } = clientAlone({ event: (event) => void events.push(event) });
    wire.receive(line);
    await turns(5);
    return { events, problems, sent: wire.sent };
  }

  test("of a type that this side does not know are passed on as they came [P-MSG-7]", async () => {
    for (const type of ["Comet", "constructor", "__proto__", "toString"]) {
      expect((await heard(eventLine(type, { a: 1 }))).events).toEqual([
        { type: "unrecognized", payload: { type, payload: { a: 1 } } },
      ]);
    }
  });

  test("with a payload that does not fit are passed on with what is wrong [P-MSG-7]", async () => {
    expect((await heard(eventLine("StepBegin", { n: "one" }))).events).toEqual([
      {
        type: "unrecognized",
        payload: { type: "StepBegin", payload: { n: "one" } },
        problem: "n: expected number",
      },
    ]);
  });

  test("with an older name are read under the newer one [P-MSG-9]", async () => {
    const payload = { request_id: "a", response: "approve" };
    expect((await heard(eventLine("ApprovalRequestResolved", payload))).events).toEqual([
      { type: "ApprovalResponse", payload: { ...payload, feedback: "" } },
    ]);
  });

  test("of a sub-agent with the older field name are read under the newer one [P-MSG-10]", async () => {
    const event = { type: "StepBegin", payload: { n: 1 } };
    expect((await heard(eventLine("SubagentEvent", { task_tool_call_id: "t", event }))).events).toEqual([
      {
        type: "SubagentEvent",
        payload: { parent_tool_call_id: "t", agent_id: null, subagent_type: null, event },
      },
    ]);
  });

  test("of a sub-agent survive an inner event that nobody knows [P-MSG-10]", async () => {
    const event = { type: "Comet", payload: { tail: [1] }, extra: true };
    expect((await heard(eventLine("SubagentEvent", { parent_tool_call_id: null, event }))).events).toEqual([
      {
        type: "SubagentEvent",
        payload: { parent_tool_call_id: null, agent_id: null, subagent_type: null, event },
      },
    ]);
  });

  test("that carry an id are heard and not answered [P-MSG-1]", async () => {
    const { events, sent } = await heard({ ...eventLine("TurnEnd", {}), id: "5" });
    expect(events).toEqual([{ type: "TurnEnd", payload: {} }]);
    expect(sent).toEqual([]);
  });

  test.each([undefined, null, [], "x", {}, { type: 5 }])(
    "with the params %j are reported and dropped",
    async (params) => {
      const { events, problems } = await heard({ jsonrpc: "2.0", method: "event", params });
      expect(events).toEqual([]);
      expect(problems).toEqual([
        "notification event: Invalid parameters for method `event`: type: expected string",
      ]);
    },
  );

  test("under another method name are reported and dropped", async () => {
    const { events, problems } = await heard({ jsonrpc: "2.0", method: "alive", params: { seq: 1 } });
    expect(events).toEqual([]);
    expect(problems).toEqual(["ignored: notification alive"]);
  });

  test("go on when the application's handler throws, which is reported", async () => {
    const events: string[] = [];
    const { wire, problems } = clientAlone({
      event(event) {
        events.push(event.type);
        throw new Error("boom");
      },
    });
    wire.receive(eventLine("TurnEnd", {}), eventLine("CompactionBegin", {}));
    await turns(5);
    expect(events).toEqual(["TurnEnd", "CompactionBegin"]);
    expect(problems).toEqual(["notification event: boom", "notification event: boom"]);
  });

  test("keep their order with what was asked around them [P-ENG-2]", async () => {
    const seen: string[] = [];
    const { agent } = pair(
      {},
      {
        event: (event) => void seen.push(event.type),
        request(wanted) {
          seen.push(wanted.type);
          return { request_id: "q1", answers: {} };
        },
      },
    );
    agent.tell("event", "TurnBegin", { user_input: "x" });
    const { response } = ask(agent, "QuestionRequest", questionPayload(), "q1");
    agent.tell("event", "CompactionBegin", {});
    await response;
    await turns();
    expect(seen).toEqual(["TurnBegin", "QuestionRequest", "CompactionBegin"]);
  });
});

describe("requests of the agent that the client cannot show", () => {
  const show = () => ({ request_id: "q1", answers: {} });

  test.each(["Riddle", "constructor", "__proto__"])(
    "of the unknown type %s get -32601 [P-MSG-8]",
    async (type) => {
      const { wire } = clientAlone({ request: show });
      expect(await answersTo(wire, requestLine("q1", type, {}))).toEqual([
        {
          jsonrpc: "2.0",
          id: "q1",
          error: { code: -32601, message: `Unknown request type: ${type}`, data: null },
        },
      ]);
    },
  );

  test("with a payload that does not fit get -32602 and the field", async () => {
    const { wire } = clientAlone({ request: show });
    const payload = { id: "q1", tool_call_id: "t", questions: [{ question: "Which?", options: "none" }] };
    expect(await answersTo(wire, requestLine("q1", "QuestionRequest", payload))).toMatchObject([
      {
        id: "q1",
        error: {
          code: -32602,
          message: "Invalid parameters for method `request`: questions[0].options: expected array",
        },
      },
    ]);
  });

  test.each([undefined, null, [], { payload: {} }])("with the params %j get -32602", async (params) => {
    const { wire } = clientAlone({ request: show });
    expect(await answersTo(wire, { id: "q1", method: "request", params })).toMatchObject([
      { id: "q1", error: { code: -32602, message: expect.stringContaining("type: expected string") } },
    ]);
  });

  test("get -32601 where the client handles none at all, so that the agent never hangs [P-MSG-8]", async () => {
    const { agent } = pair({});
    await expect(ask(agent, "QuestionRequest", questionPayload(), "q1").response).rejects.toMatchObject({
      code: -32601,
    });
  });

  test("whose answer has the shape of another type get -32603, not silence", async () => {
    const { agent } = pair({}, { request: () => ({ request_id: "a", response: "approve" }) });
    await expect(ask(agent, "QuestionRequest", questionPayload(), "q1").response).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("answers"),
    });
  });
});

describe("the end", () => {
  test("closing one side fails everything that is pending on both with CLOSED [P-ENG-7]", async () => {
    const never = new Promise<never>(() => {});
    const { agent, client } = pair({ prompt: () => never }, { request: () => never });
    const prompt = client.request("prompt", { user_input: "x" });
    const question = ask(agent, "QuestionRequest", questionPayload(), "q1").response;
    const settled = Promise.allSettled([prompt, question]);
    await turns(5);
    client.close();
    expect(await settled).toMatchObject([
      { status: "rejected", reason: { name: "LocalError", code: "CLOSED" } },
      { status: "rejected", reason: { name: "LocalError", code: "CLOSED" } },
    ]);
    expect(await agent.closed).toBeUndefined();
    expect(await client.closed).toBeUndefined();
    expect([agent.isClosed, client.isClosed]).toEqual([true, true]);
  });

  test("afterwards a call fails with CLOSED and an event goes nowhere", async () => {
    const { agent, client } = pair({ cancel: () => ({}) });
    expect(client.isClosed).toBe(false);
    agent.close();
    agent.tell("event", "TurnEnd", {});
    await client.closed;
    await expect(client.request("cancel", {})).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("what came just before it is still handled in order [P-ENG-7]", async () => {
    const heardTypes: string[] = [];
    const { agent, client } = pair(
      {
        prompt(_params, call) {
          for (const n of [1, 2, 3]) agent.tell("event", "StepBegin", { n });
          call.afterReply(() => {
            agent.tell("event", "TurnEnd", {});
            agent.close();
          });
          return { status: "finished" };
        },
      },
      { event: (event) => void heardTypes.push(event.type) },
    );
    const result = await client.request("prompt", { user_input: "x" });
    await client.closed;
    expect(result).toEqual({ status: "finished" });
    expect(heardTypes).toEqual(["StepBegin", "StepBegin", "StepBegin", "TurnEnd"]);
  });

  test("a cause is told to whoever waits for the end [P-ENG-7]", async () => {
    const { wire, agent } = agentAlone();
    const { response } = ask(agent, "QuestionRequest", questionPayload(), "q1");
    const cause = new Error("the cable");
    wire.end(cause);
    await expect(response).rejects.toMatchObject({ code: "CLOSED", cause });
    expect(await agent.closed).toBe(cause);
  });

  test("a peer that answers nothing leaves a call pending, and only that", async () => {
    const { client } = clientAlone();
    expect(await stateOf(client.request("cancel", undefined))).toBe("pending");
  });
});

test("a table of one's own gets the same treatment", async () => {
  const { left, right } = linkedPair();
  const methods = {
    add: request(z.object({ a: z.number(), b: z.number() }), z.number()),
    log: taggedNotification({ line: z.object({ text: z.string() }) }),
  } as const;
  const lines: unknown[] = [];
  bindPeer({
    channel: left,
    local: methods,
    remote: {},
    handlers: { add: ({ a, b }) => a + b, log: (line) => void lines.push(line) },
  });
  const other = bindPeer({ channel: right, local: {}, remote: methods, handlers: {} });
  other.tell("log", "line", { text: "hello" });
  expect(await other.request("add", { a: 1, b: 2 })).toBe(3);
  expect(lines).toEqual([{ type: "line", payload: { text: "hello" } }]);
});
