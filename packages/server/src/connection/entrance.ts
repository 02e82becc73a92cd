import { WireError } from "@askwire/protocol";
import type { ServedSession } from "../session/served-session.js";

/** The way of a connection to its session. */
export interface Entrance {
  /** The session of the connection's address; undefined where the client chooses with its first request. */
  readonly session: ServedSession | undefined;
  /**
   * The session to be in.
   *
   * @param present the one that the connection is in already, if it is.
   * @param named the one that the client names, if it does (P-XAT-2).
   * @param opens true to open the one that it names where that is kept alone (P-XAT-10).
   * @throws WireError SessionMismatch or UnknownRequest for a session that it cannot be in; what making one throws.
   */
  enter(present: ServedSession | undefined, named: string | undefined, opens: boolean): ServedSession;
}

/** The sessions that a client may name. */
export interface NamedSessions {
  find(id: string): ServedSession | undefined;
  /** True for one that is not in memory, and kept. */
  isKept(id: string): boolean;
  /** Opens a kept session. Throws what making one throws. */
  open(id: string): ServedSession;
}

/**
 * @param there the session of the address, or what makes a new one for a client that names none.
 * @param sessions those that a client may name.
 */
export function entrance(there: ServedSession | (() => ServedSession), sessions: NamedSessions): Entrance {
  const fixed = typeof there === "function" ? undefined : there;
  return {
    session: fixed,
    enter(present, named, opens) {
      if (present !== undefined) {
        if (named === undefined || named === present.id) return present;
        const code = sessions.find(named) === undefined ? "UnknownRequest" : "SessionMismatch";
        throw new WireError(code, `session.id: expected ${present.id}, the session of this connection`);
      }
      if (named !== undefined) {
        const session = sessions.find(named);
        if (session !== undefined) return session;
        if (!sessions.isKept(named))
          throw new WireError("UnknownRequest", `session.id: there is no session ${named}`);
        if (!opens) throw keptOnly(named);
        return sessions.open(named);
      }
      return (there as () => ServedSession)();
    },
  };
}

/** The refusal of a session that is kept, and that nobody has open (P-XAT-10). */
export const keptOnly = (id: string): WireError =>
  new WireError(
    "UnknownRequest",
    `session.id: session ${id} is kept, and not open: session.open: true opens it (in code \`openKept: true\`)`,
    {
      data: { kept: true },
    },
  );
