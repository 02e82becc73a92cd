import type { HeardPromptResult, Unrecognized, WireEvent } from "@askwire/protocol";
import type { EventQueue } from "./event-queue.js";

/**
 * A prompt under way. Iterate it for the events, in order, up to the end of the turn; await `result` for its end.
 * Iterating is optional, and has one reader. When the prompt fails, both throw the same error.
 */
export interface ClientTurn extends AsyncIterable<WireEvent | Unrecognized> {
  /** Rejects with `WireError` (the server's error) or `LocalError` (`CLOSED`, `PROCESS_EXITED`, `BAD_PEER`). */
  readonly result: Promise<HeardPromptResult>;
  /** The turn's id, as its TurnBegin and TurnEnd carry it in the extended profile. Undefined in the base profile. */
  readonly id: string | undefined;
}

export function createTurn(
  events: EventQueue<WireEvent | Unrecognized>,
  result: Promise<HeardPromptResult>,
  id?: string,
): ClientTurn {
  result.then(
    () => events.end(),
    (error: unknown) => events.end(error),
  );
  return { result, id, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
}
