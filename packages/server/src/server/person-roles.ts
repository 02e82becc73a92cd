import type { Principal } from "@askwire/protocol";
import { type OptionRule, option } from "@askwire/protocol/internal";
import { nobodyKnown, type PersonWithRoles, plainName } from "../requests/addressing.js";

/** A role of a person. */
export interface GrantedRole {
  /** The name of the role, 1 to 200 characters. */
  readonly role: string;
  /** `answer` for a role that makes its persons addressees; `see` for one whose requests they only see (P-XTO-4). */
  readonly may: "answer" | "see";
}

/** The roles of persons, by the word of whoever runs the server (P-XTO-4). */
export interface PersonRoles {
  /** The roles that a person has at this moment; `addressedName` gives the name by which requests name them. */
  of(principal: Principal): readonly GrantedRole[];
  /** Calls `changed` after each change. The returned function ends that. */
  watch(changed: () => void): () => void;
}

/** The rule for {@link PersonRoles}. */
export const personRolesRule: OptionRule = option.having("an object with of and watch", "of", "watch");

/**
 * A person with the roles of this moment.
 *
 * @param byDoor the roles that the door knows of the person, such as groups of a proxy.
 * @param roles those that were granted. Default: none.
 */
export function personWithRoles(
  principal: Principal | undefined,
  byDoor: readonly string[],
  roles: PersonRoles | undefined,
): PersonWithRoles {
  if (principal === undefined) return nobodyKnown;
  const granted = roles?.of(principal) ?? [];
  const named = (may: GrantedRole["may"]) =>
    granted.filter((grant) => grant.may === may).map(({ role }) => plainName(role));
  return { principal, roles: [...byDoor.map(plainName), ...named("answer")], seen: named("see") };
}
