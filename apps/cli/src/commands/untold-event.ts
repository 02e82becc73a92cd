import type { Unrecognized, WireEvent } from "@askwire/protocol";
import type { TerminalPerson } from "../panel/terminal-person.js";

/** The event without the parts that the lines of an answered panel have told. */
export function untold(event: WireEvent | Unrecognized, person: TerminalPerson): WireEvent | Unrecognized {
  if (event.type !== "ToolResult" || !person.hasTold(event.payload.tool_call_id)) return event;
  const { return_value } = event.payload;
  const display = return_value.display.filter(({ type }) => type !== "brief");
  return { ...event, payload: { ...event.payload, return_value: { ...return_value, display } } };
}
