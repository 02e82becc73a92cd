import type { ListedSession, OldestRequest } from "@askwire/protocol";
import type { PersonRequest } from "../requests/core.js";
import { shortLine } from "../runtime/short-line.js";
import type { ServedSession } from "./served-session.js";

/** The most UTF-16 units of the text of an open request. */
const MAX_TEXT = 200;

/** The place where the sessions of a server work, as lists tell it. */
export interface ListedPlace {
  readonly folder: string;
  readonly host: string;
}

/** A session as lists show it (P-XSE-1, P-XSE-4). */
export function listedSession(session: ServedSession, { folder, host }: ListedPlace): ListedSession {
  const { id, state, connections, title, madeAt, activeAt, core } = session;
  const { oldest } = core;
  return {
    id,
    state,
    connections,
    ...(title !== undefined && { title }),
    folder,
    host,
    made_at: isoTime(madeAt),
    active_at: isoTime(activeAt),
    open: core.persons,
    ...(oldest !== undefined && { oldest: listedRequest(oldest.request, oldest.since) }),
  };
}

function listedRequest(request: PersonRequest, since: number): OldestRequest {
  const text =
    request.kind === "question"
      ? (request.questions[0]?.question ?? "")
      : request.description.trim() || request.action;
  return {
    request_id: request.id,
    kind: request.kind,
    text: shortLine(text, MAX_TEXT),
    since: isoTime(since),
  };
}

const isoTime = (ms: number) => new Date(ms).toISOString();
