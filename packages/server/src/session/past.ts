import type { JournalPart } from "../journal/kept-records.js";
import type { ReplayTarget } from "../journal/replay.js";
import type { LogEntry } from "./event-log.js";

/** The conversation up to the moment at which a client joins (P-XHI-2). */
export interface Past {
  /** False if its beginning is not kept. */
  readonly whole: boolean;
  /** The events in order, of a session that is not kept. */
  readonly entries?: readonly LogEntry[];
  /** Sends the records of a kept session to one client, until the signal. */
  readonly replay?: (target: ReplayTarget, signal: AbortSignal) => Promise<unknown>;
}

/** The end of a turn in the journal, while no client is told of it yet. */
export type UntoldEnd = NonNullable<JournalPart["without"]>;
