/**
 * Runs the work that answers a request, until the request is settled: the signal is aborted then, and the wait ends,
 * even if the work continues.
 */
export type UntilSettled = <T>(
  id: string,
  toolCallId: string,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;
