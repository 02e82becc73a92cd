/** Time that goes on, and what is to happen later; all in milliseconds. */
export interface Clock {
  now(): number;
  /** Does something once, unless the function that it gives is called before. */
  after(ms: number, action: () => void): () => void;
}

/** The clock of this process, the same as `performance.now()`. Input that has come counts before a time that has. */
export const processClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    let turn: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      turn = setImmediate(action);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(turn);
    };
  },
};
