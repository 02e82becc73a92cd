import { WireError } from "@askwire/protocol";

/** The waits for something new. */
export interface News {
  /** There is something: all of them continue. */
  wake(): void;
  /**
   * Resolves with the next `wake`, or when the signal is aborted.
   *
   * @throws WireError Overloaded where too many wait.
   */
  next(signal: AbortSignal | undefined): Promise<void>;
}

/** Calls that may wait at once. */
const MAX_WAITING = 64;

/** Makes one that nobody waits for yet. */
export function createNews(): News {
  const waiting = new Set<() => void>();
  return {
    wake() {
      for (const resume of waiting) resume();
      waiting.clear();
    },
    async next(signal) {
      if (waiting.size >= MAX_WAITING) {
        const data = { limit: "nextRequest" };
        throw new WireError("Overloaded", `more than ${MAX_WAITING} wait for the next request`, { data });
      }
      let resume = () => {};
      await new Promise<void>((resolve) => {
        resume = resolve;
        waiting.add(resume);
        signal?.addEventListener("abort", resume, { once: true });
      });
      waiting.delete(resume);
      signal?.removeEventListener("abort", resume);
    },
  };
}
