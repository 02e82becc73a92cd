import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { EventQueue } from "../contract/event-queue.js";

type AnyEvent = WireEvent | Unrecognized;

/** Which turn an event belongs to: this client's, or somebody else's. */
export function createTurns() {
  let running = false;
  let underWay: boolean | undefined;
  /** Where the events of this client's turn go. */
  let events: EventQueue<AnyEvent> | undefined;
  /** Whether what comes next is still that of somebody else's turn. */
  let othersTurn = false;

  return {
    /** Whether a prompt of this client waits for its result. */
    isRunning: () => running,
    /** Whether a turn is under way, whoever's. Undefined while only the server knows. */
    isUnderWay: () => running || underWay,
    route(event: AnyEvent): void {
      if (event.type === "TurnBegin") underWay = true;
      if (!othersTurn) events?.push(event);
      if (event.type !== "TurnEnd") return;
      // What follows belongs to another turn, even if this one's result is still on its way.
      if (!othersTurn) events = undefined;
      underWay = false;
      othersTurn = false;
    },
    /** A prompt of this client was sent. `ended` is told when it is answered. */
    begin() {
      const queue = new EventQueue<AnyEvent>();
      running = true;
      events = queue;
      othersTurn = underWay === true;
      /** A refused prompt ends nothing: the turn that it found under way is somebody else's. */
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
