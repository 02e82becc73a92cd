import { createHash } from "node:crypto";
import type { Outcome, PolicyDecision } from "@askwire/protocol";
import { BoundedMap, defined, jsonText } from "@askwire/protocol/internal";
import { sorted } from "../requests/same-request.js";
import {
  type AskOpened,
  type InteractionOpened,
  type InteractionVoted,
  type JournalRecord,
  type OwnRecord,
  readRecord,
} from "./entries.js";
import { beginsRecord } from "./raw-record.js";
import { type JournalReading, readJournal } from "./read-journal.js";
import { readPart } from "./read-part.js";

/** A question or an approval, without the ids of the request, its call and its turn, which no person is shown. */
export type DecidedRequest = Readonly<Record<string, unknown>>;

/** The part of a decision that one record has: that something was asked, or what came of it. */
export interface DecisionRecord {
  /**
   * `program`: a program asks, and names itself. `voted`: one of several has approved, and others must still (P-XQU-3).
   * `rule`: a rule of the session has answered an approval, so that nobody was asked.
   */
  readonly what: "program" | "asked" | "voted" | "settled" | "rule";
  readonly kind: "question" | "approval";
  /** Undefined where a rule has answered. */
  readonly requestId?: string;
  /** The tool call that asks. */
  readonly callId?: string;
  readonly request?: DecidedRequest;
  readonly outcome?: Outcome;
  readonly response?: unknown;
  /** The client's id of the answer (P-XAN-5). */
  readonly answerId?: string;
  /** The rule that has answered (P-XAO-11). */
  readonly rule?: string;
  /** The name that the connected program gives itself whose question it is. */
  readonly program?: string;
  /** The digest of the name and the words that were removed, and the way in of their person. */
  readonly forgotten?: { readonly digest: string; readonly via?: string | undefined };
}

/** A decision of a kept session, or the end of a request that nobody decided. */
export interface KeptDecision extends Omit<DecisionRecord, "what"> {
  /** The time of the outcome, or of the opening of a request that is open, in milliseconds since 1970. */
  readonly at: number;
  /** The time of the opening; undefined where nobody was asked. */
  readonly askedAt?: number;
}

/** The requests that may be open at a time: of an older one the outcome alone is told. */
const MOST_OPEN = 10_000;
/** The bytes in which the time of the first record is looked for. */
const HEAD_BYTES = 16 * 1024;

/** The records that are read, by type. All others are passed over without a look at what is in them. */
const relevant = new Set([
  "AskOpened",
  "InteractionOpened",
  "QuestionRequest",
  "InteractionVoted",
  "InteractionSettled",
  "PolicyDecided",
]);

/** The SHA-256 of a request as canonical JSON: members by their names, no blanks. In hexadecimal digits. */
export const requestDigest = (request: DecidedRequest): string =>
  createHash("sha256")
    .update(jsonText(sorted(request) as object))
    .digest("hex");

/**
 * The decisions of a journal, in its order; then, without an outcome, the requests that are open at its end.
 *
 * @throws the system's error if the file cannot be read.
 */
export async function* readDecisions(
  file: string,
  reading: Omit<JournalReading, "wants"> = {},
): AsyncGenerator<KeptDecision> {
  const gathered = new GatheredDecisions();
  const wants = (beginning: string) => beginsRecord(beginning, relevant);
  for await (const record of readJournal(file, { ...reading, wants })) {
    const decision = gathered.take(record);
    if (decision !== undefined) yield decision;
  }
  yield* gathered.open();
}

/** The time of the first record of a journal, in milliseconds since 1970; undefined without one near its beginning. */
export function firstRecordAt(file: string): number | undefined {
  const [, seconds] =
    /^\{"timestamp": ?([0-9.]+)/m.exec(readPart(file, { bytes: HEAD_BYTES, from: "start" })) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** The time of a record by its line, in seconds since 1970; undefined for a line of another form. */
export function timeOfLine(line: string): number | undefined {
  const [, seconds] = /^\{"timestamp": ?([0-9.]+)/.exec(line.slice(0, LINE_BEGINNING)) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

/** The part of a decision in a line of a journal; undefined for any other line. */
export function decisionInLine(line: string): DecisionRecord | undefined {
  if (!beginsRecord(line.slice(0, LINE_BEGINNING), relevant)) return undefined;
  const record = readRecord(line);
  return record === undefined || "problem" in record ? undefined : decisionRecord(record);
}

/** The UTF-16 units at the beginning of a line by which its type is told. */
const LINE_BEGINNING = 100;

/** Puts each outcome together with the request that it belongs to. */
class GatheredDecisions {
  readonly #open = new BoundedMap<string, KeptDecision>(MOST_OPEN);
  readonly #programs = new BoundedMap<string, string>(MOST_OPEN);

  take(record: JournalRecord): KeptDecision | undefined {
    const at = record.timestamp * 1000;
    if (record.type === "QuestionRequest") this.#asked(at, baseQuestion(record.payload));
    const read = decisionRecord(record);
    if (read === undefined) return undefined;
    if (read.what === "program") return this.#program(read);
    if (read.what === "asked") return this.#asked(at, read);
    const { what, ...outcome } = read;
    const asked = this.#open.get(read.requestId ?? "");
    if (what !== "voted") this.#open.delete(read.requestId ?? "");
    return { ...asked, ...outcome, at };
  }

  /** The open requests, oldest first. */
  open(): Iterable<KeptDecision> {
    return this.#open.values();
  }

  #asked(at: number, { what: _what, ...asked }: DecisionRecord): undefined {
    const { requestId = "" } = asked;
    // The record for base clients comes second, and has less of the questions.
    if (this.#open.has(requestId)) return;
    const program = this.#programs.get(requestId);
    this.#programs.delete(requestId);
    this.#open.set(requestId, { ...asked, at, askedAt: at, ...defined({ program }) });
  }

  #program({ requestId = "", program = "" }: DecisionRecord): undefined {
    this.#programs.set(requestId, program);
  }
}

function decisionRecord({
  type,
  payload,
}: Pick<JournalRecord, "type" | "payload">): DecisionRecord | undefined {
  if (type === "AskOpened") return begun(payload as AskOpened);
  if (type === "InteractionOpened") return opened(payload as InteractionOpened);
  if (type === "InteractionVoted") return voted(payload as InteractionVoted);
  if (type === "InteractionSettled") return settled(payload as OwnRecord<"InteractionSettled">);
  return type === "PolicyDecided" ? ruled(payload as PolicyDecision) : undefined;
}

/** The name of a program is all of its ask that belongs to a decision. */
const begun = ({ request_id: requestId, name: program }: AskOpened): DecisionRecord | undefined =>
  program === undefined ? undefined : { what: "program", kind: "question", requestId, program };

function opened({ request_id, kind, request, questions }: InteractionOpened): DecisionRecord | undefined {
  if (kind !== "question" && kind !== "approval") return undefined;
  const whole = questions === undefined ? request : { ...(request as object), questions };
  return { what: "asked", kind, requestId: request_id, ...withoutIds(whole) };
}

/** An approval of one of several, which is no outcome of its request: it has a status of its own. */
function voted({ request_id: requestId, by, response, forgotten }: InteractionVoted): DecisionRecord {
  const { principal, at, note, name, connection } = by;
  const person = forgotten === undefined && { principal, client: { name, connection } };
  const outcome = { status: "voted", by: "human", ...person, at, ...defined({ note }) };
  return {
    ...{ what: "voted", kind: "approval", requestId, outcome: outcome as unknown as Outcome, response },
    ...defined({ forgotten }),
  };
}

function settled(payload: OwnRecord<"InteractionSettled">): DecisionRecord | undefined {
  const { request_id, kind, request, outcome, response, answer_id: answerId, forgotten } = payload;
  if (kind !== "question" && kind !== "approval") return undefined;
  return {
    ...{ what: "settled", kind, requestId: request_id, outcome },
    ...(request === undefined ? {} : withoutIds(request)),
    ...defined({ response, answerId, forgotten }),
  };
}

function ruled({
  tool_call_id: callId,
  action,
  description,
  response,
  rule,
}: PolicyDecision): DecisionRecord {
  const outcome = { status: "answered", by: "policy" } as Outcome;
  return {
    ...{ what: "rule", kind: "approval", callId, rule, outcome },
    request: { action, description },
    response: { response, feedback: "" },
  };
}

/** The question of a journal without our own records, as Kimi writes it. */
const baseQuestion = (payload: unknown): DecisionRecord => ({
  ...{ what: "asked", kind: "question", requestId: (payload as { id: string }).id },
  ...withoutIds(payload),
});

function withoutIds(whole: unknown): Pick<DecisionRecord, "request" | "callId"> {
  if (typeof whole !== "object" || whole === null) return {};
  const { id: _id, tool_call_id, source_id: _source, ...request } = whole as DecidedRequest;
  return {
    request,
    ...(typeof tool_call_id === "string" && tool_call_id !== "" && { callId: tool_call_id }),
  };
}
