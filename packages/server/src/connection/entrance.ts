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
   * @throws WireError SessionMismatch or UnknownRequest for a session that it cannot be in; what making one throws.
   */
  enter(present: ServedSession | undefined, named: string | undefined): ServedSession;
}

/**
 * @param there the session of the address, or what makes a new one for a client that names none.
 * @param find a session by its id.
 */
export function entrance(
  there: ServedSession | (() => ServedSession),
  find: (id: string) => ServedSession | undefined,
): Entrance {
  const fixed = typeof there === "function" ? undefined : there;
  return {
    session: fixed,
    enter(present, named) {
      if (present !== undefined) {
        if (named === undefined || named === present.id) return present;
        const code = find(named) === undefined ? "UnknownRequest" : "SessionMismatch";
        throw new WireError(code, `session.id: expected ${present.id}, the session of this connection`);
      }
      if (named !== undefined) {
        const session = find(named);
        if (session === undefined)
          throw new WireError("UnknownRequest", `session.id: there is no session ${named}`);
        return session;
      }
      return (there as () => ServedSession)();
    },
  };
}
