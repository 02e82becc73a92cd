/** A monotonic clock with timers, all in milliseconds. */
export interface Clock {
  now(): number;
  /** Runs an action once. Call the returned function to prevent that. */
  after(ms: number, action: () => void): () => void;
}

/** Resolves after a time, or once the signal is aborted. */
export function paused(clock: Pick<Clock, "after">, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      cancel();
      resolve();
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * The clock of this process, the same as `performance.now()`. Input counts before a timer that is due at the same
 * moment.
 */
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
