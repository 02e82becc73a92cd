// The messages of the extended profile as a server sends them, in the words of this release. A client reads them as
// heard.ts says, and a bundle for a browser leaves this file out.

import type { TaggedInput } from "../contract.js";
import { Outcome } from "../outcome.js";
import * as z from "../zod.js";
import { Addressees, addressedRequest } from "./addressees.js";
import { ApprovalKind } from "./events.js";
import {
  askAnswers,
  ExtendedApprovalRequest,
  ExtendedQuestionRequest,
  InteractionUpdated,
  ListedRequest,
  plainExtendedEvents,
  type RequestKind,
  requestKinds,
} from "./extended.js";
import { sessionStates } from "./handshake.js";
import { ActingClient, type AnsweringClient, Approver } from "./principal.js";

const kind = z.literal(Object.keys(requestKinds) as RequestKind[]);

/** The end of a request; with the answer, if there was one. */
const settled = { outcome: Outcome, response: z.optional(z.unknown()) };

/** A client whose person answers a request or has taken it, as others are told of it (P-XST-5, P-XCM-4). */
export const ToldAnswering = z.looseObject({
  name: z.string(),
  connection: z.string(),
  claim: z.optional(
    z.looseObject({
      /** Its end by the server's clock, in ISO 8601. */
      until: z.string(),
      remaining_ms: z.optional(z.int()),
      own: z.optional(z.literal(true)),
    }),
  ),
}) as unknown as typeof AnsweringClient;
const answering = z.optional(z.array(ToldAnswering));

/** Those who have approved what several must approve (P-XQU-3), of a type that clients pass on unread. */
const approved_by = z.optional(z.array(Approver as unknown as typeof ActingClient));

/** The questions and approvals of an extended client: events, each under the type of the base profile's request (P-XAN-1). */
export const askedEvents = {
  QuestionRequest: z.looseObject({ ...ExtendedQuestionRequest.shape, ...addressedRequest }),
  ApprovalRequest: z.looseObject({ ...ExtendedApprovalRequest.shape, ...addressedRequest }),
} as const;

/** The events that only extended clients are told (P-XST-1 to P-XST-3). */
export const extendedEvents = {
  /** A request was opened that this client is not asked, or no longer asked; with those whom it is for (P-XTO-2). */
  InteractionOpened: z.looseObject({ request_id: z.string(), kind, to: z.optional(Addressees) }),
  /** A request is settled; with the answer, if there was one. */
  InteractionSettled: z.looseObject({ request_id: z.string(), kind, ...settled }),
  InteractionUpdated: z.looseObject({
    ...InteractionUpdated.shape,
    answering,
    /** Those who have approved what several must approve, and how many must (P-XQU-3). Absent: nobody yet. */
    approved_by,
    quorum: z.optional(z.int()),
    ...addressedRequest,
  }),
  ...plainExtendedEvents,
} as const;

/** An event of the extended profile to send. */
export type ExtendedEventInput = TaggedInput<typeof extendedEvents>;

/**
 * The reply to an answer that counts. With `seq` it stands for InteractionSettled, which this client is then not sent:
 * the other members are those that the event would have had, and the marks (P-XAN-2).
 */
export const AnswerReply = z.looseObject({
  ...settled,
  kind: z.optional(kind),
  seq: z.optional(z.int()),
  state: z.optional(z.literal(sessionStates)),
  /** True for an approval that counts and waits for those of others: its request stays open (P-XQU-3). */
  open: z.optional(z.literal(true)),
});
export type AnswerReply = z.output<typeof AnswerReply>;

/** The reply to an ask. Without an outcome its request is open. */
export const AskResult = z.looseObject({
  /** The id of the questions or the approval for every client. */
  request_id: z.string(),
  outcome: z.optional(Outcome),
  /** The decision on an approval. */
  response: z.optional(ApprovalKind),
  ...askAnswers,
});
export type AskResult = z.output<typeof AskResult>;

/** The claim that holds on a request: the person's who asks for it, or of whoever came first (P-XCM-1). */
export const ClaimResult = z.looseObject({
  by: ActingClient,
  /** Its end by the server's clock, in ISO 8601. */
  until: z.string(),
  remaining_ms: z.int(),
  /** True for the claim of the person who asks. */
  own: z.boolean(),
});
export type ClaimResult = z.output<typeof ClaimResult>;

/** A request of a list, as one client is told it: whether it is its person's (P-XRQ-5). Clients read it as it comes. */
export const ToldRequest = z.looseObject({
  ...ListedRequest.shape,
  answering,
  /** The number of people who must approve it, where that is not one (P-XQU-1). */
  quorum: z.optional(z.int()),
  /** Those who have approved it, where several must (P-XQU-3). Absent: nobody yet. */
  approved_by,
  /** True where this connection's person began the running turn of the session, or the last one. */
  mine: z.optional(z.literal(true)),
  ...addressedRequest,
  /** The time of the next step by which `to` grows, in ISO 8601. Absent without one (P-XTO-6). */
  escalates_at: z.optional(z.string()),
  /** True where it is for this connection's person, by name or by a role that they have or may see (P-XTO-4). */
  to_me: z.optional(z.literal(true)),
  /** False where this connection may not answer it, since it is for others. Absent: it may. */
  may_answer: z.optional(z.literal(false)),
});
