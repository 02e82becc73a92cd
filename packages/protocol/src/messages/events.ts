import type { TaggedInput } from "../contract.js";
import * as z from "../zod.js";
import { ContentPart, UserInput } from "./content.js";
import { mapOf, nullable, passedOver } from "./fields.js";
import { ActingClient } from "./principal.js";
import { ToolCall, ToolCallPart, ToolResult } from "./tool.js";

const empty = z.looseObject({});

/** The end of a turn, as its event reports it (P-XTR-1): the statuses of a prompt's result, or a failure. */
export const turnStatuses = ["finished", "cancelled", "max_steps_reached", "failed"] as const;

/**
 * The id of the turn and the client that asked for it; absent from the base profile. `by` is absent if the server's own
 * program asked.
 */
const turnMarks = passedOver({
  turn_id: z.optional(z.string()),
  by: z.optional(ActingClient),
  /** The time of its record, in ISO 8601: in a replay and a history alone (P-XTR-4). */
  at: z.optional(z.string()),
});

/** The three ways of answering an approval. */
export const approvalKinds = ["approve", "approve_for_session", "reject"] as const;
/** A value of {@link approvalKinds}. */
export const ApprovalKind = z.literal(approvalKinds);
export type ApprovalKind = z.output<typeof ApprovalKind>;

/**
 * The answer to an approval: sent by a client, and told to every client by an event (P-APR-1, P-APR-2). `feedback` is
 * the person's words; default: empty.
 */
export const ApprovalResponse = z.looseObject({
  request_id: z.string(),
  response: ApprovalKind,
  feedback: z._default(z.string(), ""),
});

/**
 * The present state of a session; null means unchanged. `context_usage` is a ratio from 0 to 1. The other figures of
 * the context and of `token_usage` are tokens, those of `mcp_status` servers and their tools.
 */
export const StatusUpdate = z.looseObject({
  context_usage: nullable(z.number()),
  context_tokens: nullable(z.int()),
  max_context_tokens: nullable(z.int()),
  token_usage: nullable(
    z.looseObject({
      input_other: z.int(),
      output: z.int(),
      input_cache_read: z.int(),
      input_cache_creation: z.int(),
    }),
  ),
  message_id: nullable(z.string()),
  plan_mode: nullable(z.boolean()),
  mcp_status: nullable(
    z.looseObject({
      loading: z.boolean(),
      connected: z.int(),
      total: z.int(),
      tools: z.int(),
      servers: z.array(z.looseObject({ name: z.string(), status: z.string(), tools: z.array(z.string()) })),
    }),
  ),
});
export type StatusUpdate = z.output<typeof StatusUpdate>;

/**
 * An event of a sub-agent, wrapped. The inner event is kept as received, since this side may not know its type. Below
 * 1.6 the first field was called `task_tool_call_id` (P-MSG-10).
 */
export const SubagentEvent = z
  .looseObject({
    parent_tool_call_id: nullable(z.string()),
    task_tool_call_id: z.optional(z.nullable(z.string())),
    agent_id: nullable(z.string()),
    subagent_type: nullable(z.string()),
    event: z.looseObject({ type: z.string(), payload: z.unknown() }),
  })
  .check(
    z.overwrite(({ task_tool_call_id: older = null, ...rest }) => ({
      ...rest,
      parent_tool_call_id: rest.parent_tool_call_id ?? older,
    })),
  );

/**
 * Every event of Wire 1.10, from a server to a client. The key is the wire's `type`. Types, validators, dispatch and
 * the published schema derive from this table (P-MSG-1).
 */
export const events = {
  TurnBegin: z.looseObject({ user_input: UserInput, ...turnMarks }),
  SteerInput: z.looseObject({ user_input: UserInput }),
  TurnEnd: z.looseObject({
    ...turnMarks,
    ...passedOver({
      status: z.optional(z.literal(turnStatuses)),
      /** Present where the limit of steps was reached. */
      steps: z.optional(z.int()),
      error: z.optional(z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) })),
    }),
  }),
  StepBegin: z.looseObject({ n: z.int().check(z.minimum(1)) }),
  StepInterrupted: empty,
  StepRetry: z.looseObject({
    n: z.int(),
    next_attempt: z.int(),
    max_attempts: z.int(),
    /** Seconds until the next attempt. */
    wait_s: z.number(),
    error_type: z.string(),
    status_code: nullable(z.int()),
  }),
  CompactionBegin: empty,
  CompactionEnd: empty,
  HookTriggered: z.looseObject({ event: z.string(), target: z.string(), hook_count: z.int() }),
  HookResolved: z.looseObject({
    event: z.string(),
    target: z.string(),
    action: z.string(),
    reason: z.string(),
    /** Milliseconds. */
    duration_ms: z.number(),
  }),
  MCPLoadingBegin: empty,
  MCPLoadingEnd: empty,
  StatusUpdate,
  Notification: z.looseObject({
    id: z.string(),
    category: z.string(),
    type: z.string(),
    source_kind: z.string(),
    source_id: z.string(),
    title: z.string(),
    body: z.string(),
    severity: z.string(),
    /** Seconds since 1970. */
    created_at: z.number(),
    payload: mapOf(z.unknown()),
  }),
  ContentPart,
  ToolCall,
  ToolCallPart,
  ToolResult,
  ApprovalResponse,
  SubagentEvent,
  PlanDisplay: z.looseObject({ content: z.string(), file_path: z.string() }),
  BtwBegin: z.looseObject({ id: z.string(), question: z.string() }),
  BtwEnd: z.looseObject({
    id: z.string(),
    response: nullable(z.string()),
    error: nullable(z.string()),
  }),
} as const;

/** Older event names, read as the newer ones and never sent (P-MSG-9). */
export const olderEventNames = { ApprovalRequestResolved: "ApprovalResponse" } as const;

/** The `type` of an event. */
export type EventType = keyof typeof events;
/** An event of the base profile to send: fields with a default may be left out. */
export type WireEventInput = TaggedInput<typeof events>;
