import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { added } from "./change.js";
import type { Entry } from "./entries.js";
import { type TurnSoFar, turnAfter, turnBegun, turnEnded } from "./turn-so-far.js";
import { withEvent } from "./with-event.js";

/** The conversation of a session as far as it is kept here. */
export interface Conversation {
  /** Oldest first. A part that did not change is the same object as before. */
  readonly entries: readonly Entry[];
  /** True while a turn is under way. */
  readonly isRunning: boolean;
  /** True while the conversation so far is being told. */
  readonly isComing: boolean;
  /** True if older parts are not kept, here or by the server. */
  readonly isCut: boolean;
}

/** The conversation with the parts needed to continue it. */
export interface KeptConversation extends Conversation {
  readonly planMode: boolean;
  readonly turnId: string | undefined;
  /** The running turn, as far as its end will tell. */
  readonly turn: TurnSoFar;
  /** The characters of all entries. */
  readonly size: number;
}

/** The bounds of a conversation. */
export interface Bounds {
  readonly entries: number;
  readonly characters: number;
}

export const empty: KeptConversation = {
  ...{ entries: [], isRunning: false, isComing: false, isCut: false },
  ...{ planMode: false, turnId: undefined, turn: turnBegun(undefined), size: 0 },
};

/**
 * The conversation after an event.
 *
 * @param now the time, in milliseconds since 1970.
 */
export function withTold(
  before: KeptConversation,
  event: WireEvent | Unrecognized,
  { isOwn, bounds, now }: { readonly isOwn: boolean; readonly bounds: Bounds; readonly now: number },
): KeptConversation {
  // Earlier turns have the times that the server recorded, or none (P-XTR-4).
  const at = before.isComing ? recordedAt(event) : now;
  switch (event.type) {
    case "TurnBegin": {
      const { turn_id: turnId } = event.payload;
      // A turn that continues after a restart of the server begins only once.
      if (before.isRunning && turnId !== undefined && turnId === before.turnId) return before;
      const entries = before.isRunning ? added(before.entries, { kind: "left" }) : before.entries;
      const turn = turnBegun(at);
      return kept({ ...before, isRunning: true, turnId, turn }, withEvent(entries, event, isOwn), bounds);
    }
    case "TurnEnd": {
      const entries = withEvent(before.entries, event);
      return kept(
        { ...before, isRunning: false, turnId: undefined },
        event.payload.status === "finished" ? added(entries, turnEnded(before.turn, at)) : entries,
        bounds,
      );
    }
    case "StatusUpdate": {
      const { plan_mode: planMode } = event.payload;
      if (planMode === null || planMode === before.planMode) return before;
      return kept({ ...before, planMode }, added(before.entries, { kind: "note", event }), bounds);
    }
    default: {
      const turn = turnAfter(before.turn, event, now);
      return kept(
        turn === before.turn ? before : { ...before, turn },
        withEvent(before.entries, event),
        bounds,
      );
    }
  }
}

/** The time at which an end of a turn was recorded, in milliseconds since 1970. Undefined where nobody says. */
function recordedAt(event: WireEvent | Unrecognized): number | undefined {
  if (event.type !== "TurnBegin" && event.type !== "TurnEnd") return undefined;
  const at = Date.parse(event.payload.at ?? "");
  return Number.isNaN(at) ? undefined : at;
}

/** The conversation with other entries, of which the oldest are left out where they are too many or too large. */
export function kept(before: KeptConversation, entries: readonly Entry[], bounds: Bounds): KeptConversation {
  let { size } = before;
  for (let at = 0; at < Math.max(entries.length, before.entries.length); at += 1) {
    const [now, then] = [entries[at], before.entries[at]];
    if (now !== then) size += sizeOf(now) - sizeOf(then);
  }
  let first = 0;
  while (
    first < entries.length - 1 &&
    (size > bounds.characters || entries.length - first > bounds.entries)
  ) {
    size -= sizeOf(entries[first]);
    first += 1;
  }
  if (first === 0) return { ...before, entries, size };
  return { ...before, entries: entries.slice(first), size, isCut: true };
}

/** The characters of all texts in a value. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 0);
}
