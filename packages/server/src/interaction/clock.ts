/** Time, given as an argument so that tests can drive it. */
export interface Clock {
  /** Wall-clock milliseconds since 1970. */
  now(): number;
  /** Runs `action` after `ms`; the returned function cancels it. Must not keep a process alive. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, action) {
    const timer = setTimeout(action, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
