import type { ListedSession } from "@askwire/protocol";
import type { RequestLists } from "../connection/request-lists.js";
import type { SessionMethods } from "../connection/session-methods.js";
import { listedSession } from "../session/listed.js";
import type { ServedSession } from "../session/served-session.js";
import { type KeptPageOptions, keptPage } from "./kept-page.js";
import type { SessionTable } from "./session-table.js";

export interface ListedSessionsOptions {
  readonly sessions: SessionTable;
  /** The name of this machine. */
  readonly host: string;
  readonly requests: RequestLists;
  /** Finds kept sessions, the last active first. Undefined: none are listed. */
  readonly newestFirst: KeptPageOptions["find"] | undefined;
}

/** The sessions of a server as its clients list, make and close them (P-XSE-1 to P-XSE-7). */
export class ListedSessions implements SessionMethods {
  readonly #sessions: SessionTable;
  readonly #host: string;
  readonly requests: RequestLists;
  readonly kept: SessionMethods["kept"];

  constructor({ sessions, host, requests, newestFirst: find }: ListedSessionsOptions) {
    this.#sessions = sessions;
    this.#host = host;
    this.requests = requests;
    this.kept = find && ((wanted) => keptPage({ sessions, find, host }, wanted));
  }

  list(): ListedSession[] {
    const live = [...this.#sessions.byId.values()].map((session) => listedSession(session, this.#host));
    return [...live, ...[...this.#sessions.allParked()].map(({ listed }) => listed)];
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  find(id: string): ListedSession | undefined {
    const session = this.#sessions.find(id);
    return session ? listedSession(session, this.#host) : this.#sessions.parked(id)?.listed;
  }

  watch(changed: (id: string) => void): () => void {
    return this.#sessions.watch(changed);
  }

  create(): ListedSession | Promise<ListedSession> {
    const opening = this.#sessions.createUnused();
    const listed = (session: ServedSession) => listedSession(session, this.#host);
    return opening instanceof Promise ? opening.then(listed) : listed(opening);
  }

  close(id: string): ReturnType<SessionMethods["close"]> {
    return this.#sessions.closingByClient(id);
  }
}
