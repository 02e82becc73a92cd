/** The waits of a check, so that its failure can name them when time is up. */
export interface Waits {
  /** The longest current wait, in words. */
  readonly current: string | undefined;
  /** Waits for something that the client has to do. */
  on<T>(promise: Promise<T>, expected: string): Promise<T>;
}

export function createWaits(): Waits {
  const open = new Set<{ readonly expected: string }>();
  return {
    get current() {
      return open.values().next().value?.expected;
    },
    async on(promise, expected) {
      const wait = { expected };
      open.add(wait);
      try {
        return await promise;
      } finally {
        open.delete(wait);
      }
    },
  };
}
