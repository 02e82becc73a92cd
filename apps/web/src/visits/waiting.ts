import type { HeardSession } from "@askwire/protocol";
import { isWaiting, type OpenRequest } from "@askwire/react/cards";
import type { Visit } from "./visit.js";

/** All that waits for the person, on every server. */
export interface WaitingSession {
  /** The open requests of the sessions that the page is connected to. */
  readonly asked: readonly WaitingRequest[];
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

export function waitingIn(visits: readonly Visit[]): WaitingSession {
  return {
    asked: visits.flatMap((visit) => {
      const { server, requests } = visit;
      // Push messages of the page's own server have the request's id alone too.
      const nameOf = ({ id, request }: OpenRequest) =>
        server.isHome ? request.id : `${server.origin} ${id}`;
      return requests
        .current()
        .filter(isWaiting)
        .map((request) => ({ name: nameOf(request), request, visit }));
    }),
    elsewhere: visits.flatMap(otherSessions).reduce((sum, { open = 0 }) => sum + open, 0),
  };
}

/** The sessions of a visit's server besides the visit's own. */
const otherSessions = ({ listed, connection }: Visit): readonly HeardSession[] =>
  listed.current().filter(({ id }) => id !== connection.session()?.id);
