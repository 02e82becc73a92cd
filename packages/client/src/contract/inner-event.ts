import { type EventType, events, validate, type WireEvent } from "@askwire/protocol";

/**
 * Reads the event of a sub-agent, which comes unread in the payload of its SubagentEvent. Undefined for an unknown
 * event.
 */
export function innerEvent({
  event: { type, payload },
}: Extract<WireEvent, { type: "SubagentEvent" }>["payload"]): WireEvent | undefined {
  if (!Object.hasOwn(events, type)) return undefined;
  const parsed = validate(events[type as EventType], payload);
  return parsed.ok ? ({ type, payload: parsed.value } as WireEvent) : undefined;
}
