import { hostname } from "node:os";
import type { HeardRequest } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { type FoundSession, foundSessions } from "@askwire/server";
import type { Clock } from "../device/clock.js";
import type { OpenedList } from "./server-watch.js";
import type { Place, Reached } from "./waiting.js";

/** The time between two looks, in milliseconds: thousands of sessions take a second to read. */
const LOOK_MS = 5_000;

/** The most kept sessions that are shown. */
const MOST_SESSIONS = 1_000;

interface KeptPlace {
  /** The folder of the person's kept sessions. */
  readonly home: string;
  readonly name: string;
  readonly clock: Pick<Clock, "after">;
  /** Starts the agent of a kept session again. */
  readonly reopen: (session: FoundSession, signal: AbortSignal) => Promise<Reached>;
}

/** The kept sessions of this machine that no process has open. */
export function keptPlace({ home, name, clock, reopen }: KeptPlace): Place {
  let found: readonly FoundSession[] = [];
  return {
    key: "kept sessions",
    name,
    async open(signal) {
      const lists = looks(signal, clock, () => {
        found = [...waitingIn(home)];
        return found.flatMap(requestsOf);
      });
      return { lists, close() {} } satisfies OpenedList;
    },
    reach({ session_id }, signal) {
      const session = found.find(({ id }) => id === session_id);
      if (session === undefined) throw new Error("its session is open elsewhere by now: look again");
      return reopen(session, signal);
    },
  };
}

function* waitingIn(home: string): Generator<FoundSession> {
  let count = 0;
  for (const session of foundSessions({ share: home, unfinished: true })) {
    if (session.state === "in_use" || session.open.length === 0) continue;
    yield session;
    count += 1;
    if (count === MOST_SESSIONS) return;
  }
}

function requestsOf({ id, open, title, agent, workDir: folder }: FoundSession): HeardRequest[] {
  const session = { session_id: id, host: hostname(), ...defined({ title, agent, folder }) };
  return open.map(({ request_id, kind, text, since, deadline, program }) => ({
    ...{ request_id, kind, text, since, state: "kept" },
    ...session,
    ...defined({ deadline, program }),
  }));
}

/** Gives what is found, and again whenever a look finds something else. */
async function* looks(
  signal: AbortSignal,
  clock: Pick<Clock, "after">,
  look: () => readonly HeardRequest[],
): AsyncGenerator<readonly HeardRequest[]> {
  let last = "";
  while (!signal.aborted) {
    const rows = look();
    const text = JSON.stringify(rows);
    if (text !== last) yield rows;
    last = text;
    await new Promise<void>((resolve) => {
      const stop = () => {
        cancel();
        resolve();
      };
      const cancel = clock.after(LOOK_MS, () => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
