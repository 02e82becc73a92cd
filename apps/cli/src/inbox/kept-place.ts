import { hostname } from "node:os";
import type { HeardRequest } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { FoundSession } from "@askwire/server";
import { UnfinishedSessions } from "@askwire/server/internal";
import { type Clock, paused } from "../device/clock.js";
import type { OpenedList } from "./server-watch.js";
import type { Place, Reached } from "./waiting.js";

/** The time between two looks, in milliseconds, and at least so many times what a look took. */
const LOOK_MS = 5_000;
const SHARE = 20;

/** The most kept sessions that are shown. */
const MOST_SESSIONS = 1_000;

interface KeptPlace {
  /** The folder of the person's kept sessions. */
  readonly home: string;
  readonly name: string;
  readonly clock: Clock;
  /** Starts the agent of a kept session again. */
  readonly reopen: (session: FoundSession, signal: AbortSignal) => Promise<Reached>;
}

/** The kept sessions of this machine that no process has open. */
export function keptPlace({ home, name, clock, reopen }: KeptPlace): Place {
  const sessions = new UnfinishedSessions(home, Date.now);
  let found: readonly FoundSession[] = [];
  return {
    key: "kept sessions",
    name,
    async open(signal) {
      const lists = looks(signal, clock, async () => {
        found = await sessions.look(signal, isLeft, MOST_SESSIONS);
        return found.flatMap(requestsOf);
      });
      return { lists, close() {} } satisfies OpenedList;
    },
    reach({ session_id }, signal) {
      const session = found.find(({ id }) => id === session_id);
      if (session === undefined) throw new Error("its session is open elsewhere by now: look again");
      return reopen(session, signal);
    },
    async claim() {
      throw new Error("nobody else sees what is stored on this machine: open it instead");
    },
  };
}

/** Reports if something waits in a session that no process has open. */
const isLeft = ({ state, open }: FoundSession): boolean => state !== "in_use" && open.length > 0;

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
  clock: Clock,
  look: () => Promise<readonly HeardRequest[]>,
): AsyncGenerator<readonly HeardRequest[]> {
  let last = "";
  while (!signal.aborted) {
    const begun = clock.now();
    const rows = await look();
    if (signal.aborted) return;
    const text = JSON.stringify(rows);
    if (text !== last) yield rows;
    last = text;
    await paused(clock, Math.max(LOOK_MS, SHARE * (clock.now() - begun)), signal);
  }
}
