import { randomUUID } from "node:crypto";
import {
  everyFeature,
  type RequestKind,
  type RequestType,
  requestKinds,
  type SessionState,
} from "@askwire/protocol";
import { isAsked } from "../contract/asked.js";
import { welcome } from "./server-messages.js";

/** The state of the session that a client finds when it attaches. */
export interface FoundAtAttach {
  /** The requests that are open from now on. Default: unchanged. */
  readonly pending?: readonly string[];
  readonly reset?: boolean;
  /** Default: as the session goes on. */
  readonly stream?: string;
}

/** The contents of a request. For a tool call also the server's own id, which is its name in `pending`. */
export interface PlayedRequest {
  readonly id: string;
  readonly request_id?: string;
}

/** A session of the extended profile: it numbers its messages, and knows what is open. */
export interface PlayedSession {
  readonly id: string;
  readonly stream: string;
  /** The number of the last message. */
  readonly seq: number;
  /** The id of its one turn; the client's own id, if it sends one. */
  turnId: string;
  /** The next event. */
  event(type: string, payload: object): object;
  /** The messages after this number; of what is settled only that it was opened. */
  missed(afterSeq: number): readonly object[];
  /** A request that was opened before, without a number. */
  again(type: RequestType, payload: PlayedRequest): object;
  /** A request that is open from now on. */
  opens(type: RequestType, payload: PlayedRequest): object;
  /** The event that tells of a settlement. */
  settles(requestId: string, kind: RequestKind, outcome: object): object;
  /** The result of `initialize`. */
  greeting(found?: FoundAtAttach, askwire?: object): object;
}

/** A message under its number. */
interface Numbered {
  readonly message: object;
  /** Of the opening of a request: the id that it goes by, and its event for who is not asked. */
  readonly opened?: { readonly id: string; readonly short: object; readonly isCall: boolean };
}

export function playSession(id: string = randomUUID()): PlayedSession {
  const stream = randomUUID();
  const log: Numbered[] = [];
  /** Every open request, and whether a person has it. */
  const open = new Map<string, boolean>();
  let turnId = "";
  let isOver = false;
  let told: SessionState = "idle";

  const stateNow = (): SessionState => {
    if ([...open.values()].includes(true)) return "waiting";
    return turnId === "" || isOver ? "idle" : "running";
  };

  /** The marks of the next message. */
  function marks() {
    const before = told;
    told = stateNow();
    return { seq: log.length + 1, ...(told === before ? {} : { state: told }) };
  }

  function event(type: string, payload: object): object {
    if (type === "TurnEnd") isOver = true;
    const message = { method: "event", params: { type, payload, ...marks() } };
    log.push({ message });
    return message;
  }

  const asking = (type: RequestType, payload: PlayedRequest, more: object = {}) =>
    isAsked(type)
      ? { method: "event", params: { type, payload, ...more } }
      : { method: "request", id: payload.id, params: { type, payload, ...more } };

  return {
    id,
    stream,
    get seq() {
      return log.length;
    },
    get turnId() {
      return turnId;
    },
    set turnId(own) {
      turnId = own;
    },
    event,
    missed: (afterSeq) =>
      log.slice(afterSeq).map(({ message, opened }) => {
        const isWhole = opened === undefined || (open.has(opened.id) && !opened.isCall);
        return isWhole ? message : opened.short;
      }),
    again: asking,
    opens(type, payload) {
      const request_id = payload.request_id ?? payload.id;
      open.set(request_id, isAsked(type));
      const own = marks();
      const message = asking(type, payload, own);
      const kind = Object.entries(requestKinds).find(([, named]) => named === type)?.[0];
      const short = {
        method: "event",
        params: { type: "InteractionOpened", payload: { request_id, kind }, ...own },
      };
      log.push({ message, opened: { id: request_id, short, isCall: !isAsked(type) } });
      return message;
    },
    settles(requestId, kind, outcome) {
      open.delete(requestId);
      return event("InteractionSettled", { request_id: requestId, kind, outcome });
    },
    greeting(
      { pending = [...open.keys()], reset = false, stream: other = stream } = {},
      askwire = everyFeature,
    ) {
      for (const requestId of open.keys()) if (!pending.includes(requestId)) open.delete(requestId);
      for (const requestId of pending) if (!open.has(requestId)) open.set(requestId, true);
      const turn = turnId === "" || isOver ? {} : { turn_id: turnId };
      const session = { id, stream: other, seq: log.length, state: stateNow(), ...turn, plan_mode: false };
      return {
        ...welcome,
        capabilities: { ...welcome.capabilities, askwire },
        session: { ...session, pending: [...pending], reset },
      };
    },
  };
}
