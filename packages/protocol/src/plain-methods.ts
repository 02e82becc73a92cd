// The parts of the methods that both sides read alike: all params of a client's calls, and what has no words of a list.

import { notification, request, taggedRequest } from "./contract.js";
import { UserInput } from "./messages/content.js";
import { releaseReasons } from "./messages/extended.js";
import { requests } from "./messages/requests.js";
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

const RequestId = z.looseObject({ request_id: z.string() });
const SessionId = z.looseObject({ session_id: z.string() });
const nothing = z.looseObject({});

/** The params of the methods of an agent whose results a client reads in its own way. */
export const paramsOf = {
  prompt: z.looseObject({
    user_input: UserInput,
    /**
     * The client's own id of the turn, of the extended profile. A second prompt with the id starts no second turn
     * (P-XTR-2).
     */
    turn_id: OwnId,
  }),
  /** `steer_id` is of the extended profile: words with one id are said once (P-XTR-3). */
  steer: z.looseObject({ user_input: UserInput, steer_id: OwnId }),
  set_plan_mode: z.looseObject({ enabled: z.boolean() }),
  anything,
} as const;

/** A code by which a device comes in, once and for minutes (P-DEV-7). */
export const PairingCode = z.looseObject({
  code: z.string(),
  /** The origin at which a device takes the code, such as `https://ask.example`. */
  address: z.string(),
  /** The time that it still counts, in milliseconds. */
  expires_in_ms: z.number(),
});
export type PairingCode = z.output<typeof PairingCode>;

/** A device that was let in by a code. `name` is the kind of browser and system as the device said it: foreign text. */
export const NamedDevice = z.looseObject({ id: z.string(), name: z.string() });
export type NamedDevice = z.output<typeof NamedDevice>;

/** The methods of an agent whose results a client reads as they are sent. */
export const plainMethods = {
  cancel: request(anything, nothing),
  /** The client lives. `received` is the number of messages that have come to it over this connection (P-XAT-11). */
  alive: notification(z.looseObject({ received: z.int().check(z.minimum(0)) })),
  /** A person has the request (P-XAN-1). */
  received: notification(RequestId),
  touch: request(RequestId, nothing),
  release: request(
    z.looseObject({
      request_id: z.string(),
      /** Default: `protocol_error`. */
      reason: z.optional(z.literal(releaseReasons)),
      message: z.optional(z.string()),
    }),
    nothing,
  ),
  /** A person does not want to be asked questions in this session, or wants to be asked again (P-XDN-1). */
  set_do_not_ask: request(
    z.looseObject({ enabled: z.boolean() }),
    z.looseObject({ do_not_ask: z.boolean() }),
  ),
  /** Keeps a person's unsent work for their other devices (P-XDR-1). A server alone reads the draft. */
  keep_draft: request(RequestId, nothing),
  /** The work that was kept so, of this person alone (P-XDR-2). Read it by `@askwire/client/drafts`. */
  read_draft: request(RequestId, nothing),
  /** The decisions. A server alone checks what is wanted; read the reply by `@askwire/client/decisions` (P-XPD-1). */
  list_decisions: request(anything, nothing),
  /** Makes a code for a device, in the place of the last one of this connection (P-DEV-7). */
  create_pairing_code: request(
    z.optional(z.looseObject({ role: z.optional(z.literal("answer")), person: z.optional(z.string()) })),
    PairingCode,
  ),
  /** Is answered once the code is over, with the device that used it, if one did (P-DEV-8). */
  await_pairing: request(
    z.looseObject({ code: z.string() }),
    z.looseObject({ device: z.optional(NamedDevice) }),
  ),
  close_session: request(SessionId, nothing),
  unwatch_sessions: request(anything, nothing),
  unwatch_requests: request(anything, nothing),
} as const;

/** The output of a running call so far: its last lines, and how many there were. */
export const CallOutput = z.looseObject({
  tool_call_id: z.string(),
  text: z.string(),
  lines: z.int().check(z.minimum(0)),
});
export type CallOutput = z.output<typeof CallOutput>;

/** The methods of a client whose params it reads as they are sent. */
export const plainClientMethods = {
  request: taggedRequest(requests),
  /** The last lines that a running call has printed, and the number of all so far (P-XCO-1). */
  call_output: notification(CallOutput),
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
} as const;
