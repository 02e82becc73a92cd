import type { ListedSession } from "@askwire/protocol";
import { GatheredChanges, MOST_ROWS, type Watch, type WatchPace } from "./gathered-changes.js";
import type { SessionMethods } from "./session-methods.js";

/** The sessions of a list that no page was asked of (P-XSE-8), at most. */
export const MOST_AT_ONCE = 1_000;

export interface SessionWatchOptions extends WatchPace {
  readonly sessions: Pick<SessionMethods, "list" | "has" | "find" | "watch">;
  /** Tells the client of new and changed sessions, and the ids of those that are gone. */
  readonly tell: (sessions: ListedSession[], closed: string[]) => void;
}

/** The watch over the sessions of a server (P-XSE-5, P-XSE-6). */
export function sessionWatch({ sessions, tell, ...pace }: SessionWatchOptions): Watch<ListedSession> {
  let stop = () => {};

  return {
    start() {
      stop();
      const all = sessions.list();
      const now = all.slice(0, MOST_AT_ONCE);
      stop = watch(new Set(now.map(({ id }) => id)), all.slice(MOST_AT_ONCE));
      return now;
    },
    stop: () => stop(),
  };

  /**
   * @param told the ids that the client knows.
   * @param rest the sessions that it is told of as changes.
   */
  function watch(told: Set<string>, rest: readonly ListedSession[]): () => void {
    const changes = new GatheredChanges((changed) => {
      const live: ListedSession[] = [];
      const closed: string[] = [];
      for (const id of changed) {
        if (live.length + closed.length === MOST_ROWS) break;
        changed.delete(id);
        const session = sessions.find(id);
        if (session !== undefined) {
          told.add(id);
          live.push(session);
        } else if (told.delete(id)) closed.push(id);
      }
      if (live.length + closed.length > 0) tell(live, closed);
    }, pace);
    for (const { id } of rest) changes.add(id);
    const unwatch = sessions.watch((id) => {
      // A session that came and went between two notifications is not told.
      if (!told.has(id) && !sessions.has(id)) changes.drop(id);
      else changes.add(id);
    });
    return () => {
      changes.stop();
      unwatch();
    };
  }
}
