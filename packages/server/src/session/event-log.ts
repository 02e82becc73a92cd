import {
  askedEvents,
  defaultLimits,
  events,
  extendedEvents,
  LocalError,
  type Marks,
  type Schema,
  type SessionState,
} from "@askwire/protocol";
import { checkedEventText, eventText, tooDeepAt, tooManyAt } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import { askedRequest } from "../profiles/extended-profile.js";
import type { AnyInteraction, PersonRequest } from "../requests/core.js";
import type { AllowedFeatures } from "../requests/shows.js";
import { uuid } from "../runtime/uuid.js";
import { Opening, type OpeningWriter } from "./opening.js";

/** Every event that an extended client may be told. */
export const eventSchemas: Readonly<Record<EventName, Schema>> = { ...events, ...extendedEvents };
export type EventName = keyof typeof events | keyof typeof extendedEvents;

/** True for an event that the session alone makes, of parts that were validated. */
const isOwn = (type: EventName) => Object.hasOwn(extendedEvents, type);

/** The marks of an event of the session's stream (P-XAT-3, P-XST-2). */
export type EventMarks = Opening["marks"];

/** The bounds of a session's events kept for returning clients. */
export interface EventLogLimits {
  /** Default: 10,000. */
  readonly events: number;
  /** UTF-16 units of all of them together. Default: 16 Mi. */
  readonly length: number;
}

export const defaultEventLogLimits: EventLogLimits = { events: 10_000, length: 16 * 1024 * 1024 };

/** The most that surrounds a person's words in their event, in UTF-16 units. */
export const EVENT_FRAME = 2048;

/** The most levels of an event's payload: a client that cannot read an event would return for it for ever. */
export const PAYLOAD_NESTING = defaultLimits.nesting - 2;
/** The most values of a payload, for the same reason: what is around it has fewer than 64. */
export const PAYLOAD_VALUES = defaultLimits.values - 64;
/** The most bytes of an event, since an oversized event would have the same effect. */
const MOST_BYTES = defaultLimits.inboundBytes;

/** Entries that have left are let go of when so many have. */
const SPLICE = 1024;

/** The end of the text of an entry, with its marks. */
const marksOf = /,"seq":\d+(?:,"state":"\w+")?\}\}$/;

/** The text of an entry as part of the history, without its number (P-XHI-1). */
export const replayedText = (entry: LogEntry): string =>
  typeof entry === "string" ? entry.replace(marksOf, ',"replayed":true}}') : entry.replayed();

/** An event as a whole message, or the opening of a request, which is not the same for all. */
export type LogEntry = string | Opening;

/**
 * The events of a session for extended clients: numbered, written once for all, and kept for a while (P-XAT-3,
 * P-XAT-7).
 */
export class EventLog implements OpeningWriter {
  /** A UUID, new with each log. */
  readonly stream = uuid();
  readonly #limits: EventLogLimits;
  readonly #maxText: number;
  /** The openings of what is open, by the request's id; made with the first. */
  #openings: Map<string, Opening> | undefined;
  #entries: (LogEntry | undefined)[] = [];
  /** The place of the oldest kept entry, and its number. */
  #head = 0;
  #first = 1;
  #length = 0;
  #followers: readonly (() => void)[] = [];

  /** @param maxText UTF-16 units of one message, at most. */
  constructor(limits: EventLogLimits, maxText: number) {
    this.#limits = limits;
    this.#maxText = maxText;
  }

  /** The number of the last event; 0 before the first. */
  get seq(): number {
    return this.#first + this.#entries.length - this.#head - 1;
  }

  /** The entries that are kept, oldest first. */
  kept(): LogEntry[] {
    return this.#entries.slice(this.#head).filter((entry) => entry !== undefined);
  }

  /** True if an event has left. */
  get isCut(): boolean {
    return this.#first > 1;
  }

  /** True if all events after this number are still kept. */
  reaches(seq: number): boolean {
    return seq >= this.#first - 1 && seq <= this.seq;
  }

  /** The entry of a number; undefined where it has left, or did not come yet. */
  at(seq: number): LogEntry | undefined {
    return seq < this.#first ? undefined : this.#entries[this.#head + seq - this.#first];
  }

  /**
   * Adds an event and tells the followers. Returns its marks.
   *
   * @param state the session's, where that is another one than before.
   * @throws LocalError BAD_MESSAGE for what does not fit its schema, or is too large or too deep to send; it then has no number.
   */
  append(type: EventName, payload: unknown, state?: SessionState): EventMarks {
    const marks = this.#next(state);
    const text = isOwn(type)
      ? eventText(type, payload, marks)
      : checkedEventText(eventSchemas[type], type, payload, marks, validateCompiled);
    this.#add(this.#sendable(text), text.length);
    return marks;
  }

  /** Adds the opening of a request. */
  open(request: AnyInteraction, state?: SessionState): void {
    const opening = new Opening(request, this.#next(state), this);
    this.#openings ??= new Map();
    this.#openings.set(request.id, opening);
    this.#add(opening, 0);
  }

  /** The opening of a request that is open. */
  opening(requestId: string): Opening | undefined {
    return this.#openings?.get(requestId);
  }

  /** A request is settled: its opening is told in short from now on. */
  close(requestId: string): void {
    this.#openings?.get(requestId)?.close();
    this.#openings?.delete(requestId);
  }

  asked(request: PersonRequest, shows: AllowedFeatures, marks: Marks = {}): string {
    const { type, payload } = askedRequest(request, shows);
    // A question was validated when it was made; an approval was not.
    const text =
      request.kind === "question"
        ? eventText(type, payload, marks)
        : checkedEventText(askedEvents[type], type, payload, marks, validateCompiled);
    return this.#sendable(text);
  }

  grown(by: number): void {
    this.#length += by;
  }

  /** Calls `follow` after each event, while it can still be read. The returned function ends that. */
  follow(follow: () => void): () => void {
    this.#followers = this.#followers.concat(follow);
    return () => {
      this.#followers = this.#followers.filter((other) => other !== follow);
    };
  }

  #next(state: SessionState | undefined): EventMarks {
    const seq = this.seq + 1;
    return state === undefined ? { seq } : { seq, state };
  }

  /** @throws LocalError BAD_MESSAGE for a text that is too large or too deep to send. */
  #sendable(text: string): string {
    if (text.length > this.#maxText) {
      throw new LocalError("BAD_MESSAGE", `message of ${text.length} characters: at most ${this.#maxText}`);
    }
    if (text.length * 3 > MOST_BYTES && Buffer.byteLength(text) > MOST_BYTES) {
      throw new LocalError("BAD_MESSAGE", `message of more than ${MOST_BYTES} bytes`);
    }
    if (tooDeepAt(text, defaultLimits.nesting) !== -1) {
      throw new LocalError("BAD_MESSAGE", `payload nested deeper than ${PAYLOAD_NESTING}`);
    }
    if (tooManyAt(text, defaultLimits.values) !== -1) {
      throw new LocalError("BAD_MESSAGE", `payload of more than ${PAYLOAD_VALUES} values`);
    }
    return text;
  }

  #add(entry: LogEntry, length: number): void {
    this.#entries.push(entry);
    this.#length += length;
    for (const follow of this.#followers) follow();
    this.#forget();
  }

  #forget(): void {
    while (this.#entries.length - this.#head > this.#limits.events || this.#length > this.#limits.length) {
      const entry = this.#entries[this.#head];
      if (typeof entry === "string") this.#length -= entry.length;
      else entry?.leave();
      this.#entries[this.#head] = undefined;
      this.#head += 1;
      this.#first += 1;
    }
    if (this.#head < SPLICE) return;
    this.#entries.splice(0, this.#head);
    this.#head = 0;
  }
}
