import type { ActingClient, LocalError, Outcome, PolicyDecision } from "@askwire/protocol";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { type Disk, nodeDisk } from "./disk.js";
import { openDiskLines } from "./disk-lines.js";
import {
  type AskOpened,
  type InteractionOpened,
  type InteractionSettled,
  type InteractionVoted,
  isOfLaterVersion,
  laterVersion,
  type OwnRecord,
} from "./entries.js";
import type { KeptLines, LinePlace, OpenedLines } from "./kept-lines.js";
import { type JournalPart, KeptRecords } from "./kept-records.js";
import type { LeftState } from "./left.js";
import type { WireMessage } from "./merge.js";
import { type ModelNotes, modelNotes } from "./model-notes.js";
import type { KeptOpenList } from "./open-file.js";
import type { UnfinishedSession } from "./open-requests.js";
import type { ReplayEnd, ReplayTarget } from "./replay.js";
import type { LeftTurns } from "./unfinished.js";

/**
 * The events and requests of a session, kept in its folder. A failing disk makes nothing here throw (P-JRN-12). Methods
 * that return a boolean write before they return, and have the record synced; false means that what the record stands
 * for must not happen, since it would not be kept (P-DUR-6).
 */
export interface Journal extends LeftState, ModelNotes {
  /** The name of the place in logs and errors, such as the path of its file. */
  readonly name: string;
  /**
   * The turn that an earlier process left, whose requests are not settled by opening the journal, and what is
   * remembered of the time before (P-RES-1, P-RES-13).
   */
  readonly left: LeftTurns;
  /**
   * Records an event or request of the turn's wire, as broadcast to a base client. Pieces of a stream are merged
   * (P-JRN-3). An ApprovalResponse is not recorded (P-JRN-4). A message that does not fit its schema becomes a line in
   * the log.
   */
  record(message: WireMessage): void;
  /** Records that a prompt was accepted, with its TurnBegin. */
  turnOpened(opened: OwnRecord<"TurnOpened">, begin: WireMessage): boolean;
  /** Records that a turn is to end after its step. */
  turnStopping(turnId: string): boolean;
  /**
   * Writes the model's conversation next to the journal, and has it synced, before the end of a turn is recorded.
   * Settles once it is as safe as the journal; undefined where it is safe now. Default: none is kept there.
   */
  saveHistory?(): Promise<void> | undefined;
  /** Records the end of a turn, with its TurnEnd. */
  turnEnded(ended: OwnRecord<"TurnEnded">): boolean;
  /** Records that a tool call is about to run. */
  callStarted(started: OwnRecord<"CallStarted">): boolean;
  /**
   * Records a question or approval that is about to be sent (P-JRN-5).
   *
   * @param message the record of Kimi's that belongs to it. Default: none.
   * @param asked the key of an ask whose questions these are. Default: they are no program's.
   */
  opened(opened: InteractionOpened, message?: WireMessage, asked?: AskOpened): boolean;
  /** Records the approval of one of several people, and returns false if it must not count. */
  voted(voted: InteractionVoted): boolean;
  /** Records that a person has begun to answer. */
  touched(requestId: string): void;
  /** Records that the addressees of a request have grown by a step (P-XTO-6). */
  escalated(escalated: OwnRecord<"InteractionEscalated">): void;
  /**
   * Records the outcome of a request. `request` is given if nothing else records its making, as for hooks (P-JRN-5).
   * Only outcomes of questions and approvals are synced.
   */
  settled(settled: InteractionSettled): boolean;
  /** Records the end of a question or approval that nobody was asked, with the request itself (P-JRN-5). */
  unasked(settled: InteractionSettled): void;
  /** Records that a call has an outcome that came before it asked, or that no person gave. */
  claimed(claimed: OwnRecord<"InteractionClaimed">): boolean;
  /** Records that a turn that runs again waits for a request of an earlier process. */
  rejoined(requestId: string): void;
  /** Records that the turn of an earlier process runs again. */
  turnResumed(turnId: string, attempt: number): boolean;
  /** Records that the turn is left to the next process. */
  turnSuspended(turnId: string): void;
  /** Records that work of `turn.once` begins. */
  onceBegun(turnId: string, key: string): boolean;
  /** Records the result of work of `turn.once`. */
  onceDone(turnId: string, key: string, value: unknown): boolean;
  /** Records that a person does not want to be asked, or wants to be asked again (P-XDN-3). */
  doNotAskSet(enabled: boolean, by?: ActingClient): void;
  /** Records what a rule decided, so that nobody was asked (P-XAO-11). */
  policyDecided(decision: PolicyDecision): void;
  /** Records a value that the agent keeps, any JSON (P-JRN-13). */
  agentMemorySet(value: unknown): void;
  /**
   * Resolves once every earlier synced record is safe from a power cut, and rejects where the journal can be kept no
   * more; undefined where each is safe now.
   */
  synced(): Promise<void> | undefined;
  /** Calls `listener` once the journal can be kept no more, with the reason. */
  onLost(listener: (why: LocalError) => void): void;
  /** Writes all that was recorded before. Resolves once it is as safe as it will be. Never rejects. */
  flush(): Promise<void>;
  /** The place after all that was recorded. Its owner releases it. */
  place(): LinePlace;
  /**
   * Sends a client the records of this moment, oldest first, until the signal (P-JRN-10).
   *
   * @param part the part to send. Default: all of it.
   * @throws the system's error if the file cannot be read, and any exception of the target.
   */
  replay(target: ReplayTarget, signal: AbortSignal, part?: JournalPart): Promise<ReplayEnd>;
  /**
   * Keeps what is open in the session where lists of sessions find it (P-KPT-1).
   *
   * @param read the present state; undefined where nothing is open.
   */
  keepOpen(read: () => UnfinishedSession | undefined): KeptOpenList;
  /** Writes the rest and releases the session. Removes a folder in which nothing was written. Never rejects. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** The session's, as `sessionFolder` gives it. */
  readonly folder: string;
  /** The folders above it that an earlier process may have made and not synced. Default: none. */
  readonly above?: readonly string[];
  /** Default: this machine's. */
  readonly disk?: Disk;
  /** Default: `disk`. */
  readonly flush?: Flush;
  /** Default: `refuse`. */
  readonly whenNotKept?: WhenNotKept;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * The end that records outlive. `process`: that of the process, whatever its cause. `disk`: also a power cut, for a
 * sync of the disk before anything follows from a record.
 */
export type Flush = (typeof flushes)[number];
/** The values of {@link Flush}. */
export const flushes = ["process", "disk"] as const;

/** The treatment of a request, an answer or a call whose record cannot be written: `refuse`, or `ask` all the same. */
export type WhenNotKept = (typeof whenNotKeptWords)[number];
/** The values of {@link WhenNotKept}. */
export const whenNotKeptWords = ["refuse", "ask"] as const;

/**
 * Opens the journal of a session, makes its folder, and settles the requests that an earlier process left open
 * (P-JRN-6), save for those of a turn that may continue.
 *
 * @throws as {@link openDiskLines}.
 */
export function openJournal({
  folder,
  above = [],
  disk = nodeDisk,
  flush = "disk",
  ...options
}: JournalOptions): Journal {
  const { log, clock } = options;
  return journalOf(openDiskLines({ folder, above, disk, syncs: flush === "disk", log, clock }), options);
}

/** The journal of lines that are open already. */
export function journalOf(
  { lines, left: { state, turns, unsettled, modelTexts } }: OpenedLines,
  { whenNotKept = "refuse", log, clock }: Pick<JournalOptions, "whenNotKept" | "log" | "clock">,
): Journal {
  const records = new KeptRecords({ lines, goesOnUnkept: whenNotKept === "ask", log, clock });
  for (const request of unsettled)
    records.note("InteractionSettled", { ...request, outcome: shutdown(clock) });
  return { ...state, ...recordsIn(records, lines, turns), ...modelNotes(records, modelTexts) };
}

/** The records that a session makes, each in its kept form: these functions may be taken apart and spread. */
function recordsIn(
  records: KeptRecords,
  lines: KeptLines,
  left: LeftTurns,
): Omit<Journal, keyof LeftState | keyof ModelNotes> {
  let isOfLater = false;
  return {
    name: lines.name,
    left,
    record(message) {
      if (message.type !== "ApprovalResponse") records.push(message);
    },
    turnOpened: ({ turn_id, by }, begin) =>
      records.keepLines(records.lineOf("TurnOpened", { turn_id, by }), records.messageLine(begin)),
    turnStopping: (turn_id) => records.keep("TurnStopping", { turn_id }),
    turnEnded: ({ turn_id, status, steps, error }) =>
      records.keepLines(
        ...(hasTurnEnd(left, turn_id) ? [] : [records.messageLine({ type: "TurnEnd", payload: {} })]),
        records.lineOf("TurnEnded", { turn_id, status, steps, error }),
      ),
    callStarted: ({ call_id, nth }) => records.keep("CallStarted", { call_id, nth }),
    opened(opened, message, asked) {
      const raises = !isOfLater && isOfLaterVersion(opened);
      isOfLater ||= raises;
      return records.keepLines(
        ...(raises ? [records.lineOf("SessionOpened", laterVersion())] : []),
        ...(asked === undefined ? [] : [records.lineOf("AskOpened", asked)]),
        records.lineOf("InteractionOpened", opened),
        ...(message === undefined ? [] : [records.messageLine(message)]),
      );
    },
    voted: (voted) => records.keep("InteractionVoted", voted),
    escalated: (escalated) => void records.keep("InteractionEscalated", escalated),
    touched: (request_id) => records.note("InteractionTouched", { request_id }),
    settled(settled) {
      if (settled.kind === "question" || settled.kind === "approval")
        return records.keep("InteractionSettled", settled);
      records.writeNow("InteractionSettled", settled);
      return true;
    },
    unasked: (settled) => records.note("InteractionSettled", settled),
    claimed: (claimed) => records.keep("InteractionClaimed", claimed),
    rejoined: (request_id) => records.note("InteractionRejoined", { request_id }),
    turnResumed: (turn_id, attempt) => records.keep("TurnResumed", { turn_id, attempt }),
    turnSuspended: (turn_id) => records.note("TurnSuspended", { turn_id }),
    onceBegun: (turn_id, key) => records.keep("OnceBegun", { turn_id, key }),
    onceDone: (turn_id, key, value) => records.keep("OnceDone", { turn_id, key, value }),
    doNotAskSet: (enabled, by) => records.note("DoNotAsk", { enabled, ...(by !== undefined && { by }) }),
    policyDecided: (decision) => records.note("PolicyDecided", decision),
    agentMemorySet: (value) => records.note("AgentMemory", { value }),
    synced: () => lines.synced(),
    onLost: (listener) => lines.onLost(listener),
    async flush() {
      records.flush();
      await lines.synced()?.catch(() => {});
    },
    place: () => records.place(),
    replay: async (target, signal, part = { until: records.place() }) => records.replay(target, signal, part),
    keepOpen: (read) => lines.keepOpen(read),
    close: () => records.close(),
  };
}

/** True for a turn whose end was written only in part. */
const hasTurnEnd = ({ turn }: LeftTurns, id: string) =>
  turn?.turnId === id && turn.events.some(({ type }) => type === "TurnEnd");

/** The outcome of a request whose process ended without recording one. */
function shutdown(clock: Clock): Outcome {
  return {
    status: "withdrawn",
    reason: "shutdown",
    by: "system",
    at: new Date(clock.now()).toISOString(),
  };
}
