import type { ListedSession } from "@askwire/protocol";
import { oldestRequest } from "../journal/open-requests.js";
import type { ServedSession } from "./served-session.js";

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

const isoTime = (ms: number) => new Date(ms).toISOString();
