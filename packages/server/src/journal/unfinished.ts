import type { UserInput } from "@askwire/protocol";
import type { ToldEvent } from "../agent/agent.js";
import type { ClientName } from "../profiles/profile.js";
import type { CallPlace } from "../requests/interaction.js";
import {
  type InteractionOpened,
  type InteractionSettled,
  type OwnRecord,
  type OwnRecordType,
  readRecord,
} from "./entries.js";
import { type ReadableFile, readLinesBackwards } from "./lines-backwards.js";

/** A request of a turn that an earlier process left. */
export interface LeftRequest {
  readonly opened: InteractionOpened;
  /** The time of its opening, in milliseconds since 1970. */
  readonly since: number;
  /** True if somebody had begun to answer. */
  readonly touched: boolean;
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
  readonly by: ClientName | undefined;
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
  /** The calls that went on after an approval without a person. */
  readonly passed: readonly CallPlace[];
  /** The results of `turn.once`; undefined for work that was begun and not done. */
  readonly once: ReadonlyMap<string, { readonly value: unknown } | undefined>;
}

/** The remains of earlier processes at the end of a journal. */
export interface Left {
  /** The turn that has no end; undefined if each has one. */
  readonly turn: Unfinished | undefined;
  /** The last settlements, oldest first. */
  readonly settled: readonly InteractionSettled[];
  /** The ends of the last turns, oldest first. */
  readonly ended: readonly OwnRecord<"TurnEnded">[];
}

/** Settlements and ends of turns that are read at most. */
const MOST_SETTLED = 256;
const MOST_ENDED = 64;
/** Bytes of a turn that is restored, and bytes that are read for settlements beyond it. */
const TURN_BYTES = 64 * 1024 * 1024;
const SETTLED_BYTES = 16 * 1024 * 1024;

/** Most lines are none of these, and are not parsed on the way back. */
const marks = /"(?:TurnOpened|TurnEnded|InteractionSettled)"/;

/**
 * Reads the end of a journal: the turn that was left, and the last settlements. Goes back from the end of the file, so
 * that a long session costs no more than a short one. Lines that are no records are passed over.
 */
export function readLeft(file: ReadableFile): Left {
  const settled: InteractionSettled[] = [];
  const ended: OwnRecord<"TurnEnded">[] = [];
  const lines: string[] = [];
  let opened: string | undefined;
  let isFound = false;
  for (const { text, fromEnd } of readLinesBackwards(file, TURN_BYTES)) {
    if (isFound && fromEnd > SETTLED_BYTES) break;
    const isFull = settled.length >= MOST_SETTLED && ended.length >= MOST_ENDED;
    if (isFound && isFull) break;
    if (!isFound) lines.push(text);
    const record = marks.test(text) ? readRecord(text) : undefined;
    if (record === undefined || "problem" in record) continue;
    const { type, payload } = record;
    if (type === "InteractionSettled" && settled.length < MOST_SETTLED)
      settled.push(payload as InteractionSettled);
    if (type === "TurnOpened" && !isFound) opened = text;
    if (type === "TurnEnded" && ended.length < MOST_ENDED) ended.push(payload as OwnRecord<"TurnEnded">);
    if (type === "TurnOpened" || type === "TurnEnded") isFound = true;
  }
  const turn = opened === undefined ? undefined : unfinishedTurn(lines.reverse());
  return { turn, settled: settled.reverse(), ended: ended.reverse() };
}

/** Reads a turn, of which the first line is its opening. Undefined where its beginning was cut out. */
function unfinishedTurn(lines: readonly string[]): Unfinished | undefined {
  const events: ToldEvent[] = [];
  const requests = new Map<string, Changing<LeftRequest>>();
  const started: CallPlace[] = [];
  const passed: CallPlace[] = [];
  const once = new Map<string, { readonly value: unknown } | undefined>();
  let turnId = "";
  let by: ClientName | undefined;
  let lastAt = 0;
  let attempts = 0;
  let fruitless = 0;
  let stopped = false;

  const progress = () => {
    fruitless = 0;
  };
  const notes: { readonly [T in OwnRecordType]?: (payload: OwnRecord<T>, at: number) => void } = {
    TurnOpened(payload) {
      turnId = payload.turn_id;
      by = payload.by as ClientName | undefined;
    },
    TurnResumed() {
      attempts += 1;
      fruitless += 1;
    },
    TurnSuspended: progress,
    TurnStopping() {
      stopped = true;
    },
    CallStarted({ call_id: callId, nth }) {
      started.push({ callId, nth });
    },
    InteractionOpened(opened, since) {
      if (opened.turn_id !== turnId || requests.has(opened.request_id)) return;
      if (opened.kind !== "question" && opened.kind !== "approval") return;
      const isWhole = opened.kind === "approval";
      const left = { opened, since, touched: false, settled: undefined, claimed: false, isWhole };
      requests.set(opened.request_id, left);
    },
    InteractionTouched({ request_id }) {
      const request = requests.get(request_id);
      if (request !== undefined) request.touched = true;
    },
    InteractionSettled(settled) {
      const request = requests.get(settled.request_id);
      if (request === undefined || request.settled !== undefined) return;
      progress();
      request.settled = settled as unknown as InteractionSettled;
      request.claimed = settled.held !== true;
    },
    InteractionClaimed({ request_id, call_id: callId, nth }) {
      const request = requests.get(request_id);
      if (request !== undefined) request.claimed = true;
      else if (callId !== undefined && nth !== undefined) passed.push({ callId, nth });
    },
    InteractionRejoined: progress,
    OnceBegun({ key }) {
      if (!once.has(key)) once.set(key, undefined);
    },
    OnceDone({ key, value }) {
      progress();
      once.set(key, { value });
    },
  };

  for (const text of lines) {
    const record = readRecord(text);
    if (record === undefined || "problem" in record) continue;
    const { form, type, payload, timestamp } = record;
    lastAt = timestamp * 1000;
    if (form === "note") notes[type as OwnRecordType]?.(payload as never, lastAt);
    else if (form === "request") {
      const request = requests.get((payload as { id: string }).id);
      if (request !== undefined) request.isWhole = true;
    } else if (form === "event") {
      if (type === "StepBegin" || type === "ToolResult") progress();
      // A beginning that was doubled by hand counts once.
      if (type !== "TurnBegin" || events.length === 0) events.push({ type, payload });
    }
  }
  const [first] = events;
  if (first?.type !== "TurnBegin") return undefined;
  const { user_input: input } = first.payload as { user_input: UserInput };
  const facts = { events, lastAt, attempts, fruitless, stopped, started, passed, once };
  return { turnId, by, input, ...facts, requests: [...requests.values()] };
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };
