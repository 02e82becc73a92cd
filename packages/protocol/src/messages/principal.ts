import * as z from "../zod.js";

/**
 * The ways in which a door knows a person (P-WHO-3): by a token with a name, a paired device, the header of a proxy that
 * is trusted, or since the person is the user of the server's machine.
 */
export const principalWays = ["token", "device", "header", "local"] as const;
/** A value of {@link principalWays}. */
export type PrincipalWay = (typeof principalWays)[number];

/** The person that a connection was let in as, by the word of the door (P-WHO-3). No client says it of itself. */
export const Principal = /* @__PURE__ */ principal();

/** Made by a function, which a bundle that does not read it can leave out. */
function principal() {
  return z.looseObject({
    /** The id of the person: one for each `via`. */
    id: z.string(),
    /** The name of the person, for people to read. */
    name: z.string(),
    via: z.literal(principalWays),
    /** The name of the device, where a person's name was given to one. */
    device: z.optional(z.string()),
  });
}
/**
 * A client that acts: by the name that it gives itself, and beside it the person that the door let it in as (P-WHO-7).
 * Clients pass the person on unread, so this schema does not have it.
 */
export const ActingClient = z.looseObject({
  name: z.string(),
  connection: z.string(),
}) as unknown as z.ZodMiniType<HeardActingClient, HeardActingClient>;
export interface ActingClient {
  /** The word of the program about itself. */
  readonly name: string;
  /** The id of its connection. */
  readonly connection: string;
  /** Absent where the door knows nobody. */
  readonly principal?: Principal | undefined;
}
/** A client that acts, as other clients are told of it. */
export interface HeardActingClient {
  readonly name: string;
  readonly connection: string;
  /** The person by the word of the server's door (P-WHO-3), as it was sent: read it by `whoActs`. */
  readonly principal?: unknown;
}

/** A person who has approved what several must approve, by the client that they did it in (P-XQU-4). */
export const Approver = /* @__PURE__ */ approver();

/** Made by a function, which a bundle that does not read it can leave out. */
function approver() {
  return z.looseObject({
    name: z.string(),
    connection: z.string(),
    principal: Principal,
    /** The time of the approval, in ISO 8601. */
    at: z.string(),
    note: z.optional(z.string()),
    feedback: z.optional(z.string()),
  }) as unknown as z.ZodMiniType<Approver, Approver>;
}
export interface Approver extends ActingClient {
  readonly principal: Principal;
  /** The time of the approval, in ISO 8601. */
  readonly at: string;
  /** A note that came with it. */
  readonly note?: string | undefined;
  /** The words for the agent that came with it. */
  readonly feedback?: string | undefined;
}

/** The time for which a person has taken a request (P-XCM-4). */
export interface ClaimTime {
  /** Its end by the server's clock, in ISO 8601. */
  readonly until: string;
  /** The rest of it, in milliseconds. Absent in lists. */
  readonly remaining_ms?: number | undefined;
  /** True towards the person who has taken it. */
  readonly own?: true | undefined;
}

/** A client whose person answers a request, or has taken it (P-XST-5, P-XCM-4). */
export interface AnsweringClient extends ActingClient {
  /** Absent where the person has only begun. */
  readonly claim?: ClaimTime | undefined;
}
/** A client that answers, as other clients are told of it. */
export interface HeardAnsweringClient extends HeardActingClient {
  /** The time for which its person has taken the request, as it was sent: read it by `claimIn`. */
  readonly claim?: unknown;
}
/** Clients pass the time on unread, as they do the person. */
export const AnsweringClient = ActingClient as unknown as z.ZodMiniType<
  HeardAnsweringClient,
  HeardAnsweringClient
>;

/** A person, as the door knows them. */
export interface Principal {
  /** The id of the person: one for each `via`. */
  readonly id: string;
  /** The name of the person, for people to read. */
  readonly name: string;
  /** The way by which the door knows the person. */
  readonly via: PrincipalWay;
  /** The name of the device that the person answers on. Absent where it is not known. */
  readonly device?: string | undefined;
}
