/** A value that changes, and tells its listeners. */
export interface Store<T> {
  /** The value now, another object after each change. */
  current(): T;
  /** Calls the listener after each change. Returns the end of that. */
  subscribe(listener: () => void): () => void;
}

/** Makes a store of a page's own, with its first value. */
export function store<T>(first: T): Store<T> & { set(next: T): void } {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    current: () => value,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
