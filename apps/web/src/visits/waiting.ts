import type { HeardRequest, HeardSession } from "@askwire/protocol";
import { isWaiting, type OpenRequest } from "@askwire/react/cards";
import type { Visit } from "./visit.js";

/** All that waits for the person, on every server. */
export interface WaitingSession {
  /** The open requests of the sessions that the page is connected to. */
  readonly asked: readonly WaitingRequest[];
  /** The open requests of all other sessions in memory, as far as their servers tell them. */
  readonly listed: readonly ListedWaiting[];
  /** The number of requests in other sessions, as their servers list them. */
  readonly elsewhere: number;
}

/** An open request, with a name that no request of another server has. */
export interface WaitingRequest {
  readonly name: string;
  readonly request: OpenRequest;
  /** The visit to the session that asks. */
  readonly visit: Visit;
}

/** A request of another session, by the name that it has once its session is open. */
export interface ListedWaiting {
  readonly name: string;
  readonly row: HeardRequest;
  readonly visit: Visit;
}

export function waitingIn(visits: readonly Visit[]): WaitingSession {
  return {
    asked: visits.flatMap((visit) => {
      const open = visit.requests.current().filter(isWaiting);
      return open.map((request) => ({ name: nameOf(visit, request.request.id), request, visit }));
    }),
    listed: visits.flatMap((visit) => {
      const own = visit.connection.session()?.id;
      const rows = visit.inbox.current() ?? [];
      return rows
        .filter(({ state, session_id }) => state === "open" && session_id !== own)
        .map((row) => ({ name: nameOf(visit, row.request_id), row, visit }));
    }),
    elsewhere: visits.flatMap(otherSessions).reduce((sum, { open = 0 }) => sum + open, 0),
  };
}

/** Push messages of the page's own server have the request's id alone too. */
const nameOf = ({ server }: Visit, id: string) => (server.isHome ? id : `${server.origin} ${id}`);

/** The sessions of a visit's server besides the visit's own. */
const otherSessions = ({ listed, connection }: Visit): readonly HeardSession[] =>
  listed.current().filter(({ id }) => id !== connection.session()?.id);
