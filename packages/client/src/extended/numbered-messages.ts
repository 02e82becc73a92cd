/** The number of attempts to fetch the events after an event, since an unreadable event would never come. */
const MOST_HOLES = 5;

/** The numbers of a session's messages: each counts once and in its order, and missing ones are fetched (P-XCL-4). */
export class NumberedMessages {
  readonly #reopen: (why: string) => boolean;
  #last = 0;
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

  /** Attached anew: the next message is the one after this. */
  startAfter(seq: number): void {
    this.#last = seq;
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
