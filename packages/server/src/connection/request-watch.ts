import type { ListedRequest } from "@askwire/protocol";
import { GatheredChanges, MOST_ROWS, type Watch, type WatchPace } from "./gathered-changes.js";
import type { RequestLists } from "./request-lists.js";

export interface RequestWatchOptions extends WatchPace {
  readonly requests: Pick<RequestLists, "open" | "of" | "watch">;
  /** Tells the client of new and changed requests, and the ids of those that no longer wait. */
  readonly tell: (requests: ListedRequest[], gone: string[]) => void;
}

/** The rows that a client knows, by session. They are the list's own: what one connection was told costs little. */
type Told = Map<string, readonly ListedRequest[]>;

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
    for (const row of now.slice(0, MOST_ROWS))
      told.set(row.session_id, [...(told.get(row.session_id) ?? []), row]);
    const changes = new GatheredChanges((changed) => {
      const live: ListedRequest[] = [];
      const gone: string[] = [];
      for (const id of changed) {
        if (live.length + gone.length >= MOST_ROWS) break;
        changed.delete(id);
        const [before, rows] = [told.get(id) ?? [], requests.of(id)];
        if (rows.length === 0) told.delete(id);
        else told.set(id, rows);
        gone.push(...idsOf(before.filter((row) => without(rows, row))));
        live.push(...rows.filter((row) => isNews(row, before)));
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

const idsOf = (rows: readonly ListedRequest[]) => rows.map(({ request_id }) => request_id);

const without = (rows: readonly ListedRequest[], { request_id }: ListedRequest): boolean =>
  rows.every((row) => row.request_id !== request_id);

/** True for a row that is new or other than before. */
function isNews(row: ListedRequest, before: readonly ListedRequest[]): boolean {
  const known = before.find(({ request_id }) => request_id === row.request_id);
  return known !== row && JSON.stringify(known) !== JSON.stringify(row);
}
