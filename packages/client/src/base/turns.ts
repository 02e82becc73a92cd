import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { EventQueue } from "../contract/event-queue.js";

type AnyEvent = WireEvent | Unrecognized;

/** Assigns events to turns: this client's, or another's. */
export function createTurns() {
  let running = false;
  let underWay: boolean | undefined;
  /** The queue for the events of this client's turn. */
  let events: EventQueue<AnyEvent> | undefined;
  /** Set while the next events still belong to another client's turn. */
  let othersTurn = false;

  return {
    /** Reports if a prompt of this client waits for its result. */
    isRunning: () => running,
    /** Reports if a turn is under way, this client's or another's. Undefined while only the server knows. */
    isUnderWay: () => running || underWay,
    route(event: AnyEvent): void {
      if (event.type === "TurnBegin") underWay = true;
      if (!othersTurn) events?.push(event);
      if (event.type !== "TurnEnd") return;
      // Later events belong to another turn, even if this turn's result is still on its way.
      if (!othersTurn) events = undefined;
      underWay = false;
      othersTurn = false;
    },
    /** Notes that this client sent a prompt. Call `ended` when the prompt is answered. */
    begin() {
      const queue = new EventQueue<AnyEvent>();
      running = true;
      events = queue;
      othersTurn = underWay === true;
      /** A refused prompt ends nothing, since the turn under way belongs to another client. */
      const ended = (refused: boolean) => {
        running = false;
        if (events !== queue) return;
        events = undefined;
        if (!refused && !othersTurn) underWay = false;
        othersTurn = false;
      };
      return { queue, ended };
    },
  };
}
