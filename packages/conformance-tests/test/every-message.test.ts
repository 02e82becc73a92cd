import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@askwire/client";
import {
  agentMethods,
  type EventType,
  events,
  extendedAgentMethods,
  extendedEvents,
  requests,
  type WireEventInput,
} from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, defineTool, requireApproval, type Turn } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { askUserQuestion } from "../../dialects/src/index.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A payload of every event, with every field that Wire 1.10 has. */
const samples = {
  TurnBegin: { user_input: [{ type: "text", text: "hi" }] },
  SteerInput: { user_input: "more" },
  TurnEnd: {},
  StepBegin: { n: 1 },
  StepInterrupted: {},
  StepRetry: { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 0.5, error_type: "x", status_code: 503 },
  CompactionBegin: {},
  CompactionEnd: {},
  HookTriggered: { event: "Stop", target: "", hook_count: 1 },
  HookResolved: { event: "Stop", target: "", action: "allow", reason: "", duration_ms: 3 },
  MCPLoadingBegin: {},
  MCPLoadingEnd: {},
  StatusUpdate: {
    context_usage: 0.5,
    context_tokens: 5,
    max_context_tokens: 10,
    token_usage: { input_other: 1, output: 2, input_cache_read: 3, input_cache_creation: 4 },
    message_id: "m",
    plan_mode: false,
    mcp_status: {
      loading: false,
      connected: 1,
      total: 1,
      tools: 2,
      servers: [{ name: "s", status: "connected", tools: ["t"] }],
    },
  },
  Notification: {
    id: "n",
    category: "task",
    type: "done",
    source_kind: "task",
    source_id: "1",
    title: "Done",
    body: "It is done.",
    severity: "info",
    created_at: 1.5,
    payload: { any: [1] },
  },
  ContentPart: { type: "image_url", image_url: { url: "data:,", id: "i" } },
  ToolCall: { type: "function", id: "t", function: { name: "f", arguments: "{}" }, extras: { a: 1 } },
  ToolCallPart: { arguments_part: "x" },
  ToolResult: {
    tool_call_id: "t",
    return_value: {
      is_error: false,
      output: [{ type: "text", text: "o" }],
      message: "m",
      display: [{ type: "chart", data: { points: [1] } }],
      extras: { a: 1 },
    },
  },
  ApprovalResponse: { request_id: "r", response: "reject", feedback: "no" },
  SubagentEvent: {
    parent_tool_call_id: "t",
    agent_id: "a",
    subagent_type: "coder",
    event: { type: "StepBegin", payload: { n: 1 } },
  },
  PlanDisplay: { content: "# Plan", file_path: "plan.md" },
  BtwBegin: { id: "b", question: "?" },
  BtwEnd: { id: "b", response: "!", error: "none" },
} as const satisfies { [T in EventType]: Extract<WireEventInput, { type: T }>["payload"] };

const needsApproval = defineTool({
  name: "Write",
  description: "writes",
  parameters: z.object({}),
  async run() {
    await requireApproval({ action: "edit file", description: "a.txt" });
    return "written";
  },
});

/** Our server and our client, and every text that passes between them. */
async function both(run: (turn: Turn) => Promise<void>, options: Parameters<typeof connect>[1] = {}) {
  const texts: string[] = [];
  const { left, right } = linkedPair((_from, text) => void texts.push(text));
  const server = createServer({ agent: { run } });
  server.connect(left);
  const session = await connect(right, { profile: "base", ...options });
  return { session, messages: () => texts.map((text) => JSON.parse(text)) };
}

describe("every message of Wire 1.10", () => {
  test.each(Object.keys(samples) as EventType[])(
    "the event %s is sent in its exact shape and received whole (P-MSG-1)",
    async (type) => {
      const received: unknown[] = [];
      const { session, messages } = await both(async (turn) => turn.emit(type, samples[type] as never), {
        handlers: { event: (event) => void received.push(event) },
      });
      await session.prompt("hi").result;
      const sent = messages().filter(({ method }) => method === "event");
      const payload = samples[type];
      expect(sent.map(({ params }) => params)).toContainEqual({ type, payload });
      expect(received).toContainEqual({ type, payload });
    },
  );

  test("the requests reach their handlers, and the answers reach the agent (P-MSG-2)", async () => {
    const call = (name: string, args: unknown, id: string) =>
      `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;
    const question = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
    const scripts = [
      `${call("AskUserQuestion", { questions: [question] }, "q")}\n${call("Ext", { n: 1 }, "e")}`,
      call("Write", {}, "w"),
      "text: done",
    ];
    const texts: string[] = [];
    const { left, right } = linkedPair((_from, text) => void texts.push(text));
    const server = createServer({
      agent: () => modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion, needsApproval] }),
    });
    server.connect(left);
    const seen: string[] = [];
    const session = await connect(right, {
      profile: "base",
      handlers: {
        question: ({ questions }) => {
          seen.push("QuestionRequest");
          return { items: [{ question_id: questions[0]?.id ?? "", selected: ["q1_o2"] }] };
        },
        approval: () => {
          seen.push("ApprovalRequest");
          return "approve";
        },
      },
      tools: [
        {
          name: "Ext",
          description: "",
          parameters: { type: "object" },
          run: ({ n }) => {
            seen.push("ToolCallRequest");
            return `got ${n}`;
          },
        },
      ],
      hooks: [
        {
          event: "PreToolUse",
          matcher: "Ext",
          run: () => {
            seen.push("HookRequest");
          },
        },
      ],
    });
    expect((await session.prompt("go").result).status).toBe("finished");
    expect(seen.sort()).toEqual(Object.keys(requests).sort());
    const all = texts.join("\n");
    expect(all).toContain("got 1");
    expect(all).toContain('{\\"answers\\": {\\"Which?\\": \\"B\\"}}');
  });

  test("the methods are called by the client and answered by the server (P-MSG-3)", async () => {
    let steer = async () => {};
    const { session, messages } = await both(async (turn) => {
      await steer();
      turn.takeSteers();
    });
    steer = () => session.steer("more");
    expect(await session.setPlanMode(true)).toBe(true);
    await session.prompt("go").result;
    expect(await session.replay()).toEqual({ status: "finished", events: 0, requests: 0 });
    await expect(session.cancel()).rejects.toMatchObject({ code: -32000 });
    const called = messages().filter(({ method }) => method !== undefined && method !== "event");
    expect(new Set(called.map(({ method }) => method))).toEqual(new Set(Object.keys(agentMethods)));
    for (const { id } of called) {
      expect(messages().filter((m) => m.id === id && m.method === undefined)).toHaveLength(1);
    }
  });
});

/** The table of docs/protocol.md: each message with the tests of both directions. */
describe("the table of messages and their tests", () => {
  const page = readFileSync(join(root, "docs/protocol.md"), "utf8");
  const [, section = ""] = page.split("## Messages and their tests");
  const rows = [...section.matchAll(/^\| `(\w+)` \| (\w+) \| (.+?) \| (.+?) \|$/gm)].map(
    ([, message = "", kind = "", server = "", client = ""]) => ({ message, kind, server, client }),
  );

  test("the table of messages has a row for every method, event and request, and no other", () => {
    const expected = [
      ...Object.keys(agentMethods).map((message) => `${message} method`),
      ...Object.entries(extendedAgentMethods).map(([message, { kind }]) =>
        kind === "request" ? `${message} method` : `${message} ${kind}`,
      ),
      ...Object.keys({ ...events, ...extendedEvents }).map((message) => `${message} event`),
      // Both sides send it.
      "alive notification",
      "sessions_changed notification",
      ...Object.keys(requests).map((message) => `${message} request`),
    ];
    expect(rows.map(({ message, kind }) => `${message} ${kind}`).sort()).toEqual(expected.sort());
  });

  test("the table of messages names tests that exist", () => {
    const missing = rows.flatMap(({ message, server, client }) =>
      [server, client].flatMap((cell) => {
        const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
        const path = join(root, file);
        const found = title !== "" && readFileSync(path, "utf8").includes(title);
        return found ? [] : [`${message}: ${cell}`];
      }),
    );
    expect(missing).toEqual([]);
  });
});
