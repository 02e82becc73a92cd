import type { Clock } from "./clock.js";
import { STATUS_ANSWER, STATUS_QUERY } from "./typed-keys.js";

/** The longest wait for a terminal's answers, in milliseconds. */
const MOST_MS = 1_000;

/**
 * The answers that a terminal owes. One that comes once this process has left the terminal would be typed into the
 * shell.
 */
export class OwedAnswers {
  readonly #clock: Clock;
  #owed = 0;
  /** The last bytes that came, in which an answer may have begun. */
  #begun = "";
  #given = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes bytes that were written. */
  wrote(sequence: string): void {
    if (sequence === STATUS_QUERY) this.#owed += 1;
  }

  /** Notes bytes that the terminal sent. */
  came(chunk: Buffer): void {
    if (this.#owed === 0) return;
    const parts = (this.#begun + chunk.toString("latin1")).split(STATUS_ANSWER);
    this.#begun = (parts.at(-1) ?? "").slice(1 - STATUS_ANSWER.length);
    this.#owed = Math.max(0, this.#owed - (parts.length - 1));
    if (this.#owed === 0) this.#given();
  }

  /** No answer will come. */
  gone(): void {
    this.#owed = 0;
    this.#given();
  }

  /** Resolves once the terminal owes nothing, after a second at most. */
  async untilGiven(): Promise<void> {
    if (this.#owed === 0) return;
    await new Promise<void>((resolve) => {
      const stop = this.#clock.after(MOST_MS, resolve);
      this.#given = () => {
        stop();
        resolve();
      };
    });
  }
}
