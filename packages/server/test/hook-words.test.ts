import {
  type HookEvent,
  hookEvents,
  type ToolCall,
  type ToolReturnValue,
  WireError,
} from "@askwire/protocol";
import { expect, test } from "vitest";
import { hookWords } from "../src/hooks/hook-words.js";
import { type HookDetails, ModelError } from "../src/index.js";

const toolCall = (args: string | null = '{"path":"a"}'): ToolCall => ({
  type: "function",
  id: "tc-1",
  function: { name: "ReadFile", arguments: args },
  extras: null,
});
const value = (more: Partial<ToolReturnValue>): ToolReturnValue => ({
  is_error: false,
  output: "",
  message: "",
  display: [],
  extras: null,
  ...more,
});
const tool = { tool_name: "ReadFile", tool_input: { path: "a" }, tool_call_id: "tc-1" };
const parts = [
  { type: "text" as const, text: "one" },
  { type: "image_url" as const, image_url: { url: "data:,", id: null } },
  { type: "text" as const, text: "two" },
];

const events: { [E in HookEvent]: [HookDetails[E], target: string, input: object][] } = {
  PreToolUse: [
    [{ toolCall: toolCall() }, "ReadFile", tool],
    [{ toolCall: toolCall(null) }, "ReadFile", { ...tool, tool_input: {} }],
    [{ toolCall: toolCall("[1]") }, "ReadFile", { ...tool, tool_input: {} }],
    [{ toolCall: toolCall("{") }, "ReadFile", { ...tool, tool_input: {} }],
  ],
  PostToolUse: [
    [
      { toolCall: toolCall(), value: value({ output: parts }) },
      "ReadFile",
      { ...tool, tool_output: "one\ntwo" },
    ],
    [
      { toolCall: toolCall(), value: value({ output: "x".repeat(3000) }) },
      "ReadFile",
      { ...tool, tool_output: "x".repeat(2000) },
    ],
  ],
  PostToolUseFailure: [
    [{ toolCall: toolCall(), value: value({ message: "no" }) }, "ReadFile", { ...tool, error: "no" }],
    [{ toolCall: toolCall(), value: value({ output: "why" }) }, "ReadFile", { ...tool, error: "why" }],
  ],
  UserPromptSubmit: [
    [{ prompt: "hello" }, "hello", { prompt: "hello" }],
    [{ prompt: parts }, "one\ntwo", { prompt: "one\ntwo" }],
  ],
  Stop: [[{ stopHookActive: true }, "", { stop_hook_active: true }]],
  StopFailure: [
    [
      {
        error: new WireError("ProviderError", "slow", { cause: new ModelError("status", "slow", 429) }),
        told: "slow",
      },
      "APIStatusError",
      { error_type: "APIStatusError", error_message: "slow" },
    ],
    [
      { error: new TypeError("bad"), told: new Error("see the log") },
      "TypeError",
      { error_type: "TypeError", error_message: "see the log" },
    ],
    [{ error: "bad", told: "bad" }, "string", { error_type: "string", error_message: "bad" }],
  ],
  SessionStart: [[{ source: "resume" }, "resume", { source: "resume" }]],
  SessionEnd: [[{ reason: "shutdown" }, "shutdown", { reason: "shutdown" }]],
  SubagentStart: [[{ agentName: "coder", prompt: "do" }, "coder", { agent_name: "coder", prompt: "do" }]],
  SubagentStop: [
    [{ agentName: "coder", response: "done" }, "coder", { agent_name: "coder", response: "done" }],
  ],
  PreCompact: [[{ trigger: "auto", tokenCount: 9 }, "auto", { trigger: "auto", token_count: 9 }]],
  PostCompact: [
    [
      { trigger: "manual", estimatedTokenCount: 9 },
      "manual",
      { trigger: "manual", estimated_token_count: 9 },
    ],
  ],
  Notification: [
    [
      { sink: "llm", notificationType: "task.done", title: "t", body: "b", severity: "info" },
      "task.done",
      { sink: "llm", notification_type: "task.done", title: "t", body: "b", severity: "info" },
    ],
  ],
};

test.each(hookEvents)("the event %s is written in the words of Kimi's hooks (P-HOK-5)", (event) => {
  const words = hookWords[event] as { target(details: unknown): string; input(details: unknown): object };
  for (const [details, target, input] of events[event]) {
    expect([words.target(details), words.input(details)]).toEqual([target, input]);
  }
});
