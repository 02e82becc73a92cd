import { useSyncExternalStore } from "react";

/** A value that changes, for all who listen. */
export interface Store<T> {
  current(): T;
  /** Calls the listener after each change. Returns the end of that. */
  subscribe(listener: () => void): () => void;
}

/** Makes a store with its first value. */
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

/** The value of a store. Renders again after each change. */
export const useStore = <T>({ current, subscribe }: Store<T>): T =>
  useSyncExternalStore(subscribe, current, current);
