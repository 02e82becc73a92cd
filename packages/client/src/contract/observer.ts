import { type CallOutput, StatusUpdate, type Unrecognized, type WireEvent } from "@askwire/protocol";
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
    this.#attempt(`event handler: ${event.type}`, () => this.#handlers.event?.(event));
    if (event.type === "unrecognized" && event.problem !== undefined) {
      this.#report(`event ${event.payload.type}: ${event.problem}`);
    }
  }

  /** Tells the handler the output of a running call so far. */
  output(output: CallOutput): void {
    this.#attempt("callOutput handler", () => this.#handlers.callOutput?.(output));
  }

  /** Changes the status without an event. */
  update(change: Partial<StatusUpdate>): void {
    this.#status = updated(this.#status, change);
  }

  /** Forgets the status. */
  forget(): void {
    this.#status = StatusUpdate.parse({});
  }

  #attempt(place: string, action: () => unknown): void {
    const failed = (error: unknown) => this.#report(`${place}: ${errorText(error)}`);
    try {
      const handled = action();
      // An asynchronous handler may fail later.
      if (handled instanceof Promise) handled.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
