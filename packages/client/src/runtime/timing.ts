/** The time and chance that a session goes by: what a test puts in the place of the runtime's. */
export interface Timing {
  /** Runs `action` once after so many milliseconds. What it returns takes that back. */
  after(ms: number, action: () => void): () => void;
  /** A number from 0 up to but not including 1. */
  random(): number;
}

export const systemTiming: Timing = {
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Rejects with `late()` where the promise takes longer. */
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
