import { type Store, store } from "@askwire/react/cards";
import type { KeptServers } from "../kept/kept-servers.js";
import { type Visit, visit, type WayIn } from "./visit.js";
import { type WaitingSession, waitingIn } from "./waiting.js";

/** The parts that open visits need. */
export interface OpenVisitsOptions {
  /** The origin of the page. */
  readonly home: string;
  readonly servers: KeptServers;
  readonly version: string;
  /** True if a new session is told to ask, false if it is told not to. Undefined: it is told neither. */
  asks(): boolean | undefined;
}

/** The visits that are connected, or try to be: one for each server. */
export class OpenVisits {
  readonly #options: OpenVisitsOptions;
  readonly #isShown: (visit: Visit) => boolean;
  readonly #byOrigin = new Map<string, Visit>();
  readonly #all = store<readonly Visit[]>([]);
  readonly #waiting = store<WaitingSession>(waitingIn([]));
  readonly #look = () => this.#waiting.set(waitingIn(this.#all.current()));
  /** The visits, that to the page's own server first. */
  readonly all: Store<readonly Visit[]> = this.#all;
  /** All that waits for the person there. */
  readonly waiting: Store<WaitingSession> = this.#waiting;

  constructor(options: OpenVisitsOptions, isShown: (visit: Visit) => boolean) {
    this.#options = options;
    this.#isShown = isShown;
  }

  /** The visit to a server. Undefined where none is open. */
  at(origin: string): Visit | undefined {
    return this.#byOrigin.get(origin);
  }

  /** Connects to a session of a server, instead of the one that was open there. Undefined without a token. */
  begin(origin: string, way: WayIn): Visit | undefined {
    const { servers, version, asks } = this.#options;
    const server = servers.at(origin);
    const token = server.credentials.token();
    this.#close(origin);
    const one = token === undefined ? undefined : visit(server, token, way, version, asks());
    if (one !== undefined) {
      this.#byOrigin.set(origin, one);
      one.requests.subscribe(this.#look);
      one.listed.subscribe(this.#look);
      one.inbox.subscribe(this.#look);
      one.connection.subscribe(() => this.#renew(one));
    }
    this.#changed();
    return one;
  }

  /** Ends the visits to servers. */
  end(...origins: readonly string[]): void {
    for (const origin of origins) this.#close(origin);
    this.#changed();
  }

  /** Waits in the lobby of all servers that nobody looks at, and whose session is gone. */
  renew(): void {
    for (const one of this.#byOrigin.values()) this.#renew(one);
  }

  /** Waits in the lobby of a server that nobody looks at, where the session that was meant is gone. */
  #renew(one: Visit): void {
    const { server, connection, session } = one;
    const line = connection.current();
    const isGone = line.is === "closed" && ["session", "kept", "ended"].includes(line.ending);
    if (!isGone || session === undefined || this.at(server.origin) !== one || this.#isShown(one)) return;
    server.keepSession(undefined);
    this.begin(server.origin, { session: undefined, isNamed: true, isPaired: false, inLobby: true });
  }

  #close(origin: string): void {
    this.at(origin)?.connection.close();
    this.#byOrigin.delete(origin);
  }

  #changed(): void {
    const { home } = this.#options;
    const others = [...this.#byOrigin.keys()].filter((origin) => origin !== home).sort();
    this.#all.set([home, ...others].flatMap((origin) => this.at(origin) ?? []));
    this.#look();
  }
}
