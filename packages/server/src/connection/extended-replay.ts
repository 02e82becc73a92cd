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

  return {
    isFull: pace.isFull,
    drained: pace.drained,
    event: (type, payload) => replayed(type, eventSchemas[type as EventName], payload),
    request: (type, payload) => replayed(type, requestTypes[type as RequestType].payload, payload),
    /** The outcome of a request is an event, and the record of an approval is a request. */
    note(type, payload) {
      if (type === "DoNotAsk") return replayed(type, extendedEvents.DoNotAsk, payload) && "event";
      if (type === "PolicyDecided") return replayed(type, extendedEvents.PolicyDecided, payload) && "event";
      if (type === "InteractionSettled") {
        const { request_id, kind, outcome, response } = payload as InteractionSettled;
        const settled = { request_id, kind, outcome, ...(response !== undefined && { response }) };
        return replayed(type, extendedEvents.InteractionSettled, settled) && "event";
      }
      if (type !== "InteractionOpened") return false;
      const { kind, request } = payload as InteractionOpened;
      // The record of a question comes right after it.
      if (kind === "question") return false;
      const asked = requestKinds[kind];
      return replayed(asked, requestTypes[asked].payload, request) && "request";
    },
  };
}
