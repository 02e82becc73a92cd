import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { deferred } from "../../../scripts/deferred.js";
import type { ModelConversation } from "../../agent/src/index.js";
import {
  type Agent,
  ApprovalRequest,
  defineTool,
  type Model,
  type ModelPart,
  type SlashCommand,
  type ToolRun,
  wireSend,
} from "../src/index.js";
import { payload, type RawClient } from "./raw-client.js";
import { approvedTool, callLine, scenario, toolResult, watchedModel } from "./scenario.js";

const said = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });
const texts = (messages: readonly { role: string }[] | undefined) =>
  messages?.map((message) => JSON.stringify(message)) ?? [];

/** A model whose n-th call says `said`, then ignores its signal until released, and says `late`. */
function deafModel(scripts: readonly string[], deaf: number) {
  const model = watchedModel(scripts);
  const { promise: gate, resolve: letGo } = deferred();
  const { promise: ended, resolve: over } = deferred();
  const stream: Model["stream"] = async function* (request) {
    yield* model.stream(request);
    if (model.requests.length !== deaf) return;
    await gate;
    try {
      yield said("late");
    } finally {
      over();
    }
  };
  return { stream, requests: model.requests, letGo, ended };
}

const compactCommand = ({ compact }: ModelConversation): SlashCommand[] => [
  { name: "compact", description: "Compacts", run: async (turn) => void (await compact(turn)) },
];

/** Runs a turn after the cancelled one. Then the model goes on, and reads all words in order in a third turn. */
async function wantsAllInPlace(client: RawClient, model: ReturnType<typeof deafModel>): Promise<void> {
  await client.call("prompt", { user_input: "two" });
  model.letGo();
  await model.ended;
  await client.settled();
  await client.call("prompt", { user_input: "three" });
  const found = texts(model.requests.at(-1)?.messages);
  expect(found).toHaveLength(5);
  for (const [index, word] of ["one", '"a"', "two", '"b"', "three"].entries()) {
    expect(found[index]).toContain(word);
  }
}

/** Prompts, and cancels the turn once this was told of it. */
async function cancelledAt(type: string, client: RawClient, user_input = "one") {
  const turn = client.call("prompt", { user_input });
  await client.seen(type);
  await client.call("cancel");
  expect((await turn).result).toEqual({ status: "cancelled" });
}

describe("a model that goes on after the turn was cancelled", () => {
  test("a model that continues after the turn was cancelled adds nothing to the conversation, in which what it had said stays in its place (P-STP-5, P-TRN-6)", async () => {
    const model = deafModel(["text: a", "text: b", "text: c"], 1);
    const { client } = await scenario([], { model: { stream: model.stream } }).meet();
    await cancelledAt("ContentPart", client);
    await wantsAllInPlace(client, model);
  });

  test("a model that continues after the turn was cancelled does not replace what was said since by a summary (P-CMP-2, P-TRN-6)", async () => {
    const model = deafModel(["text: a", "text: summary", "text: b", "text: c"], 2);
    const { client } = await scenario([], {
      model: { stream: model.stream },
      agentOptions: { commands: compactCommand },
    }).meet();
    await client.call("prompt", { user_input: "one" });
    await cancelledAt("CompactionBegin", client, "/compact");
    await wantsAllInPlace(client, model);
  });
});

describe("a compaction", () => {
  test("a compaction keeps the results of the last calls together with the calls (P-CMP-1)", async () => {
    const tools = [
      defineTool({ name: "Look", description: "looks", parameters: z.looseObject({}), run: () => "seen" }),
    ];
    const wire = scenario(
      [
        `${callLine("Look", {}, "l1")}\n${callLine("Look", { at: 2 }, "l2")}\nusage: input_other=90 output=5`,
        "text: summary",
        "text: b",
      ],
      { tools, model: { maxContextTokens: 100 } },
    );
    const { client } = await wire.meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    const [, summarizing, after] = wire.model.requests;
    expect(summarizing?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
    expect(after?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool"]);
  });

  test("a compaction with an empty summary leaves the conversation unchanged (P-CMP-2)", async () => {
    const wire = scenario(["text: a", "text: ", "text: c"], { agentOptions: { commands: compactCommand } });
    const { client } = await wire.meet();
    await client.call("prompt", { user_input: "one" });
    expect((await client.call("prompt", { user_input: "/compact" })).error).toMatchObject({ code: -32003 });
    await client.call("prompt", { user_input: "two" });
    expect(wire.model.requests[2]?.messages).toHaveLength(3);
  });
});

describe("a hook of Stop", () => {
  async function withStopHook(scripts: string[], options: Parameters<typeof scenario>[1] = {}) {
    const wire = scenario(scripts, options);
    const { client } = await wire.meet();
    await client.call("initialize", {
      protocol_version: "1.10",
      hooks: [{ id: "stop", event: "Stop" }],
    });
    return { wire, client };
  }

  test("a hook of Stop that is open when the turn is cancelled says nothing to the model (P-HOK-8)", async () => {
    const { wire, client } = await withStopHook(["text: a", "text: b"]);
    await cancelledAt("HookRequest", client);
    const next = client.call("prompt", { user_input: "two" });
    const asked = await client.seen("HookRequest", 2);
    client.reply(asked, { request_id: asked.id });
    await next;
    expect(wire.model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("a hook of Stop does not make an agent continue whose call was rejected without a word (P-APR-5, P-HOK-6)", async () => {
    const { wire, client } = await withStopHook([callLine("Run", {}), "text: b"], {
      tools: [approvedTool("Run")],
    });
    const turn = client.call("prompt", { user_input: "one" });
    const asked = await client.seen("ApprovalRequest");
    client.reply(asked, { request_id: asked.id, response: "reject" });
    const hook = await client.seen("HookRequest");
    client.reply(hook, { request_id: hook.id, action: "block", reason: "go on" });
    expect((await turn).result).toEqual({ status: "finished" });
    expect(wire.model.requests).toHaveLength(1);
  });
});

test("a turn that is cancelled while the hook of its failure is open was cancelled (P-TRN-6)", async () => {
  const { client } = await scenario(["error: 400 no"]).meet();
  await client.call("initialize", { protocol_version: "1.10", hooks: [{ id: "f", event: "StopFailure" }] });
  await cancelledAt("HookRequest", client);
});

test("a sub-agent's acts after its end are neither told nor asked (P-SUB-1, P-SUB-4)", async () => {
  const { promise: gate, resolve: letGo } = deferred();
  const request = new ApprovalRequest({ tool_call_id: "x", sender: "x", action: "x", description: "x" });
  let late: Promise<void> | undefined;
  const tool = defineTool({
    name: "Task",
    description: "delegates",
    parameters: z.looseObject({}),
    async run(_params, { subagent }: ToolRun) {
      const { text } = await subagent({
        type: "coder",
        input: "do it",
        agent: {
          async run(turn) {
            turn.say("done");
            late = gate.then(() => {
              turn.say("late");
              wireSend(request);
            });
          },
        },
      });
      letGo();
      await late;
      return text;
    },
  });
  const { client } = await scenario([callLine("Task", {}), "text: b"], { tools: [tool] }).meet();
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  expect(request.outcome).toMatchObject({ status: "withdrawn", reason: "agent" });
  const inner = client.received.filter(({ params }) => params?.type === "SubagentEvent");
  expect(inner.map((message) => (payload(message).event as { type: string }).type)).toEqual([
    "TurnBegin",
    "ContentPart",
    "TurnEnd",
  ]);
});

test("a tool's result that is no JSON is reported to the model as a failure (P-STP-1)", async () => {
  const loop: Record<string, unknown> = {};
  loop.itself = loop;
  const tool = defineTool({
    name: "Loop",
    description: "loops",
    parameters: z.looseObject({}),
    run: () => ({ output: "fine", extras: loop }),
  });
  const { client } = await scenario([callLine("Loop", {}), "text: b"], { tools: [tool] }).meet();
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  expect(await toolResult(client)).toMatchObject({ is_error: true });
});

test("an output is cut by what it takes to write the part that is kept (P-LIM-4)", async () => {
  const text = "\u0001".repeat(4_000_000) + "x".repeat(30_000_000);
  const tool = defineTool({
    name: "Flood",
    description: "floods",
    parameters: z.looseObject({}),
    run: () => text,
  });
  const { client } = await scenario([callLine("Flood", {}), "text: b"], { tools: [tool] }).meet();
  await client.call("prompt", { user_input: "go" });
  expect(client.story()).toContain("ToolResult");
});

test("calls that nobody waits for, as their turn was cancelled, do not end the process (P-TRN-6)", async () => {
  const unhandled: unknown[] = [];
  const keep = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", keep);
  onTestFinished(() => void process.off("unhandledRejection", keep));
  const inner: Agent = {
    async run(turn) {
      const both = [turn.callTool(approvedTool("A"), {}), turn.callTool(approvedTool("B"), {})];
      for (const call of both) await call;
    },
  };
  const tool = defineTool({
    name: "Task",
    description: "delegates",
    parameters: z.looseObject({}),
    async run(_params, { subagent }: ToolRun) {
      const both = ["1", "2"].map((input) => subagent({ type: "coder", input, agent: inner }));
      for (const ending of both) await ending;
      return "done";
    },
  });
  const { client } = await scenario([callLine("Task", {})], { tools: [tool] }).meet();
  const turn = client.call("prompt", { user_input: "go" });
  await client.seen("ApprovalRequest", 4);
  await client.call("cancel");
  expect((await turn).result).toEqual({ status: "cancelled" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

test("a step of many calls is no reason to warn of a leak (P-STP-2)", async () => {
  const warnings: string[] = [];
  const keep = ({ name }: Error) => void warnings.push(name);
  process.on("warning", keep);
  onTestFinished(() => void process.off("warning", keep));
  const calls = Array.from({ length: 12 }, (_, n) => callLine("Run", { n }, `r${n}`)).join("\n");
  const { client } = await scenario([calls, "text: b"], { tools: [approvedTool("Run")] }).meet();
  const turn = client.call("prompt", { user_input: "go" });
  const asked = await client.seen("ApprovalRequest", 12);
  client.reply(asked, { request_id: asked.id, response: "approve_for_session" });
  expect((await turn).result).toEqual({ status: "finished" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
