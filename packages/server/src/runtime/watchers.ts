/** Callbacks that are told of changes. The failure of a callback concerns no other. */
export interface Watchers<Told extends unknown[]> {
  /** Gives the callback each further change. The returned function ends that. */
  watch(changed: (...told: Told) => void): () => void;
  tell(...told: Told): void;
}

/** @param failed told of each exception of a callback. */
export function watchers<Told extends unknown[]>(
  failed: (error: unknown, ...told: Told) => void,
): Watchers<Told> {
  const all = new Set<(...told: Told) => void>();
  return {
    watch(changed) {
      /** A separate function, since the same one may be given twice. */
      const watcher = (...told: Told) => changed(...told);
      all.add(watcher);
      return () => void all.delete(watcher);
    },
    tell(...told) {
      for (const changed of all) {
        try {
          changed(...told);
        } catch (error) {
          failed(error, ...told);
        }
      }
    },
  };
}
