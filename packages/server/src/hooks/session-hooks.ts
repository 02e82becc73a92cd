import type { Notice } from "../agent/notice.js";
import type { TurnHooks } from "../agent/turn-hooks.js";
import type { HookCall } from "../requests/hook-call.js";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Hooks } from "./hooks.js";

/** The time for which the hooks of its end may hold a session, in milliseconds. */
const SESSION_END_MS = 1_000;

/** Calls the hooks of clients within the scope that `open` gives them. */
export function hooksIn(hooks: Hooks, open: (call: HookCall) => void, signal: AbortSignal): TurnHooks {
  return {
    has: (event) => hooks.has(event),
    run: (event, details) => hooks.run(event, details, open, signal),
  };
}

/** The hooks of a turn whose agent calls them itself. */
export const noHooks: TurnHooks = { has: () => false, run: async () => ({ action: "allow" }) };

/** Tells the hooks of a notice. Resolves with whether there was one. */
export async function tellNotice(
  hooks: Hooks,
  open: (call: HookCall) => void,
  { type: notificationType, title, body, severity }: Notice,
): Promise<boolean> {
  if (!hooks.has("Notification")) return false;
  const details = { sink: "wire", notificationType, title, body, severity };
  await hooks.run("Notification", details, open);
  return true;
}

/** Tells the hooks of a session's end, which cannot hold it for long. */
export async function tellEnd(
  hooks: Hooks,
  open: (call: HookCall) => void,
  reason: string,
  clock: Clock,
): Promise<void> {
  if (!hooks.has("SessionEnd")) return;
  const late = new AbortController();
  await atMost(clock, SESSION_END_MS, hooksIn(hooks, open, late.signal).run("SessionEnd", { reason }));
  late.abort();
}
