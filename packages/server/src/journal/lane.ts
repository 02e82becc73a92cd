import { LocalError } from "@askwire/protocol";
import type { ObservedCommit } from "../measures/observer.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { type GroupCommit, groupCommit } from "./group-commit.js";
import type { StoredCommit, StoredSession } from "./stored-session.js";

/** A change waits at most this long, in milliseconds, for others that are committed with it. */
const GATHER_MS = 20;
/** UTF-16 units that are not committed, at most: what comes then is not kept. */
const MOST_WAITING = 16 * 1024 * 1024;
/** The time of a commit from which nothing new is kept, in milliseconds. */
const AWAY_MS = 10_000;
/** The longest wait for a reply of the store, in milliseconds. */
const REPLY_MS = 30_000;
/** The waits before a commit is tried again, in milliseconds: twice as long each time, up to the last. */
const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 5_000;

export interface LaneOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each commit that was made, or cannot be. Default: nobody is told. */
  readonly committed?: (commit: ObservedCommit) => void;
}

/** Changes that are not committed yet. */
interface Waiting {
  readonly lines: string[];
  readonly history: { replaces: boolean; readonly lines: string[] };
  title?: string;
  isAwaited: boolean;
  length: number;
}

const nothing = (): Waiting => ({
  lines: [],
  history: { replaces: false, lines: [] },
  isAwaited: false,
  length: 0,
});

/**
 * The way of a session's changes into its store: one commit at a time, each with all that came while the one before it
 * was under way. A commit whose reply is lost is made again under its number, so that nothing is kept twice. A lane whose
 * session another process has taken is lost: nothing more is kept.
 */
export class Lane {
  readonly #stored: StoredSession;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #committed: LaneOptions["committed"];
  readonly #commits: GroupCommit;
  readonly #listeners: ((why: LocalError) => void)[] = [];
  #next = nothing();
  #changedOpen: () => StoredCommit["open"] = () => undefined;
  /** UTF-16 units of all that is not committed. */
  #length = 0;
  #nth = 0;
  /** The lines of the journal, with those that wait. */
  #count: number;
  /** The time at which the commit that is under way was first tried. */
  #tryingSince: number | undefined;
  /** True while the last commit was one for which nobody waited. */
  #isUnsafe = false;
  #isFailing = false;
  #isFull = false;
  #lost: LocalError | undefined;
  /** True once the store has refused a commit, since another process has the session. */
  #isFenced = false;
  #isClosed = false;
  #cancelTimer: (() => void) | undefined;
  /** Ends the wait before a commit is tried again. */
  #wake = () => {};

  constructor(stored: StoredSession, { clock, log, committed }: LaneOptions) {
    this.#stored = stored;
    this.#committed = committed;
    this.#clock = clock;
    this.#log = log;
    this.#count = stored.count;
    this.#commits = groupCommit(() => this.#commit());
    stored.onLost?.((why) => {
      this.#isFenced = true;
      if (!this.#isClosed) this.#lose(why);
    });
  }

  /** The number of lines of the journal, with those that wait. */
  get count(): number {
    return this.#count;
  }

  /** Adds lines of the journal. Returns false where they are not kept. */
  addLines(lines: readonly string[]): boolean {
    if (!this.#takes(lines)) return false;
    this.#next.lines.push(...lines);
    this.#count += lines.length;
    return true;
  }

  /** Adds lines of the model's conversation. */
  addHistory(lines: readonly string[], replaces: boolean): void {
    if (!this.#takes(lines)) return;
    const { history } = this.#next;
    if (replaces) {
      const gone = lengthOf(history.lines);
      this.#next.length -= gone;
      this.#length -= gone;
      history.lines.length = 0;
      history.replaces = true;
    }
    history.lines.push(...lines);
  }

  /** Asks with each commit what is open: a list that is another than before. */
  openFrom(changedOpen: () => StoredCommit["open"]): void {
    this.#changedOpen = changedOpen;
  }

  /** Has the session called by its first prompt. */
  setTitle(title: string): void {
    this.#next.title = title;
  }

  /** Has all that waits committed soon. */
  soon(): void {
    this.#cancelTimer ??= this.#clock.after(GATHER_MS, () => this.#flush());
  }

  /** Has all that waits committed now, for somebody who waits for it. */
  demand(): void {
    this.#next.isAwaited = true;
    this.#flush();
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#lost === undefined) this.#commits.demand();
  }

  /** Resolves once all that was demanded is committed, and rejects for a lost lane; undefined where it is now. */
  synced(): Promise<void> | undefined {
    return this.#lost === undefined ? this.#commits.pending() : mayBeLeft(Promise.reject(this.#lost));
  }

  /** Calls `listener` once nothing more is kept, with the reason. */
  onLost(listener: (why: LocalError) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes nothing more, and tries a commit that fails no further. Gives the session back. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#wake();
    await this.#commits.pending()?.catch(() => {});
    try {
      await this.#replied(this.#stored.release());
    } catch (error) {
      this.#log.error({ file: this.#stored.name, error: String(error) }, "the session cannot be given back");
    }
  }

  /** Makes room for lines. Returns false where they are not kept, and says so once. */
  #takes(lines: readonly string[]): boolean {
    if (this.#lost !== undefined || this.#isClosed) return false;
    const length = lengthOf(lines);
    const isAway = this.#tryingSince !== undefined && this.#clock.elapsed() - this.#tryingSince >= AWAY_MS;
    if (isAway || this.#length + length > MOST_WAITING) {
      const { name } = this.#stored;
      if (!this.#isFull) this.#log.error({ file: name }, "it cannot be written; the session goes on");
      this.#isFull = true;
      return false;
    }
    this.#length += length;
    this.#next.length += length;
    return true;
  }

  async #commit(): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    const { length, ...changes } = this.#next;
    const { lines, history } = changes;
    const open = this.#changedOpen();
    this.#next = nothing();
    const isEmpty =
      lines.length === 0 && history.lines.length === 0 && !history.replaces && open === undefined;
    // Somebody may wait for the lines of an earlier commit, which the store may still lose.
    if (isEmpty && !(changes.isAwaited && this.#isUnsafe)) return;
    this.#nth += 1;
    const since = this.#clock.elapsed();
    this.#tryingSince = since;
    const tell = (result: ObservedCommit["result"]) =>
      this.#committed?.({ tookMs: this.#clock.elapsed() - since, records: lines.length, result });
    try {
      await this.#tried({ nth: this.#nth, open, ...changes });
    } catch (error) {
      tell(this.#isFenced ? "fenced" : "lost");
      throw error;
    }
    tell("kept");
    this.#isUnsafe = !changes.isAwaited;
    this.#length -= length;
  }

  async #tried(commit: StoredCommit): Promise<void> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LAST_WAIT_MS)) {
      try {
        await this.#replied(this.#stored.commit(commit));
        return this.#goesOn();
      } catch (error) {
        if (error instanceof LocalError) {
          this.#isFenced = true;
          throw this.#lose(error);
        }
        this.#failed(error);
        if (!this.#isClosed) await this.#pause(wait);
        // Its changes wait for nobody: the next process has what was committed.
        if (this.#isClosed) throw this.#lose(new LocalError("CLOSED", `${this.#stored.name}: ${error}`));
      }
    }
  }

  #goesOn(): void {
    const { name } = this.#stored;
    if (this.#isFailing) this.#log.warn({ file: name }, "it is written again");
    this.#isFailing = false;
    this.#tryingSince = undefined;
    this.#isFull = false;
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#log.error(
      { file: this.#stored.name, error: String(error) },
      "it cannot be written; it is tried again",
    );
  }

  /** Waits for a reply of the store, but not for ever. */
  async #replied(reply: Promise<void>): Promise<void> {
    let cancel = () => {};
    const silent = new Promise<never>((_resolve, reject) => {
      const tooLate = () => reject(new Error(`no reply in ${REPLY_MS} ms`));
      cancel = this.#clock.after(REPLY_MS, tooLate);
    });
    try {
      await Promise.race([mayBeLeft(reply), silent]);
    } finally {
      cancel();
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve, true);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #lose(why: LocalError): LocalError {
    if (this.#lost !== undefined) return this.#lost;
    this.#lost = why;
    this.#log.error({ file: this.#stored.name, why: why.message }, "nothing more of the session is kept");
    for (const listener of this.#listeners) listener(why);
    return why;
  }
}

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);
