import { randomUUID } from "node:crypto";
import type { RequestKind, RequestType } from "@askwire/protocol";
import { welcome } from "./server-messages.js";

/** The extended profile that the suite declares: all of it. */
export const uses = {
  revision: 1,
  previews: true,
  notes: true,
  attachments: true,
  skip: true,
  deadline: true,
};

/** The state of the session that a client finds when it attaches. */
export interface Found {
  /** The requests that are open from now on. Default: unchanged. */
  readonly pending?: readonly string[];
  readonly reset?: boolean;
  /** Default: as the session goes on. */
  readonly stream?: string;
}

/** The contents of a request. For a tool call also the server's own id, which is its name in `pending`. */
export interface Asked {
  readonly id: string;
  readonly request_id?: string;
}

/** A session of the extended profile, with numbered events and a list of open requests. */
export interface PlayedSession {
  readonly id: string;
  readonly stream: string;
  /** The number of the last event. */
  readonly seq: number;
  /** The id of its one turn; the client's own id, if it sends one. */
  turnId: string;
  /** The next event. */
  event(type: string, payload: object): object;
  /** The events after this number. */
  missed(afterSeq: number): readonly object[];
  /** A request, behind the last event. */
  request(type: RequestType, payload: Asked): object;
  /** A request that is open from now on, and the event that tells so. */
  opens(type: RequestType, payload: Asked): readonly object[];
  /** The events that tell of a settlement. */
  settles(requestId: string, kind: RequestKind, outcome: object): readonly object[];
  /** The event with the state of the session. */
  state(): object;
  /** The result of `initialize`. */
  greeting(found?: Found, askwire?: object): object;
}

export function playSession(id: string = randomUUID()): PlayedSession {
  const stream = randomUUID();
  const events: object[] = [];
  const open = new Set<string>();
  let turnId = "";

  function event(type: string, payload: object): object {
    const event = { method: "event", params: { type, payload, seq: events.length + 1 } };
    events.push(event);
    return event;
  }

  const request = (type: RequestType, payload: Asked) => ({
    method: "request",
    id: payload.id,
    params: { type, payload, seq: events.length },
  });

  function stateNow(pending: readonly string[]) {
    const turn = turnId === "" ? {} : { turn_id: turnId };
    return { state: pending.length > 0 ? "waiting" : turnId === "" ? "idle" : "running", ...turn, pending };
  }

  const state = () => event("SessionState", stateNow([...open]));

  return {
    id,
    stream,
    get seq() {
      return events.length;
    },
    get turnId() {
      return turnId;
    },
    set turnId(own) {
      turnId = own;
    },
    event,
    missed: (afterSeq) => events.slice(afterSeq),
    request,
    opens(type, payload) {
      const asked = request(type, payload);
      open.add(payload.request_id ?? payload.id);
      return [asked, state()];
    },
    settles(requestId, kind, outcome) {
      open.delete(requestId);
      return [event("InteractionSettled", { request_id: requestId, kind, outcome }), state()];
    },
    state,
    greeting({ pending = [...open], reset = false, stream: other = stream } = {}, askwire = uses) {
      const opened = [...pending];
      open.clear();
      for (const requestId of opened) open.add(requestId);
      return {
        ...welcome,
        capabilities: { ...welcome.capabilities, askwire },
        session: { id, stream: other, seq: events.length, ...stateNow(opened), plan_mode: false, reset },
      };
    },
  };
}
