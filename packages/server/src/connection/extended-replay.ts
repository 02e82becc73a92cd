import {
  extendedEvents,
  type RequestType,
  requestKinds,
  requests as requestTypes,
  type Schema,
} from "@askwire/protocol";
import { checkedEventText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { InteractionOpened, InteractionSettled } from "../journal/entries.js";
import type { ReplayTarget } from "../journal/replay.js";
import { type EventName, eventSchemas } from "../session/event-log.js";
import type { Pace } from "./pace.js";
import { isTurnEvent, replayedTurns } from "./replayed-turns.js";

export interface ExtendedReplayOptions {
  readonly pace: Pace;
  /** Told of a record that no longer fits, and is left out. */
  readonly onUnfit: (type: string, error: unknown) => void;
}

/** The records of a session as the marked messages of an extended client, which alone is sent them (P-XRP-1). */
export function extendedReplay({ pace, onUnfit }: ExtendedReplayOptions): ReplayTarget {
  function replayed(type: string, schema: Schema, payload: unknown): boolean {
    try {
      pace.pass(checkedEventText(schema, type, payload, { replayed: true }, validateCompiled));
      return true;
    } catch (error) {
      onUnfit(type, error);
      return false;
    }
  }

  /** The note on the question whose record comes next. */
  let opened: InteractionOpened | undefined;
  const turns = replayedTurns((type, payload) => replayed(type, eventSchemas[type], payload));

  return {
    isFull: pace.isFull,
    drained: pace.drained,
    finish: turns.finish,
    event(type, payload, timestamp) {
      turns.finish();
      return isTurnEvent(type)
        ? turns.event(type, payload, timestamp)
        : replayed(type, eventSchemas[type as EventName], payload);
    },
    request(type, payload) {
      turns.finish();
      return replayed(type, requestTypes[type as RequestType].payload, whole(payload, opened));
    },
    /** The outcome of a request is an event, and the record of an approval is a request. */
    note(type, payload) {
      if (turns.note(type, payload)) return false;
      if (type === "DoNotAsk") return replayed(type, extendedEvents.DoNotAsk, payload) && "event";
      if (type === "PolicyDecided") return replayed(type, extendedEvents.PolicyDecided, payload) && "event";
      if (type === "InteractionSettled") {
        const { request_id, kind, request, outcome, response } = payload as InteractionSettled;
        // Nobody was asked, so that no client was told of it.
        if (request !== undefined && kind !== "hook") return false;
        const settled = { request_id, kind, outcome, ...(response !== undefined && { response }) };
        return replayed(type, extendedEvents.InteractionSettled, settled) && "event";
      }
      if (type !== "InteractionOpened") return false;
      const { kind, request } = payload as InteractionOpened;
      if (kind === "question") {
        opened = payload as InteractionOpened;
        return false;
      }
      const asked = requestKinds[kind];
      return replayed(asked, requestTypes[asked].payload, request) && "request";
    },
  };
}

/** The record of a request with its questions in full, which the note before it has: with the ids that answers name. */
function whole(payload: unknown, { request_id, questions }: Partial<InteractionOpened> = {}): unknown {
  const { id, ...rest } = payload as { readonly id?: unknown };
  return id === request_id && questions !== undefined ? { id, ...rest, questions } : payload;
}
