import type { Clock } from "../src/index.js";

/** A clock that stands still until it is advanced. */
export interface DrivenClock extends Clock {
  advance(ms: number): void;
  /** Timers that were neither run nor cancelled. */
  readonly waiting: number;
}

export function drivenClock(): DrivenClock {
  let now = 0;
  const timers = new Set<{ at: number; action: () => void }>();
  return {
    now: () => now,
    elapsed: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at <= now && timers.delete(timer)) timer.action();
      }
    },
    get waiting() {
      return timers.size;
    },
  };
}
