import { StatusUpdate, type Unrecognized, type WireEvent } from "@askwire/protocol";
import type { ClientHandlers } from "./handlers.js";
import { type SessionStatus, updated } from "./status.js";

export type AnyEvent = WireEvent | Unrecognized;

/** What sees every live event last: the status, then the user's handler, whose failures are reported. */
export class Observer {
  readonly #handlers: ClientHandlers;
  readonly #report: (problem: string) => void;
  #status: SessionStatus = StatusUpdate.parse({});

  constructor(handlers: ClientHandlers, report: (problem: string) => void) {
    this.#handlers = handlers;
    this.#report = report;
  }

  get status(): SessionStatus {
    return this.#status;
  }

  tell(event: AnyEvent): void {
    if (event.type === "StatusUpdate") this.update(event.payload);
    try {
      const handled: unknown = this.#handlers.event?.(event);
      // One that is asynchronous may fail later.
      if (handled instanceof Promise) handled.catch((error) => this.#failed(event, error));
    } catch (error) {
      this.#failed(event, error);
    }
    if (event.type === "unrecognized" && event.problem !== undefined) {
      this.#report(`event ${event.payload.type}: ${event.problem}`);
    }
  }

  /** Something of the status was said otherwise than by an event. */
  update(change: Partial<StatusUpdate>): void {
    this.#status = updated(this.#status, change);
  }

  /** Nothing of what was said holds any more. */
  forget(): void {
    this.#status = StatusUpdate.parse({});
  }

  #failed(event: AnyEvent, error: unknown): void {
    this.#report(`event handler: ${event.type}: ${error}`);
  }
}
