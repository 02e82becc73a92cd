// The messages of the extended profile alone: its events, and the payloads of its methods.

import { AnswerItem } from "../answer-item.js";

import { Degradation } from "../outcome.js";
import * as z from "../zod.js";
import { ApprovalEdit, ApprovalOption } from "./approval-options.js";
import { ApprovalKind } from "./events.js";
import { mapOf } from "./fields.js";
import { SlashCommand, sessionStates } from "./handshake.js";
import { ActingClient, AnsweringClient } from "./principal.js";
import { Field } from "./question-field.js";
import {
  ApprovalRequestPayload,
  QuestionItem,
  QuestionOption,
  QuestionRequestPayload,
  type RequestType,
} from "./requests.js";

/** The kinds of requests, as the extended profile and the journal call them, with their type on the wire. */
export const requestKinds = {
  question: "QuestionRequest",
  approval: "ApprovalRequest",
  tool_call: "ToolCallRequest",
  hook: "HookRequest",
} as const satisfies Record<string, RequestType>;
/** The name of a kind. */
export type RequestKind = keyof typeof requestKinds;

/** The answer after a passed deadline: none, or the shown defaults (P-XDL-2). */
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

/** The fields of an option in addition to those of the base profile (P-XQS-1). */
export const optionExtras = {
  id: z.optional(z.string()),
  /** Markdown to look at before choosing it. */
  preview: z.optional(z.string()),
  recommended: z.optional(z.boolean()),
};

/** The fields of a question in addition to those of the base profile. */
export const questionExtras = {
  id: z.optional(z.string()),
  /** True if own text counts. Default: true. */
  own_text: z.optional(z.boolean()),
  placeholder: z.optional(z.string()),
  /** The ids of the options that count when a deadline passes. */
  default: z.optional(z.array(z.string())),
  /** The form of the answer; absent for options and words of any kind (P-XFL-1). */
  field: z.optional(Field),
  /** The fewest and the most choices of several, own text counted as one (P-XFL-7). */
  min: z.optional(z.int()),
  max: z.optional(z.int()),
  /** True if a picture is wanted with the answer. Default: false. */
  picture: z.optional(z.boolean()),
};

/** A question with all its fields. */
const ExtendedQuestion = z.looseObject({
  ...QuestionItem.shape,
  ...questionExtras,
  options: z._default(z.array(z.looseObject({ ...QuestionOption.shape, ...optionExtras })), () => []),
});

/** The origin of an ask, in the words of its program (P-XAK-12). */
export const HeardOrigin = z.looseObject({
  host: z.optional(z.string()),
  folder: z.optional(z.string()),
  tool: z.optional(z.string()),
  subagent: z.optional(z.string()),
});
export type HeardOrigin = z.output<typeof HeardOrigin>;

/** The connected program that asks by `ask`, and the key and origin of its ask (P-XAK-2, P-XAK-12). */
const program = z.optional(
  z.looseObject({
    key: z.string(),
    name: z.string(),
    connection: z.string(),
    origin: z.optional(HeardOrigin),
  }),
);

/**
 * A QuestionRequest towards an extended client. The base profile's schema passes these fields on unread, since a peer
 * may give their names another meaning.
 */
export const ExtendedQuestionRequest = z.looseObject({
  ...QuestionRequestPayload.shape,
  questions: z.array(ExtendedQuestion),
  /** The sub-agent that asks. */
  agent: z.optional(
    z.looseObject({ id: z.string(), type: z.string(), parent_tool_call_id: z.nullable(z.string()) }),
  ),
  program,
  /** True if the agent continues meanwhile (P-XBG-1). */
  background: z.optional(z.boolean()),
  deadline: z.optional(z.nullable(Deadline)),
});
export type ExtendedQuestionRequest = z.output<typeof ExtendedQuestionRequest>;

/** An ApprovalRequest towards an extended client. The base profile's schema passes its further fields on unread. */
export const ExtendedApprovalRequest = z.looseObject({
  ...ApprovalRequestPayload.shape,
  /** The ways to answer it, where they are not the three of the base profile (P-XAO-1). */
  options: z.optional(z.array(ApprovalOption)),
  /** The text that may be changed before approving (P-XAO-3). */
  edit: z.optional(ApprovalEdit),
  /** True for one that no policy may answer, also where it is passed on (P-XAO-10). */
  person_only: z.optional(z.boolean()),
  /** The number of people who must approve it. Absent: one (P-XQU-1). */
  quorum: z.optional(z.int()),
  program,
});
export type ExtendedApprovalRequest = z.output<typeof ExtendedApprovalRequest>;

/** The questions and approvals as a client reads them: for whom they are it passes on unread. */
export const plainAskedEvents = {
  QuestionRequest: ExtendedQuestionRequest,
  ApprovalRequest: ExtendedApprovalRequest,
} as const;

/**
 * What a rule decided about an action, without asking. `rule` is `approve_all` where everything is approved, and
 * `decided_before` where a person decided for the session; a newer server may have others (P-XAO-11).
 */
export const PolicyDecision = z.looseObject({
  tool_call_id: z.string(),
  action: z.string(),
  description: z.string(),
  response: z.literal(["approve", "reject"]),
  rule: z.string(),
});
export type PolicyDecision = z.output<typeof PolicyDecision>;

/** An open request has changed. */
export const InteractionUpdated = z.looseObject({
  request_id: z.string(),
  deadline: z.nullable(Deadline),
  /** The clients whose people have begun to answer, as far as they report that (P-XST-5). Absent: none reports it. */
  answering: z.optional(z.array(AnsweringClient)),
  /** The calls that wait for the outcome of an ask, once there were several (P-XAK-10). */
  calls: z.optional(z.int()),
});

/** The events of {@link extendedEvents} that a client reads as they are sent. */
export const plainExtendedEvents = {
  /** The conversation so far has been sent. It is `whole` unless its beginning is not kept (P-XHI-2). */
  HistoryEnd: z.looseObject({ whole: z.boolean() }),
  /** A person does not want to be asked questions in this session, or wants to be asked again (P-XDN-1). */
  DoNotAsk: z.looseObject({
    enabled: z.boolean(),
    /** The client that said so, if a client did. */
    by: z.optional(ActingClient),
  }),
  /** The commands of the agent are others than `initialize` said, here all of them (P-SLH-3). */
  CommandsChanged: z.looseObject({ slash_commands: z.array(SlashCommand) }),
  /** A rule has answered an approval, so that nobody was asked (P-XAO-11). */
  PolicyDecided: PolicyDecision,
} as const;

/** The reasons for which a client releases a request (P-XAN-9). */
export const releaseReasons = ["unsupported", "limit", "protocol_error"] as const;
/** A value of {@link releaseReasons}. */
export type ReleaseReason = (typeof releaseReasons)[number];

/** The statuses of an outcome that a client may state (P-XAN-2). */
export const statedStatuses = ["answered", "declined"] as const;

/**
 * A person's word on a question or approval (P-XAN-2 to P-XAN-5). `items` belong to a question, `response` and
 * `feedback` to an approval; `option` takes the place of `response` where an approval has options (P-XAO-1).
 */
export const AnswerParams = z.looseObject({
  request_id: z.string(),
  /** The client's own id of this answer: sent again, it gets the first reply. A corrected answer has another one. */
  answer_id: z.string().check(z.minLength(1), z.maxLength(128)),
  outcome: z.looseObject({
    status: z.string(),
    reason: z.optional(z.string()),
    note: z.optional(z.string()),
    /** Only of a client that passes requests on (P-XAN-10). */
    degraded: z.optional(z.array(Degradation)),
  }),
  items: z.optional(z.array(AnswerItem)),
  /** By question text, as a base client gave them: only of a client that passes requests on (P-XAN-10). */
  answers: z.optional(mapOf(z.string())),
  response: z.optional(ApprovalKind),
  /** The id of an option. */
  option: z.optional(z.string()),
  /** The changed text, where the approval offered one to change (P-XAO-3). */
  edited: z.optional(z.string()),
  feedback: z.optional(z.string()),
});
export type AnswerParams = z.output<typeof AnswerParams>;

/** A mistake of an answer: a code for programs (P-XAN-4), and a message for a person. */
export const AnswerIssue = z.looseObject({
  /** Null where it is about no question in particular. */
  question_id: z.nullable(z.string()),
  code: z.string(),
  message: z.string(),
});
export type AnswerIssue = z.output<typeof AnswerIssue>;

/** The kinds of what waits for a person. */
export const personKinds = ["question", "approval"] as const;

/** The oldest open question or approval of a listed session. */
export const OldestRequest = z.looseObject({
  request_id: z.string(),
  kind: z.literal(personKinds),
  /** The first question, or the description of the approval: one line of at most 200 characters, without controls. */
  text: z.string(),
  /** The time since which somebody is waited for, in ISO 8601. */
  since: z.string(),
});
export type OldestRequest = z.output<typeof OldestRequest>;

/** The fate of the questions of a program that is lost (P-XAK-6). */
const askLosses = ["keep", "withdraw"] as const;

/** The members of an ask beside an approval, which only a server reads (P-XAK-1 to P-XAK-6). */
export const askMembers = {
  /** The program's own name of this ask: sent again, it gets the same questions or their outcome. */
  key: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Absent, as `approval` is: the reply is about what was asked under the key. */
  questions: z.optional(z.array(ExtendedQuestion)),
  /** Milliseconds from the first ask, and what counts then (P-XDL-1). */
  deadline: z.optional(z.looseObject({ ms: z.number(), on_expiry: z.literal(deadlineExpiries) })),
  /** False: the reply comes at once. Default: with the outcome. */
  wait: z.optional(z.boolean()),
  /** The calls of this client that wait for the outcome (P-XAK-10). Default: 1 that waits. */
  calls: z.optional(z.int().check(z.minimum(0), z.maximum(1_000))),
  /** True: this client is asked too, if it can show questions. Default: false. */
  here: z.optional(z.boolean()),
  /** Default: `keep`. */
  on_lost: z.optional(z.literal(askLosses)),
};

/** The answers in the reply to an ask. */
export const askAnswers = {
  /** By question text, as in the base profile (P-ANS-6). */
  answers: z.optional(mapOf(z.string())),
  items: z.optional(z.array(AnswerItem)),
  /** The chosen option of an approval, where it has its own. */
  option: z.optional(z.string()),
  /** The person's words about an approval. */
  feedback: z.optional(z.string()),
  /** The text of an approval as the person changed it. */
  edited: z.optional(z.string()),
};

/** The states of a listed session: that of one in memory, or `kept` of one that is on disk alone (P-XSE-7). */
export const listedSessionStates = [...sessionStates, "kept"] as const;

/** A session in a list (P-XSE-1, P-XSE-4, P-XSE-7). */
export const ListedSession = z.looseObject({
  id: z.string(),
  state: z.literal(listedSessionStates),
  /** The number of attached clients. */
  connections: z.int(),
  /** The subject, one line of at most 120 characters. Absent before the first prompt, unless the agent set one. */
  title: z.optional(z.string()),
  /** The folder that the agent works in. */
  folder: z.optional(z.string()),
  /** The name of the machine that the agent runs on. */
  host: z.optional(z.string()),
  /** The time at which the session began, in ISO 8601. */
  made_at: z.optional(z.string()),
  /** The time at which a turn last began or ended, or a request was opened or settled, in ISO 8601. */
  active_at: z.optional(z.string()),
  /** The number of open questions and approvals. */
  open: z.optional(z.int()),
  /** Absent where none is open. */
  oldest: z.optional(OldestRequest),
});
export type ListedSession = z.output<typeof ListedSession>;

/**
 * The states of a listed request: `open` in a session in memory, or `kept` in one that is on disk alone and has to be
 * opened first (P-XAT-10).
 */
export const listedRequestStates = ["open", "kept"] as const;

/** An open question or approval of any session of a server, as lists of what waits show it (P-XRQ-2). */
export const ListedRequest = z.looseObject({
  ...OldestRequest.shape,
  state: z.literal(listedRequestStates),
  /** The session to attach to in order to answer it. */
  session_id: z.string(),
  /** The end of the person's time, in ISO 8601. Absent without one, and while it stands still. */
  deadline: z.optional(z.string()),
  /** The name of the connected program that asks. */
  program: z.optional(z.string()),
  /** The clients whose persons are answering it, as far as they tell (P-XST-5). Absent without any. */
  answering: z.optional(z.array(AnsweringClient)),
  /** The subject of the session, as in a list of sessions. */
  title: z.optional(z.string()),
  /** The name that the server gave its agent. */
  agent: z.optional(z.string()),
  folder: z.optional(z.string()),
  host: z.optional(z.string()),
});
export type ListedRequest = z.output<typeof ListedRequest>;

/** The numbers of the requests that a client wants, over all pages (P-XRQ-4). */
export const RequestNumbers = z.looseObject({
  all: z.int(),
  /** By kind. */
  kinds: z.looseObject({ question: z.int(), approval: z.int() }),
  /** By state. */
  states: z.looseObject({ open: z.int(), kept: z.int() }),
});
export type RequestNumbers = z.output<typeof RequestNumbers>;
