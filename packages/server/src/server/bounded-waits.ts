import type { Clock } from "../runtime/clock.js";

/** The longest wait for what keeps sessions, in milliseconds. */
export const WAIT_MS = 30_000;

/** Waits for what keeps sessions. Each ends after 30 s at the latest, and all of them end together. */
export class BoundedWaits {
  readonly #clock: Clock;
  readonly #waiting = new Set<(why: Error) => void>();
  #over: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for work.
   *
   * @param tooLate makes the error of a wait that took 30 s.
   * @param late is given what comes when the wait is over.
   * @throws what the work does, and the error of the end.
   */
  for<T>(work: Promise<T>, tooLate: () => Error, late: (found: T) => void = () => {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancel();
        this.#waiting.delete(giveUp);
      };
      const giveUp = (why: Error) => {
        leave();
        reject(why);
        work.then(late).catch(() => {});
      };
      const cancel = this.#clock.after(WAIT_MS, () => giveUp(tooLate()));
      this.#waiting.add(giveUp);
      work.then((found) => {
        if (!this.#waiting.has(giveUp)) return;
        leave();
        resolve(found);
      }, giveUp);
      if (this.#over !== undefined) giveUp(this.#over);
    });
  }

  /** Ends all waits, and those that begin later. */
  end(why: Error): void {
    this.#over ??= why;
    for (const giveUp of [...this.#waiting]) giveUp(why);
  }
}
