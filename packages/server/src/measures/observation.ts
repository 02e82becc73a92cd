import type { Outcome, OutcomeReason, SessionState } from "@askwire/protocol";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { EndCause, ObservedRequest, ObservedSession, ServerObserver } from "./observer.js";

/** Tells the observers of a server. The failure of an observer concerns nobody else. */
export class Observation {
  readonly #observers: readonly ServerObserver[];
  readonly #log: Log;
  /** The observers that have failed. */
  readonly #failed = new Set<ServerObserver>();

  constructor(observers: readonly ServerObserver[], log: Log) {
    this.#observers = observers;
    this.#log = log;
  }

  tell<Name extends keyof ServerObserver>(
    name: Name,
    ...told: Parameters<NonNullable<ServerObserver[Name]>>
  ): void {
    for (const observer of this.#observers) {
      try {
        const call = observer[name] as ((...told: unknown[]) => unknown) | undefined;
        const result = call?.apply(observer, told);
        // An asynchronous function fits a callback too, and its rejection would end the process.
        if (result instanceof Promise) result.catch((error) => this.#fails(observer, name, error));
      } catch (error) {
        this.#fails(observer, name, error);
      }
    }
  }

  #fails(observer: ServerObserver, callback: string, err: unknown): void {
    if (this.#failed.has(observer)) return;
    this.#failed.add(observer);
    this.#log.error({ callback, err }, "an observer of the server failed; its next failures are not logged");
  }
}

/** The open requests of a parked session of which observers know, by their ids. */
export type ParkedRequests = ReadonlyMap<string, ObservedRequest>;

/** Tells the observers of one session. */
export class SessionObservation {
  readonly #observation: Observation;
  readonly #clock: Clock;
  readonly #session: ObservedSession;
  /** The open requests of which observers know, by id, while the session is parked. */
  readonly #open: Map<string, ObservedRequest>;
  #isParking = false;

  /**
   * @param state reads the state of the session.
   * @param open the requests that were open when this process parked the session.
   */
  constructor(
    observation: Observation,
    clock: Clock,
    {
      id,
      isKept,
      state,
      open,
    }: Pick<ObservedSession, "id" | "isKept"> & {
      readonly state: () => SessionState;
      readonly open: ParkedRequests | undefined;
    },
  ) {
    this.#open = new Map(open);
    this.#observation = observation;
    this.#clock = clock;
    this.#session = {
      id,
      isKept,
      get state() {
        return state();
      },
    };
  }

  begun(): void {
    this.#observation.tell("sessionOpened", this.#session);
  }

  closed(): void {
    this.#observation.tell("sessionClosed", this.#session);
  }

  /** A request is open. Returns the object that its end is told with. */
  opened(
    request: Pick<ObservedRequest, "id" | "kind">,
    openedAt: number,
    isRestored: boolean,
  ): ObservedRequest {
    const known = this.#open.get(request.id);
    if (this.#open.delete(request.id) && known !== undefined) return known;
    const observed = this.#observed(request, openedAt, isRestored);
    this.#observation.tell("requestOpened", observed);
    return observed;
  }

  /** @param opened the object of its opening; undefined for a request that ended before anybody was asked. */
  settled(
    request: Pick<ObservedRequest, "id" | "kind">,
    outcome: Outcome,
    opened: ObservedRequest | undefined,
  ): void {
    const now = this.#clock.now();
    const waitedMs = opened === undefined ? undefined : Math.max(0, now - opened.openedAt);
    const { status, reason } = outcome;
    const end = { status, reason: reason as OutcomeReason | undefined, by: causeOf(outcome), waitedMs };
    this.#observation.tell("requestSettled", opened ?? this.#observed(request, now, false), end);
  }

  /** A parked session is open again: what another process has ended meanwhile is open here no more. */
  goneOn(): void {
    for (const request of this.#open.values()) this.#observation.tell("requestLeft", request);
    this.#open.clear();
  }

  /** The session is parked: what it leaves stays open (P-SES-7). Gives that, once the session has left memory. */
  park(): ParkedRequests {
    this.#isParking = true;
    return this.#open;
  }

  left(opened: ObservedRequest): void {
    if (this.#isParking) this.#open.set(opened.id, opened);
    else this.#observation.tell("requestLeft", opened);
  }

  #observed(
    { id, kind }: Pick<ObservedRequest, "id" | "kind">,
    openedAt: number,
    isRestored: boolean,
  ): ObservedRequest {
    return { id, kind, sessionId: this.#session.id, openedAt, isRestored };
  }
}

const actors: Readonly<Record<Exclude<Outcome["by"], "system">, EndCause>> = {
  human: "person",
  policy: "policy",
  timer: "deadline",
  hook: "program",
};

/** The cause of an end. The system is told apart by what it acted for. */
function causeOf({ by, status, reason }: Outcome): EndCause {
  if (by !== "system") return actors[by];
  if (reason === "shutdown") return "shutdown";
  // The program that asked takes its request back, and the client that brought a tool gives the result.
  return reason === "agent" || status === "answered" ? "program" : "server";
}
