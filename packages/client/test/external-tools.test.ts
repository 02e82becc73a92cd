import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { type ClientTool, connect, type ExternalToolContext, type ExternalToolOutput } from "../src/index.js";
import { rawServer } from "./raw-server.js";

/** A tool that does this with its arguments. */
const weather = (run: ClientTool["run"]): ClientTool => ({
  name: "Weather",
  description: "Tells the weather.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  run,
});

const calling = (id: string, args: string | null, name = "Weather") => ({ id, name, arguments: args });

/** The server's result of a call of a tool that does this. */
async function answered(run: ClientTool["run"], args: string | null = "{}", name = "Weather") {
  const { ask, next } = await rawServer({ tools: [weather(run)] });
  ask("ToolCallRequest", calling("tc-1", args, name));
  const { id, result } = await next();
  return { id, result };
}

const returned = (value: object) => ({
  id: "tc-1",
  result: {
    tool_call_id: "tc-1",
    return_value: { is_error: false, output: "", message: "", display: [], extras: null, ...value },
  },
});
const failed = (message: string) =>
  returned({
    is_error: true,
    message: expect.stringContaining(message),
    display: [{ type: "brief", text: "Tool failed" }],
  });

describe("a tool of the client (P-CLI-5)", () => {
  const rejected = [{ name: "Shell", reason: "conflicts with builtin tool" }];

  test("a tool is offered to the server with its schema and nothing else of it; its state can be read, and a rejection is reported", async () => {
    const problems: string[] = [];
    const tools = [weather(() => ""), { ...weather(() => ""), name: "Shell" }];
    const { session, initialize } = await rawServer(
      { tools, onProblem: (problem) => void problems.push(problem) },
      "1.10",
      { external_tools: { accepted: ["Weather"], rejected } },
    );
    const { run: _run, ...offered } = weather(() => "");
    expect(initialize).toMatchObject({
      params: { external_tools: [offered, { ...offered, name: "Shell" }] },
    });
    expect(session.server?.external_tools).toEqual({ accepted: ["Weather"], rejected });
    expect(problems).toEqual(['the server rejected the tool "Shell": conflicts with builtin tool']);
  });

  test.each([null, "1.1"])("a server of version %s that takes none is reported", async (version) => {
    const problems: string[] = [];
    await rawServer(
      { tools: [weather(() => "")], onProblem: (problem) => void problems.push(problem) },
      version,
    );
    expect(problems).toEqual(["the server takes no external tools"]);
  });

  test("an invalid tool fails the connection, which is closed then", async () => {
    const { left, right } = linkedPair();
    const closed = new Promise<void>((resolve) =>
      left.listen({ message() {}, oversized() {}, closed: () => resolve() }),
    );
    const tools = [{ ...weather(() => ""), parameters: 7 as never }];
    await expect(connect(right, { tools })).rejects.toMatchObject({
      code: "BAD_MESSAGE",
      message: expect.stringContaining("external_tools[0].parameters: expected object"),
    });
    await closed;
  });

  test("a client without tools says nothing of tools or hooks", async () => {
    const { initialize } = await rawServer();
    expect(Object.keys(initialize.params as object)).toEqual(["protocol_version", "client", "capabilities"]);
  });
});

describe("a call and its result (P-CLI-5)", () => {
  test("a tool gets the parsed arguments and the call's id", async () => {
    const seen: unknown[] = [];
    const result = await answered((args, { toolCallId, signal }) => {
      seen.push(args, toolCallId, signal.aborted);
      return "sunny";
    }, '{"city": "Bonn"}');
    expect(seen).toEqual([{ city: "Bonn" }, "tc-1", false]);
    expect(result).toEqual(returned({ output: "sunny" }));
  });

  const parts = [{ type: "text" as const, text: "sunny" }];
  const whole = {
    output: parts,
    message: "From the station.",
    display: [{ type: "brief" as const, text: "22 °C" }],
    extras: { station: 7 },
  };
  test.each<[string, ExternalToolOutput, object]>([
    ["content parts", parts, { output: parts }],
    ["an object", whole, whole],
    ["an output alone", { output: "" }, {}],
    ["an error of its own", { output: "no", is_error: true }, { output: "no", is_error: true }],
    [
      "a display of another kind",
      { output: "", display: [{ type: "map", data: { x: 1 } }] },
      { display: [{ type: "map", data: { x: 1 } }] },
    ],
  ])("a tool may give back %s", async (_what, output, value) => {
    for (const run of [() => output, async () => output])
      expect(await answered(run)).toEqual(returned(value));
  });

  test.each<[string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("no network");
      },
      "no network",
    ],
    ["rejects", () => Promise.reject(new Error("no network")), "no network"],
    [
      "throws what is no error",
      () => {
        throw "no network";
      },
      "no network",
    ],
    ["gives nothing back", () => undefined, "output"],
    ["gives back a number", () => 7, "output"],
    ["gives back a part of an unknown type", () => [{ type: "smell", smell: "rose" }], "output"],
    ["gives back an output that is none", () => ({ output: 7 }), "output"],
    ["gives back a message that is none", () => ({ output: "", message: 7 }), "message: expected string"],
  ])("a tool that %s is an error for the model to read", async (_what, run, message) => {
    expect(await answered(run as ClientTool["run"])).toEqual(failed(message));
  });

  test.each<[string, ExternalToolOutput]>([
    ["cannot be written as JSON", { output: "", extras: { n: 1n } }],
    ["is too large", "x".repeat(16 * 1024 * 1024)],
  ])("a result that %s is an error response, not silence (P-LIM-4)", async (_what, output) => {
    const { ask, next } = await rawServer({ tools: [weather(() => output)] });
    ask("ToolCallRequest", calling("tc-1", "{}"));
    expect(await next()).toMatchObject({ id: "tc-1", error: { code: -32603 } });
  });

  test.each([null, "", "  "])("arguments %j are read as none", async (args) => {
    expect(await answered((given) => JSON.stringify(given), args)).toEqual(returned({ output: "{}" }));
  });

  test.each(["{", "null", "[]", "7", '"city"'])("arguments %j are an error", async (args) => {
    expect(await answered(() => "unreached", args)).toEqual(
      failed("invalid arguments: expected JSON, an object"),
    );
  });

  test("a tool that is not there is an error that names it", async () => {
    expect(await answered(() => "unreached", "{}", "Tide")).toEqual(failed('there is no tool "Tide"'));
  });

  test("a call to a client without tools is an error that names the tool", async () => {
    const { ask, next } = await rawServer();
    ask("ToolCallRequest", calling("tc-1", "{}"));
    expect(await next()).toMatchObject(failed("there is no tool"));
  });
});

describe("calls beside each other and one after the other (P-CLI-5)", () => {
  /** A tool whose calls the test ends one by one. */
  function slow() {
    const calls: { end(output: string): void; context: ExternalToolContext }[] = [];
    const tool = weather((_args, context) => new Promise((end) => void calls.push({ end, context })));
    return { calls, tool };
  }

  test("a call with the same id in a later turn is answered again", async () => {
    let calls = 0;
    const { ask, next, event } = await rawServer({ tools: [weather(() => `call ${++calls}`)] });
    for (const output of ["call 1", "call 2"]) {
      event("TurnBegin", { user_input: "go" });
      ask("ToolCallRequest", calling("tc-1", "{}"));
      expect(await next()).toMatchObject(returned({ output }));
      event("TurnEnd");
    }
  });

  test("two calls under one id are both answered, and both end with the turn", async () => {
    const { calls, tool } = slow();
    const { ask, next, event, settled } = await rawServer({ tools: [tool] });
    ask("ToolCallRequest", calling("tc-1", "{}"));
    ask("ToolCallRequest", calling("tc-1", "{}"));
    await settled();
    calls[1]?.end("two");
    expect(await next()).toMatchObject(returned({ output: "two" }));
    event("TurnEnd");
    expect(await next()).toMatchObject(failed("the turn ended"));
    expect(calls.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
  });

  test("a slow call holds up nothing, and calls may end in any order", async () => {
    const { calls, tool } = slow();
    const seen: string[] = [];
    const handlers = { event: ({ type }: { type: string }) => void seen.push(type) };
    const { ask, next, event, settled } = await rawServer({ tools: [tool], handlers });
    ask("ToolCallRequest", calling("tc-1", "{}"));
    ask("ToolCallRequest", calling("tc-2", "{}"));
    event("StepBegin", { n: 1 });
    await settled();
    expect(seen).toEqual(["StepBegin"]);
    calls[1]?.end("two");
    expect(await next()).toMatchObject({ id: "tc-2", result: { return_value: { output: "two" } } });
    calls[0]?.end("one");
    expect(await next()).toMatchObject({ id: "tc-1", result: { return_value: { output: "one" } } });
  });

  test("a call that ignores its signal is answered for when its turn ends", async () => {
    const { calls, tool } = slow();
    const { ask, next, event } = await rawServer({ tools: [tool] });
    ask("ToolCallRequest", calling("tc-1", "{}"));
    event("TurnEnd");
    expect(await next()).toMatchObject(failed("the turn ended"));
    expect(calls[0]?.context.signal.aborted).toBe(true);
  });

  test("the end of the connection aborts a call, and what its tool does then harms nobody", async () => {
    const { calls, tool } = slow();
    const { session, ask, end, settled } = await rawServer({ tools: [tool] });
    ask("ToolCallRequest", calling("tc-1", "{}"));
    ask("ToolCallRequest", calling("tc-2", "{}"));
    await settled();
    end();
    await session.closed;
    expect(calls.map(({ context }) => context.signal.aborted)).toEqual([true, true]);
    calls[0]?.end("too late");
  });
});
