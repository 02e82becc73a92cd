import type { Journal } from "../journal/journal.js";
import type { Unfinished } from "../journal/unfinished.js";
import { type TurnFacts, type TurnMemory, turnFacts } from "../turn/turn-facts.js";
import type { LeftRequests } from "./left-requests.js";

/** A turn of an earlier process, and its requests. */
export interface LeftTurn {
  readonly turn: Unfinished;
  readonly facts: TurnFacts;
  readonly requests: LeftRequests;
  /** True if its agent does not run before a person has said something, as it seems to end its process (P-RES-2). */
  readonly waits: boolean;
}

/** The memory of a kept turn: its records, and those that earlier processes left. */
export function turnMemory(
  journal: Pick<Journal, "onceBegun" | "onceDone" | "synced">,
  turnId: string,
  left: LeftTurn | undefined,
): TurnMemory {
  return {
    facts: left?.facts ?? nothing,
    resumed: left && {
      attempt: left.turn.attempts + 1,
      events: left.turn.events,
      isStarted: left.facts.isStarted,
      takeUnasked: () => left.requests.takeUnasked(),
    },
    isPast: (place) => left?.requests.isPast(place) ?? false,
    asksInBackground: (place) => left?.requests.asksInBackground(place) ?? false,
    giveUp: (place) => left?.requests.giveUp(place) ?? "started",
    begin(key) {
      journal.onceBegun(turnId, key);
      return journal.synced();
    },
    end(key, value) {
      if (value !== undefined && JSON.stringify(value) === undefined) {
        throw new TypeError(`turn.once: ${JSON.stringify(key)}: expected a JSON value`);
      }
      journal.onceDone(turnId, key, value);
      return journal.synced();
    },
  };
}

const nothing: TurnFacts = turnFacts({ events: [], started: [], once: new Map() });
