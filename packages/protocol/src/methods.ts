import { notification, request, taggedNotification, taggedRequest } from "./contract.js";
import { UserInput } from "./messages/content.js";
import { events, olderEventNames } from "./messages/events.js";
import {
  AnswerParams,
  AskParams,
  AskResult,
  extendedEvents,
  ListedSession,
  releaseReasons,
} from "./messages/extended.js";
import { InitializeParams, InitializeResult } from "./messages/handshake.js";
import { requests } from "./messages/requests.js";
import { Outcome } from "./outcome.js";
import * as z from "./zod.js";

/** The end of a turn. `steps` is present if the limit of steps was reached. */
export const PromptResult = z.looseObject({
  status: z.literal(["finished", "cancelled", "max_steps_reached"]),
  steps: z.optional(z.int()),
});
export type PromptResult = z.output<typeof PromptResult>;

const anything = z.optional(z.unknown());
/** The client's own id of what it sends, by which that counts once. */
const OwnId = z.optional(z.string().check(z.minLength(1), z.maxLength(128)));

/**
 * The methods of an agent, called by a client. The key is the method's name on the wire, spelled nowhere else
 * (P-MSG-3).
 */
export const agentMethods = {
  initialize: request(InitializeParams, InitializeResult),
  prompt: request(
    z.looseObject({
      user_input: UserInput,
      /**
       * The client's own id of the turn, of the extended profile. A second prompt with the id starts no second turn
       * (P-XTR-2).
       */
      turn_id: OwnId,
    }),
    PromptResult,
  ),
  /** `steer_id` is of the extended profile: words with one id are said once (P-XTR-3). */
  steer: request(
    z.looseObject({ user_input: UserInput, steer_id: OwnId }),
    z.looseObject({ status: z.literal("steered") }),
  ),
  replay: request(
    anything,
    z.looseObject({ status: z.literal(["finished", "cancelled"]), events: z.int(), requests: z.int() }),
  ),
  set_plan_mode: request(
    z.looseObject({ enabled: z.boolean() }),
    z.looseObject({ status: z.literal("ok"), plan_mode: z.boolean() }),
  ),
  cancel: request(anything, z.looseObject({})),
} as const;

const RequestId = z.looseObject({ request_id: z.string() });
const SessionId = z.looseObject({ session_id: z.string() });

/** The methods of an agent that only an extended client may call, in addition to {@link agentMethods} (P-XNG-4). */
export const extendedAgentMethods = {
  answer: request(AnswerParams, z.looseObject({ outcome: Outcome })),
  /** The client lives. `received` is the number of messages that have come to it over this connection (P-XAT-11). */
  alive: notification(z.looseObject({ received: z.int().check(z.minimum(0)) })),
  /** A person has the request (P-XAN-1). */
  received: notification(RequestId),
  touch: request(RequestId, z.looseObject({})),
  release: request(
    z.looseObject({
      request_id: z.string(),
      /** Default: `protocol_error`. */
      reason: z.optional(z.literal(releaseReasons)),
      message: z.optional(z.string()),
    }),
    z.looseObject({}),
  ),
  /** A person does not want to be asked questions in this session, or wants to be asked again (P-XDN-1). */
  set_do_not_ask: request(
    z.looseObject({ enabled: z.boolean() }),
    z.looseObject({ do_not_ask: z.boolean() }),
  ),
  /** A connected program asks the people of the session (P-XAK-1). */
  ask: request(AskParams, AskResult),
  list_sessions: request(anything, z.looseObject({ sessions: z.array(ListedSession) })),
  create_session: request(anything, z.looseObject({ session: ListedSession })),
  close_session: request(SessionId, z.looseObject({})),
  /** Lists the sessions, and has the changes told by `sessions_changed` (P-XSE-5). */
  watch_sessions: request(anything, z.looseObject({ sessions: z.array(ListedSession) })),
  unwatch_sessions: request(anything, z.looseObject({})),
} as const;

/**
 * The methods of a client: notifications `event`, `alive` and `sessions_changed`, and `request`. Base clients are sent
 * `event` and `request` only.
 */
export const clientMethods = {
  event: taggedNotification({ ...events, ...extendedEvents }, olderEventNames),
  request: taggedRequest(requests),
  /**
   * Sent after a while without other messages, and in reply to a client's `alive`. `seq` is the number of the last
   * event (P-XAT-9).
   */
  alive: notification(
    z.looseObject({
      seq: z.int(),
      /** Of a reply: the messages of this connection that were sent before it, and came before the client's. */
      sent: z.optional(z.int()),
      received: z.optional(z.int()),
    }),
  ),
  /** New and changed sessions as they are now, and the ids of those that are gone (P-XSE-5). */
  sessions_changed: notification(
    z.looseObject({ sessions: z.array(ListedSession), closed: z.array(z.string()) }),
  ),
} as const;

/** All that an agent may be asked, in either profile. */
export const allAgentMethods = { ...agentMethods, ...extendedAgentMethods } as const;

/** The type of {@link allAgentMethods}, for the calls of a `Peer` and the answers of `Handlers`. */
export type AgentMethods = typeof allAgentMethods;
/** The type of {@link clientMethods}, for the calls of a `Peer` and the answers of `Handlers`. */
export type ClientMethods = typeof clientMethods;
