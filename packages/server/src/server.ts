import type { Limits, MessageChannel } from "@askwire/protocol";
import type { Agent, AgentFactory } from "./agent.js";
import { type Connection, createConnection } from "./connection.js";
import { type Clock, systemClock } from "./interaction/clock.js";
import type { Attendance } from "./interaction/core.js";
import { type Log, standardErrorLog } from "./log.js";
import { Session } from "./session.js";
import { SERVER_VERSION } from "./version.js";

export interface ServerOptions {
  /** What answers prompts: one agent for all sessions, or a function that makes one for each. */
  readonly agent: Agent | AgentFactory;
  /** What clients are told in `initialize`. Default: `askwire` and the version of this package. */
  readonly name?: string;
  readonly version?: string;
  /** Default: `attended`. */
  readonly attendance?: Attendance;
  /** Approves every approval without asking. Default: false. */
  readonly yolo?: boolean;
  /** Steps of one turn. Default: 100. */
  readonly maxStepsPerTurn?: number;
  /** Requests that a session may have open at once; one more ends as `unavailable`, `limit`. Default: 64. */
  readonly maxOpenRequests?: number;
  /** Bounds of each connection. */
  readonly limits?: Partial<Limits>;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export interface ConnectOptions {
  /** The session to attach to. Default: a new one that ends with this connection. */
  readonly session?: Session;
  /**
   * How long, in milliseconds, what only this client could answer waits after it is lost. Default: 0.
   */
  readonly graceMs?: number;
}

/** An agent that clients can connect to. */
export interface AskwireServer {
  /** Serves a client on a channel, as soon as it speaks. */
  connect(channel: MessageChannel, options?: ConnectOptions): Connection & { readonly session: Session };
  createSession(): Session;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Ends all sessions and connections. */
  close(): Promise<void>;
}

/** Makes a server of an agent. It listens to nothing by itself: see `serveStdio`. */
export function createServer(options: ServerOptions): AskwireServer {
  const log = options.log ?? standardErrorLog();
  const server = { name: options.name ?? "askwire", version: options.version ?? SERVER_VERSION };
  const sessions = new Map<string, Session>();

  function createSession(): Session {
    const session = new Session({
      agent: options.agent,
      attendance: options.attendance ?? "attended",
      yolo: options.yolo ?? false,
      maxSteps: options.maxStepsPerTurn ?? 100,
      maxOpenRequests: options.maxOpenRequests ?? 64,
      clock: options.clock ?? systemClock,
      log,
    });
    sessions.set(session.id, session);
    return session;
  }

  return {
    connect(channel, { session: existing, graceMs = 0 } = {}) {
      const session = existing ?? createSession();
      const connection = createConnection({
        channel,
        session,
        server,
        graceMs,
        log,
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      });
      const closed = connection.closed.then(async () => {
        if (existing !== undefined) return;
        await session.close();
        sessions.delete(session.id);
      });
      return Object.assign(connection, { session, closed });
    },
    createSession,
    sessions,
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close("shutdown")));
      sessions.clear();
    },
  };
}
