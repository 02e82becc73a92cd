/** Messages that were handed to a writer and are not known to be written. */
export class UnsentWrites {
  readonly #limit: number;
  readonly #failed: (error: unknown) => void;
  readonly #full: () => void;
  #length = 0;
  #waiting: { length: number; resolve: () => void }[] = [];

  /**
   * @param limit UTF-16 units that may be unsent; it counts once a second message waits.
   * @param full called when the limit is passed.
   * @param failed called with the error of a write.
   */
  constructor(limit: number, full: () => void, failed: (error: unknown) => void) {
    this.#limit = limit;
    this.#full = full;
    this.#failed = failed;
  }

  add(length: number, written: Promise<void>): void {
    this.#length += length;
    const done = () => {
      this.#length -= length;
      this.#release();
    };
    written.then(done, (error) => {
      done();
      this.#failed(error);
    });
    if (this.#length > this.#limit && this.#length > length) this.#full();
  }

  /** Resolves once at most so much is unsent, or all waits are ended. */
  drained(length: number): Promise<void> {
    if (this.#length <= length) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ length, resolve });
    });
  }

  /** Ends all waits. */
  end(): void {
    this.#length = 0;
    this.#release();
  }

  #release(): void {
    const ready = this.#waiting.filter(({ length }) => this.#length <= length);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter(({ length }) => this.#length > length);
    for (const { resolve } of ready) resolve();
  }
}
