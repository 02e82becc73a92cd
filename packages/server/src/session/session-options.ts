import type { Agent } from "../agent/agent.js";
import type { AgentFactory, History } from "../agent/agent-session.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { Journal } from "../journal/journal.js";
import type { ClientName } from "../profiles/profile.js";
import type { Attendance } from "../requests/core.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { EventLogLimits } from "./event-log.js";

export interface SessionOptions {
  /** Default: a new one. */
  readonly id?: string;
  readonly agent: Agent | AgentFactory;
  /** How its models ask. */
  readonly dialects: readonly (Dialect | ToolDialect)[];
  readonly attendance: Attendance;
  /** Approves every approval by policy; questions are asked all the same (P-APR-4). */
  readonly yolo: boolean;
  readonly maxSteps: number;
  readonly maxOpenRequests: number;
  /** Whether questions of sub-agents are sent. */
  readonly subagentQuestions: boolean;
  /** What hooks are told of as the agent's folder. */
  readonly workDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether clients are told the name and message of an exception. Default: false (P-ERR-3). */
  readonly rawErrors?: boolean;
  /** What is kept of its events for clients that come back. Default: 10,000, up to 16 Mi characters. */
  readonly eventLog?: EventLogLimits;
  /** UTF-16 units of one message, at most. Default: the protocol's. */
  readonly maxText?: number;
  /** Whether another session knows a request. Default: none does. */
  readonly elsewhere?: (requestId: string) => boolean;
  /** Where the session is kept from one process to the next. Default: nowhere. */
  readonly kept?: KeptSession;
  /** Told when the last connection is gone or the turn has ended, and nothing is left to do. */
  readonly onIdle?: () => void;
  /** Told when it has closed. */
  readonly onClosed?: () => void;
}

/** What is kept of a session: what was sent, and what the agent remembers (P-JRN-4, P-JRN-11). */
export interface KeptSession {
  /** What was sent. */
  readonly journal: Journal;
  /** What the agent remembers. */
  readonly history: History;
}

/** Where a prompt comes from. */
export interface PromptOrigin {
  /** What the client calls the turn. Default: a new UUID. */
  readonly turnId?: string;
  /** The client that asks. Default: this process. */
  readonly by?: ClientName;
}
