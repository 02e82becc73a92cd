import type { SessionStore, StoredSession } from "../../server/src/index.js";
import { type KeptSession, type Log, systemClock } from "../../server/src/index.js";
import { openStored } from "../../server/src/journal/open-stored.js";
import { asks, scenario } from "../../server/test/scenario.js";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Opens the sessions of a store for a server. `seen` may put something in the place of a session that was taken. */
export const keptIn =
  (
    store: SessionStore,
    seen: (session: StoredSession) => StoredSession = (session) => session,
    log: Log = quiet,
  ) =>
  async (id: string): Promise<KeptSession> =>
    openStored(seen(await store.take(id, "/work")), { log, clock: systemClock });

/** A server of a store whose model asks one question, unless the scripts say otherwise. */
export const servedFrom = (
  store: SessionStore,
  {
    scripts = [asks(), "text: Red it is."],
    seen,
    log,
    ...options
  }: {
    scripts?: readonly string[];
    seen?: (session: StoredSession) => StoredSession;
    log?: Log;
    resume?: boolean | "now";
  } = {},
): ReturnType<typeof scenario> => scenario(scripts, { keep: keptIn(store, seen, log), ...options });
