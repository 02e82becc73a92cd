import type { ListedSession } from "@askwire/protocol";
import type { Clock } from "../runtime/clock.js";
import type { SessionMethods } from "./session-methods.js";

export interface SessionWatchOptions {
  readonly sessions: Pick<SessionMethods, "list" | "has" | "find" | "watch">;
  /** Tells the client of new and changed sessions, and the ids of those that are gone. */
  readonly tell: (sessions: ListedSession[], closed: string[]) => void;
  /** Resolves once at most that many bytes wait to be sent. */
  readonly drained: (bytes: number) => Promise<void>;
  readonly clock: Clock;
}

/** The watch of one connection over the sessions of its server (P-XSE-5, P-XSE-6). */
export interface SessionWatch {
  /** Begins the watch, or begins it anew. Returns the sessions as they are now. */
  start(): ListedSession[];
  stop(): void;
}

/** The least time between two notifications, in milliseconds, in which changes are gathered. */
const GATHER_MS = 100;
/** Sessions of one notification, at most. */
const MOST = 256;
/** The client is told nothing while more than this many bytes wait for it. */
const UNREAD_BYTES = 64 * 1024;

export function sessionWatch({ sessions, tell, drained, clock }: SessionWatchOptions): SessionWatch {
  let stop = () => {};

  return {
    start() {
      stop();
      const now = sessions.list();
      stop = watch(new Set(now.map(({ id }) => id)));
      return now;
    },
    stop: () => stop(),
  };

  /** @param told the ids that the client knows. */
  function watch(told: Set<string>): () => void {
    const changed = new Set<string>();
    let isGathering = false;
    let isOver = false;
    let cancel = () => {};

    /** Notes a change. A session that came and went between two notifications is not told. */
    function note(id: string): void {
      if (!told.has(id) && !sessions.has(id)) changed.delete(id);
      else changed.add(id);
      gather();
    }

    function gather(): void {
      if (isGathering || changed.size === 0) return;
      isGathering = true;
      cancel = clock.after(GATHER_MS, send);
    }

    function send(): void {
      const live: ListedSession[] = [];
      const closed: string[] = [];
      for (const id of changed) {
        if (live.length + closed.length === MOST) break;
        changed.delete(id);
        const session = sessions.find(id);
        if (session !== undefined) {
          told.add(id);
          live.push(session);
        } else if (told.delete(id)) closed.push(id);
      }
      if (live.length + closed.length > 0) tell(live, closed);
      void drained(UNREAD_BYTES).then(() => {
        isGathering = false;
        if (!isOver) gather();
      });
    }

    const unwatch = sessions.watch(note);
    return () => {
      isOver = true;
      cancel();
      unwatch();
    };
  }
}
