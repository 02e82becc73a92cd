import { defined } from "@askwire/protocol/internal";
import type { OwnRecord } from "../journal/entries.js";

/** The events at the ends of a turn. */
type TurnEvent = "TurnBegin" | "TurnEnd";

/** True for an event at an end of a turn. */
export const isTurnEvent = (type: string): type is TurnEvent => type === "TurnBegin" || type === "TurnEnd";

/** The ends of turns as a replay tells them: with what the notes beside their records know (P-XTR-4). */
export interface ReplayedTurns {
  /** Sends the beginning of a turn, or holds its end back for the note that may follow. False for one that does not fit. */
  event(type: TurnEvent, payload: unknown, timestamp: number | undefined): boolean;
  /** Takes a note, before which an end that is held back is sent. False for one that is not on a turn. */
  note(type: string, payload: unknown): boolean;
  /** Sends the end that is held back, as far as it is known. */
  finish(): void;
}

/** @param send sends an event, or returns false. */
export function replayedTurns(send: (type: TurnEvent, payload: object) => boolean): ReplayedTurns {
  let begun: OwnRecord<"TurnOpened"> | undefined;
  let ending: object | undefined;

  function finish(known?: OwnRecord<"TurnEnded">): void {
    if (ending === undefined) return;
    const { turn_id, status, steps, error } = known ?? {};
    const { by } = begun ?? {};
    send("TurnEnd", {
      ...ending,
      ...defined({ turn_id: turn_id ?? begun?.turn_id, by, status, steps, error }),
    });
    ending = undefined;
    begun = undefined;
  }

  return {
    event(type, payload, timestamp) {
      const at = timestamp === undefined ? undefined : new Date(timestamp * 1_000).toISOString();
      const told = { ...(payload as object), ...defined({ at }) };
      if (type === "TurnEnd") {
        ending = told;
        return true;
      }
      const { turn_id, by } = begun ?? {};
      return send(type, { ...told, ...defined({ turn_id, by }) });
    },
    note(type, payload) {
      finish(type === "TurnEnded" ? (payload as OwnRecord<"TurnEnded">) : undefined);
      if (type === "TurnOpened") begun = payload as OwnRecord<"TurnOpened">;
      return type === "TurnOpened" || type === "TurnEnded";
    },
    finish: () => finish(),
  };
}
