/** Texts that a browser keeps for the page under names, where storage is allowed. */
export interface Box {
  get(name: string): string | undefined;
  /** Keeps a text. False where the browser takes none. */
  set(name: string, text: string): boolean;
  remove(name: string): void;
  /** The names of all texts. */
  names(): readonly string[];
}

/** The prefix of each name, which other pages of the same origin do not use. */
const OURS = "askwire.";

/**
 * A box over a storage of the browser. A missing, forbidden or full storage keeps nothing.
 *
 * @param open gives the storage. It may throw, as `window.localStorage` does where a browser forbids it.
 */
export function box(open: () => Storage): Box {
  const attempt = <T>(work: (storage: Storage) => T, otherwise: T): T => {
    try {
      return work(open());
    } catch {
      return otherwise;
    }
  };
  return {
    get: (name) => attempt((storage) => storage.getItem(OURS + name) ?? undefined, undefined),
    set: (name, text) =>
      attempt((storage) => {
        storage.setItem(OURS + name, text);
        return true;
      }, false),
    remove: (name) => attempt((storage) => storage.removeItem(OURS + name), undefined),
    names: () =>
      attempt(
        (storage) =>
          Object.keys(storage)
            .filter((name) => name.startsWith(OURS))
            .map((name) => name.slice(OURS.length)),
        [],
      ),
  };
}

/** The part of a box under its own name, where no text of another part is seen. */
export function inside(box: Box, place: string): Box {
  const start = `${place} `;
  return {
    get: (name) => box.get(start + name),
    set: (name, text) => box.set(start + name, text),
    remove: (name) => box.remove(start + name),
    names: () => box.names().flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : [])),
  };
}
