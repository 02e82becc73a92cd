/** The open requests: approvals first, the rest in order of arrival (K-31, K-33), unless the person goes to another. */
export interface Queue<T extends Ranked> {
  add(request: T): void;
  remove(request: T): void;
  has(request: T): boolean;
  /** The request whose turn it is: the one that the person went to, while it is open. */
  front(): T | undefined;
  /** The request `by` places after this one in the order of arrival, around the ends. */
  beside(request: T, by: -1 | 1): T | undefined;
  /** Gives a request its turn before all others, as long as it is open. */
  goTo(request: T): void;
  all(): readonly T[];
  readonly size: number;
}

export interface Ranked {
  readonly kind: "approval" | "question";
}

export function createQueue<T extends Ranked>(): Queue<T> {
  const open = new Set<T>();
  let wanted: T | undefined;
  return {
    add: (request) => void open.add(request),
    remove(request) {
      open.delete(request);
      if (wanted === request) wanted = undefined;
    },
    has: (request) => open.has(request),
    beside(request, by) {
      const requests = [...open];
      return requests.at((requests.indexOf(request) + by) % requests.length);
    },
    goTo(request) {
      if (open.has(request)) wanted = request;
    },
    front() {
      if (wanted !== undefined) return wanted;
      const requests = [...open];
      return requests.find(({ kind }) => kind === "approval") ?? requests[0];
    },
    all: () => [...open],
    get size() {
      return open.size;
    },
  };
}
