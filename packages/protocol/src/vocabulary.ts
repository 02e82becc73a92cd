import type { EventType } from "./messages/events.js";
import { compareVersions } from "./version.js";

/**
 * The only events that a declared version takes away: each with the first version that knows it (P-VER-2). Towards
 * an older client an event that is not sent is harmless; one that it does not know can end it.
 */
export const eventIntroduced = {
  SteerInput: "1.5",
  PlanDisplay: "1.7",
  HookTriggered: "1.7",
  HookResolved: "1.7",
  BtwBegin: "1.9",
  BtwEnd: "1.9",
  StepRetry: "1.10",
  Notification: "1.10",
  MCPLoadingBegin: "1.10",
  MCPLoadingEnd: "1.10",
} as const satisfies Partial<Record<EventType, string>>;

/**
 * Whether a client of that version is sent that event.
 *
 * @param hooked whether the client subscribed a hook: it then knows the hook events, whatever its version.
 */
export function knowsEvent(version: string, type: EventType, hooked = false): boolean {
  const introduced = (eventIntroduced as Partial<Record<EventType, string>>)[type];
  if (introduced === undefined || compareVersions(version, introduced) >= 0) return true;
  return hooked && (type === "HookTriggered" || type === "HookResolved");
}
