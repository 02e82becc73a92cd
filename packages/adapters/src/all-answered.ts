/**
 * Waits for several asks. Where one fails, the others are withdrawn, so that nobody is left with a question whose program
 * has ended.
 *
 * @param signal withdraws all when aborted; then this rejects with its reason, also where the answers were there.
 * @throws what the first ask that failed has thrown.
 */
export async function allAnswered<T, R>(
  asks: readonly T[],
  signal: AbortSignal | undefined,
  ask: (one: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  signal?.throwIfAborted();
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const answers = asks.map((one) =>
    ask(one, either).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(answers);
  signal?.throwIfAborted();
  failed.signal.throwIfAborted();
  return Promise.all(answers);
}
