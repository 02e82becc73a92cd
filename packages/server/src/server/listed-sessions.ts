import type { ListedSession } from "@askwire/protocol";
import type { RequestLists } from "../connection/request-lists.js";
import type { SessionMethods } from "../connection/session-methods.js";
import { listedSession } from "../session/listed.js";
import type { SessionTable } from "./session-table.js";

/**
 * The sessions of a server as its clients list, make and close them (P-XSE-1 to P-XSE-6).
 *
 * @param host the name of this machine.
 */
export class ListedSessions implements SessionMethods {
  readonly #sessions: SessionTable;
  readonly #host: string;
  readonly requests: RequestLists;

  constructor(sessions: SessionTable, host: string, requests: RequestLists) {
    this.#sessions = sessions;
    this.#host = host;
    this.requests = requests;
  }

  list(): ListedSession[] {
    return [...this.#sessions.byId.values()].map((session) => listedSession(session, this.#host));
  }

  has(id: string): boolean {
    return this.#sessions.find(id) !== undefined;
  }

  find(id: string): ListedSession | undefined {
    const session = this.#sessions.find(id);
    return session && listedSession(session, this.#host);
  }

  watch(changed: (id: string) => void): () => void {
    return this.#sessions.watch(changed);
  }

  create(): ListedSession {
    return listedSession(this.#sessions.createUnused(), this.#host);
  }

  close(id: string): (() => void) | undefined {
    const session = this.#sessions.find(id);
    return session && (() => this.#sessions.closeByClient(session));
  }
}
