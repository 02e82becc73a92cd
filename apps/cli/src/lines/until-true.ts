/** A wait for a condition. */
export interface UntilTrue {
  /** Resolves when the condition holds. Throws the signal's reason when the signal is aborted. */
  until(signal: AbortSignal): Promise<void>;
  /** Checks the condition. Call this wherever the condition may have become true. */
  look(): void;
}

export function untilTrue(isTrue: () => boolean): UntilTrue {
  const waiting = new Set<() => void>();
  return {
    until: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (isTrue()) return resolve();
        const abort = () => settle(() => reject(signal.reason));
        const tell = () => settle(resolve);
        const settle = (then: () => void) => {
          waiting.delete(tell);
          signal.removeEventListener("abort", abort);
          then();
        };
        waiting.add(tell);
        signal.addEventListener("abort", abort, { once: true });
      }),
    look() {
      if (waiting.size > 0 && isTrue()) for (const tell of [...waiting]) tell();
    },
  };
}
