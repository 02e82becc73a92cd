import { shown } from "@askwire/protocol/internal";
import type { TurnEnding } from "../agent/agent.js";

/** The words of the wire for how a turn ended (P-TRN-2). */
const statuses: readonly unknown[] = ["finished", "max_steps_reached", "cancelled"];

/**
 * The end of a turn, as `run` of its agent returned it; undefined for an agent that just ended.
 *
 * @throws TypeError for anything else, such as what an arrow function without braces returns.
 */
export function endOfRun(returned: unknown): TurnEnding | undefined {
  if (returned === undefined || returned === null) return undefined;
  if (statuses.includes((returned as { status?: unknown }).status)) return returned as TurnEnding;
  const next = typeof returned === "string" ? ": say text by turn.say" : "";
  throw new TypeError(`agent: run: expected it to return nothing, not ${shown(returned)}${next}`);
}
