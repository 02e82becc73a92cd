/** The number of attempts to fetch the events after an event, since an unreadable event would never come. */
const MOST_HOLES = 5;

/** The messages that a client had missed at its attach. */
interface Missed {
  /** The number of the last message by then. */
  readonly seq: number;
  /** The ids of the requests that were open then: it counts once the missed messages have come. */
  readonly pending: ReadonlySet<string>;
}

/** The numbers of a session's messages: each counts once and in its order, and missing ones are fetched (P-XCL-4). */
export class NumberedMessages {
  readonly #reopen: (why: string) => boolean;
  #last = 0;
  #missed: Missed | undefined;
  /** The last message before the holes that were found, and how often it was. */
  #holeAt = -1;
  #holes = 0;

  /** @param reopen gives up the connection for a new one, which brings what is missing; true if it does. */
  constructor(reopen: (why: string) => boolean) {
    this.#reopen = reopen;
  }

  /** The number of the last message. */
  get last(): number {
    return this.#last;
  }

  /**
   * Attached, where what was missed comes first.
   *
   * @param isAnew set if it does not come: the next message is the one after it.
   */
  attached(missed: Missed, isAnew: boolean): void {
    this.#missed = missed;
    if (isAnew) this.#last = missed.seq;
  }

  /** Counts a message. False for one that was there before, and where others are missing before it. */
  counts(seq: number): boolean {
    return seq > this.#last && this.#follows(seq - 1, seq, "came");
  }

  /** Goes by the number of the last message that was sent. False where messages are missing. */
  reaches(seq: number): boolean {
    return this.#follows(seq, seq, "did not come");
  }

  #follows(before: number, seq: number, came: string): boolean {
    if (before > this.#last && this.isHole(`message ${seq} ${came} after message ${this.#last}`))
      return false;
    this.#last = Math.max(this.#last, seq);
    return true;
  }

  /** Returns what was open at the attach, once, when all that was missed has come. */
  caughtUp(): ReadonlySet<string> | undefined {
    if (this.#missed === undefined || this.#last < this.#missed.seq) return undefined;
    const { pending } = this.#missed;
    this.#missed = undefined;
    return pending;
  }

  /** True if the connection is given up for a new one. Messages that are missing again and again are gone (P-XCL-4). */
  isHole(why: string): boolean {
    if (this.#holeAt !== this.#last) this.#holes = 0;
    this.#holeAt = this.#last;
    this.#holes += 1;
    return this.#holes <= MOST_HOLES && this.#reopen(why);
  }

  /** Nothing is missing. */
  whole(): void {
    this.#holes = 0;
  }
}
