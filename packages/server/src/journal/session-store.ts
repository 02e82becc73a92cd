import type { DecisionPage, DecisionQuery } from "./decision-query.js";
import type { FoundPosition, FoundSession } from "./found-sessions.js";
import type { StoredSession } from "./stored-session.js";

/** A session in a store as a list shows it: as `foundSessions` has those on disk, without what is of files. */
export type StoredRow = Omit<FoundSession, "folder" | "pid" | "bytes">;

/** The rows of sessions that are wanted of a store. */
export interface StoredQuery {
  /** The work directory that sessions are kept under. Default: all. */
  readonly workDir?: string;
  /** Wants only sessions in which something is open, as the last `open` of their commits says. Default: false. */
  readonly unfinished?: boolean;
  /** Wants only sessions behind this place in the order of `list`. Default: all. */
  readonly after?: FoundPosition;
  /** The most rows that are given, from 1. With fewer there are no more. */
  readonly limit: number;
}

/** A session that all processes of a place list (P-NOD-5). */
export interface SharedRow {
  readonly id: string;
  /** Changes with each commit. */
  readonly version: string;
  /** True while another process has it. */
  readonly isElsewhere: boolean;
  /** Undefined where this version is known. */
  readonly row?: StoredRow;
}

/** The sessions that all processes of a place list. */
export interface SharedRows {
  readonly rows: readonly SharedRow[];
  /** False where there are more, of which nothing is known. */
  readonly isWhole: boolean;
}

/**
 * The sessions of a place that many processes use, such as a database: `store` of `createServer`. One object is one
 * process; several with one place share its sessions, of which each is one process's at a time.
 *
 * A server waits 30 s for each call, and for a commit as `StoredSession` says. A rejection with LocalError INVALID_STATE
 * reaches clients with its words; any other is logged, and clients are told that `name` cannot be reached.
 */
export interface SessionStore {
  /** The name of the place in logs and errors, without a secret: clients are told it. */
  readonly name: string;
  /**
   * Takes a session for this process, one that is not kept yet too. It is no other's until it is given back, or until this
   * process is known to have ended. Who takes it then has the next `generation`, from which on the store refuses what
   * the process before commits.
   *
   * @param workDir the work directory that a new session is kept under. A kept one keeps its own.
   * @throws LocalError INVALID_STATE while another process has it.
   * @throws the store's error where it cannot be reached.
   */
  take(id: string, workDir?: string): Promise<StoredSession>;
  /**
   * The row of a session, with `state: "in_use"` while a process has it. Undefined where nothing is kept, also of one that
   * was taken and never committed; a store of several processes finds that one, `cut_off`, once its process is silent.
   */
  find(id: string): Promise<StoredRow | undefined>;
  /** Rows of sessions of which something is kept, the last active first, and of equals the one with the smaller id. */
  list(query: StoredQuery): Promise<readonly StoredRow[]>;
  /**
   * The sessions of a work directory that other processes with addresses have, and those in which something is open and
   * that no process has, for a server that is one node of several. Default: its server lists its own alone.
   *
   * @param isKnown true for a version whose row is left out.
   */
  shared?(workDir: string, isKnown: (id: string, version: string) => boolean): Promise<SharedRows>;
  /**
   * The decisions of the sessions of a work directory, those that were removed too (P-XPD-1). Default: the server does
   * not tell it.
   */
  decisions?(query: DecisionQuery & { readonly workDir: string }, signal: AbortSignal): Promise<DecisionPage>;
  /**
   * Removes all that is kept of a session.
   *
   * @throws LocalError INVALID_STATE while a process has it.
   */
  remove(id: string): Promise<void>;
  /** Gives back all that this process has, and ends its connections. A call that is under way, or comes later, rejects. */
  close(): Promise<void>;
}
