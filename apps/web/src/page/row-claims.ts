import type { WaitingRow } from "./waiting-rows.js";

/** Takes the request of a row for the person, or gives it back. Undefined where the server or a role lets nobody. */
export function claimOfRow(row: WaitingRow): ((takes: boolean) => Promise<unknown>) | undefined {
  const { visit, request_id, session_id, state } = row;
  const session = visit.connection.session();
  const isKnown = session?.server?.capabilities?.askwire?.claims === true;
  if (session === undefined || !isKnown || state !== "open" || !session.may("answer")) return undefined;
  const request = { request_id, session_id };
  return (takes) => (takes ? session.claim(request) : session.unclaim(request));
}
