import { Approver, Principal } from "./messages/principal.js";
import * as z from "./zod.js";

/** Every status of an outcome with its possible reasons; an empty list allows none (P-OUT-1). */
export const outcomeReasons = {
  /** The answers. */
  answered: [],
  /** A note, and no answers. */
  declined: ["dismissed", "discuss"],
  /** The shown defaults where they count (P-XDL-2), and otherwise no answers. */
  expired: ["deadline"],
  /** No answers. */
  withdrawn: ["interrupted", "superseded", "session_closed", "shutdown", "agent"],
  /** No answers. */
  unavailable: [
    "unsupported",
    "unattended",
    "client_lost",
    "subagent",
    "limit",
    "protocol_error",
    "do_not_ask",
    "not_kept",
  ],
} as const;

/** A status of an outcome. */
export type OutcomeStatus = keyof typeof outcomeReasons;
/** A reason that an outcome of that status may carry. */
export type OutcomeReason<S extends OutcomeStatus = OutcomeStatus> = (typeof outcomeReasons)[S][number];

/** The possible causes of an outcome (P-OUT-3). */
export const outcomeActors = ["human", "policy", "hook", "timer", "system"] as const;
/** A value of {@link outcomeActors}. */
export type OutcomeActor = (typeof outcomeActors)[number];

/** The features, per question, that an answering client was not shown or could not express. */
export const Degradation = z.looseObject({
  question_id: z.optional(z.string()),
  feature: z.string(),
});
export type Degradation = z.output<typeof Degradation>;

/**
 * The end of a request: one for each request, in memory, on the wire and in the journal (P-OUT-1 to P-OUT-4). A client
 * states only `answered` or `declined`. The server decides the rest.
 */
export const Outcome = /* @__PURE__ */ outcome();

/** Made by a function, which a bundle that does not read it can leave out. */
function outcome(): z.ZodMiniType<Outcome, Outcome> {
  return z
    .looseObject({
      status: z.literal(Object.keys(outcomeReasons) as OutcomeStatus[]),
      reason: z.optional(z.string()),
      by: z.literal(outcomeActors),
      /** The client that answered, if a client did. */
      client: z.optional(z.looseObject({ name: z.string(), connection: z.string() })),
      /** The person that the client was let in as, where the door knows one (P-WHO-3). */
      principal: z.optional(Principal),
      /** The time of the outcome, in ISO 8601. */
      at: z.string(),
      /** A sentence that came with it: a person's note, or an error's text. */
      note: z.optional(z.string()),
      degraded: z.optional(z.array(Degradation)),
      /** All who approved what several had to approve (P-XQU-4). */
      approved_by: z.optional(z.array(Approver)),
    })
    .check(
      z.refine((outcome) => {
        const reasons: readonly string[] = outcomeReasons[outcome.status];
        return outcome.reason === undefined ? reasons.length === 0 : reasons.includes(outcome.reason);
      }, "reason: one that belongs to the status"),
    ) as unknown as z.ZodMiniType<Outcome, Outcome>;
}

interface OutcomeDetails {
  by: OutcomeActor;
  client?: { name: string; connection: string };
  /** The person that the client was let in as, by the word of the door (P-WHO-3). */
  principal?: Principal;
  at: string;
  note?: string;
  degraded?: Degradation[];
  /** All who approved what several had to approve, in their order (P-XQU-4). */
  approved_by?: readonly Approver[];
}
/** The closed union: a status with one of its own reasons. */
export type Outcome = OutcomeDetails &
  {
    [S in OutcomeStatus]: (typeof outcomeReasons)[S] extends readonly []
      ? { status: S; reason?: undefined }
      : { status: S; reason: OutcomeReason<S> };
  }[OutcomeStatus];
