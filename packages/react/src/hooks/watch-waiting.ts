import type { ClientSession } from "@askwire/client";
import type { HeardRequest } from "@askwire/protocol";

/** The most kept requests that are asked for: two pages. */
const MOST_PAGES = 2;
const PAGE = 200;

/** Ends with its reason, if there is one. */
export interface WaitingListener {
  /**
   * Takes the requests that wait in open sessions and in kept ones.
   *
   * @param all the number of all that waits: of kept ones, only the first come.
   */
  told(requests: readonly HeardRequest[], all: number): void;
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
  /** The number of kept requests that are not told. */
  let beyond = 0;
  let open: readonly HeardRequest[] | undefined;
  const lists = session.watchRequests();

  function tell(): void {
    if (open === undefined) return;
    for (const { session_id } of open) opened.add(session_id);
    kept = kept.filter(({ session_id }) => !opened.has(session_id));
    const requests = [...open, ...kept];
    told(requests, requests.length + beyond);
  }

  async function watch(): Promise<void> {
    for await (const requests of lists) {
      open = requests;
      tell();
    }
  }

  async function readKept(): Promise<void> {
    const rows: HeardRequest[] = [];
    let counted = 0;
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const part = await session.listRequests({
        state: "kept",
        limit: PAGE,
        counts: page === 0,
        ...(after !== undefined && { after }),
      });
      rows.push(...part.requests);
      counted = part.counts?.all ?? counted;
      after = part.next;
      if (after === undefined) break;
    }
    kept = rows;
    beyond = Math.max(0, counted - rows.length);
    tell();
  }

  watch().then(() => ended(undefined), ended);
  // The open ones are told also where nobody can say what is kept.
  readKept().catch(() => {});
  return () => void lists.return?.();
}
