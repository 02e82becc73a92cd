import { describe, expect, test } from "vitest";
import { payload } from "./raw-client.js";
import { approvedTool, callLine, scenario, toolResult } from "./scenario.js";

const shell = (id = "tc-1") => callLine("Shell", {}, id);
const tools = [approvedTool("Shell")];
const calling = async (options: Parameters<typeof scenario>[1] = {}) =>
  (await scenario([shell(), "text: b"], { tools, ...options }).meet()).client;

test("an approval reaches a client that never introduced itself, with every field of the wire", async () => {
  const { client } = scenario([shell(), "text: b"], { tools }).connect();
  const { prompt, asked: request } = await client.begin("ApprovalRequest");
  expect(payload(request)).toEqual({
    id: request.id,
    tool_call_id: "tc-1",
    sender: "Shell",
    action: "run command",
    description: "ls",
    source_kind: "foreground_turn",
    source_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    agent_id: null,
    subagent_type: null,
    source_description: null,
    display: [],
  });
  client.reply(request, { request_id: request.id, response: "approve" });
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(await toolResult(client)).toMatchObject({ is_error: false, output: "done" });
  expect(payload(await client.seen("ApprovalResponse"))).toEqual({
    request_id: request.id,
    response: "approve",
    feedback: "",
  });
});

test("approvals of one turn share their source_id, those of the next turn have another (P-APR-1)", async () => {
  const scripts = [`${shell("tc-1")}\n${callLine("Write", {}, "tc-2")}`, "text: b", shell("tc-3"), "text: c"];
  const { client } = await scenario(scripts, {
    tools: [...tools, approvedTool("Write", "write file")],
  }).meet();
  const sources: unknown[] = [];
  const answered = async (n: number) => {
    const request = await client.seen("ApprovalRequest", n);
    sources.push(payload(request).source_id);
    client.reply(request, { request_id: request.id, response: "approve" });
  };
  const first = client.call("prompt", { user_input: "go" });
  await answered(1);
  await answered(2);
  await first;
  const second = client.call("prompt", { user_input: "again" });
  await answered(3);
  await second;
  expect([sources[0] === sources[1], sources[0] === sources[2]]).toEqual([true, false]);
});

test.each<[string, unknown, string]>([
  ["with words", { response: "reject", feedback: "too risky" }, "Rejected: too risky"],
  ["without", { response: "reject" }, "Rejected: "],
])("a rejection %s reaches the tool, and is announced before its result", async (_, answer, message) => {
  const client = await calling();
  const { prompt, asked: request } = await client.begin("ApprovalRequest");
  client.reply(request, { request_id: request.id, ...(answer as object) });
  expect(await toolResult(client)).toMatchObject({ is_error: true, message });
  await prompt;
  const story = client.story();
  expect(story.indexOf("ApprovalResponse")).toBeGreaterThan(story.indexOf("ask ApprovalRequest"));
  expect(story.indexOf("ApprovalResponse")).toBeLessThan(story.indexOf("ToolResult"));
});

const unanswered = "Nobody could answer whether this call is approved";

test.each<[string, unknown, string]>([
  ["an error", { error: { code: -32000, message: "no" } }, `${unanswered} (protocol_error: no)`],
  ["not supported", { error: { code: -32601, message: "no" } }, `${unanswered} (unsupported: no)`],
  ["null", { result: null }, `${unanswered} (protocol_error`],
  ["an unknown kind", { result: { request_id: "x", response: "maybe" } }, `${unanswered} (protocol_error`],
  ["no request_id", { result: { response: "approve" } }, `${unanswered} (protocol_error`],
])("a client that answers %s has not approved", async (_, answer, why) => {
  const client = await calling();
  const { prompt, asked: request } = await client.begin("ApprovalRequest");
  client.send({ jsonrpc: "2.0", id: request.id, ...(answer as object) });
  const result = await toolResult(client);
  expect(result).toMatchObject({ is_error: true });
  expect(result.message).toContain(`Rejected: ${why}`);
  expect(payload(await client.seen("ApprovalResponse"))).toMatchObject({ response: "reject" });
  expect((await prompt).result).toEqual({ status: "finished" });
});

test("an action approved for the session is not asked again, another action is", async () => {
  const both = [...tools, approvedTool("Write", "write file")];
  const scripts = [
    shell("tc-1"),
    shell("tc-2"),
    callLine("Write", {}, "tc-3"),
    "text: b",
    shell("tc-4"),
    "text: c",
  ];
  const { client } = await scenario(scripts, { tools: both }).meet();
  const { prompt, asked: first } = await client.begin("ApprovalRequest");
  client.reply(first, { request_id: first.id, response: "approve_for_session" });
  const second = await client.seen("ApprovalRequest", 2);
  expect(payload(second)).toMatchObject({ action: "write file", tool_call_id: "tc-3" });
  client.reply(second, { request_id: second.id, response: "approve" });
  await prompt;
  await client.call("prompt", { user_input: "again" });
  const story = client.story();
  expect(story.filter((word) => word === "ask ApprovalRequest")).toHaveLength(2);
  expect(story.filter((word) => word === "ApprovalResponse")).toHaveLength(2);
  expect(await toolResult(client, 4)).toMatchObject({ output: "done" });
});

test("approving everything asks nobody and announces nothing", async () => {
  const client = await calling({ yolo: true });
  await client.call("prompt", { user_input: "go" });
  expect(client.story()).not.toContain("ask ApprovalRequest");
  expect(await toolResult(client)).toMatchObject({ output: "done" });
});

test("with nobody there an approval is rejected, and says why (P-ATT-3)", async () => {
  const client = await calling({ attendance: "decline" });
  await client.call("prompt", { user_input: "go" });
  const { message } = await toolResult(client);
  expect(message).toMatch(/^Rejected: Nobody is present to approve this call/);
});

describe("a rejection", () => {
  const scripts = [callLine("Write", {}), "text: A further call."];

  test.each([
    ["without a word ends the turn after the result, with no further call of the model", " ", 1],
    ["with a reason lets the turn continue, and the model reads it", "not there", 2],
  ])("a rejection %s (P-APR-5)", async (_what, feedback, calls) => {
    const { meet, model } = scenario(scripts, { tools: [approvedTool("Write")] });
    const { client } = await meet();
    const { prompt, asked } = await client.begin("ApprovalRequest");
    client.reply(asked, { request_id: asked.id, response: "reject", feedback });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(model.requests).toHaveLength(calls);
    if (calls === 2) expect(JSON.stringify(model.requests[1]?.messages)).toContain(feedback);
    expect(await toolResult(client)).toMatchObject({ is_error: true });
  });
});

test("a reason too long to be sent to the others ends nothing but itself (P-LIM-4)", async () => {
  const { meet } = scenario([callLine("Write", {}), "text: On."], {
    tools: [approvedTool("Write")],
    limits: { outboundLength: 100_000 },
  });
  const { client } = await meet();
  const { prompt, asked } = await client.begin("ApprovalRequest");
  client.reply(asked, { request_id: asked.id, response: "reject", feedback: "x".repeat(200_000) });
  expect((await prompt).result).toEqual({ status: "finished" });
});
