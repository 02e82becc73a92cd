import { StatusUpdate, type Unrecognized, type WireEvent } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { ClientHandlers } from "./handlers.js";
import { type SessionStatus, updated } from "./status.js";

export type AnyEvent = WireEvent | Unrecognized;

/**
 * The last receiver of every live event. Updates the status, then calls the user's handler and reports its failures.
 */
export class Observer {
  readonly #handlers: ClientHandlers;
  readonly #report: (problem: string) => void;
  readonly #first: (event: AnyEvent) => void;
  #status: SessionStatus = StatusUpdate.parse({});

  /** @param first is told of each event before the user's handler. */
  constructor(handlers: ClientHandlers, report: (problem: string) => void, first: (event: AnyEvent) => void) {
    this.#first = first;
    this.#handlers = handlers;
    this.#report = report;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  tell(event: AnyEvent): void {
    this.#first(event);
    if (event.type === "StatusUpdate") this.update(event.payload);
    try {
      const handled: unknown = this.#handlers.event?.(event);
      // An asynchronous handler may fail later.
      if (handled instanceof Promise) handled.catch((error) => this.#failed(event, error));
    } catch (error) {
      this.#failed(event, error);
    }
    if (event.type === "unrecognized" && event.problem !== undefined) {
      this.#report(`event ${event.payload.type}: ${event.problem}`);
    }
  }

  /** Changes the status without an event. */
  update(change: Partial<StatusUpdate>): void {
    this.#status = updated(this.#status, change);
  }

  /** Forgets the status. */
  forget(): void {
    this.#status = StatusUpdate.parse({});
  }

  #failed(event: AnyEvent, error: unknown): void {
    this.#report(`event handler: ${event.type}: ${errorText(error)}`);
  }
}
