import type { Check } from "../check.js";
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
    },
  };
}
