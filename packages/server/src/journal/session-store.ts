import type { FoundPosition, FoundSession } from "./found-sessions.js";
import type { StoredSession } from "./stored-session.js";

/** A session in a store as a list shows it. */
export type StoredRow = Omit<FoundSession, "folder" | "pid" | "bytes">;

/** The rows of sessions that are wanted of a store. */
export interface StoredQuery {
  /** The work directory of the sessions. Default: all. */
  readonly workDir?: string;
  /** Wants only sessions in which a request is open or a turn is not over. Default: false. */
  readonly unfinished?: boolean;
  /** Wants only sessions behind this place. Default: all. */
  readonly after?: FoundPosition;
  /** The most rows that are given. */
  readonly limit: number;
}

/** The sessions of a place that many processes use, such as a database. */
export interface SessionStore {
  /** The name of the place in logs and errors, without a secret. */
  readonly name: string;
  /**
   * Takes a session for this process, one that is not kept yet too. It is no other's until it is given back, or until this
   * process is known to have ended.
   *
   * @param workDir the work directory that a new session is kept under.
   * @throws LocalError INVALID_STATE while another process has it, and where its records are of a later version.
   * @throws the store's error where it cannot be reached.
   */
  take(id: string, workDir?: string): Promise<StoredSession>;
  /** The row of a session; undefined where nothing is kept. */
  find(id: string): Promise<StoredRow | undefined>;
  /** Rows of sessions, the last active first, and of equals the one with the smaller id. */
  list(query: StoredQuery): Promise<readonly StoredRow[]>;
  /**
   * Removes all that is kept of a session.
   *
   * @throws LocalError INVALID_STATE while a process has it.
   */
  remove(id: string): Promise<void>;
  /** Gives back all that this process has, and ends its connections. */
  close(): Promise<void>;
}
