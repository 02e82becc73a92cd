import * as z from "zod/mini";
import type { In, Out, Tagged } from "../contract.js";
import { DisplayBlock } from "./display.js";
import { ApprovalResponse } from "./events.js";
import { mapOf, nullable, passedOver } from "./fields.js";
import { ToolReturnValue } from "./tool.js";

/** What the extended profile adds to an option (P-XQS-1). */
export const optionExtras = {
  id: z.optional(z.string()),
  /** Markdown to look at before choosing it. */
  preview: z.optional(z.string()),
  recommended: z.optional(z.boolean()),
};

/** What it adds to a question. */
export const questionExtras = {
  id: z.optional(z.string()),
  /** Whether own text counts. */
  own_text: z.optional(z.boolean()),
  placeholder: z.optional(z.string()),
  /** The ids of the options that count when a deadline passes. */
  default: z.optional(z.array(z.string())),
};

/**
 * An option of a question: what is chosen, and one line on what it means; default: empty.
 */
export const QuestionOption = z.looseObject({
  label: z.string(),
  description: z._default(z.string(), ""),
  ...passedOver(optionExtras),
});
export type QuestionOption = z.output<typeof QuestionOption>;

/**
 * One question. `header` is a short tag; `body` is Markdown above the options; `other_label` and `other_description`
 * name and explain the row for own text. All of them may be empty, which is their default.
 */
export const QuestionItem = z.looseObject({
  question: z.string(),
  header: z._default(z.string(), ""),
  options: z.array(QuestionOption),
  multi_select: z._default(z.boolean(), false),
  body: z._default(z.string(), ""),
  other_label: z._default(z.string(), ""),
  other_description: z._default(z.string(), ""),
  ...passedOver(questionExtras),
});
export type QuestionItem = z.output<typeof QuestionItem>;
/** A question to send: fields with a default may be left out. */
export type QuestionItemInput = z.input<typeof QuestionItem>;

/** What becomes of a question whose deadline passes: nothing is chosen, or the shown defaults are (P-XDL-2). */
export const deadlineExpiries = ["cancel", "default"] as const;

/** By when a question is to be answered (P-XDL-1). */
export const Deadline = z.looseObject({
  /** The server's time, as an ISO 8601 time. */
  at: z.string(),
  /** Milliseconds that were left when it was sent; a client counts down from there. */
  remaining_ms: z.number(),
  on_expiry: z.literal(deadlineExpiries),
});
export type Deadline = z.output<typeof Deadline>;

/**
 * One to many questions of one call of a tool (P-QST-1). `id` is what the answer names as `request_id`. `agent`, of a
 * sub-agent's question, and `deadline` are of the extended profile (P-XQS-1).
 */
export const QuestionRequestPayload = z.looseObject({
  id: z.string(),
  tool_call_id: z.string(),
  questions: z.array(QuestionItem),
  ...passedOver({
    agent: z.optional(
      z.looseObject({ id: z.string(), type: z.string(), parent_tool_call_id: z.nullable(z.string()) }),
    ),
    deadline: z.optional(z.nullable(Deadline)),
  }),
});
export type QuestionRequestPayload = z.output<typeof QuestionRequestPayload>;

/** What an extended client replies to a question or approval at once: a person has it (P-XAN-1). */
export const Receipt = z.looseObject({ request_id: z.string(), received: z.literal(true) });
export type Receipt = z.output<typeof Receipt>;

/** An answer of the base profile: question text to labels joined with `", "`, own text last. */
export const QuestionResponse = z.looseObject({
  request_id: z.string(),
  answers: mapOf(z.string()),
});
export type QuestionResponse = z.output<typeof QuestionResponse>;

/**
 * One action that a person is to allow (P-APR-1). `sender` is the tool that asks, `action` what `approve_for_session`
 * covers, `display` what to show; `agent_id` and `subagent_type` are a sub-agent's, else null.
 */
export const ApprovalRequestPayload = z.looseObject({
  id: z.string(),
  tool_call_id: z.string(),
  sender: z.string(),
  action: z.string(),
  description: z.string(),
  source_kind: nullable(z.string()),
  source_id: nullable(z.string()),
  agent_id: nullable(z.string()),
  subagent_type: nullable(z.string()),
  source_description: nullable(z.string()),
  display: z._default(z.array(DisplayBlock), []),
});
export type ApprovalRequestPayload = z.output<typeof ApprovalRequestPayload>;

/**
 * A call of a tool that the client brought (P-EXT-4). `arguments` is JSON text as the model wrote it. `request_id` is
 * the server's own id of it, towards extended clients (P-XTH-1).
 */
export const ToolCallRequestPayload = z.looseObject({
  id: z.string(),
  name: z.string(),
  arguments: nullable(z.string()),
  ...passedOver({ request_id: z.optional(z.string()) }),
});

/**
 * What a hook of the client is asked about: `target` is the start of what its matcher was searched in (P-HOK-5);
 * `request_id` as of a tool call.
 */
export const HookRequestPayload = z.looseObject({
  ...passedOver({ request_id: z.optional(z.string()) }),
  id: z.string(),
  subscription_id: z.string(),
  event: z.string(),
  target: z.string(),
  input_data: mapOf(z.unknown()),
});

/** The words of the base profile, or the receipt of the extended one. */
const orReceipt = <S extends z.ZodMiniType>(words: S) => z.union([words, Receipt]);

/**
 * Every request of Wire 1.10 that a server puts to a client, with the shape of its answer. The key is the wire's
 * `type` (P-MSG-2).
 */
export const requests = {
  ApprovalRequest: { payload: ApprovalRequestPayload, response: orReceipt(ApprovalResponse) },
  QuestionRequest: { payload: QuestionRequestPayload, response: orReceipt(QuestionResponse) },
  ToolCallRequest: {
    payload: ToolCallRequestPayload,
    response: z.looseObject({ tool_call_id: z.string(), return_value: ToolReturnValue }),
  },
  HookRequest: {
    payload: HookRequestPayload,
    response: z.looseObject({
      request_id: z.string(),
      action: z._default(z.literal(["allow", "block"]), "allow"),
      reason: z._default(z.string(), ""),
    }),
  },
} as const;

/** The `type` of a request. */
export type RequestType = keyof typeof requests;
/** What a request of that type carries, as received: every field present. */
export type RequestPayload<T extends RequestType> = Out<(typeof requests)[T]["payload"]>;
/** The same as sent: fields with a default may be left out. */
export type RequestPayloadInput<T extends RequestType> = In<(typeof requests)[T]["payload"]>;
/** What answers a request of that type, as received: every field present. */
export type RequestResponse<T extends RequestType> = Out<(typeof requests)[T]["response"]>;
/** The same as sent: fields with a default may be left out. */
export type RequestResponseInput<T extends RequestType> = In<(typeof requests)[T]["response"]>;
/** A request as received: `{type, payload}`. */
export type WireRequest = Tagged<{ [T in RequestType]: (typeof requests)[T]["payload"] }>;
