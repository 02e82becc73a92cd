import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { deferred } from "../../../scripts/deferred.js";
import { modelAgent } from "../../agent/src/index.js";
import { defineTool, type SlashCommand } from "../src/index.js";
import { payload } from "./raw-client.js";
import { asks, callLine, scenario, toolResult } from "./scenario.js";

const red = (id: unknown) => ({ request_id: id, answers: { "Which colour?": "Red" } });

/** A tool whose calls go on until they are let go. */
function gate() {
  const { promise: opened, resolve: open } = deferred();
  const tool = defineTool({
    name: "Gate",
    description: "waits",
    parameters: z.looseObject({}),
    run: async () => {
      await opened;
      return "through";
    },
  });
  return { tool, open: () => open() };
}

describe("steer", () => {
  test("a steer is taken after the step's tool results, before the next step (P-STR-1, P-STR-2)", async () => {
    const { tool, open } = gate();
    const wire = scenario([callLine("Gate", {}), "text: b"], { tools: [tool] });
    const { client } = await wire.meet();
    const { prompt: turn } = await client.begin("ToolCall");
    expect((await client.call("steer", { user_input: "faster" })).result).toEqual({ status: "steered" });
    open();
    await turn;
    expect(client.story().filter((word) => word !== "StatusUpdate")).toEqual([
      "TurnBegin",
      "StepBegin",
      "ToolCall",
      "steer: steered",
      "ToolResult",
      "SteerInput",
      "StepBegin",
      "ContentPart",
      "TurnEnd",
      "prompt: finished",
    ]);
    expect(payload(await client.seen("SteerInput"))).toEqual({ user_input: "faster" });
    expect(wire.model.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "faster" });
  });

  test("a steer that has come already is not waited for by a custom agent (P-STR-1)", async () => {
    const { promise: gone, resolve: goOn } = deferred();
    const wire = scenario([], {
      agent: {
        async run(turn) {
          turn.say("Listening.");
          await gone;
          await turn.steered();
          turn.say("Heard.");
        },
      },
    });
    const { client } = await wire.meet();
    const { prompt: turn } = await client.begin("ContentPart");
    expect((await client.call("steer", { user_input: "faster" })).result).toEqual({ status: "steered" });
    goOn();
    expect((await turn).result).toEqual({ status: "finished" });
    expect(client.story()).toContain("ContentPart");
  });

  test("a steer after a last step makes one more (P-STR-2)", async () => {
    const { tool, open } = gate();
    const { client } = await scenario([`${callLine("Gate", {})}`, "text: b", "text: c"], {
      tools: [tool],
    }).meet();
    const { prompt: turn } = await client.begin("ToolCall");
    await client.call("steer", { user_input: "1" });
    await client.call("steer", { user_input: [{ type: "text", text: "2" }] });
    open();
    await turn;
    expect(client.story().filter((word) => word === "SteerInput")).toHaveLength(2);
  });

  test("a steer with content that the model does not take ends the turn, and is not in the next one (P-TRN-4)", async () => {
    const { tool, open } = gate();
    const wire = scenario([callLine("Gate", {}), "text: b"], { tools: [tool], model: { inputs: [] } });
    const { client } = await wire.meet();
    const { prompt: turn } = await client.begin("ToolCall");
    const image_url = { url: "data:image/png;base64,AA==" };
    await client.call("steer", { user_input: [{ type: "image_url", image_url }] });
    open();
    expect((await turn).error).toMatchObject({ code: -32002 });
    await client.call("prompt", { user_input: "again" });
    expect(JSON.stringify(wire.model.requests.at(-1)?.messages)).not.toContain("image_url");
  });

  test("a steer without a turn is refused, and so is one too many (P-STR-1)", async () => {
    const { client } = await scenario([asks(), "text: b"]).meet();
    expect((await client.call("steer", { user_input: "x" })).error).toMatchObject({ code: -32000 });
    const { prompt: turn, asked: question } = await client.begin("QuestionRequest");
    const steers = await Promise.all(
      Array.from({ length: 65 }, () => client.call("steer", { user_input: "x" })),
    );
    expect(steers.filter(({ result }) => result?.status === "steered")).toHaveLength(64);
    expect(steers[64]?.error).toMatchObject({ code: -32020, data: { limit: "steers" } });
    client.reply(question, red(question.id));
    expect((await turn).result).toEqual({ status: "finished" });
  });

  test("a steer does not answer an open question, which stays answerable (P-STR-1)", async () => {
    const { client } = await scenario([asks(), "text: b"]).meet();
    const { prompt: turn, asked: question } = await client.begin("QuestionRequest");
    await client.call("steer", { user_input: "x" });
    client.reply(question, red(question.id));
    expect(await toolResult(client)).toMatchObject({ message: "User has answered." });
    expect((await turn).result).toEqual({ status: "finished" });
    const story = client.story();
    expect(story.indexOf("SteerInput")).toBeGreaterThan(story.indexOf("ToolResult"));
  });

  test("a steer with content of an unknown type, or none, is refused with the field's name (P-MSG-4)", async () => {
    const { client } = await scenario(["text: a"]).meet();
    expect((await client.call("steer", { user_input: [{ type: "smell" }] })).error).toMatchObject({
      code: -32602,
    });
    expect((await client.call("steer", {})).error?.message).toContain("user_input");
  });
});

describe("plan mode", () => {
  test("plan mode is sent to every client before the reply, at any time (P-PLN-1)", async () => {
    const wire = scenario(["text: a"]);
    const first = wire.connect();
    const reply = await first.client.call("set_plan_mode", { enabled: true });
    expect(reply.result).toEqual({ status: "ok", plan_mode: true });
    expect(first.client.story()).toEqual(["StatusUpdate", "set_plan_mode: ok"]);
    expect(payload(await first.client.seen("StatusUpdate"))).toEqual({
      context_usage: null,
      context_tokens: null,
      max_context_tokens: null,
      token_usage: null,
      message_id: null,
      plan_mode: true,
      mcp_status: null,
    });
    const second = await wire.meet({ session: first.session });
    await second.client.call("set_plan_mode", { enabled: false });
    await first.client.settled();
    expect(first.client.story()).toEqual(["StatusUpdate"]);
  });

  test("plan mode is named to the model as long as it is on (P-PLN-2)", async () => {
    const wire = scenario(["text: a", "text: b"], { agentOptions: { system: "Be brief." } });
    const { client } = await wire.meet();
    await client.call("set_plan_mode", { enabled: true });
    await client.call("prompt", { user_input: "go" });
    await client.call("set_plan_mode", { enabled: false });
    await client.call("prompt", { user_input: "go" });
    const [during, after] = wire.model.requests;
    expect(during?.system).toMatch(/^Be brief\.\n\nPlan mode is on/);
    expect(after?.system).toBe("Be brief.");
  });

  test("set_plan_mode wants a boolean", async () => {
    const { client } = await scenario([]).meet();
    expect((await client.call("set_plan_mode", { enabled: 1 })).error).toMatchObject({ code: -32602 });
  });
});

describe("slash commands", () => {
  const commands: SlashCommand[] = [
    {
      name: "shout",
      description: "Shouts",
      aliases: ["s"],
      run: async (turn, args) => turn.say(args.toUpperCase()),
    },
  ];

  test("slash commands are listed, and run as a turn without a step (P-SLH-1)", async () => {
    const wire = scenario(["text: model"], { agentOptions: { commands: () => commands } });
    const { client } = wire.connect();
    const { result } = await client.call("initialize", { protocol_version: "1.10" });
    expect(result?.slash_commands).toEqual([{ name: "shout", description: "Shouts", aliases: ["s"] }]);
    client.story();
    await client.call("prompt", { user_input: "/shout  hello there " });
    expect(client.story()).toEqual(["TurnBegin", "ContentPart", "TurnEnd", "prompt: finished"]);
    expect(payload(await client.seen("ContentPart"))).toEqual({ type: "text", text: "HELLO THERE" });
    await client.call("prompt", { user_input: [{ type: "text", text: "/s x" }] });
    expect(payload(await client.seen("ContentPart", 2))).toMatchObject({ text: "X" });
    expect(wire.model.requests).toHaveLength(0);
  });

  test("slash commands that nobody registered go to the agent, for they may be a path (P-SLH-1)", async () => {
    const wire = scenario(["text: model"], { agentOptions: { commands: () => commands } });
    const { client } = await wire.meet();
    await client.call("prompt", { user_input: "/etc/hosts is wrong" });
    expect(wire.model.requests[0]?.messages).toEqual([{ role: "user", content: "/etc/hosts is wrong" }]);
  });

  test("a slash command may clear what the model remembers", async () => {
    const wire = scenario(["text: a", "text: b"], {
      agentOptions: {
        commands: ({ clear }) => [{ name: "clear", description: "Forgets", run: async () => clear() }],
      },
    });
    const { client } = await wire.meet();
    await client.call("prompt", { user_input: "one" });
    await client.call("prompt", { user_input: "/clear" });
    await client.call("prompt", { user_input: "two" });
    expect(wire.model.requests[1]?.messages).toEqual([{ role: "user", content: "two" }]);
  });
});

test("a model that is missing, or does not take what it is given, ends the turn with its code (P-TRN-4)", async () => {
  const none = await scenario([], { agent: modelAgent({ model: undefined }) }).meet();
  expect((await none.client.call("prompt", { user_input: "x" })).error).toMatchObject({ code: -32001 });
  expect(none.client.story()).toEqual(["TurnBegin", "TurnEnd", "prompt: -32001"]);
  const textOnly = await scenario(["text: a"], { model: { inputs: [] } }).meet();
  const image = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }];
  const { error } = await textOnly.client.call("prompt", { user_input: image });
  expect(error).toMatchObject({ code: -32002 });
  expect(error?.message).toContain("image_url");
  expect((await textOnly.client.call("prompt", { user_input: "x" })).result).toEqual({ status: "finished" });
});
