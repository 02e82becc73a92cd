import { WireError } from "@askwire/protocol";
import type { ServedSession } from "../session/served-session.js";

/** A session, or one whose kept part is still being opened. */
export type ComingSession = ServedSession | Promise<ServedSession>;

/** The sessions that a client may name. */
export interface NamedSessions {
  /** True for one that is in memory or parked. */
  has(id: string): boolean;
  find(id: string): ServedSession | undefined;
  /** True for one that has left memory while requests are open in it: whoever may enter may open it (P-SES-7). */
  isParked(id: string): boolean;
  /** True for one that is not in memory, and kept. */
  isKept(id: string): boolean | Promise<boolean>;
  /** Opens a kept session. Throws what making one throws. */
  open(id: string): ComingSession;
}

/** The way of a connection to its session. A class, as a literal with a getter makes a separate shape for each. */
export class Entrance {
  /** Settles once the session of the address is open, or cannot be; undefined where nobody waits for it. Never rejects. */
  readonly ready: Promise<void> | undefined;
  readonly #there: ComingSession | (() => ComingSession);
  readonly #sessions: NamedSessions;
  #fixed: ServedSession | undefined;
  #isLeft = false;

  /**
   * @param there the session of the address, or what makes a new one for a client that names none.
   * @param sessions those that a client may name.
   */
  constructor(there: ComingSession | (() => ComingSession), sessions: NamedSessions) {
    this.#there = there;
    this.#sessions = sessions;
    if (there instanceof Promise) this.ready = this.#await(there);
    else if (typeof there !== "function") this.#fixed = there;
  }

  /**
   * The session of the connection's address; undefined where the client chooses with its first request, and while the
   * session is being opened.
   */
  get session(): ServedSession | undefined {
    return this.#fixed;
  }

  /**
   * The session to be in.
   *
   * @param present the one that the connection is in already, if it is.
   * @param named the one that the client names, if it does (P-XAT-2).
   * @param opens true to open the one that it names where that is kept alone (P-XAT-10).
   * @throws WireError SessionMismatch or UnknownRequest for a session that it cannot be in; what making one throws.
   */
  enter(present: ServedSession | undefined, named: string | undefined, opens: boolean): ComingSession {
    if (present !== undefined) return this.#staysIn(present, named);
    if (typeof this.#there !== "function") return this.#there;
    return named === undefined ? this.#there() : this.#named(named, opens);
  }

  /** The connection has ended: no further session is opened for it. */
  leave(): void {
    this.#isLeft = true;
  }

  #staysIn(present: ServedSession, named: string | undefined): ServedSession {
    if (named === undefined || named === present.id) return present;
    const code = this.#sessions.has(named) ? "SessionMismatch" : "UnknownRequest";
    throw new WireError(code, `session.id: expected ${present.id}, the session of this connection`);
  }

  #named(id: string, opens: boolean): ComingSession {
    const session = this.#sessions.find(id);
    if (session !== undefined) return session;
    if (this.#sessions.isParked(id)) return this.#sessions.open(id);
    const isKept = this.#sessions.isKept(id);
    return isKept instanceof Promise
      ? isKept.then((found) => this.#sessions.find(id) ?? this.#kept(id, found, opens && !this.#isLeft))
      : this.#kept(id, isKept, opens);
  }

  #kept(id: string, isKept: boolean, opens: boolean): ComingSession {
    if (!isKept) throw new WireError("UnknownRequest", `session.id: there is no session ${id}`);
    if (!opens) throw keptOnly(id);
    return this.#sessions.open(id);
  }

  async #await(there: Promise<ServedSession>): Promise<void> {
    try {
      this.#fixed = await there;
    } catch {
      // Each request of the client is told why.
    }
  }
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
