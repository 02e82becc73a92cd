import type { ListedRequest, ListedSession, Principal } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { ParkedRequests } from "../measures/observation.js";
import type { Clock } from "../runtime/clock.js";
import { OrderedRows } from "../runtime/ordered-rows.js";

/** A session that has left memory while requests are open in it: its rows in lists, and nothing else (P-SES-7). */
export interface ParkedSession {
  readonly id: string;
  readonly title: string | undefined;
  readonly folder: string;
  /** The times of its making and its last act, in milliseconds since 1970. */
  readonly madeAt: number;
  readonly activeAt: number;
  /** The person who began the last turn (P-XRQ-5). */
  readonly owner: Principal | undefined;
  /** The oldest first. */
  readonly requests: readonly ListedRequest[];
  /** The requests of whose opening observers know; undefined where nobody observes. */
  readonly observed: ParkedRequests | undefined;
  /** True for one that another node has, whose deadlines end there (P-NOD-5). Default: no node has it. */
  readonly isElsewhere?: boolean;
  /** True for one whose node has ended in a turn. Default: nothing is open in it but what programs ask. */
  readonly hasTurn?: boolean;
}

/** The time at which a deadline comes, or a step of a request's addressees (P-XTO-6), in milliseconds since 1970. */
interface Due {
  readonly at: number;
  readonly id: string;
}

const byTime = (left: Due, right: Due) =>
  left.at - right.at || (left.id === right.id ? 0 : left.id < right.id ? -1 : 1);

/** The longest wait of a timer, in milliseconds: those of the system go on for 24 days. */
const LONGEST_MS = 1_000_000_000;

/** The parked sessions of a server. One timer is set, for the earliest of their deadlines. */
export class ParkedSessions {
  readonly #byId = new Map<string, ParkedSession>();
  /** The next deadlines of those that have one. */
  readonly #dueById = new Map<string, Due>();
  readonly #due = new OrderedRows(byTime);
  readonly #clock: Clock;
  readonly #told: (id: string) => void;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  #isOver = false;
  /** The number of those that a look at the store has found. */
  #shared = 0;

  /** @param due called with the id of a session in which a deadline has come: it is still parked then. */
  constructor(clock: Clock, due: (id: string) => void) {
    this.#clock = clock;
    this.#told = due;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The number of those that this process has parked: others are listed, and bounded where they are read (P-NOD-5). */
  get ownCount(): number {
    return this.#byId.size - this.#shared;
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

  /** Their ids in that order. */
  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  /** True if a request of this id is open in one of them. */
  knows(requestId: string): boolean {
    for (const { requests } of this.#byId.values())
      if (requests.some(({ request_id }) => request_id === requestId)) return true;
    return false;
  }

  add(parked: ParkedSession): void {
    const { id, requests } = parked;
    this.take(id);
    this.#byId.set(id, parked);
    if (parked.isElsewhere !== undefined) this.#shared += 1;
    const ends = requests
      .flatMap(({ deadline, escalates_at }) => [deadline, escalates_at])
      .flatMap((at) => (typeof at === "string" ? [Date.parse(at)] : []));
    if (ends.length > 0 && parked.isElsewhere !== true) this.#wait({ id, at: Math.min(...ends) });
  }

  /** Tries again to open one in which a deadline has come. */
  dueAgain(id: string, ms: number): void {
    if (this.#byId.has(id)) this.#wait({ id, at: this.#clock.now() + ms });
  }

  /** Takes one out that is open again, or that another process has. */
  take(id: string): void {
    if (this.#byId.get(id)?.isElsewhere !== undefined) this.#shared -= 1;
    this.#byId.delete(id);
    this.#forget(id);
    this.#set();
  }

  /** Ends the timer for good. */
  close(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wait(due: Due): void {
    this.#forget(due.id);
    this.#dueById.set(due.id, due);
    this.#due.add(due);
    this.#set();
  }

  #forget(id: string): void {
    const due = this.#dueById.get(id);
    if (due === undefined) return;
    this.#dueById.delete(id);
    this.#due.delete(due);
  }

  /** Sets the timer for the earliest deadline, unless it is set for that. */
  #set(): void {
    const at = this.#due.first?.at;
    if (at === this.#timer?.at) return;
    this.#stop();
    if (at === undefined || this.#isOver) return;
    const ms = Math.min(Math.max(at - this.#clock.now(), 0), LONGEST_MS);
    this.#timer = { at, cancel: this.#clock.after(ms, () => this.#come()) };
  }

  #come(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (let next = this.#due.first; next !== undefined && next.at <= now; next = this.#due.first) {
      this.#forget(next.id);
      this.#told(next.id);
    }
    this.#set();
  }
}

/**
 * A parked session as lists show it: as before it left memory (P-SES-7).
 *
 * @param host the name of this machine.
 */
export function listedParked(
  { id, title, folder, madeAt, activeAt, requests }: ParkedSession,
  host: string,
): ListedSession {
  const [oldest] = requests;
  return {
    ...{ id, state: oldest === undefined ? "idle" : "waiting", connections: 0 },
    ...defined({ title }),
    ...{ folder, host },
    ...{ made_at: new Date(madeAt).toISOString(), active_at: new Date(activeAt).toISOString() },
    open: requests.length,
    ...(oldest !== undefined && { oldest: oldestOf(oldest) }),
  };
}

const oldestOf = ({ request_id, kind, text, since }: ListedRequest) => ({ request_id, kind, text, since });
