// The params of lists and claims, which a server reads alone: a client has its functions check what it is given.

import { decisionStatuses } from "./messages/decisions.js";
import { listedRequestStates, personKinds } from "./messages/extended.js";
import * as z from "./zod.js";

/** The part of a list that is wanted. */
const page = {
  /** The `next` of the page before. */
  after: z.optional(z.string().check(z.maxLength(1_024))),
  /** Rows of the page, at most. Default: 50. */
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(200))),
};

/** A time in ISO 8601 with its zone. */
const Moment = z.string().check(
  z.maxLength(40),
  z.refine((text) => isMoment(text), "a time in ISO 8601 with its zone, such as 2026-11-01T09:30:00Z"),
);

const isMoment = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** The request that is taken or given back. Without `session_id` it is one of the connection's own session. */
const claimed = { request_id: z.string(), session_id: z.optional(z.string()) };

/** The longest claim, in milliseconds (P-XCM-1). */
const LONGEST_CLAIM_MS = 1_800_000;

/** The params of `claim` and `unclaim` (P-XCM-1, P-XCM-2). */
export const claimParams = {
  claim: z.looseObject({
    ...claimed,
    /** The time of the claim, in milliseconds. Default: 120,000. */
    ms: z.optional(z.int().check(z.minimum(1), z.maximum(LONGEST_CLAIM_MS))),
  }),
  unclaim: z.looseObject(claimed),
} as const;

/** The params of the lists of sessions and of what waits in them. */
export const listParams = {
  /** Without `state`, the sessions in memory; with it, a page of those on disk alone (P-XSE-7, P-XSE-8). */
  list_sessions: z.optional(z.looseObject({ state: z.optional(z.literal("kept")), ...page })),
  /** All is optional: without params, the first page of all (P-XRQ-1). */
  list_requests: z.optional(
    z.looseObject({
      kinds: z.optional(z.array(z.literal(personKinds))),
      /** Words of the text, the title, the folder, the program or the agent, in any case. */
      text: z.optional(z.string().check(z.maxLength(200))),
      state: z.optional(z.literal(listedRequestStates)),
      /** True for the requests of this person's sessions alone (P-XRQ-5). Default: false. */
      mine: z.optional(z.boolean()),
      /** True for the requests that are for this person alone, by name or by role (P-XTO-4). Default: false. */
      to_me: z.optional(z.boolean()),
      /** True to be told the numbers of all these requests, those of other pages too (P-XRQ-4). Default: false. */
      counts: z.optional(z.boolean()),
      ...page,
    }),
  ),
  /** All is optional: without params, the newest of all (P-XPD-1). */
  list_decisions: z.optional(
    z.looseObject({
      /** Words of what was asked and said, of the session, or a name, in any case. */
      text: z.optional(z.string().check(z.maxLength(200))),
      kinds: z.optional(z.array(z.literal(personKinds))),
      /** The id or the name of a person by the word of the server's door, in any case. */
      who: z.optional(z.string().check(z.maxLength(200))),
      status: z.optional(z.literal(decisionStatuses)),
      /** From this time on, and before the other one, in ISO 8601. */
      since: z.optional(Moment),
      until: z.optional(Moment),
      ...page,
    }),
  ),
} as const;
