import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import { type ApprovalInit, defineTool, requireApproval, type Turn } from "../src/index.js";
import { payload, type RawClient } from "./raw-client.js";
import { callLine, scenario, toolResult } from "./scenario.js";

/** A tool that does its work only when it may, and how often it did. */
function painter() {
  const state = { painted: 0 };
  const tool = defineTool({
    name: "Paint",
    description: "Paints the hall.",
    parameters: z.object({}),
    async run() {
      const display = [{ type: "brief" as const, text: "blue" }];
      await requireApproval({ action: "paint a room", description: "Paint the hall", display });
      state.painted += 1;
      return "painted";
    },
  });
  return { state, tool };
}

const scripts = [callLine("Paint", {}), "text: On."];

async function asked(client: RawClient, answer: object): Promise<void> {
  const request = await client.seen("ApprovalRequest");
  client.send({ jsonrpc: "2.0", id: request.id, ...answer });
}

test("a tool says what it needs in one call, and continues once it may (P-APR-1)", async () => {
  const { state, tool } = painter();
  const { client } = await scenario(scripts, { tools: [tool] }).meet();
  const { prompt, asked: request } = await client.begin("ApprovalRequest");
  expect(payload(request)).toMatchObject({
    tool_call_id: "tc-1",
    sender: "Paint",
    action: "paint a room",
    description: "Paint the hall",
    display: [{ type: "brief", text: "blue" }],
  });
  expect(state.painted).toBe(0);
  client.reply(request, { request_id: request.id, response: "approve" });
  expect(await toolResult(client)).toMatchObject({ is_error: false, output: "painted" });
  await prompt;
});

test.each([
  ["approve", "use the cheap paint", "The user approved this and said: use the cheap paint"],
  ["approve_for_session", " \n", ""],
] as const)(
  "what a person says with %s reaches the model in the result of the call: %j (P-APR-5)",
  async (response, feedback, message) => {
    const { tool } = painter();
    const { client } = await scenario(scripts, { tools: [tool] }).meet();
    const { prompt, asked: request } = await client.begin("ApprovalRequest");
    client.reply(request, { request_id: request.id, response, feedback });
    expect(await toolResult(client)).toMatchObject({ is_error: false, output: "painted", message });
    await prompt;
  },
);

test.each<[string, object, RegExp, string]>([
  ["rejects it", { result: { response: "reject" } }, /^The user rejected .*wait for/, "Rejected by user"],
  [
    "rejects it with a reason",
    { result: { response: "reject", feedback: "wrong colour" } },
    /^The user rejected .*: wrong colour$/,
    "Rejected: wrong colour",
  ],
  [
    "has a client whose handler crashed",
    { error: { code: 0, message: "no window" } },
    /^Nobody could answer .*\(protocol_error: no window\)/,
    "Not approved",
  ],
  [
    "cannot show it",
    { error: { code: -32601, message: "no such request" } },
    /^Nobody could answer .*\(unsupported: no such request\)/,
    "Not approved",
  ],
])(
  "the model is told when the person %s, and not to go around it (P-OUT-6, P-ANS-5)",
  async (_, answer, message, text) => {
    const { state, tool } = painter();
    const { client } = await scenario(scripts, { tools: [tool] }).meet();
    const prompt = client.call("prompt", { user_input: "go" });
    const { result, error } = answer as { result?: object; error?: object };
    const { id: request_id } = await client.seen("ApprovalRequest");
    await asked(client, error === undefined ? { result: { request_id, ...result } } : { error });
    const value = await toolResult(client);
    expect(value).toMatchObject({ is_error: true, output: "", display: [{ type: "brief", text }] });
    expect(value.message).toMatch(message);
    expect(value.message).toContain("Do not get the same effect in another way");
    expect(state.painted).toBe(0);
    await prompt;
  },
);

test("an approval is rejected by policy where nobody is present, and the model is told to continue without it (P-ATT-3)", async () => {
  const { state, tool } = painter();
  const { client } = await scenario(scripts, { tools: [tool], attendance: "decline" }).meet();
  await client.call("prompt", { user_input: "go" });
  const value = await toolResult(client);
  expect(value).toMatchObject({ is_error: true, display: [{ type: "brief", text: "Nobody present" }] });
  expect(value.message).toMatch(/^Nobody is present .*rejected by policy/);
  expect(client.story()).not.toContain("ask ApprovalRequest");
  expect(state.painted).toBe(0);
});

test("a cancelled turn ends the tool without a result, and nothing is done (P-TRN-6)", async () => {
  const { state, tool } = painter();
  const { client } = await scenario(scripts, { tools: [tool] }).meet();
  const { prompt } = await client.begin("ApprovalRequest");
  await client.call("cancel");
  expect((await prompt).result).toEqual({ status: "cancelled" });
  expect(client.story()).not.toContain("ToolResult");
  expect(state.painted).toBe(0);
});

describe("an approval anywhere in a turn", () => {
  const paint = { action: "paint a room", description: "Paint the hall" };

  /** The decision on an approval outside of tool calls that a base client answers so. */
  async function decided(answer: object, init: Partial<ApprovalInit> = {}) {
    const made: unknown[] = [];
    const set = scenario([], {
      run: async (turn) => void made.push(await turn.approve({ ...paint, ...init })),
    });
    const { client } = await set.meet();
    const { prompt, asked: request } = await client.begin("ApprovalRequest");
    client.reply(request, { request_id: request.id, ...answer });
    await prompt;
    return { made, sender: payload(request).sender };
  }

  test("an approval outside of a tool call names the agent, or whom it says (P-APR-1)", async () => {
    expect(await decided({ response: "approve" })).toMatchObject({
      sender: "agent",
      made: [{ approved: true, option: undefined, edited: undefined, outcome: { by: "human" } }],
    });
    expect(await decided({ response: "approve" }, { sender: "Brush" })).toMatchObject({ sender: "Brush" });
  });

  test("a rejection comes with the person's words and the text for the model (P-OUT-6)", async () => {
    expect(await decided({ response: "reject", feedback: " rather green " })).toMatchObject({
      made: [
        {
          approved: false,
          feedback: "rather green",
          outcome: { status: "answered" },
          toolError: { message: expect.stringContaining("do what they said: rather green") },
        },
      ],
    });
  });

  test("an approval is taken back by its signal", async () => {
    const over = new AbortController();
    const reason = new Error("no longer needed");
    const made: unknown[] = [];
    const { meet } = scenario([], {
      run: (turn) =>
        turn.approve({ ...paint, signal: over.signal }).then(
          () => {},
          (error) => void made.push(error),
        ),
    });
    const { client } = await meet();
    const { prompt } = await client.begin("ApprovalRequest");
    over.abort(reason);
    await prompt;
    expect(made).toEqual([reason]);
  });

  test("the option of an approval has the type of its options", () => {
    const typed = async (turn: Turn) => {
      const asked = await turn.approve({
        ...paint,
        options: [
          { id: "now", kind: "allow" },
          { id: "no", kind: "reject" },
        ],
      });
      if (!asked.approved) return asked.toolError.message;
      expectTypeOf(asked.option).toEqualTypeOf<"now" | undefined>();
      return asked.option;
    };
    expect(typed).toBeTypeOf("function");
  });
});
