import type { HeardRequest } from "@askwire/protocol";
import { type Store, store } from "@askwire/react/cards";
import type { Entered } from "../entry/fragment.js";
import { pageServers } from "../entry/page-servers.js";
import { type EntranceProblem, pair } from "../entry/pair.js";
import type { Box } from "../kept/box.js";
import type { KeptServers } from "../kept/kept-servers.js";
import { OpenVisits } from "./open-visits.js";
import type { Visit, WayIn } from "./visit.js";
import type { WaitingSession } from "./waiting.js";

/** The place of the person: before a session, or in one. */
export type PagePlace =
  /** `adds`: the person is to name another server, in addition to those that the page is connected to. */
  | { readonly is: "entrance"; readonly adds?: boolean; readonly problem?: EntranceProblem }
  | { readonly is: "pairing" | "returning" }
  /** `key` is another with each visit, so that nothing of the last one stays on the page. */
  /** `request`: the one that the person came for. `lists`: they came by the list of all that waits. */
  | {
      readonly is: "session";
      readonly key: number;
      readonly visit: Visit;
      readonly request?: string;
      readonly lists?: boolean;
    }
  /** All that waits, over all sessions. The visit is the one that the person comes from, or in the lobby. */
  | { readonly is: "inbox"; readonly key: number; readonly visit: Visit };

/** The parts of the browser that visits need. */
export interface VisitsOptions {
  /** The origin of the page. */
  readonly home: string;
  readonly request: typeof fetch;
  readonly tab: Box;
  readonly servers: KeptServers;
  readonly version: string;
  /** True if a new session is told to ask, false if it is told not to. Undefined: it is told neither. */
  asks(): boolean | undefined;
}

/** The place of the person, and the ways from there. */
export class Visits implements Store<PagePlace> {
  /** The origin of the page. */
  readonly home: string;
  /** The visits that are connected, or try to be: one for each server, the page's own first. */
  readonly all: Store<readonly Visit[]>;
  /** All that waits for the person there. */
  readonly waiting: Store<WaitingSession>;
  readonly #options: VisitsOptions;
  readonly #open: OpenVisits;
  readonly #place = store<PagePlace>({ is: "entrance" });
  readonly current = this.#place.current;
  readonly subscribe = this.#place.subscribe;
  #reachable: Promise<readonly string[]> | undefined;
  #shown = 0;
  /** The place that was meant before there was a token. */
  #meant: Pick<Entered, "session" | "server" | "request"> | undefined;

  constructor(options: VisitsOptions) {
    this.#options = options;
    this.home = options.home;
    this.#open = new OpenVisits(options, (one) => this.#isShown(one));
    this.all = this.#open.all;
    this.waiting = this.#open.waiting;
  }

  /** The origins of the other servers that the page may reach. */
  reachable(): Promise<readonly string[]> {
    this.#reachable ??= pageServers(this.home, this.#options.request);
    return this.#reachable;
  }

  /** The ids of the open requests in the session of the page's own server that is shown. */
  shown(): readonly string[] {
    const now = this.current();
    return this.waiting
      .current()
      .asked.filter(({ visit }) => visit.server.isHome && now.is === "session" && now.visit === visit)
      .map(({ name }) => name);
  }

  /** Takes what an address carried, or a person typed, and goes where it leads. */
  enter(entered: Entered): void {
    void this.#enter(entered).then(() => this.#connectAll());
  }

  /** Leads to where another server is named. */
  add(): void {
    this.#place.set({ is: "entrance", adds: true });
  }

  /** Says why an entry leads nowhere. */
  refuse(problem: EntranceProblem): void {
    const now = this.current();
    this.#place.set({ is: "entrance", adds: now.is === "entrance" && now.adds === true, problem });
  }

  /** Goes to a session of a server; without an id to a new one. */
  go(session: string | undefined, server: string, isNew = session === undefined): void {
    this.#goBy(server, { session, isNamed: true, isPaired: false, isNew });
  }

  /** Goes to the card of a request in its session, which is resumed if it is kept alone. */
  goTo(
    { session_id, request_id, state }: Pick<HeardRequest, "session_id" | "request_id" | "state">,
    server: string,
  ): void {
    const opensKept = state === "kept";
    this.#goBy(server, { session: session_id, isNamed: true, isPaired: false, opensKept }, request_id);
  }

  /** Goes to all that waits, over all sessions. No session is made for that. */
  inbox(): void {
    const now = this.current();
    const here = now.is === "session" || now.is === "inbox" ? now.visit : this.all.current()[0];
    const one =
      here ??
      this.#open.begin(this.home, { session: undefined, isNamed: false, isPaired: false, inLobby: true });
    if (one === undefined) this.#place.set({ is: "entrance" });
    else this.#put("inbox", one);
  }

  /** Resumes a session that a server keeps, and that nobody has open. */
  open(session: string, server: string): void {
    this.#goBy(server, { session, isNamed: true, isPaired: false, opensKept: true });
  }

  /** Goes back to a visit that is there. */
  show(one: Visit, request?: string): void {
    this.#put(one.inLobby === true ? "inbox" : "session", one, request);
  }

  #put(is: "session" | "inbox", visit: Visit, request?: string): void {
    this.#shown += 1;
    const now = this.current();
    const lists = request !== undefined && (now.is === "inbox" || (now.is === "session" && now.lists));
    this.#place.set({ is, key: this.#shown, visit, ...(request !== undefined && { request, lists }) });
    this.#open.renew();
  }

  /** Forgets a server with its token and all unsent work, and leaves it where it is shown. */
  forget(server: string): void {
    const one = this.#open.at(server);
    const leaves = one !== undefined && this.#isShown(one);
    this.#open.end(server);
    this.#options.servers.at(server).forget();
    if (!leaves) return;
    this.#place.set({ is: "entrance" });
  }

  /** Forgets the token of a server that refused it, and leads to where another is entered. */
  enterAnew(server: string): void {
    this.forget(server);
    this.#place.set({ is: "entrance", adds: server !== this.home });
  }

  /** Leaves all servers, and forgets all tokens and all unsent work. */
  leave(): void {
    const origins = [this.home, ...this.#options.servers.others()];
    this.#open.end(...origins);
    for (const origin of origins) this.#options.servers.at(origin).forget();
    for (const name of this.#options.tab.names()) this.#options.tab.remove(name);
    this.#place.set({ is: "entrance" });
  }

  async #enter(entered: Entered): Promise<void> {
    const { server = this.home, token, code } = entered;
    const { session, request } = this.#meaning(entered);
    const isNamed = session !== undefined;
    const way = { session, isNamed, isPaired: code !== undefined, inLobby: !isNamed };
    if (token !== undefined) this.#take(server, token, false);
    else if (code !== undefined) {
      this.#place.set({ is: "pairing" });
      const paired = await pair(code, server, this.#options.request);
      if (typeof paired === "string")
        return this.#place.set({ is: "entrance", adds: server !== this.home, problem: paired });
      this.#take(server, paired.token, true);
    } else if (server !== this.home) {
      this.#place.set({ is: "returning" });
      // Another server is left alone where the page may no longer reach it.
      if (!(await this.reachable()).includes(server)) return this.inbox();
    }
    this.#goBy(server, way, request);
  }

  /** The session that is meant: the one that was meant before a token was asked for, where nothing else is said. */
  #meaning(entered: Entered): Entered {
    const meant = this.#meant;
    this.#meant = undefined;
    const { server = this.home } = entered;
    const isSame = entered.session === undefined && (meant?.server ?? this.home) === server;
    return isSame && meant !== undefined ? meant : entered;
  }

  /** Takes another token of a server. It may do more or less, so a connection by the last one is over. */
  #take(server: string, token: string, isPaired: boolean): void {
    this.#open.end(server);
    this.#options.servers.at(server).credentials.take(token, isPaired);
  }

  /** Connects to all servers that are kept, so that their sessions are listed. */
  async #connectAll(): Promise<void> {
    if (this.#options.servers.others().length === 0) return;
    const reached = await this.reachable();
    for (const origin of [
      this.home,
      ...this.#options.servers.others().filter((one) => reached.includes(one)),
    ])
      if (this.#open.at(origin) === undefined)
        this.#open.begin(origin, { ...this.#back(origin), isNamed: true });
  }

  #goBy(origin: string, way: WayIn, request?: string): void {
    const there = this.#open.at(origin);
    const id = there?.connection.session()?.id;
    const isThere = id !== undefined && id === way.session && there?.connection.current().is !== "closed";
    const isLobby = way.inLobby === true && there?.connection.current().is !== "closed";
    const one = isThere || (isLobby && there !== undefined) ? there : this.#open.begin(origin, way);
    if (one !== undefined && way.inLobby === true) return this.#put("inbox", one);
    if (one !== undefined) return this.show(one, request);
    const { session } = way;
    if (session !== undefined) {
      const there = origin === this.home ? {} : { server: origin };
      this.#meant = { session, ...there, ...(request !== undefined && { request }) };
    }
    this.#place.set({ is: "entrance" });
  }

  /** The session of a server that was open last, for a page that begins elsewhere; without one, the lobby. */
  #back(origin: string): WayIn {
    const session = this.#options.servers.at(origin).session();
    return { session, isNamed: session !== undefined, isPaired: false, inLobby: session === undefined };
  }

  #isShown(one: Visit): boolean {
    const now = this.current();
    return (now.is === "session" || now.is === "inbox") && now.visit === one;
  }
}
