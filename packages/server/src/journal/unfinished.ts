import type { ActingClient, UserInput } from "@askwire/protocol";
import type { ToldEvent } from "../agent/agent.js";
import type { CallPlace } from "../requests/interaction.js";
import {
  type InteractionOpened,
  type InteractionSettled,
  type JournalRecord,
  type OwnRecord,
  type OwnRecordType,
  validRecord,
} from "./entries.js";
import type { FileLine } from "./lines.js";

/** A request of a turn that an earlier process left. */
export interface LeftRequest {
  readonly opened: InteractionOpened;
  /** The time of its opening, in milliseconds since 1970. */
  readonly since: number;
  /** True if somebody had begun to answer. */
  readonly touched: boolean;
  /** The number of steps by which its addressees have grown. */
  readonly escalated: number;
  /** The outcome; undefined for a request that is open. */
  readonly settled: InteractionSettled | undefined;
  /** True if a call had the outcome before its process ended. */
  readonly claimed: boolean;
  /** True if the record for base clients is there, which a power cut may have torn off. */
  readonly isWhole: boolean;
}

/** A turn that an earlier process left before its end. */
export interface Unfinished {
  readonly turnId: string;
  readonly by: ActingClient | undefined;
  readonly input: UserInput;
  /** The events from TurnBegin on, in their order. */
  readonly events: readonly ToldEvent[];
  /** The time of its last record, in milliseconds since 1970. */
  readonly lastAt: number;
  /** The number of times that the turn was run again. */
  readonly attempts: number;
  /** The number of last runs without a sign of progress and without an end in good order. */
  readonly fruitless: number;
  /** True if it was to end after its step. */
  readonly stopped: boolean;
  /** Its requests to a person, oldest first. */
  readonly requests: readonly LeftRequest[];
  /** The calls that were started. */
  readonly started: readonly CallPlace[];
  /** The calls that continued after an approval without a person. */
  readonly passed: readonly CallPlace[];
  /** The results of `turn.once`; undefined for work that was begun and not done. */
  readonly once: ReadonlyMap<string, { readonly value: unknown } | undefined>;
}

/** The remains of earlier turns in a journal. */
export interface LeftTurns {
  /** The turn that has no end; undefined if each has one. */
  readonly turn: Unfinished | undefined;
  /** The last settlements, oldest first. */
  readonly settled: readonly InteractionSettled[];
  /** The ends of the last turns, oldest first. */
  readonly ended: readonly OwnRecord<"TurnEnded">[];
}

/** Settlements and ends of turns that are remembered at most, and the bytes at the end in which they are looked for. */
const MOST_SETTLED = 256;
const MOST_ENDED = 64;
const RECENT_BYTES = 16 * 1024 * 1024;
/** The most bytes of a turn that is restored. */
const TURN_BYTES = 64 * 1024 * 1024;

/** Gathers the last settlements and ends of turns (P-RES-13), and finds the turn that has no end (P-RES-1). */
export class LastTurns {
  readonly #end: number;
  /** Lines, of which most are not among the last and need no check. */
  readonly #settled: string[] = [];
  readonly #ended: OwnRecord<"TurnEnded">[] = [];
  #openedAt: number | undefined;

  /** @param end the place after the last line, as lines have places. */
  constructor(end: number) {
    this.#end = end;
  }

  opened(text: string, at: number): void {
    if (validRecord(text) !== undefined) this.#openedAt = at;
  }

  ended(text: string, at: number): void {
    const record = validRecord(text);
    if (record === undefined) return;
    this.#openedAt = undefined;
    if (this.#isRecent(at)) addLast(this.#ended, record.payload as OwnRecord<"TurnEnded">, MOST_ENDED);
  }

  settled(text: string, at: number): void {
    if (this.#isRecent(at)) addLast(this.#settled, text, MOST_SETTLED);
  }

  /** The place of the first line of the turn that has no end, which is read again: a turn that ends is not worth the memory. */
  get unfinishedFrom(): number | undefined {
    const from = this.#openedAt;
    return from === undefined || this.#end - from > TURN_BYTES ? undefined : from;
  }

  /** @param unfinished the lines from `unfinishedFrom` on. */
  left(unfinished: Iterable<Pick<FileLine, "text">>): LeftTurns {
    const settled = this.#settled.flatMap((text) => (validRecord(text)?.payload ?? []) as InteractionSettled);
    const turn = this.unfinishedFrom === undefined ? undefined : restored(unfinished);
    return { turn, settled, ended: this.#ended };
  }

  #isRecent(at: number): boolean {
    return this.#end - at <= RECENT_BYTES;
  }
}

function restored(lines: Iterable<Pick<FileLine, "text">>): Unfinished | undefined {
  const turn = new TurnReading();
  for (const { text = "" } of lines) {
    const record = validRecord(text);
    if (record !== undefined) turn.read(record);
  }
  return turn.unfinished();
}

function addLast<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}

/** Gathers the records of one turn, oldest first. */
class TurnReading {
  readonly #events: ToldEvent[] = [];
  readonly #requests = new Map<string, Changing<LeftRequest>>();
  readonly #started: CallPlace[] = [];
  readonly #passed: CallPlace[] = [];
  readonly #once = new Map<string, { readonly value: unknown } | undefined>();
  #turnId = "";
  #by: ActingClient | undefined;
  #lastAt = 0;
  #attempts = 0;
  #fruitless = 0;
  #stopped = false;

  read({ form, type, payload, timestamp }: Omit<JournalRecord, "line">): void {
    this.#lastAt = timestamp * 1000;
    if (form === "note") this.#notes[type as OwnRecordType]?.(payload as never);
    else if (form === "request") this.#isWhole((payload as { id: string }).id);
    else if (form === "event") this.#told({ type, payload });
  }

  /** The turn; undefined where its beginning is missing. */
  unfinished(): Unfinished | undefined {
    const [first] = this.#events;
    if (first?.type !== "TurnBegin") return undefined;
    return {
      turnId: this.#turnId,
      by: this.#by,
      input: (first.payload as { user_input: UserInput }).user_input,
      events: this.#events,
      lastAt: this.#lastAt,
      attempts: this.#attempts,
      fruitless: this.#fruitless,
      stopped: this.#stopped,
      started: this.#started,
      passed: this.#passed,
      once: this.#once,
      requests: [...this.#requests.values()],
    };
  }

  readonly #notes: { readonly [T in OwnRecordType]?: (payload: OwnRecord<T>) => void } = {
    TurnOpened: ({ turn_id, by }) => {
      this.#turnId = turn_id;
      this.#by = by as ActingClient | undefined;
    },
    TurnResumed: () => {
      this.#attempts += 1;
      this.#fruitless += 1;
    },
    TurnSuspended: () => this.#progress(),
    TurnStopping: () => {
      this.#stopped = true;
    },
    CallStarted: ({ call_id: callId, nth }) => void this.#started.push({ callId, nth }),
    InteractionOpened: (opened) => this.#opened(opened),
    InteractionTouched: ({ request_id }) => {
      const request = this.#requests.get(request_id);
      if (request !== undefined) request.touched = true;
    },
    InteractionEscalated: ({ request_id, step }) => {
      const request = this.#requests.get(request_id);
      if (request !== undefined) request.escalated = Math.max(request.escalated, step);
    },
    InteractionSettled: (settled) => this.#settled(settled),
    InteractionClaimed: ({ request_id, call_id: callId, nth }) => {
      const request = this.#requests.get(request_id);
      if (request !== undefined) request.claimed = true;
      else if (callId !== undefined && nth !== undefined) this.#passed.push({ callId, nth });
    },
    InteractionRejoined: () => this.#progress(),
    OnceBegun: ({ key }) => {
      if (!this.#once.has(key)) this.#once.set(key, undefined);
    },
    OnceDone: ({ key, value }) => {
      this.#progress();
      this.#once.set(key, { value });
    },
  };

  #progress(): void {
    this.#fruitless = 0;
  }

  #opened(opened: OwnRecord<"InteractionOpened">): void {
    if (opened.turn_id !== this.#turnId || this.#requests.has(opened.request_id)) return;
    if (opened.kind !== "question" && opened.kind !== "approval") return;
    const isWhole = opened.kind === "approval";
    const since = this.#lastAt;
    const left = { opened, since, touched: false, escalated: 0, settled: undefined, claimed: false, isWhole };
    this.#requests.set(opened.request_id, left);
  }

  #settled(settled: OwnRecord<"InteractionSettled">): void {
    const request = this.#requests.get(settled.request_id);
    if (request === undefined || request.settled !== undefined) return;
    this.#progress();
    request.settled = settled as unknown as InteractionSettled;
    request.claimed = settled.held !== true;
  }

  #isWhole(requestId: string): void {
    const request = this.#requests.get(requestId);
    if (request !== undefined) request.isWhole = true;
  }

  #told(event: ToldEvent): void {
    if (event.type === "StepBegin" || event.type === "ToolResult") this.#progress();
    // A beginning that was doubled by hand counts once.
    if (event.type !== "TurnBegin" || this.#events.length === 0) this.#events.push(event);
  }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };
