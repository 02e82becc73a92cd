import type { Clock } from "../device/clock.js";

/** The least time between two drawings of text that streams, in milliseconds. */
const LEAST_MS = 50;

/** Lets a drawing happen soon, at most once in a time. Text that streams in small pieces then costs few bytes. */
export class DrawingPace {
  readonly #clock: Clock;
  readonly #draw: () => void;
  #lastAt = Number.NEGATIVE_INFINITY;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, draw: () => void) {
    this.#clock = clock;
    this.#draw = draw;
  }

  /** Asks for a drawing: at once if the last one is long ago. */
  ask(): void {
    if (this.#stop !== undefined) return;
    const wait = this.#lastAt + LEAST_MS - this.#clock.now();
    if (wait <= 0) return this.#draw();
    this.#stop = this.#clock.after(wait, () => {
      this.#stop = undefined;
      this.#draw();
    });
  }

  /** Notes that everything is drawn. */
  drawn(): void {
    this.#lastAt = this.#clock.now();
    this.stop();
  }

  /** Forgets what was asked for. */
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
