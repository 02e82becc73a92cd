import { WireError } from "@askwire/protocol";
import type { DecisionFinder, DecisionPage, DecisionQuery } from "../journal/decision-query.js";

/** The pages that wait for their turn, at most. */
const MOST_WAITING = 32;

/** Reads what was decided for all clients of a server, one page at a time. */
export class DecisionReads {
  readonly #find: DecisionFinder;
  readonly #waiting: (() => void)[] = [];
  #isReading = false;

  constructor(find: DecisionFinder) {
    this.#find = find;
  }

  /**
   * Reads a page once those before it are read.
   *
   * @param signal ends the wait, or the reading, with its reason.
   * @throws WireError Overloaded while 32 others wait, and what the finder throws.
   */
  async page(query: DecisionQuery, signal: AbortSignal): Promise<DecisionPage> {
    await this.#turn(signal);
    try {
      return await this.#find(query, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#isReading = false;
      else next();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isReading) {
      this.#isReading = true;
      return Promise.resolve();
    }
    if (this.#waiting.length >= MOST_WAITING) {
      const why = `${MOST_WAITING} others wait for what was decided: try again`;
      throw new WireError("Overloaded", why, { data: { limit: "decisions" } });
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      this.#waiting.push(turn);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
