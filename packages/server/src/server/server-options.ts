import type { Limits } from "@askwire/protocol";
import { limitRules, type OptionRules, option } from "@askwire/protocol/internal";
import type { Agent } from "../agent/agent.js";
import type { AgentFactory } from "../agent/agent-session.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { DecisionFinder } from "../journal/decision-query.js";
import type { FoundPosition, FoundSession } from "../journal/found-sessions.js";
import { type WhenNotKept, whenNotKeptWords } from "../journal/journal.js";
import type { SessionStore } from "../journal/session-store.js";
import type { ServerObserver } from "../measures/observer.js";
import { type Attendance, attendances } from "../requests/core.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { EventLogLimits } from "../session/event-log.js";
import type { Keep } from "../session/session-options.js";
import { type PersonRoles, personRolesRule } from "./person-roles.js";

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
   * Sessions that have left memory while requests are open in them, at once (P-SES-7): a further one stays in memory.
   * Each takes about 1.5 kB. Default: 200,000.
   */
  readonly maxParkedSessions?: number;
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
   * Keeps sessions in a place that many processes use, such as a database, where sessions of the server's `workDir` are
   * found too: in the place of `keep`, `isKept`, `unfinished` and `keptSessions`. It opens sessions later: see
   * `openSession`. The server closes it at its own end. Default: nothing is kept, or by `keep`.
   */
  readonly store?: SessionStore;
  /** The treatment of requests while the `store` cannot keep them (P-DUR-6). Default: `refuse`. */
  readonly whenNotKept?: WhenNotKept;
  /**
   * Opens the kept part of a session, as `keepIn` does. An exception, or a promise that rejects, ends the attempt to
   * make that session. While a promise is waited for, the messages of its clients wait too. Default: nothing is kept.
   */
  readonly keep?: Keep;
  /**
   * True for the id of a session that is kept, for clients that want to resume it (P-XAT-10); `isKeptSession` knows
   * those of `keepIn`. Default: none is found.
   */
  readonly isKept?: (id: string) => boolean;
  /**
   * Finds the kept sessions in which something may be open, for lists of what waits (P-XRQ-1), as
   * `() => foundSessions({ share, unfinished: true })` does. Those that `isKept` does not know are not listed. Default:
   * none is found.
   */
  readonly unfinished?: () => Iterable<FoundSession>;
  /**
   * Finds kept sessions, the last active first, for lists of those that clients can open (P-XSE-7), as
   * `(after) => foundSessions({ share, workDir, newestFirst: true, after })` does. Given a place, it finds those behind
   * it. Those that `isKept` does not know are not listed. Default: none are listed, and the server declares that not.
   */
  readonly keptSessions?: (after?: FoundPosition) => Iterable<FoundSession>;
  /**
   * Finds what was decided in kept sessions (P-XPD-1), as `decisionsIn({ share, workDir })` does. Default: none is told,
   * and the server declares that not.
   */
  readonly decisions?: DecisionFinder;
  /**
   * A turn that an earlier process left in a kept session continues when a client attaches, if its agent `resumes`;
   * with `now` at once, where an answer that was given is all it waited for. False: it ends as failed, and so do turns
   * that run when this server closes. Default: true (P-RES-2, P-RES-9).
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
  /**
   * Told of requests, sessions and commits, for measures and traces: `serverMetrics()` of `@askwire/server/metrics` is
   * one. Default: nobody is told.
   */
  readonly observe?: readonly ServerObserver[];
  /**
   * The roles of persons, by which a request that is for a role finds those who may answer (P-XTO-4). Default: nobody has
   * one but by `roles` of a connection.
   */
  readonly roles?: PersonRoles;
  /** Default: pino on standard error, from `warn` on. */
  readonly log?: Log;
  /**
   * Sends clients the name and message of an exception, which may hold secrets of the log. Default: false, so `-32603`
   * names the place in the log (P-ERR-3).
   */
  readonly rawErrors?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
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

/** The rules for {@link ServerOptions}. */
export const serverRules: OptionRules<ServerOptions> = {
  agent: option.required(
    option.either(option.having("an agent with a function run", "run"), {
      ...option.callable,
      expected: "a function that makes one",
    }),
  ),
  // Read by checkDialects.
  dialects: option.any,
  name: option.text,
  version: option.text,
  attendance: option.oneOf(attendances),
  yolo: option.flag,
  maxStepsPerTurn: option.whole(1),
  maxSessions: option.whole(1),
  maxParkedSessions: option.whole(0),
  sessionIdleMs: option.amount,
  maxOpenRequests: option.whole(0),
  subagentQuestions: option.flag,
  store: option.having(
    "a store with functions take, find, list, remove and close",
    ...["take", "find", "list", "remove", "close"],
  ),
  whenNotKept: option.oneOf(whenNotKeptWords),
  keep: { ...option.callable, expected: "a function, as keepIn makes one" },
  isKept: option.callable,
  unfinished: option.callable,
  keptSessions: option.callable,
  decisions: option.callable,
  resume: option.either(option.flag, option.oneOf(["now"])),
  restartGraceMs: option.amount,
  agentName: option.text,
  workDir: option.text,
  host: option.text,
  eventLog: option.of<Partial<EventLogLimits>>({ events: option.whole(0), length: option.amount }),
  limits: option.of<Partial<Limits>>(limitRules),
  observe: option.list,
  roles: personRolesRule,
  log: option.object,
  rawErrors: option.flag,
  clock: option.object,
};

/** The options whose place a store takes. */
const byFunctions = ["keep", "isKept", "unfinished", "keptSessions", "decisions"] as const;

/** @throws TypeError for options that do not go together. */
export function checkKeeping(options: ServerOptions): void {
  const other = byFunctions.find((name) => options[name] !== undefined);
  if (options.store !== undefined && other !== undefined)
    throw new TypeError(`createServer: expected \`store\` or \`${other}\`, not both`);
  if (options.store === undefined && options.whenNotKept !== undefined)
    throw new TypeError("createServer: `whenNotKept` goes with `store`: keepIn has an option of this name");
}

/** The rules for {@link NewSession}. */
export const newSessionRules: OptionRules<NewSession> = {
  id: option.text,
  stay: option.flag,
  workDir: option.text,
};
