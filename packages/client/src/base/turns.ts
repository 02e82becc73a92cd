import { EventQueue } from "../contract/event-queue.js";
import type { AnyEvent } from "../contract/observer.js";

/** The turns of a connection, to which events are assigned: this client's, or another's. */
export class Turns {
  #isRunning = false;
  #isUnderWay: boolean | undefined;
  /** The queue for the events of this client's turn. */
  #events: EventQueue<AnyEvent> | undefined;
  /** True while the next events still belong to another client's turn. */
  #isOthers = false;

  /** Reports if a prompt of this client waits for its result. */
  isRunning = () => this.#isRunning;

  /** Reports if a turn is under way, this client's or another's. Undefined while only the server knows. */
  isUnderWay = () => this.#isRunning || this.#isUnderWay;

  route(event: AnyEvent): void {
    if (event.type === "TurnBegin") this.#isUnderWay = true;
    if (!this.#isOthers) this.#events?.push(event);
    if (event.type !== "TurnEnd") return;
    // Later events belong to another turn, even if this turn's result is still on its way.
    if (!this.#isOthers) this.#events = undefined;
    this.#isUnderWay = false;
    this.#isOthers = false;
  }

  /** Notes that this client sent a prompt. Returns the queue of its turn. */
  begin(): EventQueue<AnyEvent> {
    this.#isRunning = true;
    this.#isOthers = this.#isUnderWay === true;
    this.#events = new EventQueue<AnyEvent>();
    return this.#events;
  }

  /** Notes that a prompt is answered. A refusal ends nothing, since the turn under way belongs to another client. */
  ended(queue: EventQueue<AnyEvent>, isRefused: boolean): void {
    this.#isRunning = false;
    if (this.#events !== queue) return;
    this.#events = undefined;
    if (!isRefused && !this.#isOthers) this.#isUnderWay = false;
    this.#isOthers = false;
  }
}
