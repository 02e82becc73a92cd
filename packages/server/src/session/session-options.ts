import type { ActingClient, Principal } from "@askwire/protocol";
import type { Agent } from "../agent/agent.js";
import type { AgentFactory, History } from "../agent/agent-session.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { Journal } from "../journal/journal.js";
import type { SessionObservation } from "../measures/observation.js";
import type { Attendance } from "../requests/core.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { DraftTable } from "./draft-table.js";
import type { EventLogLimits } from "./event-log.js";

export interface SessionOptions {
  /** Default: a new one. */
  readonly id?: string;
  readonly agent: Agent | AgentFactory;
  /** The question tools of its models. */
  readonly dialects: readonly (Dialect | ToolDialect)[];
  readonly attendance: Attendance;
  /** Approves every approval by policy. Questions are still asked (P-APR-4). */
  readonly yolo: boolean;
  readonly maxSteps: number;
  readonly maxOpenRequests: number;
  /** True if questions of sub-agents are sent. */
  readonly subagentQuestions: boolean;
  /** The absolute path of the agent's folder. */
  readonly workDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** True if clients are told the name and message of an exception. Default: false (P-ERR-3). */
  readonly rawErrors?: boolean;
  /** The bounds of the event log for returning clients. Default: 10,000, up to 16 Mi characters. */
  readonly eventLog?: EventLogLimits;
  /** UTF-16 units of one message, at most. Default: the protocol's. */
  readonly maxText?: number;
  /** True if another session knows a request. Default: none does. */
  readonly elsewhere?: (requestId: string) => boolean;
  /**
   * The turn of an earlier process goes on when a client attaches; with `now` at once, if nothing but an answer that was
   * given holds it up. False: it ends as failed. Default: true.
   */
  readonly resume?: boolean | "now";
  /** The time for which its questions wait for a client that can show them, in milliseconds. Default: 600,000. */
  readonly restartGraceMs?: number;
  /** The name of the agent, noted with what is open in a kept session (P-KPT-1). Default: none. */
  readonly agentName?: string;
  /** The kept part of the session, from one process to the next. Default: nothing. */
  readonly kept?: KeptSession;
  /** Set for a session that this process had parked. Default: it goes on with what earlier processes left. */
  readonly parked?: ParkedMarks;
  /** The unsent work of persons on its requests, which outlives a parking. Default: none is kept. */
  readonly drafts?: DraftTable;
  /** Tells observers of its requests. Default: there are none. */
  readonly observation?: SessionObservation;
  /** Told when the last connection is gone or the turn has ended. */
  readonly onUnused?: () => void;
  /** Told when lists would show it otherwise than before. */
  readonly onChanged?: () => void;
  /** Called when others answer an open request than before, or its deadline is another. Default: none. */
  readonly onAnswering?: () => void;
  /** Told when it has closed. */
  readonly onClosed?: () => void;
}

/** The facts of a parked session that its journal does not have (P-SES-7). */
export interface ParkedMarks {
  /** As `made_at` of lists, in milliseconds since 1970. */
  readonly madeAt: number;
  /** The ends of the deadlines of its open requests, by their ids, in ISO 8601. */
  readonly deadlines: ReadonlyMap<string, string>;
  /** As `active_at` of lists, in milliseconds since 1970. */
  readonly activeAt: number;
  /** The person who began the last turn (P-XRQ-5). */
  readonly owner: Principal | undefined;
  /** True where its node has ended in a turn, so that its clients are waited for. Default: it was parked. */
  readonly hasTurn?: boolean;
}

/** The kept part of a session: its messages, and the agent's memory (P-JRN-4, P-JRN-11). */
export interface KeptSession {
  /** The sent messages. */
  readonly journal: Journal;
  /** The agent's memory. */
  readonly history: History;
}

/**
 * Opens the kept part of a session by its id, and by its folder where the session names one: at once as `keepIn` does,
 * or by a promise. Undefined makes a session that is not kept.
 */
export type Keep = (
  id: string,
  workDir?: string,
) => KeptSession | undefined | Promise<KeptSession | undefined>;

/** The origin of a prompt. */
export interface PromptOrigin {
  /** The client's id of the turn. Default: a new UUID. */
  readonly turnId?: string;
  /** The client that asks, and the person that it was let in as. Default: this process. */
  readonly by?: ActingClient;
}
