import { WireError } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { deferred } from "../../../scripts/deferred.js";
import { modelAgent } from "../../agent/src/index.js";
import { readScript } from "../../agent/src/models/script.js";
import {
  createServer,
  currentToolCall,
  defineTool,
  getWire,
  ModelError,
  type ModelPart,
  QuestionRequest,
  type Tool,
  type Turn,
  wireSend,
} from "../src/index.js";
import { rawClient } from "./raw-client.js";
import { approvedTool, asks, callLine, colour, keptLog, scenario, toolResult } from "./scenario.js";

const ask = () => new QuestionRequest({ tool_call_id: "tc", questions: [colour] });
const red = (id: unknown) => ({ request_id: id, answers: { "Which colour?": "Red" } });
const never = () => new Promise<void>(() => {});

function tool(name: string, run: () => string | Promise<string>): Tool {
  return defineTool({ name, description: name, parameters: z.object({}), run });
}

describe("a turn that succeeds", () => {
  test("a turn sends everything in the order of the wire, the prompt's result last", async () => {
    const script = [
      "id: m1",
      "think: hm",
      "text: a",
      callLine("Echo", { a: 1 }),
      "usage: input_other=5 output=2",
    ].join("\n");
    const { client } = await scenario([script, "text: b"], { tools: [tool("Echo", () => "echoed")] }).meet();
    const input = [{ type: "text", text: "go" }];
    await client.call("prompt", { user_input: input });
    expect(client.story()).toEqual([
      "TurnBegin",
      "StepBegin",
      "ContentPart",
      "ContentPart",
      "ToolCall",
      "StatusUpdate",
      "ToolResult",
      "StepBegin",
      "ContentPart",
      "StatusUpdate",
      "TurnEnd",
      "prompt: finished",
    ]);
    const payloads = client.received.map(({ params }) => params?.payload);
    expect(payloads.find((payload) => payload?.user_input)).toEqual({ user_input: input });
    expect(payloads.filter((payload) => payload?.n)).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await client.seen("StatusUpdate")).params?.payload).toEqual({
      context_usage: null,
      context_tokens: 5,
      max_context_tokens: null,
      token_usage: { input_other: 5, output: 2, input_cache_read: 0, input_cache_creation: 0 },
      message_id: "m1",
      plan_mode: false,
      mcp_status: null,
    });
    expect((await client.seen("ToolCall")).params?.payload).toEqual({
      type: "function",
      id: "tc-1",
      function: { name: "Echo", arguments: '{"a":1}' },
      extras: null,
    });
  });

  test("arguments that come in pieces are put together before the tool runs", async () => {
    const script = `${callLine("Echo", {}).replace('"{}"', '"{\\"a\\""')}\ntool_call_part: arguments_part=":1}"`;
    let seen: string | null = "";
    const echo = tool("Echo", () => {
      seen = currentToolCall().function.arguments;
      return "";
    });
    const { client } = await scenario([script, "text: b"], { tools: [echo] }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(seen).toBe('{"a":1}');
    expect(client.story()).toContain("ToolCallPart");
  });

  test("two questions of one step are both open, and each answer goes to its own call", async () => {
    const second = { ...colour, question: "And then?" };
    const script = `${asks([colour], "tc-1")}\n${asks([second], "tc-2")}`;
    const { client } = await scenario([script, "text: b"]).meet();
    const prompt = client.call("prompt", { user_input: "go" });
    const [first, other] = [await client.seen("QuestionRequest", 1), await client.seen("QuestionRequest", 2)];
    client.reply(other, { request_id: other.id, answers: { "And then?": "Blue" } });
    await toolResult(client);
    client.reply(first, red(first.id));
    await prompt;
    const results = client.received.flatMap(({ params }) =>
      params?.type === "ToolResult" ? [params.payload] : [],
    );
    expect(results).toMatchObject([
      { tool_call_id: "tc-2", return_value: { output: '{"answers": {"And then?": "Blue"}}' } },
      { tool_call_id: "tc-1", return_value: { output: '{"answers": {"Which colour?": "Red"}}' } },
    ]);
  });

  test("the model reads the results in the order of its calls", async () => {
    const script = `${asks([colour], "tc-1")}\n${callLine("Echo", {}, "tc-2")}`;
    const set = scenario([script, "text: b"], { tools: [tool("Echo", () => "echoed")] });
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await toolResult(client);
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, red(asked.id));
    await prompt;
    const roles = set.model.requests[1]?.messages.map((message) =>
      message.role === "tool" ? message.tool_call_id : message.role,
    );
    expect(roles).toEqual(["user", "assistant", "tc-1", "tc-2"]);
  });

  test("a turn ends at the limit of steps with that status", async () => {
    const { client } = await scenario([callLine("Nothing", {})], { maxStepsPerTurn: 1 }).meet();
    const { result } = await client.call("prompt", { user_input: "go" });
    expect(result).toEqual({ status: "max_steps_reached", steps: 1 });
    const story = client.story();
    expect(story.slice(-2)).toEqual(["TurnEnd", "prompt: max_steps_reached"]);
    expect(story).not.toContain("StepInterrupted");
  });

  test("a turn runs without initialize, and approvals reach the client", async () => {
    const { client } = scenario(["text: hello"]).connect();
    await client.call("prompt", { user_input: "" });
    expect(client.story()).toEqual([
      "TurnBegin",
      "StepBegin",
      "ContentPart",
      "StatusUpdate",
      "TurnEnd",
      "prompt: finished",
    ]);
  });
});

describe("refused calls", () => {
  test("a second prompt is refused, while the first continues undisturbed", async () => {
    const { client } = await scenario([asks(), "text: b"]).meet();
    const { prompt: first, asked } = await client.begin("QuestionRequest");
    expect((await client.call("prompt", { user_input: "again" })).error).toMatchObject({ code: -32000 });
    expect((await client.call("initialize", { protocol_version: "1.10" })).error).toMatchObject({
      code: -32000,
    });
    client.reply(asked, red(asked.id));
    expect((await first).result).toEqual({ status: "finished" });
    expect((await client.call("initialize", { protocol_version: "1.10" })).error).toBeUndefined();
  });

  test("initialize is accepted on a connection that has none yet, turn or no turn", async () => {
    const { client } = scenario([], { run: never }).connect();
    await client.begin("TurnBegin");
    expect((await client.call("initialize", { protocol_version: "1.10" })).error).toBeUndefined();
    expect((await client.call("initialize", { protocol_version: "1.10" })).error).toMatchObject({
      code: -32000,
    });
    await client.call("cancel");
  });

  test("a cancel is refused when nothing runs", async () => {
    const { client } = await scenario([]).meet();
    expect((await client.call("cancel")).error).toMatchObject({ code: -32000, data: null });
  });

  test.each([[undefined], [{}], [{ user_input: 7 }], [{ user_input: [{ type: "hologram" }] }]])(
    "a prompt of %j is invalid, and the next one works",
    async (params) => {
      const { client } = await scenario(["text: b"]).meet();
      expect((await client.call("prompt", params)).error?.code).toBe(-32602);
      expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    },
  );

  test("sending a request outside a turn fails with an error that says so", () => {
    expect(() => wireSend(ask())).toThrow("called outside a turn: call it in `run`");
    expect(() => currentToolCall()).toThrow("called outside a tool call");
  });
});

describe("cancelling", () => {
  test("cancelling at an open question sends {} first, then the end of the turn, then the result; no tool result", async () => {
    const { client } = await scenario([asks(), "text: b"]).meet();
    const { asked } = await client.begin("QuestionRequest");
    client.story();
    expect((await client.call("cancel")).result).toEqual({});
    await client.settled();
    expect(client.story()).toEqual(["cancel: ok", "TurnEnd", "prompt: cancelled"]);
    client.reply(asked, red(asked.id));
    await client.settled();
    expect(client.story()).toEqual([]);
    expect((await client.call("prompt", { user_input: "next" })).result).toEqual({ status: "finished" });
  });

  test("an agent that ignores a cancel does not hold the turn, and what it says later is dropped", async () => {
    let turn: Turn | undefined;
    const run = (running: Turn) => {
      turn = running;
      return never();
    };
    const { client } = await scenario([], { run }).meet();
    await client.begin("TurnBegin");
    client.story();
    await client.call("cancel");
    await client.settled();
    turn?.say("still here");
    await client.settled();
    expect(client.story()).toEqual(["cancel: ok", "TurnEnd", "prompt: cancelled"]);
    expect(() => turn?.step()).toThrow("the turn ended");
  });

  test("cancelling twice at once is answered twice, and there is one result", async () => {
    const { client } = await scenario([asks()]).meet();
    await client.begin("QuestionRequest");
    client.story();
    await Promise.all([client.call("cancel"), client.call("cancel")]);
    await client.settled();
    const story = client.story();
    expect(story.filter((word) => word.startsWith("prompt"))).toEqual(["prompt: cancelled"]);
    expect(story.filter((word) => /^cancel: (ok|-32000)$/.test(word))).toHaveLength(2);
    expect(story.filter((word) => word === "TurnEnd")).toHaveLength(1);
  });

  test("cancelling aborts the tool's signal, and an open approval ends as rejected before the turn does", async () => {
    const { client } = await scenario([callLine("Shell", {})], {
      tools: [approvedTool("Shell")],
    }).meet();
    await client.begin("ApprovalRequest");
    client.story();
    await client.call("cancel");
    await client.settled();
    expect(client.story()).toEqual(["cancel: ok", "ApprovalResponse", "TurnEnd", "prompt: cancelled"]);
  });
});

describe("failures", () => {
  const failing = (error: unknown) => async (turn: Turn) => {
    turn.step();
    throw error;
  };
  test.each<[string, unknown, object]>([
    [
      "an error with a code",
      new WireError("AuthExpired", "log in"),
      { code: -32004, message: "log in", data: null },
    ],
    ["any error", new TypeError("oops"), { code: -32603, message: "TypeError: oops", data: null }],
    ["no error at all", "nonsense", { code: -32603, message: "nonsense", data: null }],
  ])("an agent that throws %s ends the step and the turn before the error", async (_, thrown, error) => {
    const { client } = await scenario([], { run: failing(thrown), rawErrors: true }).meet();
    expect((await client.call("prompt", { user_input: "go" })).error).toEqual(error);
    expect(client.story().slice(0, -1)).toEqual(["TurnBegin", "StepBegin", "StepInterrupted", "TurnEnd"]);
  });

  test("an agent that throws before its first step interrupts no step", async () => {
    const run = () => {
      throw new Error("at once");
    };
    const { client } = await scenario([], { run }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(client.story()).toEqual(["TurnBegin", "TurnEnd", "prompt: -32603"]);
  });

  test("without a model every prompt is told so", async () => {
    const { left, right } = linkedPair();
    createServer({ agent: modelAgent({ model: undefined }), log: keptLog() }).connect(left);
    const client = rawClient(right);
    const { error } = await client.call("prompt", { user_input: "go" });
    expect(error).toEqual({ code: -32001, message: "LLM is not set", data: null });
  });

  test("a tool that throws is reported to the model, and the turn continues", async () => {
    const broken = tool("Broken", () => {
      throw new Error("pipe burst");
    });
    const { client } = await scenario([callLine("Broken", {}), "text: b"], { tools: [broken] }).meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(await toolResult(client)).toMatchObject({
      is_error: true,
      message: "The tool failed: pipe burst",
      display: [{ type: "brief", text: "Tool failed" }],
    });
  });

  test("a provider's error while a question is open takes the question back", async () => {
    const { promise: failing, resolve: fail } = deferred();
    async function* stream() {
      yield* readScript(`${asks()}\ntext: x`) as ModelPart[];
      await failing;
      throw new ModelError("status", "burnt", 500);
    }
    const { client } = await scenario([], { model: { stream } }).meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    fail();
    expect((await prompt).error).toEqual({ code: -32003, message: "burnt", data: null });
    client.reply(asked, red(asked.id));
    await client.settled();
    expect(client.story().slice(-3)).toEqual(["StepInterrupted", "TurnEnd", "prompt: -32003"]);
  });

  test("a question that is open when the agent returns is taken back, and nobody waits for ever", async () => {
    const request = ask();
    const run = async () => wireSend(request);
    const { client } = await scenario([], { run }).meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(request.outcome).toMatchObject({ status: "withdrawn", reason: "agent", by: "system" });
    await expect(request.wait()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("a stray tool that asks after the end is told so at once, and nobody is asked", async () => {
    let later = () => {};
    const request = ask();
    const run = async () => {
      const wire = getWire();
      later = () => wire?.send(request);
    };
    const { client } = await scenario([], { run }).meet();
    await client.call("prompt", { user_input: "go" });
    client.story();
    later();
    await client.settled();
    expect(client.story()).toEqual([]);
    expect(request.outcome).toMatchObject({ status: "withdrawn", reason: "agent", by: "system" });
  });

  test("a prompt too long to be passed on fails, and the session lives on", async () => {
    const { client } = await scenario(["text: b"], { limits: { outboundLength: 4_000 } }).meet();
    expect((await client.call("prompt", { user_input: "x".repeat(4_000) })).error?.code).toBe(-32602);
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  });
});
