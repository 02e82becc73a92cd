import type { AskInit } from "@askwire/client";
import { personProblem } from "@askwire/server";
import { usageFailure } from "../input/failure.js";

/** The options that say for whom a request is. */
export interface AddressOptions {
  /** `role:NAME`, or the name of a person. */
  readonly to?: readonly string[] | undefined;
  readonly exclusive?: true | undefined;
  /** `TIME:role:NAME`, or `TIME:NAME`. */
  readonly escalate?: readonly string[] | undefined;
}

type Addressees = NonNullable<AskInit["to"]>;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The longest time before a step: a server's timer waits no longer. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Reads for whom a request is, as an ask has it.
 *
 * @param command the command, with which a message begins.
 * @throws Failure that names the option.
 */
export function addressingIn(
  { to, exclusive, escalate }: AddressOptions,
  command: string,
): Pick<AskInit, "to" | "exclusive" | "escalate"> {
  const named = to && addressees(to, `${command}: --to`);
  if (escalate !== undefined && named === undefined)
    throw usageFailure(`${command}: --escalate needs --to, which names those who are asked first`);
  const steps = escalate && stepsOf(escalate, `${command}: --escalate`);
  return {
    ...(named !== undefined && { to: named }),
    ...(exclusive && { exclusive }),
    ...(steps !== undefined && { escalate: steps }),
  };
}

/** Those of one time are one step. */
function stepsOf(given: readonly string[], place: string): NonNullable<AskInit["escalate"]> {
  const byTime = new Map<number, string[]>();
  for (const text of given) {
    const [, amount, unit = "", to = ""] = /^(\d{1,9})([smhd]):(.+)$/s.exec(text) ?? [];
    const after = Number(amount) * (UNITS[unit] ?? 0);
    if (amount === undefined || after < 1 || after > MOST_MS)
      throw usageFailure(
        `${place} ${text}: expected a time of at most 24 days and who is asked then, such as 30m:role:leads`,
      );
    byTime.set(after, [...(byTime.get(after) ?? []), to]);
  }
  return [...byTime]
    .sort(([left], [right]) => left - right)
    .map(([after_ms, to]) => ({ after_ms, to: addressees(to, place) }));
}

function addressees(given: readonly string[], place: string): Addressees {
  const roles: string[] = [];
  const principals: string[] = [];
  for (const text of given) {
    const role = /^role:(.*)$/s.exec(text)?.[1];
    const name = (role ?? text).trim();
    const problem = personProblem(name);
    if (problem !== undefined)
      throw usageFailure(`${place} ${text}: ${problem}: write role:NAME, or the name of a person`);
    (role === undefined ? principals : roles).push(name);
  }
  return { ...(roles.length > 0 && { roles }), ...(principals.length > 0 && { principals }) };
}
