import type { ListedRequest, ListedSession } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { oldestRequest, openRequest } from "../journal/open-requests.js";
import type { ServedSession } from "./served-session.js";
import { givenApprovals } from "./session-events.js";

/**
 * A session as lists show it (P-XSE-1, P-XSE-4).
 *
 * @param host the name of this machine.
 */
export function listedSession(session: ServedSession, host: string): ListedSession {
  const { id, state, connections, title, workDir: folder, listing, core } = session;
  const { madeAt, activeAt } = listing;
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
    ...(oldest !== undefined && { oldest: oldestRequest(oldest.request, oldest.since) }),
  };
}

/**
 * The open questions and approvals of a session as lists show them (P-XRQ-2).
 *
 * @param host the name of this machine.
 */
export function requestsOf(session: ServedSession, host: string): ListedRequest[] {
  const { id: session_id, title, workDir: folder, core, agentName: agent } = session;
  return [...core.waiting()].map(({ request, since }) => {
    const answering = session.answering(request.id);
    return {
      ...openRequest(request, since),
      ...{ state: "open", session_id },
      ...defined({ title, agent }),
      ...(answering.length > 0 && { answering: [...answering] }),
      ...givenApprovals(request),
      ...{ folder, host },
    };
  });
}

const isoTime = (ms: number) => new Date(ms).toISOString();
