import type { ClientSession } from "@askwire/client";
import type { HeardRequest, HeardSession, Unrecognized, WireEvent } from "@askwire/protocol";
import type { AttachedFiles } from "@askwire/react";
import {
  beginAsking,
  cardAbilities,
  keepConnected,
  type LastingConnection,
  type OpenRequests,
  openRequests,
  type Store,
  store,
  type TranscriptStore,
  transcript,
  watchWaiting,
} from "@askwire/react/cards";
import { watchSessions } from "../connection/watched-sessions.js";
import { wireAddress } from "../connection/wire-address.js";
import type { KeptServer } from "../kept/kept-servers.js";

/** The way that led to a session. */
export interface WayIn {
  /** The id of the session that is meant; undefined for a new one. */
  readonly session: string | undefined;
  /** False where nobody said which session is meant, so that a new one began. */
  readonly isNamed: boolean;
  /** True if a pairing code led here, which counts no second time. */
  readonly isPaired: boolean;
  /** True where the person said to resume a kept session that nobody has open. Default: false. */
  readonly opensKept?: boolean;
  /** True where the person has just made the session. Default: only where it has no id yet. */
  readonly isNew?: boolean;
  /** True where no session is meant, and none is to be made for that. Default: false. */
  readonly inLobby?: boolean;
}

/** A session that the page is connected to, or tries to be. */
export interface Visit extends WayIn {
  readonly server: KeptServer;
  readonly connection: LastingConnection;
  readonly requests: OpenRequests;
  readonly talk: TranscriptStore;
  /** The sessions of the server, as far as they are known. */
  readonly listed: Store<readonly HeardSession[]>;
  /** All that waits there over all sessions. Undefined until it is known, and on a server that does not tell. */
  readonly inbox: Store<readonly HeardRequest[] | undefined>;
  /** The number of all that waits there, where that is more. */
  readonly inboxAll: Store<number>;
  /** The text for the agent that was not sent, for as long as the page is there; undefined until one is typed. */
  readonly unsent: Store<string | undefined> & { set(text: string): void };
  /** The pictures and files that were added at the prompt and not sent; undefined until one is. */
  readonly files: { current: readonly AttachedFiles[] | undefined };
  /** The texts that stand at the prompt to be taken back, and not in the conversation too. */
  readonly atPrompt: Store<readonly string[]> & { set(texts: readonly string[]): void };
  /** Counts the texts that were put into the prompt and that nobody typed there. */
  readonly filled: Store<number>;
  /** Puts text into the prompt, below what is there. */
  fill(text: string): void;
}

/**
 * Connects to a session of a server, with the token of that server.
 *
 * @param version the version of this page.
 * @param asks true to tell a new session to ask, false to tell it not to. Undefined: it is told neither.
 */
export function visit(
  server: KeptServer,
  token: string,
  way: WayIn,
  version: string,
  asks: boolean | undefined,
): Visit {
  const requests = openRequests();
  const { set: list, ...listed } = store<readonly HeardSession[]>([]);
  const { set: setInbox, ...inbox } = store<readonly HeardRequest[] | undefined>(undefined);
  const { set: setAll, ...inboxAll } = store(0);
  const { question, approval, event } = requests.handlers;
  const settled = (told: WireEvent | Unrecognized) => {
    if (told.type === "InteractionSettled") server.drafts.drop(told.payload.request_id);
  };
  const talk = transcript({
    handlers: {
      question,
      approval,
      event(told) {
        settled(told);
        event(told);
      },
      // A request may have been settled while no page was there.
      history: { event: settled },
    },
  });
  const connection = keepConnected(wireAddress(server.origin, way.session), {
    ...{ token, version, planMode: true, shows: cardAbilities, handlers: talk.handlers },
    client: { name: "askwire-web", version },
    ...(way.inLobby && { lobby: true }),
    ...(way.session !== undefined && { session: way.session, openKept: way.opensKept ?? false }),
    onConnection: (change) => void (change.state === "connected" && change.reset && talk.reset()),
    onSession(session) {
      if (session.id !== undefined) server.keepSession(session.id);
      void watchSessions(session, list);
      // The line of the connection says why nothing more is told.
      if (tellsInbox(session))
        watchWaiting(session, {
          told(rows, all) {
            setAll(all);
            setInbox(rows);
          },
          ended: () => setInbox(undefined),
        });
      // A lost connection takes nothing with it that the person could not switch.
      if (way.isNew ?? (way.session === undefined && session.id !== undefined))
        beginAsking(session, asks).catch(() => {});
    },
  });
  const unsent = store<string | undefined>(undefined);
  const atPrompt = store<readonly string[]>([]);
  const { set: setFilled, ...filled } = store(0);
  function fill(text: string): void {
    const before = unsent.current() ?? "";
    unsent.set(before === "" ? text : `${before}\n${text}`);
    setFilled(filled.current() + 1);
  }
  const files = { current: undefined };
  return {
    ...way,
    server,
    connection,
    requests,
    talk,
    listed,
    inbox,
    inboxAll,
    unsent,
    files,
    atPrompt,
    filled,
    fill,
  };
}

/** True for a server that tells what waits in all its sessions (P-XRQ-1). */
export const tellsInbox = (session: ClientSession | undefined): boolean =>
  session?.server?.capabilities?.askwire?.inbox === true;

/** The title of the session that a visit is in, and the last part of its folder, as far as they are known. */
export function subjectOf({ listed, connection }: Visit): { title?: string; folder?: string } {
  const own = listed.current().find(({ id }) => id === connection.session()?.id);
  const folder = own?.folder?.split(/[\\/]/).findLast((part) => part !== "");
  return { ...(own?.title !== undefined && { title: own.title }), ...(folder !== undefined && { folder }) };
}
