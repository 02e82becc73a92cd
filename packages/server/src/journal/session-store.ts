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
  /** True for one that is listed no longer: nothing is open in it, or a process without an address has it. Default: false. */
  readonly isOver?: boolean;
}

/** A look at the sessions that all processes of a place list. */
export interface SharedLook {
  readonly workDir: string;
  /** True for a version whose row is left out. */
  readonly isKnown: (id: string, version: string) => boolean;
  /** The `next` of the page before. Default: the first page. */
  readonly after?: StoredQuery["after"];
  /**
   * A time of the store's clock, in milliseconds since 1970: what was committed since then is wanted alone, also of
   * sessions that are over. Default: all that are listed.
   */
  readonly since?: number;
}

/** A page of the sessions that all processes of a place list. */
export interface SharedRows {
  readonly rows: readonly SharedRow[];
  /** False where there are more. */
  readonly isWhole: boolean;
  /** The place behind which there are more. Default: nothing is known of them. */
  readonly next?: StoredQuery["after"];
  /** The time of the store's clock at the look, in milliseconds since 1970. Default: the store knows no `since`. */
  readonly at?: number;
  /** The processes that have a lease, in any words: other words say that one has come or gone. Default: "". */
  readonly processes?: string;
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
   * that no process has, for a server that is one node of several: the last active first, some thousand at once. Default:
   * its server lists its own alone.
   */
  shared?(look: SharedLook): Promise<SharedRows>;
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
