import type { Clock } from "../runtime/clock.js";

/** A watch of one connection over a list. */
export interface Watch<Row> {
  /** Begins the watch, or begins it anew. Returns what there is now. */
  start(): Row[];
  stop(): void;
}

/** The pace of a watch: its clock, and the room for what is sent. */
export interface WatchPace {
  /** Resolves once at most that many bytes wait to be sent. */
  readonly drained: (bytes: number) => Promise<void>;
  readonly clock: Clock;
}

/** The rows of one notification, at most. */
export const MOST_ROWS = 256;
/** The least time between two notifications, in milliseconds, in which changes are gathered. */
const GATHER_MS = 100;
/** The client is told nothing while more than this many bytes wait for it. */
const UNREAD_BYTES = 64 * 1024;

/** The ids of sessions that have changed since a client was told of them (P-XSE-6). */
export class GatheredChanges {
  readonly #ids = new Set<string>();
  readonly #send: (changed: Set<string>) => void;
  readonly #pace: WatchPace;
  #isGathering = false;
  #isOver = false;
  #cancel = () => {};

  /** @param send takes out of the set what it tells. What is left is told next time. */
  constructor(send: (changed: Set<string>) => void, pace: WatchPace) {
    this.#send = send;
    this.#pace = pace;
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#gather();
  }

  drop(id: string): void {
    this.#ids.delete(id);
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #gather(): void {
    if (this.#isOver || this.#isGathering || this.#ids.size === 0) return;
    this.#isGathering = true;
    this.#cancel = this.#pace.clock.after(GATHER_MS, () => {
      this.#send(this.#ids);
      void this.#pace.drained(UNREAD_BYTES).then(() => {
        this.#isGathering = false;
        this.#gather();
      });
    });
  }
}
