import type { ClientSession } from "@askwire/client";
import {
  cardAbilities,
  type OpenRequests,
  openRequests,
  type Store,
  store,
  type TranscriptStore,
  transcript,
} from "@askwire/react";
import { type PageConnection, pageConnection } from "../connection/page-connection.js";
import { wireAddress } from "../connection/wire-address.js";
import type { Entered, EntryProblem } from "../entry/fragment.js";
import { type Paired, pair } from "../entry/pair.js";
import type { Box } from "../kept/box.js";
import type { Credentials } from "../kept/credentials.js";
import type { Drafts } from "../kept/drafts.js";

/** The reason why an entry led to no session. */
export type EntranceProblem = Exclude<Paired, { token: string }> | EntryProblem;

/** A session that the page is connected to, or tries to be. */
export interface Visit {
  readonly connection: PageConnection;
  readonly requests: OpenRequests;
  readonly talk: TranscriptStore;
  /** False where nobody said which session is meant, so that a new one began. */
  readonly isNamed: boolean;
  /** True if a pairing code led here, which counts no second time. */
  readonly isPaired: boolean;
}

/** The place of the person: before a session, or in one. */
export type Place =
  | { readonly is: "entrance"; readonly problem?: EntranceProblem }
  | { readonly is: "pairing" }
  /** `key` is another with each visit, so that nothing of the last one stays on the page. */
  | { readonly is: "session"; readonly key: number; readonly visit: Visit };

/** The place of the person, and the ways from there. */
export interface Visits extends Store<Place> {
  /** Takes what an address carried, or a person typed, and goes where it leads. */
  enter(entered: Entered): void;
  /** Tells why an entry leads nowhere. */
  refuse(problem: EntranceProblem): void;
  /** Goes to a session; without an id to a new one. */
  go(session: string | undefined): void;
  /** Leaves the session, and forgets the token and all unsent work. */
  leave(): void;
}

/** The parts of the browser that visits need. */
export interface VisitsOptions {
  readonly location: Pick<Location, "protocol" | "host">;
  readonly request: typeof fetch;
  readonly tab: Box;
  readonly credentials: Credentials;
  readonly drafts: Drafts;
  readonly version: string;
}

const SESSION = "session";

export function visits({ location, request, tab, credentials, drafts, version }: VisitsOptions): Visits {
  const { set, ...place } = store<Place>({ is: "entrance" });
  let count = 0;

  function end(): void {
    const now = place.current();
    if (now.is === "session") now.visit.connection.close();
  }

  function go(session: string | undefined, isNamed = true, isPaired = false): void {
    const token = credentials.token();
    end();
    if (token === undefined) return set({ is: "entrance" });
    const requests = openRequests();
    const { question, approval, event } = requests.handlers;
    const talk = transcript({
      handlers: {
        question,
        approval,
        event(told) {
          if (told.type === "InteractionSettled") drafts.drop(told.payload.request_id);
          event(told);
        },
      },
    });
    const connection = pageConnection(
      wireAddress(location, session),
      {
        token,
        client: { name: "askwire-web", version },
        planMode: true,
        shows: cardAbilities,
        handlers: talk.handlers,
        onConnection: (change) => void (change.state === "connected" && change.reset && talk.reset()),
      },
      version,
      ({ id }: ClientSession) => {
        if (id !== undefined) tab.set(SESSION, id);
      },
    );
    count += 1;
    set({ is: "session", key: count, visit: { connection, requests, talk, isNamed, isPaired } });
  }

  return {
    ...place,
    go: (session) => go(session),
    enter({ token, code, session: named }) {
      // An address without a session means no session of before; a reload brings nothing at all.
      const session = named ?? ((token ?? code) === undefined ? tab.get(SESSION) : undefined);
      if (token !== undefined) credentials.take(token);
      else if (code !== undefined) {
        set({ is: "pairing" });
        void pair(code, request).then((paired) => {
          if (typeof paired === "string") return set({ is: "entrance", problem: paired });
          credentials.take(paired.token);
          go(session, session !== undefined, true);
        });
        return;
      }
      go(session, session !== undefined);
    },
    refuse: (problem) => set({ is: "entrance", problem }),
    leave() {
      end();
      credentials.forget();
      drafts.forget();
      for (const name of tab.names()) tab.remove(name);
      set({ is: "entrance" });
    },
  };
}
