import type { ClientSession } from "@askwire/client";
import type { HeardRequest } from "@askwire/protocol";

/** The most kept requests that are asked for: two pages. */
const MOST_PAGES = 2;
const PAGE = 200;

/** Ends with its reason, if there is one. */
export interface WaitingListener {
  /** Everything that waits, of open sessions and of kept ones. */
  told(requests: readonly HeardRequest[]): void;
  /** Nothing more is told. */
  ended(problem: unknown): void;
}

/**
 * Tells what waits for a person in all sessions of a server, whenever that changes (P-XRQ-3). What waits in kept
 * sessions comes too, until these are open (P-XRQ-1). Returns the end of the watch.
 */
export function watchWaiting(
  session: Pick<ClientSession, "watchRequests" | "listRequests">,
  { told, ended }: WaitingListener,
): () => void {
  const opened = new Set<string>();
  let kept: readonly HeardRequest[] = [];
  let open: readonly HeardRequest[] | undefined;
  const lists = session.watchRequests();

  function tell(): void {
    if (open === undefined) return;
    for (const { session_id } of open) opened.add(session_id);
    kept = kept.filter(({ session_id }) => !opened.has(session_id));
    told([...open, ...kept]);
  }

  async function watch(): Promise<void> {
    for await (const requests of lists) {
      open = requests;
      tell();
    }
  }

  async function readKept(): Promise<void> {
    const rows: HeardRequest[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const part = await session.listRequests({
        state: "kept",
        limit: PAGE,
        ...(after !== undefined && { after }),
      });
      rows.push(...part.requests);
      after = part.next;
      if (after === undefined) break;
    }
    kept = rows;
    tell();
  }

  watch().then(() => ended(undefined), ended);
  // The open ones are told also where nobody can say what is kept.
  readKept().catch(() => {});
  return () => void lists.return?.();
}
