import type { Unrecognized, WireEvent, WireEventInput } from "@askwire/protocol";
import type { AgentSession, Turn } from "@askwire/server";

/** The events that the session sends by itself, for its own turns and requests. */
const ownEvents: ReadonlySet<string> = new Set([
  "TurnBegin",
  "TurnEnd",
  "ApprovalResponse",
  "InteractionOpened",
  "InteractionSettled",
  "InteractionUpdated",
  "HistoryEnd",
  "CommandsChanged",
]);

/** Sends clients an event of the agent: in the running turn, and else in the session. */
export function passOn(event: WireEvent | Unrecognized, session: AgentSession, turn: Turn | undefined): void {
  if (ownEvents.has(event.type)) return;
  if (event.type === "DoNotAsk") {
    session.doNotAsk = event.payload.enabled;
    return;
  }
  if (event.type === "PolicyDecided") return session.policyDecided(event.payload);
  const told = event.type === "unrecognized" ? foreign(event) : (event as WireEventInput);
  if (told === undefined) return;
  if (turn === undefined) session.broadcast(told);
  else turn.emit(told.type, told.payload as never);
}

/** An event of a newer agent as it came; undefined for one that does not fit the protocol. */
const foreign = ({ problem, payload }: Unrecognized): WireEventInput | undefined =>
  problem === undefined ? (payload as unknown as WireEventInput) : undefined;
