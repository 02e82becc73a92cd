import { type Principal, principalWays } from "@askwire/protocol";
import { checkOptions, type OptionRule, type OptionRules, option } from "@askwire/protocol/internal";
import { MOST_OF_NAME, personProblem } from "../runtime/person-name.js";

const person: OptionRule = {
  expected: `1 to ${MOST_OF_NAME} characters without controls, marks of direction and invisible characters`,
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
