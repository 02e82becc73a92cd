import type { In, Out, Tagged } from "../contract.js";
import { WireError, wireErrorCodes } from "../errors.js";
import * as z from "../zod.js";
import { DisplayBlock } from "./display.js";
import { ApprovalResponse } from "./events.js";
import { mapOf, nullable, passedOver } from "./fields.js";
import { ToolReturnValue } from "./tool.js";

/** An option of a question: its label, and a line on its meaning; default: empty. */
export const QuestionOption = z.looseObject({
  label: z.string(),
  description: z._default(z.string(), ""),
});
export type QuestionOption = z.output<typeof QuestionOption>;

/**
 * A question. `header` is a short tag; `body` is Markdown above the options. `other_label` and `other_description` name
 * and explain the row for own text. All of them default to empty.
 */
export const QuestionItem = z.looseObject({
  question: z.string(),
  header: z._default(z.string(), ""),
  options: z.array(QuestionOption),
  multi_select: z._default(z.boolean(), false),
  body: z._default(z.string(), ""),
  other_label: z._default(z.string(), ""),
  other_description: z._default(z.string(), ""),
});
export type QuestionItem = z.output<typeof QuestionItem>;
/** A question to send: fields with a default may be left out. */
export type QuestionItemInput = z.input<typeof QuestionItem>;

/**
 * The questions of one tool call, one at least (P-QST-1). The answer names `id` as `request_id`. Extended clients get
 * an `ExtendedQuestionRequest` instead.
 */
export const QuestionRequestPayload = z.looseObject({
  id: z.string(),
  tool_call_id: z.string(),
  questions: z.array(QuestionItem),
});
export type QuestionRequestPayload = z.output<typeof QuestionRequestPayload>;

/** Why a request was refused: its type is not known, nobody here handles it, or it came in a replay. */
const refusalReasons = ["unknown", "unsupported", "replayed"] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** The error in place of an answer where a client puts the question to nobody (P-MSG-8). */
export const QuestionNotSupportedReply = z.looseObject({
  code: z.literal(wireErrorCodes.MethodNotFound),
  message: z.string(),
  data: z.looseObject({ type: z.literal("QuestionRequest"), reason: z.literal(refusalReasons) }),
});
export type QuestionNotSupportedReply = z.output<typeof QuestionNotSupportedReply>;

/** Refuses a request of the server's, which then looks for another client or gives it up (P-MSG-8). */
export function notSupported(type: string, reason: RefusalReason, message: string): WireError {
  return new WireError("MethodNotFound", message, { data: { type, reason } });
}

/** An answer of the base profile: question text to labels joined with `", "`, own text last. */
export const QuestionResponse = z.looseObject({
  request_id: z.string(),
  answers: mapOf(z.string()),
});
export type QuestionResponse = z.output<typeof QuestionResponse>;

/**
 * An action for a person to allow (P-APR-1). `sender` is the tool that asks, and `approve_for_session` covers `action`.
 * `display` is shown; `agent_id` and `subagent_type` belong to a sub-agent, else null.
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
 * The call for which a client's hook is asked. `target` is the start of the text searched by its matcher (P-HOK-5).
 * `request_id` is the same as of a tool call.
 */
export const HookRequestPayload = z.looseObject({
  ...passedOver({ request_id: z.optional(z.string()) }),
  id: z.string(),
  subscription_id: z.string(),
  event: z.string(),
  target: z.string(),
  input_data: mapOf(z.unknown()),
});

/**
 * Every request of Wire 1.10 that a server puts to a client, with the shape of its answer. The key is the wire's
 * `type` (P-MSG-2).
 */
export const requests = {
  ApprovalRequest: { payload: ApprovalRequestPayload, response: ApprovalResponse },
  QuestionRequest: { payload: QuestionRequestPayload, response: QuestionResponse },
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
/** The payload of a request of that type, as received: every field present. */
export type RequestPayload<T extends RequestType> = Out<(typeof requests)[T]["payload"]>;
/** The payload of a request of that type, as sent: fields with a default may be left out. */
export type RequestPayloadInput<T extends RequestType> = In<(typeof requests)[T]["payload"]>;
/** The response to a request of that type, as received: every field present. */
export type RequestResponse<T extends RequestType> = Out<(typeof requests)[T]["response"]>;
/** The response to a request of that type, as sent: fields with a default may be left out. */
export type RequestResponseInput<T extends RequestType> = In<(typeof requests)[T]["response"]>;
/** A request as received: `{type, payload}`. */
export type WireRequest = Tagged<{ [T in RequestType]: (typeof requests)[T]["payload"] }>;
