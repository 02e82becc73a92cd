import {
  type AskwireCapabilities,
  type Call,
  type ClientMethods,
  type EventType,
  events,
  type Marks,
  type Peer,
  type SessionState,
} from "@askwire/protocol";
import { eventText } from "@askwire/protocol/internal";
import type { ScriptedRequest } from "./scripted-request.js";

/** A connection, and the client at its other end. */
export interface Line {
  readonly peer: Peer<ClientMethods>;
  readonly id: string;
  readonly cut: () => void;
  /** The name of the client. */
  readonly client: string;
  /** The declared features; undefined in the base profile. */
  readonly shows: AskwireCapabilities | undefined;
  /** The open requests of a base client. */
  readonly calls: Map<string, Call>;
}

interface Logged {
  readonly type: string;
  readonly payload: object;
  readonly marks: Marks;
  readonly request: ScriptedRequest | undefined;
}

/** The events of a scripted session, numbered for clients that come back (P-XAT-3). */
export class ToldEvents {
  readonly #log: Logged[] = [];
  #state: SessionState = "idle";

  /** The number of the last event. */
  get last(): number {
    return this.#log.length;
  }

  /** The marks of the next event, which is in the log from now on. */
  add(type: string, payload: object, state: SessionState, request?: ScriptedRequest): Marks {
    const marks = { seq: this.#log.length + 1, ...(state !== this.#state && { state }) };
    this.#state = state;
    this.#log.push({ type, payload, marks, request });
    return marks;
  }

  /** Tells a client an event. */
  send(line: Line, type: string, payload: object, marks: Marks): void {
    if (line.shows !== undefined) line.peer.pass(eventText(type, payload, marks));
    else if (Object.hasOwn(events, type)) line.peer.tell("event", type as EventType, payload as never);
  }

  /**
   * Sends an extended client the messages after a number, then the open requests that it was never sent (P-XAT-5).
   *
   * @param known undefined for a client that is new.
   */
  catchUp({ peer }: Line, known: number | undefined, open: readonly ScriptedRequest[]): void {
    for (const { type, payload, marks, request } of known === undefined ? [] : this.#log.slice(known)) {
      if (request?.outcome === undefined) peer.pass(eventText(type, payload, marks));
      else {
        const opened = { request_id: request.id, kind: request.kind };
        peer.pass(eventText("InteractionOpened", opened, marks));
      }
    }
    if (known !== undefined) return;
    for (const { type, payload } of open) peer.pass(eventText(type, payload, {}));
  }
}
