import {
  ActingClient,
  Addressees,
  ApprovalKind,
  ContentPart,
  clientMethods,
  HeardOrigin,
  HeardOutcome,
  LocalError,
  type Outcome,
  outcomeInOwnWords,
  PolicyDecision,
  PROTOCOL_VERSION,
  type Schema,
} from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { jsonText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { Clock } from "../runtime/clock.js";
import { HistoryMessage } from "./history-message.js";

/** The ways of asking that the journal keeps apart. */
export const interactionKinds = ["question", "approval", "tool_call", "hook"] as const;
export type InteractionKind = (typeof interactionKinds)[number];

const Kind = z.enum(interactionKinds);

/** A tool as a model is told of it. */
const SentTool = z.looseObject({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});

/** The digest of the name and the words of a person who was forgotten, and their way in. */
const forgotten = z.optional(z.looseObject({ digest: z.string(), via: z.optional(z.string()) }));

/**
 * The versions of our own records, in {@link SessionOpened}: that of every session, and that of one with a request for some
 * people alone, or for several, which an earlier program would let anybody answer. A process leaves alone what a later one
 * wrote (P-DUR-10).
 */
const FIRST_VERSION = 1;
const RECORDS_VERSION = 2;

/** Our own records, which Kimi's readers skip (P-JRN-5, P-DUR-4). */
export const ownRecords = {
  /** A process opened the session: the first record of each. */
  SessionOpened: z.looseObject({ generation: z.number(), process: z.number(), version: z.number() }),
  /** A prompt was accepted, right before TurnBegin. */
  TurnOpened: z.looseObject({ turn_id: z.string(), by: z.optional(ActingClient) }),
  /** A process runs the turn again that an earlier one left, for the n-th time. */
  TurnResumed: z.looseObject({ turn_id: z.string(), attempt: z.number() }),
  /** A process ended in good order and left the turn to the next one. */
  TurnSuspended: z.looseObject({ turn_id: z.string() }),
  /** The turn is to end after its step. */
  TurnStopping: z.looseObject({ turn_id: z.string() }),
  /** A turn has ended, right after TurnEnd. */
  TurnEnded: z.looseObject({
    turn_id: z.string(),
    status: z.enum(["finished", "cancelled", "max_steps_reached", "failed"]),
    steps: z.optional(z.number()),
    error: z.optional(z.looseObject({ code: z.number(), message: z.string() })),
  }),
  /** A tool call is about to run. `nth` counts the calls of the turn with this id, from 1. */
  CallStarted: z.looseObject({ call_id: z.string(), nth: z.number() }),
  /** A request that was sent, where nothing else shows all of it. */
  InteractionOpened: z.looseObject({
    request_id: z.string(),
    kind: Kind,
    request: z.unknown(),
    turn_id: z.optional(z.string()),
    /** The call that it was asked in. */
    call_id: z.optional(z.string()),
    nth: z.optional(z.number()),
    /** The name by which a turn that runs again finds it. */
    key: z.optional(z.string()),
    /** The questions in full, which the record after it has only in part. */
    questions: z.optional(z.unknown()),
    deadline: z.optional(z.looseObject({ ms: z.number(), on_expiry: z.string(), at: z.string() })),
    /** The sub-agent that asks. */
    origin: z.optional(z.unknown()),
    /** The dialect of a question, and the arguments of its call. */
    dialect: z.optional(z.string()),
    input: z.optional(z.nullable(z.string())),
    /** The option of an approval that `approve_for_session` of base clients stands for. */
    for_session: z.optional(z.string()),
    /** For whom it is, and the steps by which that grows (P-XTO-1, P-XTO-6). */
    addressed: z.optional(
      z.looseObject({
        /** The time from which the steps count. */
        at: z.string(),
        to: z.optional(Addressees),
        exclusive: z.optional(z.boolean()),
        escalate: z.optional(z.array(z.looseObject({ after_ms: z.number(), to: Addressees }))),
      }),
    ),
    /** The only client that it goes to. */
    recipient: z.optional(z.string()),
  }),
  /** One of several people has approved, and others must still (P-XQU-3). */
  InteractionVoted: z.looseObject({
    request_id: z.string(),
    by: z.Approver,
    response: z.looseObject({
      response: ApprovalKind,
      feedback: z.string(),
      option: z.optional(z.string()),
      edited: z.optional(z.string()),
    }),
    /** The client's id of the answer, and the id of the client. */
    answer_id: z.optional(z.string()),
    client_id: z.optional(z.string()),
    forgotten,
  }),
  /** A person has begun to answer. */
  InteractionTouched: z.looseObject({ request_id: z.string() }),
  /** The addressees have grown by a step, the nth, with these people. */
  InteractionEscalated: z.looseObject({ request_id: z.string(), step: z.number(), to: Addressees }),
  /** A call has an outcome that came before it asked, or that no person gave. */
  InteractionClaimed: z.looseObject({
    request_id: z.string(),
    call_id: z.optional(z.string()),
    nth: z.optional(z.number()),
  }),
  /** A turn that runs again waits for a request of an earlier process. */
  InteractionRejoined: z.looseObject({ request_id: z.string() }),
  /** Work of `turn.once` begins. */
  OnceBegun: z.looseObject({ turn_id: z.string(), key: z.string() }),
  /** Work of `turn.once` is done. */
  OnceDone: z.looseObject({ turn_id: z.string(), key: z.string(), value: z.optional(z.unknown()) }),
  /** The key of an ask and the name of its program, right before the records of its questions. */
  AskOpened: z.looseObject({
    request_id: z.string(),
    key: z.string(),
    digest: z.string(),
    name: z.optional(z.string()),
    /** The server's id of the connection that asked. */
    connection: z.optional(z.string()),
    /** The origin, in the words of the program. */
    origin: z.optional(HeardOrigin),
    /** The id of the client that is not asked, and of the one whose loss withdraws the questions. */
    unasked: z.optional(z.string()),
    bound: z.optional(z.string()),
  }),
  /** The outcome of a request, with the request itself if nothing else records it. */
  InteractionSettled: z.looseObject({
    request_id: z.string(),
    kind: Kind,
    request: z.optional(z.unknown()),
    // A later process's words are read as far as they go.
    outcome: z.pipe(HeardOutcome, z.transform(outcomeInOwnWords)),
    response: z.optional(z.unknown()),
    /** The client's id of the answer, and the id that the session knows the client by (P-XAN-5). */
    answer_id: z.optional(z.string()),
    client_id: z.optional(z.string()),
    /** True if nobody waited for the answer when it came. */
    held: z.optional(z.boolean()),
    /** The digest of a person's name and words that were removed, and the way in by which the person was known. */
    forgotten,
  }),
  /** A person does not want to be asked questions, or wants to be asked again. */
  DoNotAsk: z.looseObject({ enabled: z.boolean(), by: z.optional(ActingClient) }),
  /** A rule has answered an approval, so that nobody was asked. */
  PolicyDecided: PolicyDecision,
  /** A value that the agent keeps for its next process. */
  AgentMemory: z.looseObject({ value: z.unknown() }),
  /** The instructions, or the tools, that a model is sent from now on under their hash; once for each hash. */
  ModelText: z.looseObject({ hash: z.string(), content: z.union([z.string(), z.array(SentTool)]) }),
  /** The model is asked for the step that has begun, with the instructions and tools of these hashes. */
  ModelAsked: z.looseObject({ system: z.optional(z.string()), tools: z.optional(z.string()) }),
  /** The model's words of a step in which it called in its text, as it wrote them. */
  ModelSaid: z.looseObject({ content: z.array(ContentPart) }),
  /** The model knows no more of the conversation than these messages. */
  ModelForgot: z.looseObject({ messages: z.array(HistoryMessage) }),
} as const;
export type OwnRecordType = keyof typeof ownRecords;
export type OwnRecord<T extends keyof typeof ownRecords> = z.output<(typeof ownRecords)[T]>;
export type InteractionOpened = z.output<typeof ownRecords.InteractionOpened>;
export type InteractionVoted = z.output<typeof ownRecords.InteractionVoted>;
export type AskOpened = z.output<typeof ownRecords.AskOpened>;
export type InteractionSettled = Omit<z.output<typeof ownRecords.InteractionSettled>, "outcome"> & {
  outcome: Outcome;
};

/** The first line of a journal (P-JRN-2). */
export const headerLine = jsonText({ type: "metadata", protocol_version: PROTOCOL_VERSION });

/**
 * Writes a record as a line (P-JRN-2). The frame is written by hand, since `JSON.stringify` of the whole takes half as
 * long again.
 *
 * @param type the name of a type, which needs no escapes.
 */
export const recordLine = (now: number, type: string, payload: object) =>
  `{"timestamp": ${now / 1000}, "message": {"type": "${type}", "payload": ${jsonText(payload)}}}`;

/** The first line of a process that has taken a session for the nth time (P-DUR-4). */
export const openingLine = (clock: Clock, generation: number) =>
  recordLine(clock.now(), "SessionOpened", { generation, process: process.pid, version: FIRST_VERSION });

/** A record that keeps earlier programs away from what follows. It is no opening, and counts none. */
export const laterVersion = () => ({ generation: 0, process: process.pid, version: RECORDS_VERSION });

/** True for a request that earlier programs would let anybody answer. */
export function isOfLaterVersion({ request, addressed }: InteractionOpened): boolean {
  const { quorum } = (request ?? {}) as { readonly quorum?: unknown };
  return quorum !== undefined || addressed !== undefined;
}

/** @throws LocalError INVALID_STATE for records of a later version (P-DUR-10). */
export function refuseLater(name: string, version: number): void {
  if (version <= RECORDS_VERSION) return;
  throw new LocalError(
    "INVALID_STATE",
    `${name} has records of version ${version}, and this program knows ${RECORDS_VERSION}: use a newer one, or another session`,
  );
}

/** The form of a record: told to a client, asked of a client, or a note of ours. */
export type RecordForm = "event" | "request" | "note";

/** Finds the form, the current name and the schema of a type of record; undefined for an unknown type. */
export function findRecordType(
  type: string,
): { readonly form: RecordForm; readonly type: string; readonly payload: Schema } | undefined {
  if (Object.hasOwn(ownRecords, type)) {
    return { form: "note", type, payload: ownRecords[type as keyof typeof ownRecords] };
  }
  const event = clientMethods.event.find(type);
  if (event !== undefined) return { form: "event", ...event };
  const request = clientMethods.request.find(type);
  return request && { form: "request", type, payload: request.payload };
}

/** A record of a journal, with every field and under current names. */
export interface JournalRecord {
  /** The number of its line, from 1. */
  readonly line: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly form: RecordForm;
  readonly type: string;
  readonly payload: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a line: a record, or a problem, or undefined for a header (P-JRN-9). */
export function readRecord(
  text: string,
): Omit<JournalRecord, "line"> | { readonly problem: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "expected JSON" };
  }
  if (!isObject(value)) return { problem: "expected an object" };
  if (value.type === "metadata") return undefined;
  const { timestamp, message } = value;
  if (typeof timestamp !== "number") return { problem: "timestamp: expected a number" };
  if (!isObject(message) || typeof message.type !== "string") {
    return { problem: "message: expected an object with a type" };
  }
  const found = findRecordType(message.type);
  if (found === undefined) return { problem: `message.type: unknown ${JSON.stringify(message.type)}` };
  const parsed = validateCompiled(found.payload, message.payload);
  if (!parsed.ok) return { problem: `message.payload: ${parsed.problem}` };
  return { timestamp, form: found.form, type: found.type, payload: parsed.value };
}

/** Reads a line that should be a record; undefined for any other. */
export function validRecord(text: string): Omit<JournalRecord, "line"> | undefined {
  const record = readRecord(text);
  return record === undefined || "problem" in record ? undefined : record;
}
