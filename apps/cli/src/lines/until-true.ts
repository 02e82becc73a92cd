/** Lets others wait until something is true. */
export interface UntilTrue {
  /** Resolves when it is true. Throws the signal's reason when it is aborted. */
  until(signal: AbortSignal): Promise<void>;
  /** To be called where it may have become true. */
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
