import type { Clock } from "../device/clock.js";

/** The longest pause between keys that belong together, in milliseconds. */
const BURST_MS = 150;

/** A time in which keys do not count. It lasts while keys come without a pause: those were meant for another place. */
export class KeysOff {
  readonly #clock: Clock;
  readonly #over: () => void;
  #isOn = false;
  #droppedAt = Number.NEGATIVE_INFINITY;
  #stop = () => {};

  /** @param over called at the end of each such time. */
  constructor(clock: Clock, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(ms: number): void {
    this.#isOn = true;
    this.#stop = this.#clock.after(ms, () => this.#end());
  }

  /** Begins the time anew, unless it is over. */
  beginAgain(ms: number): void {
    if (!this.#isOn) return;
    this.#stop();
    this.begin(ms);
  }

  /** Notes a key that did not count. */
  dropped(): void {
    this.#droppedAt = this.#clock.now();
  }

  stop(): void {
    this.#isOn = false;
    this.#stop();
  }

  #end(): void {
    const rest = this.#droppedAt + BURST_MS - this.#clock.now();
    if (rest > 0) return this.begin(rest);
    this.#isOn = false;
    this.#over();
  }
}
