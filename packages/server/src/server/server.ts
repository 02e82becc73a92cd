import { hostname } from "node:os";
import { resolve } from "node:path";
import {
  type ClientCapabilities,
  type ClientRole,
  clientRoles,
  closeCodes,
  type Limits,
  type ListedRequest,
  type ListedSession,
  LocalError,
  type MessageChannel,
  type Principal,
} from "@askwire/protocol";
import { checkOptions, defined, type OptionRules, option } from "@askwire/protocol/internal";
import { ClientConnection } from "../connection/connection.js";
import { type ComingSession, Entrance, keptOnly } from "../connection/entrance.js";
import { Observation } from "../measures/observation.js";
import type { ObservedCommit } from "../measures/observer.js";
import { type Clock, systemClock, unlessAborted } from "../runtime/clock.js";
import { type Log, standardErrorLog } from "../runtime/log.js";
import { SERVER_VERSION } from "../runtime/version.js";
import type { Pairing } from "../session/pairing-code.js";
import { type ServedSession, servedSession } from "../session/served-session.js";
import type { Session } from "../session/session.js";
import { AllRequests } from "./all-requests.js";
import { finderByFunctions, type KeptFinder } from "./kept-finder.js";
import { ListedSessions } from "./listed-sessions.js";
import { personWithRoles } from "./person-roles.js";
import { principalRule } from "./principal.js";
import { readiness, type ServerPart } from "./readiness.js";
import {
  checkKeeping,
  type NewSession,
  newSessionRules,
  type ServerOptions,
  serverRules,
} from "./server-options.js";
import { SessionTable } from "./session-table.js";
import { listShared } from "./shared-sessions.js";
import { StoreFinder } from "./store-finder.js";
import { type TakeOver, takenOver } from "./take-over.js";

/** To which session a client is connected. */
export interface ConnectOptions {
  /**
   * The session to attach to, or a function that makes one (P-XAT-2), at once or by a promise, until which no further
   * message is read. The function runs when the client first speaks and names no session. Default: a new session that
   * ends with this connection.
   */
  readonly session?: Session | (() => Session | Promise<Session>);
  /** The id of the new session, which continues a kept session. Default: a new id. */
  readonly sessionId?: string;
  /** The time for which requests for a lost client alone stay open, in milliseconds. Default: 0. */
  readonly graceMs?: number;
  /** True if an extended client may list, watch, make and close sessions (P-XSE-1 to P-XSE-7). Default: false. */
  readonly sessionMethods?: boolean;
  /** `answer` for a client that may only answer what is asked (P-XRL-2). Default: the client may call every method. */
  readonly role?: ClientRole;
  /**
   * The person that the client is let in as, which its outcomes say (P-WHO-3): id and name of 1 to 200 characters without
   * controls. Default: nobody is named.
   */
  readonly principal?: Principal;
  /** The roles that the door knows of the person, beside the server's `roles` (P-XTO-4). Default: none. */
  readonly roles?: readonly string[];
  /**
   * Makes codes for devices where the client asks for one (P-DEV-7), beside `sessionMethods`; `refused` for a client that
   * may make none. Default: the methods are not there.
   */
  readonly pairing?: Pairing;
}

/** A client that is connected, and its session. */
export interface ConnectedClient {
  /** The id of the connection, a new one for each. */
  readonly id: string;
  /**
   * The session that it is in.
   *
   * @throws LocalError INVALID_STATE while it has none, since it is to choose one and has not spoken yet, or since its
   *   session is still being opened.
   */
  readonly session: Session;
  /** The features that the client declared: none before its `initialize` (P-CAP-1). */
  capabilities(): ClientCapabilities;
  /**
   * Ends the connection after all sent messages. `code` is a value of `closeCodes`, for transports with close codes.
   */
  close(code?: number, reason?: string): void;
  /** Resolves when nothing more will come, and the session has ended if it was made for this client. */
  readonly closed: Promise<void>;
}

/** A session in memory, what refuses those who do not open a kept one, or undefined where there is none. */
export type SessionThere = Session | (() => Session) | undefined;

/** An agent that clients can connect to. */
export interface AskwireServer {
  /**
   * Serves a client on a channel, as soon as it speaks.
   *
   * @throws as {@link AskwireServer.createSession}, where it makes a session.
   */
  connect(channel: MessageChannel, options?: ConnectOptions): ConnectedClient;
  /**
   * Makes a session without a connection.
   *
   * @throws WireError Overloaded at the limit of sessions, InvalidState for an id in use, LocalError INVALID_STATE where
   *   `keep` gives a promise and where there is a `store`, and any exception of `keep`.
   */
  createSession(options?: NewSession): Session;
  /**
   * Makes a session as {@link AskwireServer.createSession} does, also where `keep` takes time: then by a promise, which
   * rejects with what `keep`'s promise does, with LocalError TIMEOUT after 30 s, and with CLOSED once the server closes.
   * With a `store` the promise rejects with WireError InvalidState while another process has the session, or its records
   * are of a later version, with Overloaded, `data {limit: "store"}`, where the store fails or takes more than 30 s, and
   * with LocalError CLOSED once the server closes.
   */
  openSession(options?: NewSession): Session | Promise<Session>;
  /** The sessions that are in memory, by their ids: parked ones are not among them (P-SES-7). */
  readonly sessions: ReadonlyMap<string, Session>;
  /**
   * The `session` of {@link ConnectOptions} for a connection to the address of a session. One that is parked is opened
   * (P-SES-7); for another that is kept and not in memory it is a function that refuses clients which do not open it
   * (P-XAT-10). Undefined for one that is not
   * there. With a `store` a promise of these for one that is not in memory, which rejects as that of `openSession`.
   */
  sessionAt(id: string): SessionThere | Promise<SessionThere>;
  /**
   * Opens a session for a client at a node of several, without `open` of its own (P-NOD-3). Undefined where the client may
   * not have it so, and without a `store`. Rejects as the promise of `openSession`: with WireError InvalidState while
   * another process has the session.
   */
  takeOver(id: string, client: TakeOver): Promise<Session | undefined>;
  /** The sessions as clients list them, with their titles and what waits in them (P-XSE-1, P-XSE-4). */
  listSessions(): ListedSession[];
  /** The open questions and approvals as clients list them (P-XRQ-2), those of parked sessions too, the most pressing first. */
  listRequests(): ListedRequest[];
  /**
   * Calls `changed` with the id of each session that has begun or ended, or that lists show otherwise than before. The
   * returned function ends that. Called in the middle of the change, so act on it later.
   */
  watchSessions(changed: (id: string) => void): () => void;
  /**
   * Says by what it takes no further session: an empty array where it is ready. A `store` is asked for a row, and has 5 s
   * to answer. Never rejects.
   */
  notReady(): Promise<readonly ServerPart[]>;
  /** The bounds that it was given for each connection. */
  readonly limits: Partial<Limits>;
  /**
   * Ends all sessions and connections. A kept turn whose agent `resumes` is suspended: each wait in it throws
   * {@link SessionSuspended}, nothing of it is settled, and the next process resumes it (P-RES-9).
   *
   * Then a `store` is closed; calls of it that are waited for end at once.
   *
   * @param options `signal` gives up the wait for agents that do not end and for what keeps sessions: connections end at
   *   once.
   *   Default: none.
   * @throws TypeError for an invalid option, and the signal's reason once it is aborted.
   */
  close(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

const closeRules: OptionRules<{ readonly signal?: AbortSignal }> = { signal: option.signal };

/** The rules for {@link ConnectOptions}. */
export const connectionRules: OptionRules<ConnectOptions> = {
  // Read by servedSession.
  session: option.any,
  sessionId: option.text,
  graceMs: option.amount,
  sessionMethods: option.flag,
  role: option.oneOf(Object.keys(clientRoles)),
  principal: principalRule,
  roles: option.texts,
  pairing: {
    expected: 'a function or "refused"',
    fits: (value) => typeof value === "function" || value === "refused",
  },
};

/**
 * Makes a server of an agent. Nothing listens yet: see `serveStdio`.
 *
 * @throws TypeError if an option is unknown or does not fit, a dialect is invalid, two have a tool of the same name, or
 * `store` is given beside one of `keep`, `isKept`, `unfinished` and `keptSessions`.
 */
export function createServer(options: ServerOptions): AskwireServer {
  checkOptions("createServer", options, serverRules);
  const { log = standardErrorLog(), clock = systemClock, limits = {}, rawErrors = false } = options;
  const { store, roles } = options;
  checkKeeping(options);
  /** Also those that have said nothing yet, which no session knows of. */
  const connections = new Set<ClientConnection>();
  const isConnected = (session: ServedSession) =>
    [...connections].some((connection) => connection.session() === session);
  const { kept, sessions, requests, listed, notReady } = partsOf(options, {
    log,
    clock,
    isConnected,
  });
  const server = { name: options.name ?? "askwire", version: options.version ?? SERVER_VERSION };
  const endRoles = roles?.watch(() => readdress(connections, sessions));
  const isHere = (holder: string) => [...connections].some(({ holderId }) => holderId === holder);

  return {
    connect(channel, options = {}) {
      checkOptions("connect", options, connectionRules);
      const { session: existing, sessionId, graceMs = 0, sessionMethods = false } = options;
      const { role, principal, roles: byDoor = [], pairing } = options;
      const own =
        existing === undefined
          ? sessions.create(sessionId === undefined ? {} : { id: sessionId })
          : undefined;
      const there =
        own ??
        (typeof existing === "function"
          ? () => servedOpening(existing())
          : servedSession(existing as Session));
      // Without spreads, which make a shape of its own for each connection: 300 bytes.
      const connection = new ClientConnection({
        channel,
        entrance: new Entrance(there, sessions),
        mayBeKept: kept.open !== undefined || typeof existing === "function",
        server,
        graceMs,
        endsSession: existing === undefined,
        role,
        principal,
        person: () => personWithRoles(principal, byDoor, roles),
        limits,
        sessions: sessionMethods ? listed : undefined,
        pairing,
        clock,
        log,
        rawErrors,
      });
      connections.add(connection);
      const closed = connection.closed.then(async () => {
        connections.delete(connection);
        sessions.leaveClaims(connection.holderId, graceMs, isHere);
        await leaveOwn(own);
      });
      return new Connected(connection, closed);
    },
    createSession(init = {}) {
      checkOptions("createSession", init, newSessionRules);
      if (store !== undefined) throw opensLater("a `store` opens sessions later");
      if (init.id !== undefined && sessions.isParking(init.id))
        throw opensLater(`session ${init.id} is leaving memory at this moment`);
      const opening = sessions.create(init);
      if (!(opening instanceof Promise)) return opening;
      void opening.then(
        (session) => session.leave(),
        () => {},
      );
      throw opensLater("`keep` gives a promise here");
    },
    openSession(init = {}) {
      checkOptions("openSession", init, newSessionRules);
      return sessions.create(init);
    },
    sessions: sessions.byId,
    sessionAt: (id) => sessionAt(sessions, id),
    takeOver: (id, client) => takenOver({ sessions, kept }, id, client),
    listSessions: () => listed.list(),
    listRequests: () => requests.open(),
    watchSessions: (changed) => sessions.watch(changed),
    notReady,
    limits,
    async close(ways: { readonly signal?: AbortSignal } = {}) {
      checkOptions("close", ways, closeRules);
      const waited = <T>(work: Promise<T>) =>
        ways.signal === undefined ? work : unlessAborted(work, ways.signal);
      kept.end();
      endRoles?.();
      const ended = sessions.close();
      const givenBack = ended.finally(() => kept.close());
      try {
        await waited(ended);
      } finally {
        for (const connection of connections) connection.close(closeCodes.Restart, "the server is stopping");
      }
      await waited(givenBack);
    },
  };
}

/** Shows each client what is for its person with the roles of this moment, and nothing else (P-XTO-2). */
function readdress(connections: Iterable<ClientConnection>, sessions: SessionTable): void {
  for (const connection of [...connections]) connection.readdress();
  sessions.rolesChanged();
}

/** Leaves the session that a connection has made, also one that is still being opened. */
async function leaveOwn(own: ServedSession | Promise<ServedSession> | undefined): Promise<void> {
  if (own instanceof Promise)
    await own.then(
      (session) => session.leave(),
      () => {},
    );
  else await own?.leave();
}

/** The parts of a server that find its sessions, open and kept ones. */
function partsOf(
  options: ServerOptions,
  place: Pick<ConstructorParameters<typeof SessionTable>[0], "log" | "clock" | "isConnected">,
) {
  const { host = hostname(), observe = [] } = options;
  const { clock, log } = place;
  const observation = observe.length === 0 ? undefined : new Observation(observe, log);
  const kept = finderOf(options, { clock, log, observation });
  const sessions = new SessionTable({ ...options, ...place, kept, host, observation });
  const requests = new AllRequests({ sessions, kept, host, clock });
  const workDir = resolve(options.workDir ?? ".");
  if (kept.shared !== undefined) listShared({ sessions, find: kept.shared, workDir, host, clock, log });
  const listed = new ListedSessions({
    sessions,
    host,
    requests,
    newestFirst: kept.newestFirst,
    decisions: kept.decisions,
    clock,
  });
  const notReady = readiness({
    isStopping: () => sessions.isClosed,
    isFull: () => sessions.isFull,
    askStore: kept.ask,
    clock,
  });
  return { kept, sessions, requests, listed, notReady };
}

function finderOf(
  options: ServerOptions,
  { observation, ...parts }: { clock: Clock; log: Log; observation: Observation | undefined },
): KeptFinder {
  const { store, workDir = ".", whenNotKept } = options;
  if (store === undefined) return finderByFunctions(options, parts.clock);
  const committed = observation && ((commit: ObservedCommit) => observation.tell("committed", commit));
  return new StoreFinder({
    store,
    workDir: resolve(workDir),
    ...parts,
    ...defined({ whenNotKept, committed }),
  });
}

const opensLater = (why: string) => new LocalError("INVALID_STATE", `createSession: ${why}: use openSession`);

function refuseKept(id: string): never {
  throw keptOnly(id);
}

function sessionAt(sessions: SessionTable, id: string): SessionThere | Promise<SessionThere> {
  const session = sessions.find(id);
  if (session !== undefined) return session;
  if (sessions.isParked(id)) return unparked(sessions, id);
  const unopened = (isKept: boolean) => (isKept ? () => refuseKept(id) : undefined);
  const kept = sessions.isKept(id);
  return kept instanceof Promise
    ? kept.then((isKept) => sessions.find(id) ?? unopened(isKept))
    : unopened(kept);
}

/** Opens a parked session. A failure is for the client that comes to be told. */
function unparked(sessions: SessionTable, id: string): SessionThere | Promise<SessionThere> {
  const failed = (error: unknown) => (): never => {
    throw error;
  };
  try {
    const opening = sessions.open(id);
    return opening instanceof Promise ? opening.catch(failed) : opening;
  } catch (error) {
    return failed(error);
  }
}

/** A session as a function of the program gives it. Throws, or rejects, as `servedSession`. */
const servedOpening = (given: Session | Promise<Session>): ComingSession =>
  given instanceof Promise ? given.then(servedSession) : servedSession(given);

/** A connected client. A class, as a literal with a getter makes a separate shape for each connection: 700 bytes. */
class Connected implements ConnectedClient {
  readonly id: string;
  readonly closed: Promise<void>;
  readonly #connection: ClientConnection;

  constructor(connection: ClientConnection, closed: Promise<void>) {
    this.id = connection.id;
    this.closed = closed;
    this.#connection = connection;
  }

  get session(): ServedSession {
    const session = this.#connection.session();
    if (session !== undefined) return session;
    throw new LocalError("INVALID_STATE", "the client has not chosen a session yet");
  }

  readonly capabilities = (): ClientCapabilities => this.#connection.capabilities();

  readonly close = (code?: number, reason?: string): void => this.#connection.close(code, reason);
}
