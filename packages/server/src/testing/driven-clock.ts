import type { Clock } from "../runtime/clock.js";

/** A clock that stands still until a test advances it. */
export interface DrivenClock extends Clock {
  /** Lets `ms` milliseconds pass, and runs each timer that falls into them. */
  advance(ms: number): void;
  /** The number of timers that neither ran nor were cancelled. */
  readonly waiting: number;
}

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** Makes a clock that begins at 0, for the `clock` of a server or of `testAgent`. */
export function drivenClock(): DrivenClock {
  let now = 0;
  const timers = new Set<Timer>();
  return {
    now: () => now,
    elapsed: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let next = first(timers); next !== undefined && next.at <= end; next = first(timers)) {
        timers.delete(next);
        now = Math.max(now, next.at);
        next.action();
      }
      now = end;
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** The timer that is due first; of several at one time, the oldest. */
function first(timers: ReadonlySet<Timer>): Timer | undefined {
  let earliest: Timer | undefined;
  for (const timer of timers) if (earliest === undefined || timer.at < earliest.at) earliest = timer;
  return earliest;
}
