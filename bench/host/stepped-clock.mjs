/** A clock that stands still until it is advanced: thousands of timers cost no more than one look at each. */
export function steppedClock() {
  let now = 0;
  /** @type {Set<{ at: number, action: () => void }>} */
  const timers = new Set();
  return {
    now: () => now,
    elapsed: () => now,
    /** @param {number} ms @param {() => void} action */
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** @param {number} ms */
    advance(ms) {
      now += ms;
      const due = [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      for (const timer of due) if (timers.delete(timer)) timer.action();
    },
    get waiting() {
      return timers.size;
    },
  };
}
