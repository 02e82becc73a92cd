import { isDeepStrictEqual } from "node:util";
import { CheckFailure } from "./check.js";

/** A text, cut where it is too long for a line of a failure. */
export function shortened(text: string, limit = 800): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

/** A value as JSON, cut where it is long. */
export function inShort(value: unknown): string {
  return shortened(JSON.stringify(value) ?? "nothing");
}

/**
 * Expects two JSON values to be equal.
 *
 * @param what names the value in the failure.
 * @throws CheckFailure
 */
export function wantSame(what: string, received: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(received, expected)) {
    throw new CheckFailure(`${what} ${inShort(expected)}`, inShort(received));
  }
}

/**
 * Expects an object to have at least these members, at every level. Arrays are compared whole.
 *
 * @throws CheckFailure
 */
export function wantMembers(what: string, received: unknown, members: object): void {
  if (!hasMembers(received, members))
    throw new CheckFailure(`${what} with ${inShort(members)}`, inShort(received));
}

/**
 * Wants something to be so.
 *
 * @param expected in words.
 * @param received the value that is not so.
 * @throws CheckFailure
 */
export function want(holds: boolean, expected: string, received: unknown): asserts holds {
  if (!holds) throw new CheckFailure(expected, typeof received === "string" ? received : inShort(received));
}

/** True for a JSON object, and false for an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for an object with at least these members, at every level. */
export function hasMembers(received: unknown, members: unknown): boolean {
  if (!isObject(members)) return isDeepStrictEqual(received, members);
  return (
    isObject(received) &&
    Object.entries(members).every(([key, value]) => key in received && hasMembers(received[key], value))
  );
}
