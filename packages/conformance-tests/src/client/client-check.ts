import type { Check } from "../contract/check.js";
import type { ClientContext } from "./client-context.js";

export type ClientCheck = Check<ClientContext>;

/**
 * Makes a check of a client from a row: its number, its sentence, its rules, its steps. The last column is the intended
 * waiting time, in milliseconds.
 */
export function check(
  id: string,
  title: string,
  rules: readonly string[],
  run: (context: ClientContext) => Promise<unknown>,
  waitsMs = 0,
): ClientCheck {
  return {
    id,
    title,
    rules,
    waitsMs,
    async run(context) {
      await run(context);
      context.wantWholeMessages();
    },
  };
}

/** A check of a promise that Kimi does not document: docs/protocol.md adds it to the base profile. */
export const ours = (check: ClientCheck): ClientCheck => ({ ...check, isOurs: true });

/** A check whose sentences are all a SHOULD. */
export const advice = (check: ClientCheck): ClientCheck => ({ ...check, isAdvice: true });
