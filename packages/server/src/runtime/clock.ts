/** Time, given as an argument so that tests can drive it. */
export interface Clock {
  /** Wall-clock milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Unlike the wall clock, this clock is never set. */
  elapsed(): number;
  /**
   * Runs `action` after `ms`; the returned function cancels it.
   *
   * @param holds set if the timer keeps the process alive. Default: false.
   */
  after(ms: number, action: () => void, holds?: boolean): () => void;
}

/** The time of the system, with its own timers. */
export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(ms, action, holds = false) {
    const timer = setTimeout(action, ms);
    if (!holds) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Waits for work that never fails, but no longer than `ms`. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([work, late]);
  cancel();
}

/** Waits for `work`, but no longer than until the signal: then it throws the signal's reason. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    // Without `finally`, whose promise would be kept with each turn as well: 300 bytes.
    work.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
  });
}
