import * as z from "../zod.js";

const toldNames = z.optional(z.array(z.string()));

/** Those who alone may answer a request: everybody with one of the roles, and the named persons (P-XTO-1). */
export const Addressees = z.looseObject({
  roles: toldNames,
  principals: toldNames,
}) as unknown as z.ZodMiniType<Addressees, Addressees>;
/** Those who alone may answer a request. One of the lists is there at least. */
export interface Addressees {
  /** Names of roles. */
  readonly roles?: readonly string[] | undefined;
  /** Persons, each by the `id` or the `name` of their principal. */
  readonly principals?: readonly string[] | undefined;
}

const name = z.string().check(z.minLength(1), z.maxLength(200));
const names = z.optional(z.array(name).check(z.minLength(1), z.maxLength(20)));

/** The addressees of an ask. A further member may name further people: a server refuses it by name. */
const AskedAddressees = z.looseObject({
  /** From 1 to 20 names of roles. */
  roles: names,
  /** From 1 to 20 persons, each by the `id` or the `name` of their principal. */
  principals: names,
});

/** The longest time before a step, in milliseconds: the most that a timer waits. */
const LONGEST_STEP_MS = 2 ** 31 - 1;

/** The people that a request goes to besides, once it has been open for a time (P-XTO-6). */
const EscalationStep = z.looseObject({
  /** Milliseconds from the opening of the request. */
  after_ms: z.int().check(z.minimum(1), z.maximum(LONGEST_STEP_MS)),
  to: AskedAddressees,
});

/** The members of an ask that say for whom it is (P-XTO-1, P-XTO-5, P-XTO-6). */
export const addressedAsk = {
  /** Those who alone may answer. Default: whoever may answer at all. */
  to: z.optional(AskedAddressees),
  /** True: while somebody has taken the request, nobody else's answer counts. Default: false. */
  exclusive: z.optional(z.boolean()),
  /** The steps by which `to` grows, each later than the one before. Default: none. */
  escalate: z.optional(z.array(EscalationStep).check(z.minLength(1), z.maxLength(10))),
};

/** The members of a request, as clients are told it, that say for whom it is. Clients pass them on unread. */
export const addressedRequest = {
  to: z.optional(Addressees),
  exclusive: z.optional(z.literal(true)),
  /** The number of steps by which `to` has grown. Absent before the first. */
  escalated: z.optional(z.int()),
};
