// What only the extended profile has: its events, and what its methods carry.
import * as z from "zod/mini";
import { AnswerItem } from "../answer-item.js";
import type { Tagged, TaggedInput } from "../contract.js";
import { Outcome } from "../outcome.js";
import { ApprovalKind, type events } from "./events.js";
import { sessionStates } from "./handshake.js";
import { Deadline, type RequestType } from "./requests.js";

/** The kinds of requests, as the extended profile and the journal call them, with their type on the wire. */
export const requestKinds = {
  question: "QuestionRequest",
  approval: "ApprovalRequest",
  tool_call: "ToolCallRequest",
  hook: "HookRequest",
} as const satisfies Record<string, RequestType>;
/** The name of a kind. */
export type RequestKind = keyof typeof requestKinds;

/** The events that only extended clients are told (P-XST-1 to P-XST-3). */
export const extendedEvents = {
  /** A request is settled; with what was answered, if it was. */
  InteractionSettled: z.looseObject({
    request_id: z.string(),
    kind: z.enum(Object.keys(requestKinds) as [RequestKind, ...RequestKind[]]),
    outcome: Outcome,
    response: z.optional(z.unknown()),
  }),
  /** What the session does has changed, or what is open in it. */
  SessionState: z.looseObject({
    state: z.literal(sessionStates),
    turn_id: z.optional(z.string()),
    pending: z.array(z.string()),
  }),
  /** An open request has changed. */
  InteractionUpdated: z.looseObject({ request_id: z.string(), deadline: z.nullable(Deadline) }),
} as const;

/** An event as received: every field present. Those of the extended profile come only where it was negotiated. */
export type WireEvent = Tagged<typeof events & typeof extendedEvents>;
/** An event of the extended profile to send. */
export type ExtendedEventInput = TaggedInput<typeof extendedEvents>;

/** What a client may state of how a request ended (P-XAN-2). */
export const statedStatuses = ["answered", "declined"] as const;

/**
 * A person's word on a question or approval (P-XAN-2 to P-XAN-5). `items` belong to a question, `response` and
 * `feedback` to an approval.
 */
export const AnswerParams = z.looseObject({
  request_id: z.string(),
  /** The client's own id of this answer: sent again, it gets the first reply. A corrected answer has another one. */
  answer_id: z.string().check(z.minLength(1), z.maxLength(128)),
  outcome: z.looseObject({
    status: z.string(),
    reason: z.optional(z.string()),
    note: z.optional(z.string()),
  }),
  items: z.optional(z.array(AnswerItem)),
  response: z.optional(ApprovalKind),
  feedback: z.optional(z.string()),
});
export type AnswerParams = z.output<typeof AnswerParams>;

/** One thing that is wrong with an answer: a code for programs (P-XAN-4), and a message for a person. */
export const AnswerIssue = z.looseObject({
  /** Null where it is about no question in particular. */
  question_id: z.nullable(z.string()),
  code: z.string(),
  message: z.string(),
});
export type AnswerIssue = z.output<typeof AnswerIssue>;

/** One session in a list of them. */
export const ListedSession = z.looseObject({
  id: z.string(),
  state: z.literal(sessionStates),
  /** How many clients are attached. */
  connections: z.int(),
});
export type ListedSession = z.output<typeof ListedSession>;
