import { describe, expect, test, vi } from "vitest";
import { LocalError, WireError } from "../src/index.js";
import { agentAlone, answersTo, ask, clientAlone, pair, questionPayload, requestLine } from "./peer-sides.js";
import { turns } from "./raw-channel.js";

describe("a request that cannot be answered is refused in words", () => {
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
    "the method %j is unknown to this agent, which says so with -32601 (P-MSG-8)",
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
    "a prompt with the params %j gets -32602 and the field that is wrong (P-ENG-8)",
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

  test("each wrong field of a request is named with what was expected", async () => {
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

  test("a WireError that a handler throws crosses with its number and data (P-ERR-3)", async () => {
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
    "anything else that a handler throws is this side's fault, -32603: %s (P-ERR-3)",
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

  test("a method of the agent without an id is dropped and nothing runs (P-ENV-6)", async () => {
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

  test("a message over the limit is not sent, whether asked, called or told: BAD_MESSAGE (P-LIM-4)", async () => {
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

  test("extra members pass in both directions, since a newer side may add some (P-ENV-10)", async () => {
    const seen: unknown[] = [];
    const { agent } = pair({}, { event: (event) => void seen.push("payload" in event && event.payload) });
    agent.tell("event", "StepBegin", { n: 1, seq: 7 });
    await turns(5);
    expect(seen).toEqual([{ n: 1, seq: 7 }]);
  });
});

describe("requests of the agent that the client cannot show", () => {
  const show = () => ({ request_id: "q1", answers: {} });

  test.each(["Riddle", "constructor", "__proto__"])(
    "requests of the unknown type %s get -32601 (P-MSG-8)",
    async (type) => {
      const { wire } = clientAlone({ request: show });
      expect(await answersTo(wire, requestLine("q1", type, {}))).toEqual([
        {
          jsonrpc: "2.0",
          id: "q1",
          error: {
            code: -32601,
            message: `Unknown request type: ${type}`,
            data: { type, reason: "unknown" },
          },
        },
      ]);
    },
  );

  test("requests with a payload that does not fit get -32602 and the field", async () => {
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

  test.each([undefined, null, [], { payload: {} }])(
    "requests with the params %j get -32602",
    async (params) => {
      const { wire } = clientAlone({ request: show });
      expect(await answersTo(wire, { id: "q1", method: "request", params })).toMatchObject([
        { id: "q1", error: { code: -32602, message: expect.stringContaining("type: expected string") } },
      ]);
    },
  );

  test("requests get -32601 where the client handles none at all, so that the agent never hangs (P-MSG-8)", async () => {
    const { agent } = pair({});
    await expect(ask(agent, "QuestionRequest", questionPayload(), "q1").response).rejects.toMatchObject({
      code: -32601,
    });
  });

  test("requests with an answer in the shape of another type get -32603, not silence", async () => {
    const { agent } = pair({}, { request: () => ({ request_id: "a", response: "approve" }) });
    await expect(ask(agent, "QuestionRequest", questionPayload(), "q1").response).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining("answers"),
    });
  });
});
