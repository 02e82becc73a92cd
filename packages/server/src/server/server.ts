import { hostname } from "node:os";
import { resolve } from "node:path";
import {
  type ClientCapabilities,
  type ClientRole,
  defaultLimits,
  type Limits,
  type ListedSession,
  LocalError,
  type MessageChannel,
  WireError,
} from "@askwire/protocol";
import type { Agent } from "../agent/agent.js";
import type { AgentFactory } from "../agent/agent-session.js";
import { ClientConnection } from "../connection/connection.js";
import { entrance, keptOnly, type NamedSessions } from "../connection/entrance.js";
import type { SessionMethods } from "../connection/session-methods.js";
import { checkDialects } from "../dialects/check-dialects.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { Attendance } from "../requests/core.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import { type Log, standardErrorLog } from "../runtime/log.js";
import { Remembered } from "../runtime/remembered.js";
import { uuid } from "../runtime/uuid.js";
import { SERVER_VERSION } from "../runtime/version.js";
import { watchers } from "../runtime/watchers.js";
import { defaultEventLogLimits, type EventLogLimits } from "../session/event-log.js";
import { listedSession } from "../session/listed.js";
import { ServedSession, servedSession } from "../session/served-session.js";
import type { Session } from "../session/session.js";
import type { KeptSession, SessionOptions } from "../session/session-options.js";

/** The parts of a server. Only the agent is required. */
export interface ServerOptions {
  /** The agent that answers prompts: one for all sessions, or a function that makes an agent for each. */
  readonly agent: Agent | AgentFactory;
  /**
   * The question tools of the agent's models. Each dialect brings its tool to every session, and `modelAgent` gives it
   * to its model. Default: none, so the agent has only its own tools.
   */
  readonly dialects?: readonly (Dialect | ToolDialect)[];
  /** The server's name in `initialize`. Default: `askwire`. */
  readonly name?: string;
  /** The server's version in `initialize`. Default: the version of this package. */
  readonly version?: string;
  /** The attendance of a new session, which the session may change. Default: `attended`. */
  readonly attendance?: Attendance;
  /** Approves every approval without asking. Default: false. */
  readonly yolo?: boolean;
  /** Steps of one turn. Default: 100. */
  readonly maxStepsPerTurn?: number;
  /** Sessions at once. Default: 256. */
  readonly maxSessions?: number;
  /**
   * The time for which a session without connection, turn or open request stays in memory, in milliseconds. Default:
   * 600,000.
   */
  readonly sessionIdleMs?: number;
  /** The open requests of a session at a time. A further request ends as `unavailable`, `limit`. Default: 64. */
  readonly maxOpenRequests?: number;
  /** True if sub-agents may ask questions, which then go to the person. Default: false (P-SUB-3). */
  readonly subagentQuestions?: boolean;
  /**
   * Opens the kept part of a session by its id, as `keepIn` does, and by its folder where the session names one. An
   * exception ends the attempt to make that session; undefined makes one that is not kept. Default: nothing is kept.
   */
  readonly keep?: (id: string, workDir?: string) => KeptSession | undefined;
  /**
   * True for the id of a session that is kept, for clients that want to go on with it (P-XAT-10); `isKeptSession` knows
   * those of `keepIn`. Default: none is found.
   */
  readonly isKept?: (id: string) => boolean;
  /**
   * A turn that an earlier process left in a kept session goes on when a client attaches, if its agent `resumes`; with
   * `now` at once, where an answer that was given is all it waited for. False: it ends as failed, and so do turns that
   * run when this server closes. Default: true (P-RES-2, P-RES-9).
   */
  readonly resume?: boolean | "now";
  /**
   * The time for which the questions of such a turn wait for a client that can show them, in milliseconds. Default:
   * 600,000.
   */
  readonly restartGraceMs?: number;
  /** A name for the agent, noted with what is open in a kept session, so that a program knows whose it is. Default: none. */
  readonly agentName?: string;
  /**
   * The folder that agents work in, as they, hooks and lists of sessions are told. A session may have its own. Default:
   * the process's.
   */
  readonly workDir?: string;
  /** The name of the machine in lists of sessions (P-XSE-4). Default: the system's. */
  readonly host?: string;
  /** The bounds of each session's event log for returning clients. Default: 10,000, up to 16 Mi characters. */
  readonly eventLog?: Partial<EventLogLimits>;
  /**
   * The bounds of each connection. Default: `defaultLimits` of the protocol, over stdio with 64 MiB of `unsentBytes`.
   * `WebSocketOptions` bounds received and waiting messages over WebSocket.
   */
  readonly limits?: Partial<Limits>;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
  /**
   * Tells clients the name and message of an exception, which may hold secrets of the log. Default: false, so `-32603`
   * names the place in the log (P-ERR-3).
   */
  readonly rawErrors?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** To which session a client is connected. */
export interface ConnectOptions {
  /**
   * The session to attach to, or a function that makes one (P-XAT-2). The function runs when the client first speaks
   * and names no session. Default: a new session that ends with this connection.
   */
  readonly session?: Session | (() => Session);
  /** The id of the new session, which continues a kept session. Default: a new id. */
  readonly sessionId?: string;
  /** The time for which requests for a lost client alone stay open, in milliseconds. Default: 0. */
  readonly graceMs?: number;
  /** True if an extended client may list, watch, make and close sessions (P-XSE-1 to P-XSE-6). Default: false. */
  readonly sessionMethods?: boolean;
  /** `answer` for a client that may only answer what is asked (P-XRL-2). Default: the client may call every method. */
  readonly role?: ClientRole;
}

/** A client that is connected, and its session. */
export interface ConnectedClient {
  /** The id of the connection, a new one for each. */
  readonly id: string;
  /**
   * The session that it is in.
   *
   * @throws LocalError INVALID_STATE while it has none, since it is to choose one and has not spoken yet.
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

/** The parts of a session that is made without a connection. */
export interface NewSession {
  /** An id, which continues a kept session. Default: a new id. */
  readonly id?: string;
  /** True if the session stays in memory while unused. Default: false. */
  readonly stay?: boolean;
  /** The folder that its agent works in. Default: the server's. */
  readonly workDir?: string;
}

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
   * @throws WireError Overloaded at the limit of sessions, InvalidState for an id in use, and any exception of `keep`.
   */
  createSession(options?: NewSession): Session;
  /** The sessions that are in memory, by their ids. */
  readonly sessions: ReadonlyMap<string, Session>;
  /**
   * The `session` of {@link ConnectOptions} for a connection to the address of a session. For one that is kept and not in
   * memory it is a function that refuses clients which do not open it (P-XAT-10). Undefined for one that is not there.
   */
  sessionAt(id: string): Session | (() => Session) | undefined;
  /** The sessions as clients list them, with their titles and what waits in them (P-XSE-1, P-XSE-4). */
  listSessions(): ListedSession[];
  /**
   * Calls `changed` with the id of each session that has begun or ended, or that lists show otherwise than before. The
   * returned function ends that. Called in the middle of the change, so act on it later.
   */
  watchSessions(changed: (id: string) => void): () => void;
  /** The bounds that it was given for each connection. */
  readonly limits: Partial<Limits>;
  /**
   * Ends all sessions and connections. A kept turn whose agent `resumes` is suspended: each wait in it throws
   * {@link SessionSuspended}, nothing of it is settled, and the next process goes on with it (P-RES-9).
   */
  close(): Promise<void>;
}

/** The stay of a session without any turn, in milliseconds: short visits must not keep others out (P-SES-3). */
const UNUSED_MS = 30_000;

/**
 * Makes a server of an agent. Nothing listens yet: see `serveStdio`.
 *
 * @throws TypeError if a dialect is invalid, or two have a tool of the same name.
 */
export function createServer(options: ServerOptions): AskwireServer {
  const log = options.log ?? standardErrorLog();
  const server = { name: options.name ?? "askwire", version: options.version ?? SERVER_VERSION };
  const sessions = new Map<string, ServedSession>();
  /** Also those that have said nothing yet, which no session knows of. */
  const connections = new Set<ClientConnection>();
  /** Functions that cancel the timers of unused sessions. */
  const forgetting = new Map<ServedSession, () => void>();
  let closed = false;
  const { watch: watchSessions, tell: tellWatchers } = watchers<[id: string]>((err, session) =>
    log.error({ session, err }, "a watcher of the sessions failed"),
  );

  const clock = options.clock ?? systemClock;
  const { maxSessions = 256, sessionIdleMs = 600_000, rawErrors = false } = options;
  const { host = hostname() } = options;
  const workDir = resolve(options.workDir ?? ".");
  const dialects = checkDialects(options.dialects ?? []);

  function createSession({ id = uuid(), stay = false, workDir: named }: NewSession = {}): ServedSession {
    const own = named === undefined ? undefined : resolve(named);
    if (sessions.size >= maxSessions) {
      const data = { limit: "maxSessions" };
      throw new WireError("Overloaded", `more than ${maxSessions} sessions`, { data });
    }
    if (sessions.has(id)) throw new WireError("InvalidState", `session ${id} is open already`);
    const kept = options.keep?.(id, own);
    const session = makeSession({
      id,
      ...(kept === undefined ? {} : { kept }),
      ...(options.resume !== undefined && { resume: options.resume }),
      ...(options.restartGraceMs !== undefined && { restartGraceMs: options.restartGraceMs }),
      agent: options.agent,
      ...(options.agentName !== undefined && { agentName: options.agentName }),
      dialects,
      attendance: options.attendance ?? "attended",
      yolo: options.yolo ?? false,
      maxSteps: options.maxStepsPerTurn ?? 100,
      maxOpenRequests: options.maxOpenRequests ?? 64,
      subagentQuestions: options.subagentQuestions ?? false,
      workDir: own ?? workDir,
      clock,
      log,
      rawErrors,
      eventLog: { ...defaultEventLogLimits, ...options.eventLog },
      maxText: options.limits?.outboundLength ?? defaultLimits.outboundLength,
      elsewhere: (requestId) => [...sessions.values()].some((other) => other.core.knows(requestId)),
      onIdle: () => {
        if (!stay) forgetIfIdle(session);
      },
      onChanged: () => tellWatchers(id),
      onClosed: () => {
        forgetting.get(session)?.();
        forgetting.delete(session);
        sessions.delete(session.id);
        tellWatchers(id);
      },
    });
    sessions.set(session.id, session);
    tellWatchers(id);
    return session;
  }

  const listed = (session: ServedSession) => listedSession(session, host);
  const listSessions = () => [...sessions.values()].map(listed);

  /** A session that nobody has used for a while leaves memory. */
  function forgetIfIdle(session: ServedSession): void {
    if (closed) return;
    const since = session.activity;
    forgetting.get(session)?.();
    const ms = session.used ? sessionIdleMs : Math.min(sessionIdleMs, UNUSED_MS);
    const cancel = clock.after(ms, () => {
      forgetting.delete(session);
      const unused = session.idle && ![...connections].some((connection) => connection.session() === session);
      if (unused && session.activity === since) void session.close();
    });
    forgetting.set(session, cancel);
  }

  /** Sessions that a client has closed: those are over, and nobody is offered to go on. */
  const closedByClients = new Remembered<true>(maxSessions);
  const isKept = (id: string) =>
    !sessions.has(id) && closedByClients.get(id) === undefined && options.isKept?.(id) === true;
  const named: NamedSessions = {
    find: (id) => sessions.get(id),
    isKept,
    open(id) {
      const session = createSession({ id });
      forgetIfIdle(session);
      return session;
    },
  };

  const sessionsByMethod: SessionMethods = {
    list: listSessions,
    has: (id) => sessions.has(id),
    find(id) {
      const session = sessions.get(id);
      return session && listed(session);
    },
    watch: watchSessions,
    create() {
      const session = createSession();
      forgetIfIdle(session);
      return listed(session);
    },
    close(id) {
      const session = sessions.get(id);
      if (session === undefined) return undefined;
      return () => {
        closedByClients.set(id, true);
        void session.close();
      };
    },
  };

  return {
    connect(channel, { session: existing, sessionId, graceMs = 0, sessionMethods = false, role } = {}) {
      const there =
        existing === undefined
          ? createSession(sessionId === undefined ? {} : { id: sessionId })
          : typeof existing === "function"
            ? () => servedSession(existing())
            : servedSession(existing);
      const connection = new ClientConnection({
        channel,
        mayBeKept: options.keep !== undefined,
        entrance: entrance(there, named),
        server,
        graceMs,
        endsSession: existing === undefined,
        ...(sessionMethods && { sessions: sessionsByMethod }),
        ...(role !== undefined && { role }),
        clock,
        log,
        rawErrors,
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      });
      connections.add(connection);
      const closed = connection.closed.then(async () => {
        connections.delete(connection);
        if (existing === undefined) await connection.session()?.leave();
      });
      return new Connected(connection, closed);
    },
    createSession,
    sessions,
    sessionAt(id) {
      const session = sessions.get(id);
      if (session !== undefined || !isKept(id)) return session;
      return () => {
        throw keptOnly(id);
      };
    },
    listSessions,
    watchSessions,
    limits: options.limits ?? {},
    async close() {
      closed = true;
      for (const cancel of forgetting.values()) cancel();
      forgetting.clear();
      await Promise.all([...sessions.values()].map((session) => session.leave("shutdown")));
      for (const connection of connections) connection.close();
    },
  };
}

/** A connected client. A class, as a literal with a getter makes a shape of its own for each connection: 700 bytes. */
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

/** Releases the kept part of a session whose agent cannot be made. */
function makeSession(options: SessionOptions): ServedSession {
  try {
    return new ServedSession(options);
  } catch (error) {
    void options.kept?.journal.close();
    throw error;
  }
}
