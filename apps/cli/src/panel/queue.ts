/** The open requests: approvals first, the rest in order of arrival (K-31, K-33). */
export interface Queue<T extends Ranked> {
  add(request: T): void;
  remove(request: T): void;
  has(request: T): boolean;
  /** The request whose turn it is. */
  front(): T | undefined;
  all(): readonly T[];
  readonly size: number;
}

export interface Ranked {
  readonly kind: "approval" | "question";
}

export function createQueue<T extends Ranked>(): Queue<T> {
  const open = new Set<T>();
  return {
    add: (request) => void open.add(request),
    remove: (request) => void open.delete(request),
    has: (request) => open.has(request),
    front() {
      const requests = [...open];
      return requests.find(({ kind }) => kind === "approval") ?? requests[0];
    },
    all: () => [...open],
    get size() {
      return open.size;
    },
  };
}
