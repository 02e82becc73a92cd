/** The waits of a check, so that its failure can name them when time is up. */
export interface Waits {
  /** The longest current wait, in words. */
  readonly current: string | undefined;
  /** Waits for something that the client has to do. */
  on<T>(promise: Promise<T>, expected: string): Promise<T>;
}

/** @param refused rejects when nothing of the kind will come, since nobody acts at the client. */
export function createWaits(refused: Promise<never>): Waits {
  const open = new Set<{ readonly expected: string }>();
  return {
    get current() {
      return open.values().next().value?.expected;
    },
    async on(promise, expected) {
      const wait = { expected };
      open.add(wait);
      try {
        return await Promise.race([promise, refused]);
      } finally {
        open.delete(wait);
      }
    },
  };
}
