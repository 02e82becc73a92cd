/** Time that goes on, and what is to happen later; all in milliseconds. */
export interface Clock {
  now(): number;
  /** Does something once, unless the function that it gives is called before. */
  after(ms: number, action: () => void): () => void;
}

/** The clock of this process, the same as `performance.now()`. */
export const processClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
