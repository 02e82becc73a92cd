import { type Principal, principalWays } from "@askwire/protocol";
import { checkOptions, type OptionRule, type OptionRules, option } from "@askwire/protocol/internal";

/** The most characters of an id or a name of a person. */
const MOST = 200;
/**
 * Controls, breaks of lines, halves of characters, marks that turn the text around them, and what nobody sees. Joiners
 * are letters' own within a name, and so is the mark of a picture.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u2028-\u202e\u2800]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|^(?:\u200c|\u200d|\ufe0f)|(?:\u200c|\u200d)$/u;

/** Describes what is wrong with the id or the name of a person; undefined for one that can be shown. */
export function personProblem(text: string): string | undefined {
  if (text.trim() === "") return "expected a name, not an empty one";
  if (text.length > MOST) return `expected at most ${MOST} characters, not ${text.length}`;
  return UNSEEN.test(text)
    ? "expected no control characters, marks of direction or invisible characters"
    : undefined;
}

const person: OptionRule = {
  expected: `1 to ${MOST} characters without controls, marks of direction and invisible characters`,
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
