import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { askUserQuestion } from "../../dialects/src/index.js";
import { defineTool, QuestionRequest, requireApproval, type Tool, wireSend } from "../src/index.js";
import { payload, type RawClient } from "./raw-client.js";
import { asks, callLine, colour, scenario, toolResult } from "./scenario.js";

const approved = defineTool({
  name: "Write",
  description: "writes",
  parameters: z.looseObject({}),
  async run() {
    await requireApproval({ action: "edit file", description: "a.txt" });
    return "written";
  },
});

/** A tool that hands its work to a sub-agent with a scripted model of its own. */
function delegate(
  scripts: string[],
  { name = "Task", id = "agent-1" }: { name?: string; id?: string } = {},
): Tool {
  return defineTool({
    name,
    description: "delegates",
    parameters: z.looseObject({}),
    async run(_params, { subagent }) {
      const agent = modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion, approved] });
      const { status, text } = await subagent({ agent, type: "coder", input: "do it", id });
      return `${status}: ${text}`;
    },
  });
}

const inner = (client: RawClient) =>
  client.received
    .filter(({ params }) => params?.type === "SubagentEvent")
    .map((message) => (payload(message).event as { type: string }).type);

describe("a sub-agent", () => {
  test("a sub-agent is seen as events inside events, and its last words are the tool's (P-SUB-1)", async () => {
    const tools = [delegate([`text: first\n${callLine("Write", {}, "w")}`, "text: all done"])];
    const wire = scenario([callLine("Task", {}), "text: b"], { tools, yolo: true });
    const { client } = await wire.meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(inner(client)).toEqual([
      "TurnBegin",
      "StepBegin",
      "ContentPart",
      "ToolCall",
      "StatusUpdate",
      "ToolResult",
      "StepBegin",
      "ContentPart",
      "StatusUpdate",
      "TurnEnd",
    ]);
    const [first] = client.received.filter(({ params }) => params?.type === "SubagentEvent");
    expect(payload(first as never)).toEqual({
      parent_tool_call_id: "tc-1",
      agent_id: "agent-1",
      subagent_type: "coder",
      event: { type: "TurnBegin", payload: { user_input: "do it" } },
    });
    const status = client.received.find(({ params }) => {
      return (params?.payload.event as { type?: string } | undefined)?.type === "StatusUpdate";
    });
    expect((payload(status as never).event as { payload: object }).payload).toHaveProperty(
      "mcp_status",
      null,
    );
    expect(await toolResult(client)).toMatchObject({ is_error: false, output: "finished: all done" });
  });

  test("a sub-agent asks for approvals under its own name, and a rejection does not end the turn (P-SUB-2, P-APR-5)", async () => {
    const tools = [delegate([callLine("Write", {}, "w"), "text: gave up"])];
    const { client } = await scenario([callLine("Task", {}), "text: b"], { tools }).meet();
    const { prompt: turn, asked: approval } = await client.begin("ApprovalRequest");
    expect(payload(approval)).toMatchObject({
      tool_call_id: "w",
      sender: "Write",
      agent_id: "agent-1",
      subagent_type: "coder",
    });
    client.reply(approval, { request_id: approval.id, response: "reject", feedback: "" });
    await turn;
    expect(await toolResult(client)).toMatchObject({ output: "finished: gave up" });
    expect(client.story().filter((word) => word === "StepBegin")).toHaveLength(2);
  });

  test("a sub-agent cannot ask the person: its model is told that nobody answers (P-SUB-3)", async () => {
    const tools = [delegate([asks(), "text: decided alone"])];
    const { client } = await scenario([callLine("Task", {}), "text: b"], { tools }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(client.story()).not.toContain("ask QuestionRequest");
    const results = client.received
      .filter(({ params }) => params?.type === "SubagentEvent")
      .map((message) => payload(message).event as { type: string; payload: Record<string, unknown> })
      .filter(({ type }) => type === "ToolResult");
    expect(results[0]?.payload.return_value).toMatchObject({
      is_error: true,
      message: "Failed to get user response.",
    });
  });

  test("a sub-agent waits alone: what another one asks meanwhile is answered and finished (P-INT-3)", async () => {
    const tools = [
      delegate([callLine("Write", {}, "w-1"), "text: first"]),
      delegate([callLine("Write", {}, "w-2"), "text: second"], { name: "Other", id: "agent-2" }),
    ];
    const step = `${callLine("Task", {}, "tc-1")}\n${callLine("Other", {}, "tc-2")}`;
    const { client, session } = await scenario([step, "text: b"], { tools }).meet();
    const turn = client.call("prompt", { user_input: "go" });
    const approvals = [await client.seen("ApprovalRequest", 1), await client.seen("ApprovalRequest", 2)];
    const approve = (agent: string) => {
      const asked = approvals.find((approval) => payload(approval).agent_id === agent);
      client.reply(asked as never, { request_id: asked?.id, response: "approve", feedback: "" });
    };
    approve("agent-2");
    expect(await toolResult(client)).toMatchObject({ output: "finished: second" });
    expect(session.pending.length).toBe(1);
    approve("agent-1");
    expect(await toolResult(client, 2)).toMatchObject({ output: "finished: first" });
    expect((await turn).result).toEqual({ status: "finished" });
  });

  test("a sub-agent ends with its turn: nothing of it stays open (P-SUB-4)", async () => {
    const tools = [delegate([callLine("Write", {}, "w"), "text: never"])];
    const { client, session } = await scenario([callLine("Task", {}), "text: b"], { tools }).meet();
    const { prompt: turn } = await client.begin("ApprovalRequest");
    expect(session.pending.length).toBe(1);
    await client.call("cancel");
    expect((await turn).result).toEqual({ status: "cancelled" });
    expect(session.pending.length).toBe(0);
  });

  test("a sub-agent that leaves a request open does not keep it (P-SUB-4)", async () => {
    let outcome: unknown;
    const forgetful = defineTool({
      name: "Task",
      description: "delegates",
      parameters: z.looseObject({}),
      async run(_params, { subagent }) {
        const request = new QuestionRequest({ tool_call_id: "x", questions: [colour] });
        await subagent({ agent: { run: async () => wireSend(request) }, type: "hasty", input: "" });
        outcome = request.outcome;
        return "";
      },
    });
    const { client } = await scenario([callLine("Task", {}), "text: b"], { tools: [forgetful] }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(outcome).toMatchObject({ status: "unavailable", reason: "subagent" });
  });

  test("sub-agents cannot lie within each other without end (P-SUB-5)", async () => {
    const nest: Tool = defineTool({
      name: "Task",
      description: "delegates",
      parameters: z.looseObject({}),
      async run(_params, { subagent }) {
        const agent = modelAgent({
          model: scriptedModel([callLine("Task", {}), "text: done"]),
          tools: [nest],
        });
        const { text } = await subagent({ agent, type: "nested", input: "deeper" });
        return text;
      },
    });
    const { client } = await scenario([callLine("Task", {}), "text: b"], { tools: [nest] }).meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(JSON.stringify(client.received)).toContain("sub-agents within each other");
  });
});

test("a sub-agent asks where the server lets it (P-SUB-3)", async () => {
  const tools = [delegate([asks(), "text: as you like"])];
  const wire = scenario([callLine("Task", {}), "text: b"], { tools, subagentQuestions: true });
  const { client } = await wire.meet();
  const { prompt: turn, asked: question } = await client.begin("QuestionRequest");
  client.reply(question, { request_id: question.id, answers: { "Which colour?": "Red" } });
  expect((await turn).result).toEqual({ status: "finished" });
});

test("a sub-agent that fails has its step interrupted, and the call fails, not the turn (P-SUB-1, P-TRN-4)", async () => {
  const tools = [delegate(["error: 400 no"])];
  const { client } = await scenario([callLine("Task", {}), "text: b"], { tools }).meet();
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  expect(inner(client)).toEqual(["TurnBegin", "StepBegin", "StepInterrupted", "TurnEnd"]);
  expect(await toolResult(client)).toMatchObject({ is_error: true });
});
