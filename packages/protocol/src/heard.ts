// The messages of an agent as a client reads them: words of a newer agent that this side does not know are kept as
// text, and a fault in an irrelevant member takes nothing else with it (P-OUT-8).

import { notification, request, type Tagged, taggedNotification } from "./contract.js";
import type { claimParams, listParams } from "./list-params.js";
import {
  type ApprovalKind,
  ApprovalResponse,
  events,
  olderEventNames,
  type turnStatuses,
} from "./messages/events.js";
import {
  AnswerParams,
  askAnswers,
  askMembers,
  Deadline,
  type deadlineExpiries,
  ExtendedQuestionRequest,
  InteractionUpdated,
  ListedRequest,
  ListedSession,
  OldestRequest,
  plainAskedEvents,
  plainExtendedEvents,
  type RequestKind,
  RequestNumbers,
} from "./messages/extended.js";
import { passedOver } from "./messages/fields.js";
import { AttachedSession, InitializeParams, InitializeResult, sessionStates } from "./messages/handshake.js";
import type { HeardActingClient } from "./messages/principal.js";
import {
  Degradation,
  type Outcome,
  type OutcomeActor,
  type OutcomeReason,
  type OutcomeStatus,
  outcomeActors,
  outcomeReasons,
} from "./outcome.js";
import { PromptResult, paramsOf, plainClientMethods, plainMethods } from "./plain-methods.js";
import * as z from "./zod.js";

/** A word of a list, or one that a newer side adds to them. */
export type Word<T extends string> = T | (string & {});

const word = <T extends string>() => z.string() as unknown as z.ZodMiniType<Word<T>, Word<T>>;

/**
 * The end of a request as a client is told it (P-OUT-8). `status`, `reason` and `by` are those of {@link Outcome}, or
 * words that a newer server adds to them. `by` and `at` are absent where the server left them out.
 */
export const HeardOutcome = z.looseObject({
  status: word<OutcomeStatus>(),
  ...passedOver({
    reason: z.optional(word<OutcomeReason>()),
    by: z.optional(word<OutcomeActor>()),
    client: z.optional(z.looseObject({ name: z.string(), connection: z.string() })),
    at: z.optional(z.string()),
    note: z.optional(z.string()),
    degraded: z.optional(z.array(Degradation)),
  }),
}) as unknown as z.ZodMiniType<HeardOutcome, HeardOutcome>;
export interface HeardOutcome {
  readonly status: Word<OutcomeStatus>;
  readonly reason?: Word<OutcomeReason> | undefined;
  readonly by?: Word<OutcomeActor> | undefined;
  readonly client?: Outcome["client"] | undefined;
  /** The person by the word of the server's door (P-WHO-3), as it was sent: read it by `whoAnswered`. */
  readonly principal?: unknown;
  readonly at?: string | undefined;
  readonly note?: string | undefined;
  readonly degraded?: Outcome["degraded"] | undefined;
}

/**
 * An outcome in the words of this release, for whoever passes it on: one with other words has ended all the same, as
 * `withdrawn`, `agent`, with the words as its note.
 */
export function outcomeInOwnWords(heard: HeardOutcome): Outcome {
  const { status, reason, by, at = new Date().toISOString(), note } = heard;
  const reasons: readonly string[] | undefined = Object.hasOwn(outcomeReasons, status)
    ? outcomeReasons[status as OutcomeStatus]
    : undefined;
  const isReason = reason === undefined ? reasons?.length === 0 : reasons?.includes(reason) === true;
  if (isReason && (outcomeActors as readonly unknown[]).includes(by)) return { ...heard, at } as Outcome;
  const words = [status, reason, by === undefined ? undefined : `by ${by}`].filter(Boolean).join(", ");
  const said = `it ended in words of another version: ${words}${note === undefined ? "" : `: ${note}`}`;
  return { status: "withdrawn", reason: "agent", by: "system", at, note: said };
}

/** A deadline as a client is told it: what counts afterwards may be a word of a newer server. */
export const HeardDeadline = z.looseObject({
  ...Deadline.shape,
  on_expiry: word<(typeof deadlineExpiries)[number]>(),
});
export type HeardDeadline = z.output<typeof HeardDeadline>;

/** The questions and approvals of an extended client, as it reads them. */
export const heardAsked = {
  ...plainAskedEvents,
  QuestionRequest: z.looseObject({
    ...ExtendedQuestionRequest.shape,
    deadline: z.optional(z.nullable(HeardDeadline)),
  }),
} as const;

/** A settlement as a client is told it: by an event, or by the reply to its own answer. */
const settled = {
  kind: z.optional(word<RequestKind>()),
  outcome: z.optional(HeardOutcome),
  response: z.optional(z.unknown()),
};

/** Every event as a client reads it. */
export const heardEvents = {
  ...events,
  ...plainExtendedEvents,
  TurnEnd: z.looseObject({
    ...events.TurnEnd.shape,
    ...passedOver({ status: z.optional(word<(typeof turnStatuses)[number]>()) }),
  }),
  ApprovalResponse: z.looseObject({
    ...ApprovalResponse.shape,
    ...passedOver({ response: z.optional(word<ApprovalKind>()) }),
  }),
  InteractionOpened: z.looseObject({ request_id: z.string(), kind: word<RequestKind>() }),
  /** Ends the request, whatever else it says. */
  InteractionSettled: z.looseObject({ request_id: z.string(), ...passedOver(settled) }),
  InteractionUpdated: z.looseObject({
    ...InteractionUpdated.shape,
    deadline: z.nullable(HeardDeadline),
  }),
} as const;

/** An event as received: every field present. Extended events come only if that profile was negotiated. */
export type WireEvent = Tagged<typeof heardEvents>;

/** A session of a list, as a client reads it. */
export const HeardSession = z.looseObject({
  ...ListedSession.shape,
  state: word<ListedSession["state"]>(),
  ...passedOver({
    oldest: z.optional(z.looseObject({ ...OldestRequest.shape, kind: word<"question" | "approval">() })),
  }),
});
export type HeardSession = z.output<typeof HeardSession>;

/** An open request of a list, as a client reads it. */
export const HeardRequest = z.looseObject({
  ...ListedRequest.shape,
  kind: word<ListedRequest["kind"]>(),
  state: word<ListedRequest["state"]>(),
});
export type HeardRequest = z.output<typeof HeardRequest>;

/** The methods of a client as it reads their params: its side of a peer. */
export const heardClientMethods = {
  ...plainClientMethods,
  event: taggedNotification(heardEvents, olderEventNames),
  sessions_changed: notification(
    z.looseObject({ sessions: z.array(HeardSession), closed: z.array(z.string()) }),
  ),
  requests_changed: notification(
    z.looseObject({ requests: z.array(HeardRequest), gone: z.array(z.string()) }),
  ),
} as const;

/** The end of a turn, as the client that prompted reads it. */
export const HeardPromptResult = z.looseObject({
  ...PromptResult.shape,
  status: word<PromptResult["status"]>(),
});
export type HeardPromptResult = z.output<typeof HeardPromptResult>;

/** The reply to an ask, as the program reads it. */
const HeardAskResult = z.looseObject({
  request_id: z.string(),
  outcome: z.optional(HeardOutcome),
  response: z.optional(word<ApprovalKind>()),
  ...askAnswers,
});
export type HeardAskResult = z.output<typeof HeardAskResult>;

/** A server checks the params of lists itself. */
const unchecked = paramsOf.anything;

const listed = z.looseObject({ sessions: z.array(HeardSession) });
const listedPage = z.looseObject({ ...listed.shape, next: z.optional(z.string()) });

/** The session that a client attaches to, as it reads it: without a state that it does not know. */
const HeardAttached = z.looseObject({
  ...AttachedSession.shape,
  ...passedOver({ state: z.optional(z.literal(sessionStates)) }),
});
export type HeardAttached = z.output<typeof HeardAttached>;

const HeardIntroduction = z.looseObject({ ...InitializeResult.shape, session: z.optional(HeardAttached) });
/** The introduction of an agent, as a client reads it. */
export type HeardIntroduction = z.output<typeof HeardIntroduction>;

/** The reply to an answer, which has counted whatever else it says. */
const HeardAnswerReply = z.looseObject(
  passedOver({
    ...settled,
    seq: z.optional(z.int()),
    state: z.optional(z.literal(sessionStates)),
  }),
);

/** The claim that holds on a request, as it was sent (P-XCM-1): a newer server may leave members out. */
export interface HeardClaim {
  /** The client of the person who has taken it: read it by `whoActs`. */
  readonly by?: HeardActingClient | undefined;
  readonly until?: string | undefined;
  /** The rest of its time, in milliseconds. */
  readonly remaining_ms?: number | undefined;
  /** True for the claim of the person who asked. */
  readonly own?: boolean | undefined;
}

/** The methods of an agent with their results as a client reads them: the other side of its peer. */
export const heardAgentMethods = {
  ...plainMethods,
  initialize: request(InitializeParams, HeardIntroduction),
  prompt: request(paramsOf.prompt, HeardPromptResult),
  steer: request(paramsOf.steer, z.looseObject({})),
  replay: request(
    paramsOf.anything,
    z.looseObject({ status: word<"finished" | "cancelled">(), events: z.int(), requests: z.int() }),
  ),
  set_plan_mode: request(paramsOf.set_plan_mode, z.looseObject({ plan_mode: z.boolean() })),
  answer: request(AnswerParams, HeardAnswerReply),
  ask: request(z.looseObject(askMembers), HeardAskResult),
  list_sessions: request(unchecked as unknown as typeof listParams.list_sessions, listedPage),
  watch_sessions: request(paramsOf.anything, listed),
  list_requests: request(
    unchecked as unknown as typeof listParams.list_requests,
    z.looseObject({
      requests: z.array(HeardRequest),
      next: z.optional(z.string()),
      counts: z.optional(RequestNumbers),
    }),
  ),
  watch_requests: request(paramsOf.anything, z.looseObject({ requests: z.array(HeardRequest) })),
  create_session: request(paramsOf.anything, z.looseObject({ session: HeardSession })),
  claim: request(
    unchecked as unknown as typeof claimParams.claim,
    unchecked as unknown as z.ZodMiniType<HeardClaim, HeardClaim>,
  ),
  unclaim: request(unchecked as unknown as typeof claimParams.unclaim, unchecked),
} as const;

/** The type of {@link heardClientMethods}, for the answers of a client's `Handlers`. */
export type HeardClientMethods = typeof heardClientMethods;
/** The type of {@link heardAgentMethods}, for the calls of a client's `Peer`. */
export type HeardAgentMethods = typeof heardAgentMethods;
