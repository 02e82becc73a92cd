import { type Box, inside } from "./box.js";
import { type Credentials, credentials } from "./credentials.js";
import { type PageDrafts, pageDrafts } from "./drafts.js";
import type { KeptPictures } from "./pictures.js";

/** All that the page keeps of one server. */
export interface KeptServer {
  /** The origin of the server, such as `https://desk.example`. */
  readonly origin: string;
  /** True for the server that the page comes from. */
  readonly isHome: boolean;
  readonly credentials: Credentials;
  readonly drafts: PageDrafts;
  /** Texts of this tab. */
  readonly tab: Box;
  /** The session that was open last: in this tab, or for another server on a remembered device. */
  session(): string | undefined;
  /** Undefined: the session is gone, and none is kept in its place. */
  keepSession(id: string | undefined): void;
  /** Forgets the token, the unsent work and the session. */
  forget(): void;
}

/** The servers that the page keeps something of. */
export interface KeptServers {
  /** A server by its origin, the same object each time. */
  at(origin: string): KeptServer;
  /** The origins of the other servers with a token, sorted. */
  others(): readonly string[];
}

/** The beginning of the names in another server's part of a box. Origins have no spaces. */
const OTHER = "at ";
const SESSION = "session";

/** The places of the browser that servers are kept in. */
export interface KeptServersOptions {
  /** The origin of the page. */
  readonly home: string;
  /** Forgets with the tab. */
  readonly tab: Box;
  /** Outlives it. */
  readonly device: Box;
  readonly pictures: KeptPictures;
}

/** The servers as tab and device keep them. The page's own server has its texts at the top, each other one in a part. */
export function keptServers({ home, tab, device, pictures }: KeptServersOptions): KeptServers {
  const known = new Map<string, KeptServer>();

  function keptServer(origin: string): KeptServer {
    const isHome = origin === home;
    const part = (box: Box) => (isHome ? box : inside(box, OTHER + origin));
    const boxes = [part(tab), part(device)] as const;
    const [inTab, onDevice] = boxes;
    const kept = credentials(...boxes);
    const place = () => (kept.remembered.current() ? onDevice : inTab);
    const work = pageDrafts({ boxes, place, pictures, now: Date.now });
    kept.remembered.subscribe(work.gather);

    /** Keeps the session of another server where its token is, so that the next tab needs no new one there. */
    function follow(): void {
      if (isHome) return;
      const session = inTab.get(SESSION);
      if (session !== undefined && kept.remembered.current()) onDevice.set(SESSION, session);
      else onDevice.remove(SESSION);
    }
    kept.remembered.subscribe(follow);

    return {
      ...{ origin, isHome, credentials: kept, drafts: work, tab: inTab },
      session: () => inTab.get(SESSION) ?? (isHome ? undefined : onDevice.get(SESSION)),
      keepSession(id) {
        if (id === undefined) inTab.remove(SESSION);
        else inTab.set(SESSION, id);
        follow();
      },
      forget() {
        kept.forget();
        work.forget();
        for (const name of inTab.names()) if (!isHome || !name.startsWith(OTHER)) inTab.remove(name);
      },
    };
  }

  function at(origin: string): KeptServer {
    const server = known.get(origin) ?? keptServer(origin);
    known.set(origin, server);
    return server;
  }

  return {
    at,
    others() {
      const names = [...tab.names(), ...device.names()].filter((name) => name.startsWith(OTHER));
      const kept = names.map((name) => name.split(" ", 2)[1] as string);
      const origins = [...new Set([...kept, ...known.keys()])].filter((origin) => origin !== home);
      return origins.filter((origin) => at(origin).credentials.token() !== undefined).sort();
    },
  };
}
