import { randomUUID } from "node:crypto";
import type { EventType, RequestPayloadInput } from "@askwire/protocol";

/** The result of `initialize`. */
export const welcome = {
  protocol_version: "1.10",
  server: { name: "askwire-conformance", version: "1.0.0" },
  slash_commands: [],
  hooks: { supported_events: [], configured: {} },
  capabilities: { supports_question: true },
};

export const eventMessage = (type: EventType, payload: object) => ({
  method: "event",
  params: { type, payload },
});

/** @param id the JSON-RPC id; the same as the payload's with every server that clients know. */
export const requestMessage = (type: string, payload: { readonly id: string }, id = payload.id) => ({
  method: "request",
  id,
  params: { type, payload },
});

/** A question of a request: its text, its labels, and the choice of several. */
export interface PlayedQuestion {
  readonly question: string;
  readonly labels: readonly string[];
  readonly multi_select?: boolean;
}

/** The question that checks put which are about something else. */
export const goOn: PlayedQuestion = { question: "Shall I go on?", labels: ["Yes", "No"] };

type QuestionPayload = RequestPayloadInput<"QuestionRequest">;

/** The payload of a QuestionRequest, with fresh ids. */
export function questionPayload(asked: readonly PlayedQuestion[]): QuestionPayload {
  return {
    id: randomUUID(),
    tool_call_id: `call_${randomUUID()}`,
    questions: asked.map(({ question, labels, multi_select = false }) => ({
      question,
      header: "Setup",
      options: labels.map((label) => ({ label, description: `Chooses ${label}` })),
      multi_select,
      body: "",
      other_label: "",
      other_description: "",
    })),
  };
}

/** The payload of an ApprovalRequest, with fresh ids. */
export function approvalPayload() {
  return {
    id: randomUUID(),
    tool_call_id: `call_${randomUUID()}`,
    sender: "Shell",
    action: "run command",
    description: "Run command `make clean`",
    source_kind: "foreground_turn",
    source_id: null,
    agent_id: null,
    subagent_type: null,
    source_description: null,
    display: [{ type: "shell", language: "sh", command: "make clean" }],
  };
}

/** The event that announces the call of a tool. */
export const toolCall = (id: string, name: string, input: unknown = {}) =>
  eventMessage("ToolCall", {
    type: "function",
    id,
    function: { name, arguments: JSON.stringify(input) },
    extras: null,
  });

/** The event with the result of a tool call. */
export const toolResultMessage = (id: string, output: string) =>
  eventMessage("ToolResult", {
    tool_call_id: id,
    return_value: { is_error: false, output, message: "", display: [], extras: null },
  });

export const textMessage = (words: string) => eventMessage("ContentPart", { type: "text", text: words });

/** Replies by method to other requests of a client, so that the client waits for none of them. */
const standingReplies = new Map<string, object>([
  ["cancel", { result: {} }],
  ["steer", { result: { status: "steered" } }],
  ["replay", { result: { status: "finished", events: 0, requests: 0 } }],
  ["set_plan_mode", { result: { status: "ok", plan_mode: false } }],
  ["touch", { result: {} }],
]);
/** The requests that checks answer themselves. */
const taken = new Set(["initialize", "prompt", "answer", "release"]);
const unknownMethod = { error: { code: -32601, message: "Unexpected method received", data: null } };

/** The reply to a request that no check takes; undefined for any other message. */
export function standingReply({ id, method }: Readonly<Record<string, unknown>>): object | undefined {
  if (typeof method !== "string" || id === undefined || id === null) return undefined;
  if (taken.has(method)) return undefined;
  return { id, ...(standingReplies.get(method) ?? unknownMethod) };
}
