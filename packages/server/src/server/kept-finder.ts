import { LocalError } from "@askwire/protocol";
import type { DecisionFinder } from "../journal/decision-query.js";
import type { FoundPosition } from "../journal/found-sessions.js";
import type { SharedLook, SharedRows, StoredRow } from "../journal/session-store.js";
import type { Clock } from "../runtime/clock.js";
import type { Keep } from "../session/session-options.js";
import { BoundedWaits, WAIT_MS } from "./bounded-waits.js";
import type { ServerOptions } from "./server-options.js";

/** Rows of kept sessions: at once from this machine's disk, later from a store. */
export type FoundRows = Iterable<StoredRow> | AsyncIterable<StoredRow>;

/** The kept sessions of a server: opened and found at once where they lie on this machine's disk, later in a store. */
export interface KeptFinder {
  /** Opens the kept part of a session. Undefined where nothing is kept. No promise of it waits longer than 30 s. */
  readonly open: Keep | undefined;
  /** True for a session that is kept and that this server can open. */
  isKept(id: string): boolean | Promise<boolean>;
  /**
   * The row of a kept session; `elsewhere` for one of another work directory. Undefined where nothing is kept; the member
   * is undefined without a store.
   */
  readonly row: ((id: string) => Promise<StoredRow | "elsewhere" | undefined>) | undefined;
  /** False for a row that this server cannot open. */
  canOpen(id: string): boolean;
  /** Those that all nodes list (P-NOD-5). Undefined for a server alone. */
  readonly shared: ((look: Omit<SharedLook, "workDir">) => Promise<SharedRows>) | undefined;
  /** Those in which something may be open, in no order. */
  unfinished(): FoundRows;
  /** The last active first, behind a place. Undefined: none are listed. */
  readonly newestFirst: ((after: FoundPosition | undefined, limit: number) => FoundRows) | undefined;
  /** Finds what was decided, for 30 s at most. Undefined where nobody does. */
  readonly decisions: DecisionFinder | undefined;
  /** Asks the store for a row, to see whether it answers; undefined without a store. Rejects as that does. */
  readonly ask: (() => Promise<unknown>) | undefined;
  /** Ends all waits: nothing more is opened or found. */
  end(): void;
  /** Gives back what keeps the sessions, once they have ended. Never rejects. */
  close(): Promise<void>;
}

/** The sessions that `keep` opens, and that functions of the program find. */
export function finderByFunctions(
  {
    keep,
    isKept,
    unfinished,
    keptSessions,
    decisions,
  }: Pick<ServerOptions, "keep" | "isKept" | "unfinished" | "keptSessions" | "decisions">,
  clock: Clock,
): KeptFinder {
  const waits = new BoundedWaits(clock);
  const reads = new BoundedWaits(clock);
  const knows = (id: string) => isKept?.(id) === true;
  return {
    open: keep && ((id, workDir) => openedInTime(id, keep(id, workDir), waits)),
    isKept: knows,
    row: undefined,
    shared: undefined,
    canOpen: knows,
    unfinished: () => unfinished?.() ?? [],
    newestFirst: keptSessions && ((after) => keptSessions(after)),
    decisions: decisions && ((query, signal) => reads.for(decisions(query, signal), decidedTooLate)),
    ask: undefined,
    end: () => reads.end(new LocalError("CLOSED", "the server is closed")),
    async close() {},
  };
}

const decidedTooLate = () => new LocalError("TIMEOUT", `what was decided was not found in ${WAIT_MS} ms`);

/** A promise of `keep`, which may take 30 s. What comes later is closed. */
function openedInTime(id: string, kept: ReturnType<Keep>, waits: BoundedWaits): ReturnType<Keep> {
  if (!(kept instanceof Promise)) return kept;
  const tooLate = () => new LocalError("TIMEOUT", `session ${id} was not opened in ${WAIT_MS} ms`);
  return waits.for(kept, tooLate, (late) => void late?.journal.close());
}

/** Gives rows to `take`, in their order, until that returns false. */
export function eachRow(rows: FoundRows, take: (row: StoredRow) => boolean): void | Promise<void> {
  if (Symbol.asyncIterator in rows) return eachLater(rows, take);
  for (const row of rows) if (!take(row)) return;
}

async function eachLater(rows: AsyncIterable<StoredRow>, take: (row: StoredRow) => boolean): Promise<void> {
  for await (const row of rows) if (!take(row)) return;
}
