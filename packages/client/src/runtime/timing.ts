/** The time and chance of a session. A test replaces the runtime's. */
export interface Timing {
  /**
   * Runs `action` once after `ms`. Call the returned function to prevent that.
   *
   * @param holds false for a timer that keeps no process alive. Default: true.
   */
  after(ms: number, action: () => void, holds?: boolean): () => void;
  /** A number from 0 up to but not including 1. */
  random(): number;
}

export const systemTiming: Timing = {
  after(ms, action, holds = true) {
    const timer = setTimeout(action, ms);
    // A browser's timer is a number, and holds nothing.
    if (!holds && typeof timer === "object") timer.unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Awaits a promise. Rejects with `late()` if the promise takes longer. */
export async function within<T>(
  timing: Timing,
  ms: number,
  promise: PromiseLike<T>,
  late: () => Error,
): Promise<T> {
  let forget = () => {};
  const tooLate = new Promise<never>((_resolve, reject) => {
    forget = timing.after(ms, () => reject(late()));
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    forget();
    promise.then(undefined, () => {});
  }
}
