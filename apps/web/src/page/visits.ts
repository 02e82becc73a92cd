import { type Store, store } from "@askwire/react";
import type { Entered, EntryProblem } from "../entry/fragment.js";
import { pageServers } from "../entry/page-servers.js";
import { type Paired, pair } from "../entry/pair.js";
import type { Box } from "../kept/box.js";
import type { KeptServers } from "../kept/kept-servers.js";
import { type Visit, visit, type WayIn } from "./visit.js";
import { type Waiting, waitingIn } from "./waiting.js";

/** The reason why an entry led to no session. */
export type EntranceProblem = Exclude<Paired, { token: string }> | EntryProblem;

/** The place of the person: before a session, or in one. */
export type Place =
  /** `adds`: the person is to name another server, beside those that the page is connected to. */
  | { readonly is: "entrance"; readonly adds?: boolean; readonly problem?: EntranceProblem }
  | { readonly is: "pairing" | "returning" }
  /** `key` is another with each visit, so that nothing of the last one stays on the page. */
  | { readonly is: "session"; readonly key: number; readonly visit: Visit };

/** The place of the person, and the ways from there. */
export interface Visits extends Store<Place> {
  /** The origin of the page. */
  readonly home: string;
  /** The visits that are connected, or try to be: one for each server, the page's own first. */
  readonly all: Store<readonly Visit[]>;
  /** All that waits for the person there. */
  readonly waiting: Store<Waiting>;
  /** The origins of the other servers that the page may reach. */
  reachable(): Promise<readonly string[]>;
  /** Takes what an address carried, or a person typed, and goes where it leads. */
  enter(entered: Entered): void;
  /** Leads to where another server is named. */
  add(): void;
  /** Tells why an entry leads nowhere. */
  refuse(problem: EntranceProblem): void;
  /** Goes to a session of a server; without an id to a new one. */
  go(session: string | undefined, server: string): void;
  /** Goes on with a session that a server keeps, and that nobody has open. */
  open(session: string, server: string): void;
  /** Goes back to a visit that is there. */
  show(visit: Visit): void;
  /** Forgets a server with its token and all unsent work, and leaves it where it is shown. */
  forget(server: string): void;
  /** Forgets the token of a server that refused it, and leads to where another is entered. */
  enterAnew(server: string): void;
  /** Leaves all servers, and forgets all tokens and all unsent work. */
  leave(): void;
}

/** The parts of the browser that visits need. */
export interface VisitsOptions {
  /** The origin of the page. */
  readonly home: string;
  readonly request: typeof fetch;
  readonly tab: Box;
  readonly servers: KeptServers;
  readonly version: string;
}

/** The server that the tab showed last, where that is not the page's own. */
const SHOWN = "shown";

export function visits({ home, request, tab, servers, version }: VisitsOptions): Visits {
  const { set, ...place } = store<Place>({ is: "entrance" });
  const { set: setAll, ...all } = store<readonly Visit[]>([]);
  const { set: setWaiting, ...waiting } = store<Waiting>(waitingIn([]));
  const open = new Map<string, Visit>();
  let reached: Promise<readonly string[]> | undefined;
  let count = 0;

  const reachable = () => {
    reached ??= pageServers(home, request);
    return reached;
  };
  const look = () => setWaiting(waitingIn(all.current()));
  const isShown = (one: Visit) => {
    const now = place.current();
    return now.is === "session" && now.visit === one;
  };

  function changed(): void {
    const others = [...open.keys()].filter((origin) => origin !== home).sort();
    setAll([home, ...others].flatMap((origin) => open.get(origin) ?? []));
    look();
  }

  function end(origin: string): void {
    open.get(origin)?.connection.close();
    open.delete(origin);
  }

  /** Connects to a session of a server, instead of the one that was open there. Undefined without a token. */
  function begin(origin: string, way: WayIn): Visit | undefined {
    const server = servers.at(origin);
    const token = server.credentials.token();
    end(origin);
    const one = token === undefined ? undefined : visit(server, token, way, version);
    if (one !== undefined) {
      open.set(origin, one);
      one.requests.subscribe(look);
      one.listed.subscribe(look);
      one.connection.subscribe(() => renew(one));
    }
    changed();
    return one;
  }

  /**
   * Begins a new session on a server that nobody looks at, where the one that was meant is gone: the list is still
   * wanted. A new session that ends is left, so that no server is knocked at without end.
   */
  function renew(one: Visit): void {
    const line = one.connection.current();
    const isGone = line.is === "closed" && ["session", "kept", "ended"].includes(line.ending);
    if (isGone && one.session !== undefined && open.get(one.server.origin) === one && !isShown(one))
      begin(one.server.origin, { session: undefined, isNamed: true, isPaired: false });
  }

  function show(one: Visit): void {
    if (one.server.isHome) tab.remove(SHOWN);
    else tab.set(SHOWN, one.server.origin);
    count += 1;
    set({ is: "session", key: count, visit: one });
    for (const other of open.values()) renew(other);
  }

  function goBy(origin: string, way: WayIn): void {
    const there = open.get(origin);
    const id = there?.connection.session()?.id;
    const isThere = id !== undefined && id === way.session && there?.connection.current().is !== "closed";
    const one = isThere ? there : begin(origin, way);
    if (one === undefined) set({ is: "entrance" });
    else show(one);
  }

  function forget(origin: string): void {
    const shown = open.get(origin);
    const leaves = shown !== undefined && isShown(shown);
    end(origin);
    servers.at(origin).forget();
    if (leaves) tab.remove(SHOWN);
    changed();
    if (leaves) set({ is: "entrance" });
  }

  /** The session of a server that was open last, for a page that begins. */
  function back(origin: string): WayIn {
    const session = servers.at(origin).session();
    return { session, isNamed: session !== undefined, isPaired: false };
  }

  /** Goes on where the tab was. Another server is left alone where the page may not reach it any more. */
  async function comeBack(): Promise<void> {
    const shown = tab.get(SHOWN);
    if (shown === undefined || !servers.others().includes(shown)) return goBy(home, back(home));
    set({ is: "returning" });
    const origin = (await reachable()).includes(shown) ? shown : home;
    if (place.current().is === "returning") goBy(origin, back(origin));
  }

  /** Connects to all servers that are kept, so that their sessions are listed. */
  async function connectAll(): Promise<void> {
    if (servers.others().length === 0) return;
    const reached = await reachable();
    for (const origin of [home, ...servers.others().filter((one) => reached.includes(one))])
      if (!open.has(origin)) begin(origin, { ...back(origin), isNamed: true });
  }

  function enter({ server = home, token, code, session }: Entered): unknown {
    const way = { session, isNamed: session !== undefined, isPaired: code !== undefined };
    /** Another token may do more or less, so a connection by the last one is over. */
    const take = (next: string) => {
      end(server);
      servers.at(server).credentials.take(next);
    };
    if (token !== undefined) take(token);
    else if (code !== undefined) {
      set({ is: "pairing" });
      return pair(code, server, request).then((paired) => {
        if (typeof paired === "string")
          return set({ is: "entrance", adds: server !== home, problem: paired });
        take(paired.token);
        goBy(server, way);
      });
    }
    // An address without a session means no session of before; a reload brings nothing at all.
    return token === undefined && session === undefined ? comeBack() : goBy(server, way);
  }

  return {
    ...place,
    ...{ home, all, waiting, reachable, show, forget },
    enterAnew(server) {
      forget(server);
      set({ is: "entrance", adds: server !== home });
    },
    go: (session, server) => goBy(server, { session, isNamed: true, isPaired: false }),
    open: (session, server) => goBy(server, { session, isNamed: true, isPaired: false, opensKept: true }),
    enter(entered) {
      void Promise.resolve(enter(entered)).then(connectAll);
    },
    add: () => set({ is: "entrance", adds: true }),
    refuse(problem) {
      const now = place.current();
      set({ is: "entrance", adds: now.is === "entrance" && now.adds === true, problem });
    },
    leave() {
      for (const origin of [home, ...servers.others()]) {
        end(origin);
        servers.at(origin).forget();
      }
      for (const name of tab.names()) tab.remove(name);
      changed();
      set({ is: "entrance" });
    },
  };
}
