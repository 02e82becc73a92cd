import type { Addressees, Principal } from "@askwire/protocol";
import { defined, type OptionRule, option } from "@askwire/protocol/internal";
import { personProblem } from "../runtime/person-name.js";
import { goesByName } from "./person-key.js";

/** The people that a request goes to besides, once it has been open for a time (P-XTO-6). */
export interface EscalationStepInit {
  /** The time from the opening of the request, in milliseconds, from 1 to 2,147,483,647. */
  readonly after_ms: number;
  readonly to: Addressees;
}

/** The members of a request that say for whom it is (P-XTO-1, P-XTO-5, P-XTO-6). */
export interface AddressingInit {
  /**
   * Those who alone may answer: everybody with one of the `roles`, and the `principals` by name; from 1 to 20 of each,
   * of 1 to 200 characters. Default: whoever may answer at all.
   */
  readonly to?: Addressees | undefined;
  /** True: while somebody has taken it, nobody else's answer counts. Default: false. */
  readonly exclusive?: boolean | undefined;
  /** The steps by which `to` grows: from 1 to 10, each later than the one before. Default: none. */
  readonly escalate?: readonly EscalationStepInit[] | undefined;
}

/** The rules for {@link AddressingInit}, whose values {@link addressingOf} reads. */
export const addressingRules: { readonly [K in keyof Required<AddressingInit>]: OptionRule } = {
  to: option.any,
  exclusive: option.flag,
  escalate: option.any,
};

/** A person behind a client, with the roles that they have, and those that they may only see (P-XTO-4). */
export interface PersonWithRoles {
  /** Undefined where the door knows nobody. */
  readonly principal: Principal | undefined;
  readonly roles: readonly string[];
  readonly seen: readonly string[];
}

/** A client behind whom the door knows nobody. */
export const nobodyKnown: PersonWithRoles = { principal: undefined, roles: [], seen: [] };

const MOST_NAMES = 20;
const MOST_STEPS = 10;
/** The most that a timer of the runtime can wait. */
const MOST_MS = 2 ** 31 - 1;

/** The addressees of a request, which grow by its steps. */
export class Addressing {
  /** True: while somebody has taken the request, nobody else's answer counts. */
  readonly exclusive: boolean;
  /** The addressees at the opening; undefined for a request that anybody may answer. */
  readonly first: Addressees | undefined;
  readonly steps: readonly EscalationStepInit[];
  /** The time from which the steps count, in milliseconds since 1970: that of the first opening. */
  openedAt: number | undefined;
  #to: Addressees | undefined;
  #done = 0;

  constructor(to: Addressees | undefined, exclusive: boolean, steps: readonly EscalationStepInit[]) {
    this.first = to;
    this.#to = to;
    this.exclusive = exclusive;
    this.steps = steps;
  }

  /** Those who alone may answer at this moment; undefined where anybody may. */
  get to(): Addressees | undefined {
    return this.#to;
  }

  /** The number of steps that were made. */
  get escalated(): number {
    return this.#done;
  }

  /** The next step; undefined after the last one. */
  get next(): EscalationStepInit | undefined {
    return this.steps[this.#done];
  }

  /** The time of the next step, in milliseconds since 1970; undefined after the last one, and before the opening. */
  get nextAt(): number | undefined {
    const { next, openedAt } = this;
    return next === undefined || openedAt === undefined ? undefined : openedAt + next.after_ms;
  }

  /** Adds the addressees of the next step. Returns them; undefined after the last one. */
  escalate(): Addressees | undefined {
    const step = this.next;
    if (step === undefined) return undefined;
    this.#done += 1;
    this.#to = together(this.#to, step.to);
    return step.to;
  }
}

/**
 * The addressing of a request; undefined for one that anybody may answer at any time.
 *
 * @throws TypeError that names the member that does not fit.
 */
export function addressingOf({ to, exclusive = false, escalate }: AddressingInit): Addressing | undefined {
  const first = to === undefined ? undefined : addressees("to", to);
  if (first === undefined && escalate !== undefined)
    throw new TypeError("escalate: expected `to` beside it, which names those who are asked first");
  const steps = escalate === undefined ? [] : stepsOf(escalate);
  return first === undefined && !exclusive ? undefined : new Addressing(first, exclusive, steps);
}

function stepsOf(escalate: readonly EscalationStepInit[]): EscalationStepInit[] {
  const isList = Array.isArray(escalate) && escalate.length > 0 && escalate.length <= MOST_STEPS;
  if (!isList) throw new TypeError(`escalate: expected 1 to ${MOST_STEPS} steps {after_ms, to}`);
  let before = 0;
  return escalate.map((step, index) => {
    const place = `escalate[${index}]`;
    const { after_ms, to, ...more } = Object(step) as EscalationStepInit;
    const [unknown] = Object.keys(more);
    if (unknown !== undefined)
      throw new TypeError(`${place}.${unknown}: expected no such member, but after_ms and to`);
    if (!Number.isInteger(after_ms) || after_ms < 1 || after_ms > MOST_MS)
      throw new TypeError(`${place}.after_ms: expected 1 to ${MOST_MS} milliseconds`);
    if (after_ms <= before)
      throw new TypeError(
        `${place}.after_ms: expected more than ${before}, the time of the step before: each counts from the opening`,
      );
    before = after_ms;
    return { after_ms, to: addressees(`${place}.to`, to) };
  });
}

/** Checks addressees. Names are compared without spaces around them. */
function addressees(place: string, to: Addressees): Addressees {
  if (typeof to !== "object" || to === null || Array.isArray(to))
    throw new TypeError(`${place}: expected {roles, principals}, such as {roles: ["payments"]}`);
  const unknown = Object.keys(to).find((member) => member !== "roles" && member !== "principals");
  if (unknown !== undefined)
    throw new TypeError(`${place}.${unknown}: expected no such member, but roles or principals`);
  const [roles, principals] = (["roles", "principals"] as const).map((member) =>
    to[member] === undefined ? undefined : namesOf(`${place}.${member}`, to[member]),
  );
  if (roles === undefined && principals === undefined)
    throw new TypeError(`${place}: expected roles or principals: name at least one who may answer`);
  return defined({ roles, principals });
}

function namesOf(place: string, names: readonly string[]): readonly string[] {
  if (!Array.isArray(names) || names.length === 0 || names.length > MOST_NAMES)
    throw new TypeError(`${place}: expected 1 to ${MOST_NAMES} names`);
  return names.map((name, index) => {
    const text: unknown = name;
    const problem = typeof text === "string" ? personProblem(text) : "expected a name";
    if (problem !== undefined) throw new TypeError(`${place}[${index}]: ${problem}`);
    return plainName(name);
  });
}

/** A name of a person or a role as names are compared. */
export const plainName = (name: string): string => name.normalize("NFC").trim();

/** All addressees of both, each once. */
function together(one: Addressees | undefined, other: Addressees): Addressees {
  const union = (member: keyof Addressees) => {
    const names = new Set([...(one?.[member] ?? []), ...(other[member] ?? [])]);
    return names.size === 0 ? undefined : [...names];
  };
  return defined({ roles: union("roles"), principals: union("principals") });
}

/**
 * The name by which a request names a person, and a role is granted (P-XTO-1): as persons are told in P-XDR-2.
 */
export const addressedName = (principal: Principal): string =>
  plainName(goesByName(principal) ? principal.name : principal.id);

/** True for a person who may answer a request for these addressees; without any, everybody may. */
export const isAddressee = (to: Addressees | undefined, person: PersonWithRoles | undefined): boolean =>
  to === undefined || (person !== undefined && isNamed(to, person, person.roles));

/** True for a request that names the person, or a role that they have or may see. */
export const isForPerson = (to: Addressees | undefined, person: PersonWithRoles): boolean =>
  to !== undefined && isNamed(to, person, [...person.roles, ...person.seen]);

function isNamed(
  { roles = [], principals = [] }: Addressees,
  { principal }: PersonWithRoles,
  own: readonly string[],
): boolean {
  if (principal === undefined) return false;
  return own.some((role) => roles.includes(role)) || principals.includes(addressedName(principal));
}

/** The most names that a sentence has. */
const MOST_SAID = 5;

/** The addressees in words: `the role payments, or Ann`. */
export function addresseesInWords({ roles = [], principals = [] }: Addressees): string {
  const named = [...roles.map((role) => `the role ${role}`), ...principals];
  const said = named.slice(0, MOST_SAID);
  const more = named.length - said.length;
  const all = more > 0 ? [...said, `${more} more`] : said;
  const last = all.pop() ?? "";
  return all.length === 0 ? last : `${all.join(", ")} or ${last}`;
}
