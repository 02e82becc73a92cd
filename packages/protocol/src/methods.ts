import { notification, request, taggedNotification } from "./contract.js";
import { claimParams, listParams } from "./list-params.js";
import { AskParams } from "./messages/ask-params.js";
import { ListedDecision } from "./messages/decisions.js";
import { events, olderEventNames } from "./messages/events.js";
import { AnswerParams, ListedSession, RequestNumbers } from "./messages/extended.js";
import {
  AnswerReply,
  AskResult,
  ClaimResult,
  extendedEvents,
  ToldRequest,
} from "./messages/extended-sent.js";
import { InitializeParams, InitializeResult } from "./messages/handshake.js";
import { RequestDraft } from "./messages/request-draft.js";
import { PromptResult, paramsOf, plainClientMethods, plainMethods } from "./plain-methods.js";
import * as z from "./zod.js";

const { anything } = paramsOf;

/**
 * The methods of an agent, called by a client. The key is the method's name on the wire, spelled nowhere else
 * (P-MSG-3).
 */
export const agentMethods = {
  initialize: request(InitializeParams, InitializeResult),
  prompt: request(paramsOf.prompt, PromptResult),
  steer: request(paramsOf.steer, z.looseObject({ status: z.literal("steered") })),
  replay: request(
    anything,
    z.looseObject({ status: z.literal(["finished", "cancelled"]), events: z.int(), requests: z.int() }),
  ),
  set_plan_mode: request(
    paramsOf.set_plan_mode,
    z.looseObject({ status: z.literal("ok"), plan_mode: z.boolean() }),
  ),
  cancel: plainMethods.cancel,
} as const;

const { alive, received, touch, release, set_do_not_ask, close_session, unwatch_sessions, unwatch_requests } =
  plainMethods;
const { create_pairing_code, await_pairing } = plainMethods;

/** The methods of an agent that only an extended client may call, in addition to {@link agentMethods} (P-XNG-4). */
export const extendedAgentMethods = {
  answer: request(AnswerParams, AnswerReply),
  ...{ alive, received, touch, release },
  /** Keeps a person's unsent work for their other devices; without a draft, it is forgotten (P-XDR-1). */
  keep_draft: request(
    z.looseObject({ request_id: z.string(), draft: z.optional(z.nullable(RequestDraft)) }),
    z.looseObject({}),
  ),
  /** The work of this person that was kept so, and its age in milliseconds; neither where there is none (P-XDR-2). */
  read_draft: request(
    z.looseObject({ request_id: z.string() }),
    z.looseObject({
      draft: z.optional(RequestDraft),
      age_ms: z.optional(z.number().check(z.minimum(0))),
    }),
  ),
  set_do_not_ask,
  /** A connected program asks the people of the session (P-XAK-1). */
  ask: request(AskParams, AskResult),
  /** The sessions in memory, or a page of the kept ones (P-XSE-1, P-XSE-7). */
  list_sessions: request(
    listParams.list_sessions,
    z.looseObject({ sessions: z.array(ListedSession), next: z.optional(z.string()) }),
  ),
  create_session: request(anything, z.looseObject({ session: ListedSession })),
  close_session,
  /** Lists the sessions, and has the changes told by `sessions_changed` (P-XSE-5). */
  watch_sessions: request(anything, z.looseObject({ sessions: z.array(ListedSession) })),
  unwatch_sessions,
  /** A page of what waits for a person in all sessions, `next` to be given back for the one after it (P-XRQ-1). */
  list_requests: request(
    listParams.list_requests,
    z.looseObject({
      requests: z.array(ToldRequest),
      next: z.optional(z.string()),
      counts: z.optional(RequestNumbers),
    }),
  ),
  /** Lists what waits in the sessions in memory, and has the changes told by `requests_changed` (P-XRQ-3). */
  watch_requests: request(anything, z.looseObject({ requests: z.array(ToldRequest) })),
  unwatch_requests,
  /** A page of what was decided, the newest first, `next` to be given back for the one after it (P-XPD-1). */
  list_decisions: request(
    listParams.list_decisions,
    z.looseObject({ decisions: z.array(ListedDecision), next: z.optional(z.string()) }),
  ),
  /** A person takes a request; the reply is the claim that holds from then on (P-XCM-1). */
  claim: request(claimParams.claim, ClaimResult),
  /** The person gives it back (P-XCM-2). */
  unclaim: request(claimParams.unclaim, z.looseObject({})),
  ...{ create_pairing_code, await_pairing },
} as const;

/**
 * The methods of a client: notifications `event`, `alive`, `call_output`, `sessions_changed` and `requests_changed`, and `request`. Base
 * clients are sent `event` and `request` only.
 */
export const clientMethods = {
  event: taggedNotification({ ...events, ...extendedEvents }, olderEventNames),
  ...plainClientMethods,
  /** New and changed sessions as they are now, and the ids of those that are gone (P-XSE-5). */
  sessions_changed: notification(
    z.looseObject({ sessions: z.array(ListedSession), closed: z.array(z.string()) }),
  ),
  /** New and changed requests as they are now, and the ids of those that no longer wait (P-XRQ-3). */
  requests_changed: notification(
    z.looseObject({ requests: z.array(ToldRequest), gone: z.array(z.string()) }),
  ),
} as const;

/** All that an agent may be asked, in either profile. */
export const allAgentMethods = { ...agentMethods, ...extendedAgentMethods } as const;

/** The type of {@link allAgentMethods}, for the calls of a `Peer` and the answers of `Handlers`. */
export type AgentMethods = typeof allAgentMethods;
/** The type of {@link clientMethods}, for the calls of a `Peer` and the answers of `Handlers`. */
export type ClientMethods = typeof clientMethods;
