import type { UnfinishedSession } from "./open-requests.js";

/** The changes of a session that are kept together or not at all. */
export interface StoredCommit {
  /** Counts the commits of the process that has the session, from 1. One that is there already is not made again. */
  readonly nth: number;
  /** Lines of the journal, behind those that are there. */
  readonly lines: readonly string[];
  /** Lines of the model's conversation, behind those that are there; with `replaces`, in the place of all of them. */
  readonly history: { readonly replaces: boolean; readonly lines: readonly string[] };
  /** The list of what is open; null where nothing is, and undefined where it is as before. */
  readonly open: UnfinishedSession | null | undefined;
  /** The first line of the first prompt, in the first commit that has a prompt of this process. */
  readonly title?: string;
  /** False where nobody waits for it: what streams may be lost with the machine of the store. */
  readonly isAwaited: boolean;
}

/** A session in a store that many processes use, taken by this one. */
export interface StoredSession {
  /** The name of the place in logs and errors. */
  readonly name: string;
  /** The number of this taking, from 1. The store refuses the commits of all who took the session before. */
  readonly generation: number;
  /** The number of lines in its journal. */
  readonly count: number;
  /** The lines of the model's conversation. */
  readonly history: readonly string[];
  /**
   * Keeps changes. An error does not say that they are not kept: the commit is tried again, under its number.
   *
   * @throws LocalError CLOSED where another process has taken the session: nothing more is kept.
   */
  commit(commit: StoredCommit): Promise<void>;
  /** The lines of the journal from one number up to another, from 0. The iteration throws where they cannot be read. */
  read(from: number, end: number): AsyncIterable<string>;
  /** Gives the session back. */
  release(): Promise<void>;
}
