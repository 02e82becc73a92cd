import { WireError } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import {
  defineTool,
  QuestionRequest,
  standardErrorLog,
  type Tool,
  ToolError,
  type Turn,
  wireSend,
} from "../src/index.js";
import { meetExtended } from "./extended/extended-client.js";
import { payload, type RawClient, rawClient } from "./raw-client.js";
import { callLine, colour, delegating, scenario, toolResult } from "./scenario.js";
import { stdioClient } from "./stdio-client.js";
import { until } from "./until.js";

const SECRET = "postgres://root:hunter2@db";
const go = { user_input: "go" };

/** A log of pino's, with each line that it wrote. */
function writtenLog() {
  const lines: Record<string, unknown>[] = [];
  const log = standardErrorLog("error", (line) => void lines.push(JSON.parse(line)));
  return {
    log,
    lines,
    async line(n = 1) {
      await until(() => lines.length >= n);
      return lines[n - 1] as Record<string, unknown> & { err: { stack: string } };
    },
  };
}

/** The place in this file that a stack begins with. */
const here = /exceptions\.test\.ts:\d+:\d+/;

function broken(turn: Turn): never {
  turn.step();
  throw new TypeError(SECRET);
}

const leaks = ({ received }: RawClient) => JSON.stringify(received).includes(SECRET);

describe("an exception in an agent", () => {
  test("an exception in an agent is -32603 that names the turn under which the log has it, and nothing of its text (P-ERR-3)", async () => {
    const { log, line } = writtenLog();
    const { client, session } = await scenario([], { run: async (turn) => broken(turn), log }).meet();
    const { error } = await client.call("prompt", go);
    const written = await line();
    expect(error).toEqual({
      code: -32603,
      message: `the agent failed with an exception: the server's log has it, under turn ${written.turn}`,
      data: null,
    });
    expect(leaks(client)).toBe(false);
    expect(written).toMatchObject({ level: 50, session: session.id, msg: "the agent failed" });
    expect(written.err).toMatchObject({ type: "TypeError", message: SECRET });
    expect(written.err.stack).toMatch(here);
  });

  test("an exception in an agent is reported to extended clients the same way, in the reply and in TurnEnd (P-ERR-3, P-XTR-1)", async () => {
    const { log, line } = writtenLog();
    const set = scenario([], { run: async (turn) => broken(turn), log });
    const { client } = await meetExtended(set);
    const { error } = await client.call("prompt", { ...go, turn_id: "7b0c4f0e-5a0f-4a53-9d52-9d2b8e3a1f00" });
    expect(error?.message).toContain("under turn 7b0c4f0e-5a0f-4a53-9d52-9d2b8e3a1f00");
    const { turn } = await line();
    expect(turn).toBe("7b0c4f0e-5a0f-4a53-9d52-9d2b8e3a1f00");
    const [end] = client.events("TurnEnd");
    expect(end?.payload).toMatchObject({
      status: "failed",
      error: { code: -32603, message: error?.message },
    });
    expect(leaks(client)).toBe(false);
  });

  test("an exception in an agent is reported the same way over standard streams (P-ERR-3)", async () => {
    const { log, line } = writtenLog();
    const client = stdioClient({ agent: { run: async (turn) => broken(turn) }, log });
    client.send({ jsonrpc: "2.0", id: "p", method: "prompt", params: go });
    await client.until(() => client.responses.has("p"));
    const { turn } = await line();
    expect(client.answerTo("p").error?.message).toContain(`under turn ${turn}`);
    await client.end();
  });

  test.each<[string, unknown, string]>([
    ["the result of an ask", { answer: "Red" }, "agent: run: expected it to return nothing, not an object"],
    ["a text", "done", 'agent: run: expected it to return nothing, not "done": say text by turn.say'],
  ])(
    "an agent that returns what is no end of a turn fails with words about its run: %s",
    async (_, returned, message) => {
      const { log, line } = writtenLog();
      const { client } = await scenario([], { run: async () => returned as undefined, log }).meet();
      const { error } = await client.call("prompt", go);
      expect(error?.message).toContain("the agent failed");
      expect(await line()).toMatchObject({ msg: "the agent failed", err: { type: "TypeError", message } });
    },
  );

  test.each<[string, unknown, string]>([
    ["an Error", new TypeError(SECRET), `TypeError: ${SECRET}`],
    ["another value", SECRET, SECRET],
  ])(
    "an exception in an agent is reported with its text by a setting: %s (P-ERR-3)",
    async (_, thrown, message) => {
      const { log, line } = writtenLog();
      const run = async () => {
        throw thrown;
      };
      const { client } = await scenario([], { run, log, rawErrors: true }).meet();
      expect((await client.call("prompt", go)).error).toMatchObject({ code: -32603, message });
      expect(await line()).toMatchObject({ msg: "the agent failed" });
    },
  );

  test("an exception in an agent keeps its text from the hook of a failed turn, which is told its type (P-HOK-5)", async () => {
    const { log } = writtenLog();
    const { client } = await scenario([], { run: async (turn) => broken(turn), log }).meet();
    await client.call("initialize", { protocol_version: "1.10", hooks: [{ id: "f", event: "StopFailure" }] });
    const prompt = client.call("prompt", go);
    const hook = await client.seen("HookRequest");
    expect(payload(hook).input_data).toMatchObject({
      error_type: "TypeError",
      error_message: expect.stringContaining("the server's log has it"),
    });
    client.reply(hook, { request_id: hook.id });
    await prompt;
    expect(leaks(client)).toBe(false);
  });

  test("an exception in an agent is thrown unchanged to whoever prompts in the server's own process", async () => {
    const { log } = writtenLog();
    const { server } = scenario([], { run: async (turn) => broken(turn), log });
    await expect(server.createSession().prompt("go")).rejects.toBeInstanceOf(TypeError);
  });

  test("an exception in an agent has no line in the log where it is an error with a code", async () => {
    const { log, lines } = writtenLog();
    const run = async (turn: Turn) => {
      if (turn.input === "go") throw new WireError("ProviderError", "burnt");
      broken(turn);
    };
    const { client } = await scenario([], { run, log }).meet();
    expect((await client.call("prompt", go)).error).toMatchObject({ code: -32003, message: "burnt" });
    await client.call("prompt", { user_input: "again" });
    await until(() => lines.length > 0);
    expect(lines).toMatchObject([{ err: { type: "TypeError" } }]);
  });
});

test("an exception in a method is -32603 that names the connection under which the log has it (P-ERR-3)", async () => {
  const { log, line } = writtenLog();
  const keep = () => {
    throw new Error(SECRET);
  };
  const { server } = scenario([], { log, keep });
  const { left, right } = linkedPair();
  server.connect(left, { session: () => server.createSession() });
  const client = rawClient(right);
  const { error } = await client.call("initialize", { protocol_version: "1.10" });
  const written = await line();
  expect(error).toMatchObject({
    code: -32603,
    message: `\`initialize\` failed with an exception: the server's log has it, under connection ${written.connection}`,
  });
  expect(written).toMatchObject({ method: "initialize", msg: "a method failed", err: { message: SECRET } });
  expect(written.err.stack).toMatch(here);
});

describe("an exception in a tool", () => {
  const lost = (): never => {
    throw new RangeError("pipe burst");
  };
  const parameters = z.object({});
  const about = { name: "Broken", description: "breaks" };
  const rest = { parameters: {}, ...about };
  const tools: [string, Tool][] = [
    ["made by defineTool", defineTool({ ...about, parameters, run: lost })],
    ["with a call of its own that rejects", { ...rest, call: async () => lost() }],
    ["with a call of its own that throws", { ...rest, call: () => lost() }],
  ];

  test.each(tools)(
    "an exception in a tool %s is reported to the model, and logged with its stack and place (P-STP-6)",
    async (_, tool) => {
      const { log, line, lines } = writtenLog();
      const set = scenario([callLine("Broken", {}, "call_7"), "text: b"], { tools: [tool], log });
      const { client, session } = await set.meet();
      expect((await client.call("prompt", go)).result).toEqual({ status: "finished" });
      expect(await toolResult(client)).toMatchObject({
        is_error: true,
        message: "The tool failed: pipe burst",
        display: [{ type: "brief", text: "Tool failed" }],
      });
      const written = await line();
      expect(written).toMatchObject({
        level: 50,
        msg: "a tool failed",
        session: session.id,
        turn: expect.stringMatching(/^[0-9a-f-]{36}$/),
        tool: "Broken",
        call: "call_7",
        err: { type: "RangeError" },
      });
      expect(written.err.stack).toMatch(here);
      expect(lines).toHaveLength(1);
    },
  );

  test("an exception in a tool of a sub-agent is logged under the turn of the session, with the sub-agent's id (P-STP-6)", async () => {
    const { log, line } = writtenLog();
    const inner = modelAgent({
      model: scriptedModel([callLine("Broken", {}, "in"), "text: gave up"]),
      tools: [defineTool({ ...about, parameters, run: lost })],
    });
    const task = delegating({ agent: inner, type: "coder", input: "x", id: "coder-1" });
    let id = "";
    const outer = modelAgent({ model: scriptedModel([callLine("Task", {}), "text: b"]), tools: [task] });
    const run = (turn: Turn) => {
      id = turn.id;
      return outer.run(turn);
    };
    const { client } = await scenario([], { run, log }).meet();
    await client.call("prompt", go);
    expect(await line()).toMatchObject({ turn: id, subagent: "coder-1", tool: "Broken", call: "in" });
  });

  test("an exception in a tool has a line in the log, and neither a ToolError nor an unanswered question has (P-STP-6)", async () => {
    const { log, line, lines } = writtenLog();
    const refuses = defineTool({
      name: "Refuses",
      description: "refuses",
      parameters,
      run() {
        throw new ToolError({ message: "not today", brief: "Refused" });
      },
    });
    const asks = defineTool({
      name: "Asks",
      description: "asks",
      parameters,
      async run(_params, { toolCall }) {
        const request = new QuestionRequest({ tool_call_id: toolCall.id, questions: [colour] });
        wireSend(request);
        await request.wait();
        return "";
      },
    });
    const calls = [callLine("Refuses", {}, "1"), callLine("Asks", {}, "2"), callLine("Broken", {}, "3")];
    const set = scenario([...calls, "text: b"], {
      tools: [refuses, asks, defineTool({ ...about, parameters, run: lost })],
      log,
    });
    const { client } = await set.meet({}, null);
    await client.call("prompt", go);
    await line();
    expect(lines.map(({ tool }) => tool)).toEqual(["Broken"]);
  });
});
