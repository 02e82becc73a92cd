import type { ListedRequest } from "@askwire/protocol";
import { GatheredChanges, MOST_ROWS, type Watch, type WatchPace } from "./gathered-changes.js";
import type { RequestLists } from "./request-lists.js";

export interface RequestWatchOptions extends WatchPace {
  readonly requests: Pick<RequestLists, "open" | "of" | "watch">;
  /** Tells the client of new and changed requests, and the ids of those that no longer wait. */
  readonly tell: (requests: ListedRequest[], gone: string[]) => void;
}

/** The rows that a client knows, as it was told them: by session, then by request. */
type Told = Map<string, Map<string, string>>;

/** The watch over what waits in all sessions of a server (P-XRQ-3). */
export function requestWatch({ requests, tell, ...pace }: RequestWatchOptions): Watch<ListedRequest> {
  let stop = () => {};

  return {
    start() {
      stop();
      const now = requests.open();
      stop = watch(now);
      return now.slice(0, MOST_ROWS);
    },
    stop: () => stop(),
  };

  /** @param now all that waits. The client is told the first rows at once, and the rest as changes. */
  function watch(now: readonly ListedRequest[]): () => void {
    const told: Told = new Map();
    for (const row of now.slice(0, MOST_ROWS)) note(told, row);
    const changes = new GatheredChanges((changed) => {
      const live: ListedRequest[] = [];
      const gone: string[] = [];
      for (const id of changed) {
        if (live.length + gone.length >= MOST_ROWS) break;
        changed.delete(id);
        const rows = requests.of(id);
        gone.push(...forget(told, id, new Set(rows.map(({ request_id }) => request_id))));
        live.push(...rows.filter((row) => note(told, row)));
      }
      if (live.length + gone.length > 0) tell(live, gone);
    }, pace);
    for (const { session_id } of now.slice(MOST_ROWS)) changes.add(session_id);
    const unwatch = requests.watch((id) => changes.add(id));
    return () => {
      changes.stop();
      unwatch();
    };
  }
}

/** Notes that a row is told. False if the client knows it as it is. */
function note(told: Told, row: ListedRequest): boolean {
  const rows = told.get(row.session_id) ?? new Map<string, string>();
  told.set(row.session_id, rows);
  const text = JSON.stringify(row);
  if (rows.get(row.request_id) === text) return false;
  rows.set(row.request_id, text);
  return true;
}

/** Forgets the told rows of a session that no longer wait, and returns their ids. */
function forget(told: Told, sessionId: string, waiting: ReadonlySet<string>): string[] {
  const rows = told.get(sessionId);
  if (rows === undefined) return [];
  const gone = [...rows.keys()].filter((id) => !waiting.has(id));
  for (const id of gone) rows.delete(id);
  if (rows.size === 0) told.delete(sessionId);
  return gone;
}
