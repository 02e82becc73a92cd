import {
  type ClientCapabilities,
  defaultLimits,
  type Limits,
  type ListedSession,
  LocalError,
  type MessageChannel,
  WireError,
} from "@askwire/protocol";
import { v4 as uuid } from "uuid";
import type { Agent } from "../agent/agent.js";
import type { AgentFactory } from "../agent/agent-session.js";
import { type ConnectionEnd, createConnection } from "../connection/connection.js";
import { entrance } from "../connection/entrance.js";
import type { SessionMethods } from "../connection/extended-methods.js";
import { checkDialects } from "../dialects/check-dialects.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { Attendance } from "../requests/core.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import { type Log, standardErrorLog } from "../runtime/log.js";
import { SERVER_VERSION } from "../runtime/version.js";
import { defaultEventLogLimits, type EventLogLimits } from "../session/event-log.js";
import { ServedSession, servedSession } from "../session/served-session.js";
import type { Session } from "../session/session.js";
import type { KeptSession, SessionOptions } from "../session/session-options.js";

/** What a server is made of: only the agent has to be there. */
export interface ServerOptions {
  /** What answers prompts: one agent for all sessions, or a function that makes one for each. */
  readonly agent: Agent | AgentFactory;
  /**
   * How models of the agent ask: each brings its tool to every session, and `modelAgent` gives it to its model. Default:
   * none, so the agent's own tools are all.
   */
  readonly dialects?: readonly (Dialect | ToolDialect)[];
  /** What clients are told in `initialize`. Default: `askwire`. */
  readonly name?: string;
  /** Likewise. Default: the version of this package. */
  readonly version?: string;
  /** Whether somebody is there, at first: a session may change it. Default: `attended`. */
  readonly attendance?: Attendance;
  /** Approves every approval without asking. Default: false. */
  readonly yolo?: boolean;
  /** Steps of one turn. Default: 100. */
  readonly maxStepsPerTurn?: number;
  /** Sessions at once. Default: 256. */
  readonly maxSessions?: number;
  /** How long a session without connection, turn or open request stays in memory, in milliseconds. Default: 600,000. */
  readonly sessionIdleMs?: number;
  /** Requests that a session may have open at once; one more ends as `unavailable`, `limit`. Default: 64. */
  readonly maxOpenRequests?: number;
  /** Whether sub-agents may ask questions; they then go to the person as they are. Default: false (P-SUB-3). */
  readonly subagentQuestions?: boolean;
  /**
   * Opens what is kept of a session under its id, as `keepIn` does; what it throws ends the attempt to make that
   * session. Default: nothing is kept.
   */
  readonly keep?: (id: string) => KeptSession;
  /** The folder that the agent works in, as hooks are told. Default: the process's. */
  readonly workDir?: string;
  /** What each session keeps of its events for clients that come back. Default: 10,000, up to 16 Mi characters. */
  readonly eventLog?: Partial<EventLogLimits>;
  /**
   * Bounds of each connection. Default: `defaultLimits` of the protocol, over stdio with 64 MiB of `unsentBytes`. What
   * comes and waits over WebSocket is bounded by `WebSocketOptions`.
   */
  readonly limits?: Partial<Limits>;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
  /**
   * Tells clients the name and message of an exception, which may hold what only the log should. Default: false, so
   * `-32603` says where the log has it (P-ERR-3).
   */
  readonly rawErrors?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** To which session a client is connected. */
export interface ConnectOptions {
  /**
   * The session to attach to, or what makes one when the client first speaks and names none (P-XAT-2). Default: a new
   * one that ends with this connection.
   */
  readonly session?: Session | (() => Session);
  /** The id of the new session: what is kept under it goes on. Default: a new one. */
  readonly sessionId?: string;
  /**
   * How long, in milliseconds, what only this client could answer waits after it is lost. Default: 0.
   */
  readonly graceMs?: number;
  /** Whether an extended client may list, make and close sessions (P-XSE-1 to P-XSE-3). Default: false. */
  readonly sessionMethods?: boolean;
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
  /** What it declared that it can show: nothing before its `initialize` (P-CAP-1). */
  capabilities(): ClientCapabilities;
  /** Ends the connection after what was sent; `code` is one of `closeCodes`, for transports that have such. */
  close(code?: number, reason?: string): void;
  /** Resolves when nothing more will come, and the session has ended if it was made for this client. */
  readonly closed: Promise<void>;
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
   * @param id default: a new one. What is kept under it goes on.
   * @param stay whether it stays in memory when nobody uses it any more. Default: false.
   * @throws WireError Overloaded at the limit of sessions, InvalidState for an id that is in use; what `keep` throws.
   */
  createSession(options?: { id?: string; stay?: boolean }): Session;
  /** The sessions that are in memory, by their ids. */
  readonly sessions: ReadonlyMap<string, Session>;
  /** The bounds that it was given for each connection. */
  readonly limits: Partial<Limits>;
  /** Ends all sessions and connections. */
  close(): Promise<void>;
}

/** How long a session stays that never had a turn, in milliseconds: short visits must not keep others out (P-SES-3). */
const UNUSED_MS = 30_000;

/**
 * Makes a server of an agent. It listens to nothing by itself: see `serveStdio`.
 *
 * @throws TypeError if a dialect is none, or two have a tool of one name.
 */
export function createServer(options: ServerOptions): AskwireServer {
  const log = options.log ?? standardErrorLog();
  const server = { name: options.name ?? "askwire", version: options.version ?? SERVER_VERSION };
  const sessions = new Map<string, ServedSession>();
  /** Also those that have said nothing yet, which no session knows of. */
  const connections = new Set<ConnectionEnd>();
  /** What cancels the timer of each session that nobody uses. */
  const forgetting = new Map<ServedSession, () => void>();
  let closed = false;

  const clock = options.clock ?? systemClock;
  const { maxSessions = 256, sessionIdleMs = 600_000, rawErrors = false } = options;
  const dialects = checkDialects(options.dialects ?? []);

  function createSession({ id = uuid(), stay = false }: { id?: string; stay?: boolean } = {}): ServedSession {
    if (sessions.size >= maxSessions) {
      const data = { limit: "maxSessions" };
      throw new WireError("Overloaded", `more than ${maxSessions} sessions`, { data });
    }
    if (sessions.has(id)) throw new WireError("InvalidState", `session ${id} is open already`);
    const kept = options.keep?.(id);
    const session = makeSession({
      id,
      ...(kept === undefined ? {} : { kept }),
      agent: options.agent,
      dialects,
      attendance: options.attendance ?? "attended",
      yolo: options.yolo ?? false,
      maxSteps: options.maxStepsPerTurn ?? 100,
      maxOpenRequests: options.maxOpenRequests ?? 64,
      subagentQuestions: options.subagentQuestions ?? false,
      workDir: options.workDir ?? process.cwd(),
      clock,
      log,
      rawErrors,
      eventLog: { ...defaultEventLogLimits, ...options.eventLog },
      maxText: options.limits?.outboundLength ?? defaultLimits.outboundLength,
      elsewhere: (requestId) => [...sessions.values()].some((other) => other.core.knows(requestId)),
      onIdle: () => {
        if (!stay) forgetIfIdle(session);
      },
      onClosed: () => {
        forgetting.get(session)?.();
        forgetting.delete(session);
        sessions.delete(session.id);
      },
    });
    sessions.set(session.id, session);
    return session;
  }

  /** A session that nobody has used for a while leaves memory. */
  function forgetIfIdle(session: ServedSession): void {
    if (closed) return;
    const since = session.activity;
    forgetting.get(session)?.();
    const ms = session.used ? sessionIdleMs : Math.min(sessionIdleMs, UNUSED_MS);
    const cancel = clock.after(ms, () => {
      forgetting.delete(session);
      const unused = session.idle && ![...connections].some((connection) => connection.session === session);
      if (unused && session.activity === since) void session.close();
    });
    forgetting.set(session, cancel);
  }

  const sessionsByMethod: SessionMethods = {
    list: () => [...sessions.values()].map(listed),
    create() {
      const session = createSession();
      forgetIfIdle(session);
      return listed(session);
    },
    close(id) {
      const session = sessions.get(id);
      return session && (() => void session.close());
    },
  };

  return {
    connect(channel, { session: existing, sessionId, graceMs = 0, sessionMethods = false } = {}) {
      const there =
        existing === undefined
          ? createSession(sessionId === undefined ? {} : { id: sessionId })
          : typeof existing === "function"
            ? () => servedSession(existing())
            : servedSession(existing);
      const connection = createConnection({
        channel,
        entrance: entrance(there, (id) => sessions.get(id)),
        server,
        graceMs,
        ...(sessionMethods && { sessions: sessionsByMethod }),
        clock,
        log,
        rawErrors,
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      });
      connections.add(connection);
      const closed = connection.closed.then(async () => {
        connections.delete(connection);
        if (existing === undefined) await connection.session?.close();
      });
      const { id, capabilities, close } = connection;
      return {
        id,
        capabilities,
        close,
        closed,
        get session() {
          if (connection.session !== undefined) return connection.session;
          throw new LocalError("INVALID_STATE", "the client has not chosen a session yet");
        },
      };
    },
    createSession,
    sessions,
    limits: options.limits ?? {},
    async close() {
      closed = true;
      for (const cancel of forgetting.values()) cancel();
      forgetting.clear();
      await Promise.all([...sessions.values()].map((session) => session.close("shutdown")));
      for (const connection of connections) connection.close();
    },
  };
}

const listed = ({ id, state, connections }: Session): ListedSession => ({ id, state, connections });

/** Gives back what is kept of a session whose agent cannot be made. */
function makeSession(options: SessionOptions): ServedSession {
  try {
    return new ServedSession(options);
  } catch (error) {
    void options.kept?.journal.close();
    throw error;
  }
}
