import type { ListedRequest, ListedSession } from "@askwire/protocol";
import type { ParkedRequests } from "../measures/observation.js";
import type { Clock } from "../runtime/clock.js";

/** A session that has left memory while requests are open in it: its rows in lists, and nothing else (P-SES-7). */
export interface ParkedSession {
  readonly listed: ListedSession;
  readonly requests: readonly ListedRequest[];
  /** The requests of whose opening observers know; undefined where nobody observes. */
  readonly observed: ParkedRequests | undefined;
}

interface Place extends ParkedSession {
  readonly cancel: (() => void) | undefined;
}

/** The parked sessions of a server. One timer is set for each that has a deadline. */
export class ParkedSessions {
  readonly #byId = new Map<string, Place>();
  readonly #clock: Clock;
  readonly #due: (id: string) => void;

  /** @param due called with the id of a session in which a deadline has come: it is still parked then. */
  constructor(clock: Clock, due: (id: string) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  get size(): number {
    return this.#byId.size;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): ParkedSession | undefined {
    return this.#byId.get(id);
  }

  /** All of them, in the order in which they were parked. */
  all(): Iterable<ParkedSession> {
    return this.#byId.values();
  }

  /** True if a request of this id is open in one of them. */
  knows(requestId: string): boolean {
    for (const { requests } of this.#byId.values())
      if (requests.some(({ request_id }) => request_id === requestId)) return true;
    return false;
  }

  add(parked: ParkedSession): void {
    const { id } = parked.listed;
    this.take(id);
    const ends = parked.requests.flatMap(({ deadline }) => (deadline === undefined ? [] : [deadline]));
    const ms = Math.min(...ends.map((end) => Date.parse(end) - this.#clock.now()));
    const cancel = ends.length === 0 ? undefined : this.#clock.after(Math.max(ms, 0), () => this.#due(id));
    this.#byId.set(id, { ...parked, cancel });
  }

  /** Tries again to open one in which a deadline has come. */
  dueAgain(id: string, ms: number): void {
    const place = this.#byId.get(id);
    if (place === undefined) return;
    const cancel = this.#clock.after(ms, () => this.#due(id));
    this.#byId.set(id, { ...place, cancel });
  }

  /** Takes one out that is open again, or that another process has. */
  take(id: string): void {
    this.#byId.get(id)?.cancel?.();
    this.#byId.delete(id);
  }

  /** Ends all timers. */
  close(): void {
    for (const { cancel } of this.#byId.values()) cancel?.();
  }
}
