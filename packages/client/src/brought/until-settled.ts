/**
 * Runs the work that answers a request, until the request is settled: the signal is aborted then, and the wait ends,
 * even if the work continues.
 */
export type UntilSettled = <T>(
  id: string,
  toolCallId: string,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Rejects with the signal's reason when the signal is aborted. */
export const untilAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
  ]);
