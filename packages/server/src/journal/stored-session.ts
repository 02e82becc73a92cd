import type { LocalError } from "@askwire/protocol";
import type { UnfinishedSession } from "./open-requests.js";

/** The changes of a session that are kept together or not at all (P-DUR-5). */
export interface StoredCommit {
  /**
   * The number of the commit, from 1 with each taking. The next commit has the next number, and comes once the one
   * before it is made.
   */
  readonly nth: number;
  /** Lines of the journal, behind those that are there: JSON without line ends. May be empty. */
  readonly lines: readonly string[];
  /**
   * Lines of the model's conversation, JSON without line ends, behind those that are there; with `replaces`, in the place
   * of all of them.
   */
  readonly history: { readonly replaces: boolean; readonly lines: readonly string[] };
  /** The list of what is open, for rows; null where nothing is, and undefined where it is as before. */
  readonly open: UnfinishedSession | null | undefined;
  /** The first line of a first prompt, at most once with each taking. A session keeps the first that it was given. */
  readonly title?: string;
  /** False where nobody waits for it, as for words that stream: it may be lost with the machine of the store. */
  readonly isAwaited: boolean;
}

/**
 * A session in a store that many processes use, taken by this one. Its owner waits for each commit before it sends, tells
 * or starts anything that follows from it, so that a commit that has resolved must outlive any one machine that the store
 * promises to outlive.
 */
export interface StoredSession {
  /** The name of the place in logs and errors, without a secret. */
  readonly name: string;
  /**
   * The number of this taking: 1 for a session that was never taken, and higher with each. It is the fence: from its
   * taking on, commits of all who took the session before are refused, also of one that slept and wakes later.
   */
  readonly generation: number;
  /** The number of lines in its journal when it was taken; 0 for one of which nothing is kept. */
  readonly count: number;
  /** The lines of the model's conversation when it was taken. */
  readonly history: readonly string[];
  /**
   * Keeps changes, all of them or none, in one step that
   * - refuses the commit if the session was taken again, by this `generation` against the one that is kept;
   * - resolves without a change if a commit of this taking with that number, or a higher one, is made already;
   * - refuses the commit if the one with the number before it is not made.
   *
   * An error other than CLOSED does not say that nothing is kept, since a reply may be lost: the same commit is tried
   * again under its number, first after 50 ms, then at most every 5 s, and also while an earlier try without a reply for
   * 30 s may still be made. While that lasts for 10 s, nothing new is kept (P-DUR-6).
   *
   * @throws LocalError CLOSED where another process has taken the session, or a commit before it is not there: nothing
   *   more is kept or sent, and its connections are closed with 1011 (P-DUR-8).
   * @throws the store's error where it cannot be reached.
   */
  commit(commit: StoredCommit): Promise<void>;
  /**
   * Calls the listener once the store sees that another process has taken the session, also where nothing is committed:
   * its owner ends it then, so that no client waits at it for what is told elsewhere. Default: that shows with the next
   * commit alone.
   */
  onLost?(listener: (why: LocalError) => void): void;
  /**
   * The lines of the journal, in their order, from one number up to another, from 0: those of all takings, and of this
   * one as far as they are committed. Lines that are committed meanwhile do not move them. Several reads may go on at
   * once, and beside commits; one may be left before its end.
   *
   * @throws the store's error, by the iteration, where they cannot be read.
   */
  read(from: number, end: number): AsyncIterable<string>;
  /**
   * Gives the session back: any process may take it. Called once, also after CLOSED and before any commit; it changes
   * nothing of a session that another process has taken since. No commit comes after it; one that is under way may still
   * be made.
   */
  release(): Promise<void>;
}
