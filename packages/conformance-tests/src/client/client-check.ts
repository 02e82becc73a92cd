import type { Check } from "../check.js";
import type { ClientContext } from "./client-context.js";

export type ClientCheck = Check<ClientContext>;

/**
 * A check of a client, as a row: its number, its sentence, the rules that it proves, and how; then how long it waits on
 * purpose, in milliseconds.
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
