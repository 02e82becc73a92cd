import type { ClientSession } from "@askwire/client";
import type { HeardRequest } from "@askwire/protocol";
import type { OpenedList } from "./server-watch.js";

/** The most kept requests of a server that are asked for: five pages. */
const MOST_PAGES = 5;
const PAGE = 200;

const TOO_OLD = "its version lists no requests: connect to a session there by askwire chat --connect";

/**
 * The list of a server by an open connection that is in no session: what waits in its sessions, and, where that is
 * wanted, in sessions that it has kept (P-XRQ-1, P-XRQ-3).
 */
export async function openedList(
  session: ClientSession,
  { kept }: { readonly kept: boolean },
): Promise<OpenedList> {
  const close = () => void session.close().catch(() => {});
  const { id, server } = session;
  if (server?.capabilities?.askwire?.inbox === true && id === undefined)
    return kept ? { ...withKept(session), close } : { lists: session.watchRequests(), close };
  // Such a server has made a session for this connection.
  if (id !== undefined) await session.closeSession(id).catch(() => {});
  return { lists: nothing(), unlisted: TOO_OLD, close };
}

async function* nothing(): AsyncGenerator<readonly HeardRequest[]> {}

/** Lists what waits in open sessions, and what was kept when the connection was opened, until that is open. */
function withKept(session: ClientSession): Pick<OpenedList, "lists" | "more"> {
  const opened = new Set<string>();
  let more = 0;
  async function* lists(): AsyncGenerator<readonly HeardRequest[]> {
    const kept = await keptAt(session);
    more = kept.more;
    for await (const open of session.watchRequests()) {
      for (const { session_id } of open) opened.add(session_id);
      yield [...open, ...kept.rows.filter(({ session_id }) => !opened.has(session_id))];
    }
  }
  return { lists: lists(), more: () => more };
}

/** The first kept requests of a server, and the number of the others, where it counts them (P-XRQ-4). */
async function keptAt(session: ClientSession): Promise<{ rows: readonly HeardRequest[]; more: number }> {
  const rows: HeardRequest[] = [];
  let all = 0;
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const more = after === undefined ? {} : { after };
    const part = await session.listRequests({ state: "kept", limit: PAGE, counts: page === 0, ...more });
    rows.push(...part.requests);
    all = part.counts?.all ?? all;
    after = part.next;
    if (after === undefined) break;
  }
  return { rows, more: Math.max(0, all - rows.length) };
}
