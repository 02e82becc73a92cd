import type { Clock } from "../../src/device/clock.js";

/** A clock that a test sets. */
export function injectedClock(start = 0) {
  let now = start;
  let timers: { readonly at: number; readonly action: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  return {
    clock,
    /** Lets so much time pass, in milliseconds, and runs what is due, in order. */
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.action();
      }
      now = end;
    },
  };
}
