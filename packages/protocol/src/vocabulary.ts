import type { EventType } from "./messages/events.js";
import { compareVersions } from "./version.js";

/**
 * The only events withheld from older versions, each with the first version that knows it (P-VER-2). An older client
 * misses nothing without an event, but an unknown event can end it.
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
 * True if a client of that version is sent that event.
 *
 * @param hooked set if the client subscribed a hook, and so knows the hook events in any version.
 */
export function knowsEvent(version: string, type: EventType, hooked = false): boolean {
  const introduced = (eventIntroduced as Partial<Record<EventType, string>>)[type];
  if (introduced === undefined || compareVersions(version, introduced) >= 0) return true;
  return hooked && (type === "HookTriggered" || type === "HookResolved");
}
