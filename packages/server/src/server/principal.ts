import { type Principal, principalWays } from "@askwire/protocol";
import { checkOptions, type OptionRule, type OptionRules, option } from "@askwire/protocol/internal";

/** The most characters of an id or a name of a person. */
const MOST = 200;
/** Controls, breaks of lines, halves of characters, and marks that turn the text around them. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Describes what is wrong with the id or the name of a person; undefined for one that can be shown. */
export function personProblem(text: string): string | undefined {
  if (text.trim() === "") return "expected a name, not an empty one";
  if (text.length > MOST) return `expected at most ${MOST} characters, not ${text.length}`;
  return UNSEEN.test(text) ? "expected no control characters and no marks of direction" : undefined;
}

const person: OptionRule = {
  expected: `1 to ${MOST} characters without controls and marks of direction`,
  fits: (value) => typeof value === "string" && personProblem(value) === undefined,
};

const rules: OptionRules<Principal> = {
  id: { ...person, required: true },
  name: { ...person, required: true },
  via: option.required(option.oneOf(principalWays)),
  device: person,
};

/** The rule for a person whom a program names (P-WHO-3). */
export const principalRule: OptionRule = option.of<Principal>(rules);

/**
 * Checks a person whom a program names.
 *
 * @throws TypeError that names the member.
 */
export const checkPrincipal = (place: string, principal: Principal): void =>
  checkOptions(place, principal, rules);
