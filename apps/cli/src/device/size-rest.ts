import type { Clock } from "./clock.js";

/**
 * The time without another size after which the size has come to rest, in milliseconds. tmux tells its programs of
 * further sizes after 250 ms only, though it has wrapped their rows before.
 */
const REST_MS = 60;
const REST_IN_TMUX_MS = 300;
/** The most time without a frame while the size keeps changing, in milliseconds. */
const MOST_MS = 1_000;

/**
 * Awaits the rest of a terminal's size. A frame that is painted while the size changes is wrapped by a terminal that is
 * ahead of what it tells, and could not be found again.
 */
export class SizeRest {
  readonly #clock: Clock;
  readonly #rest: number;
  readonly #rested: () => void;
  #beganAt = 0;
  #stop: (() => void) | undefined;

  /** @param rested called once the size has been the same for a while. */
  constructor(clock: Clock, env: NodeJS.ProcessEnv, rested: () => void) {
    this.#clock = clock;
    this.#rest = env.TMUX ? REST_IN_TMUX_MS : REST_MS;
    this.#rested = rested;
  }

  get isAwaited(): boolean {
    return this.#stop !== undefined;
  }

  /** Notes another size. */
  await(): void {
    const now = this.#clock.now();
    if (this.#stop === undefined) this.#beganAt = now;
    this.#stop?.();
    const most = this.#beganAt + MOST_MS - now;
    this.#stop = this.#clock.after(Math.max(0, Math.min(this.#rest, most)), () => {
      this.#stop = undefined;
      this.#rested();
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
