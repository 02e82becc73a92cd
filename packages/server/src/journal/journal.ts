import { join } from "node:path";
import { LocalError, type Outcome, type PolicyDecision } from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { openAppender, type Place } from "./appender.js";
import { type Disk, nodeDisk } from "./disk.js";
import {
  type AskOpened,
  findRecordType,
  headerLine,
  type InteractionKind,
  type InteractionOpened,
  type InteractionSettled,
  type OwnRecord,
  type ownRecords,
  RECORDS_VERSION,
  recordLine,
} from "./entries.js";
import { takeLock } from "./lock.js";
import { makeFolder } from "./make-folder.js";
import { merger, type WireMessage } from "./merge.js";
import { JOURNAL_FILE } from "./places.js";
import { readJournal } from "./read-journal.js";
import { type ReplayResult, type ReplayTarget, replayTo } from "./replay.js";
import { skippedLines } from "./skipped-lines.js";
import { type Left, readLeft } from "./unfinished.js";
import { findUnsettled, type LeftAsk, type SettledAsk } from "./unsettled.js";

/**
 * The events and requests of a session, kept in its folder. A failing disk makes nothing here throw (P-JRN-12). Methods
 * that return a boolean write before they return, and have the record synced; false means that what the record stands
 * for must not happen, since it would not be kept (P-DUR-6).
 */
export interface Journal {
  /** The path of the file. */
  readonly file: string;
  /** True if plan mode was on when an earlier process ended (P-PLN-1). */
  readonly planMode: boolean;
  /** True if nobody wanted to be asked when an earlier process ended (P-XDN-3). */
  readonly doNotAsk: boolean;
  /** The value that the agent of an earlier process kept (P-JRN-13); undefined without one. */
  readonly agentMemory: unknown;
  /** The time at which an earlier process began it, in milliseconds since 1970; undefined for a new one. */
  readonly begunAt?: number;
  /** The first line of the first prompt of earlier processes. */
  readonly firstPrompt?: string;
  /** The asks of earlier processes that were settled, oldest first: the last 256. */
  readonly asks: readonly SettledAsk[];
  /** The asks whose questions earlier processes left open, oldest first: whoever opens the journal goes on with them. */
  readonly openAsks: readonly LeftAsk[];
  /**
   * The turn that an earlier process left, whose requests are not settled by opening the journal, and what is remembered
   * of the time before (P-RES-1, P-RES-13).
   */
  readonly left: Left;
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
   * Writes the model's conversation beside the journal, and has it synced, before the end of a turn is recorded.
   * Settles once it is as safe as the journal; undefined where it is safe now. Default: none is beside it.
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
  /** Records that a person has begun to answer. */
  touched(requestId: string): void;
  /**
   * Records the outcome of a request. `request` is given if nothing else records its making, as for hooks (P-JRN-5).
   * Only outcomes of questions and approvals are synced.
   */
  settled(settled: InteractionSettled): boolean;
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
  doNotAskSet(enabled: boolean): void;
  /** Records what a rule decided, so that nobody was asked (P-XAO-11). */
  policyDecided(decision: PolicyDecision): void;
  /** Records a value that the agent keeps, any JSON (P-JRN-13). */
  agentMemorySet(value: unknown): void;
  /**
   * Resolves once every synced record of before is safe from a power cut, and rejects where the journal can be kept no
   * more; undefined where each is safe now.
   */
  synced(): Promise<void> | undefined;
  /** Calls `listener` once the journal can be kept no more, with the reason. */
  onLost(listener: (why: LocalError) => void): void;
  /** Writes all that was recorded before. Resolves once it is as safe as it will be. Never rejects. */
  flush(): Promise<void>;
  /** The place after all that was recorded. Its owner releases it. */
  place(): Place;
  /**
   * Sends a client the records of this moment, oldest first, until the signal (P-JRN-10).
   *
   * @param part the part to send. Default: all of it.
   * @throws the system's error if the file cannot be read, and any exception of the target.
   */
  replay(target: ReplayTarget, signal: AbortSignal, part?: JournalPart): Promise<ReplayResult>;
  /** Writes the rest and releases the session. Removes a folder in which nothing was written. Never rejects. */
  close(): Promise<void>;
}

/** The records between the beginning of a journal and a place. */
export interface JournalPart {
  readonly until: Place;
  /** Records that are left out, from one place to another. Default: none. */
  readonly without?: { readonly from: Place; readonly to: Place } | undefined;
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
 * The end that records outlive. `process`: that of the process, whatever its cause. `disk`: also a power cut, for a sync
 * of the disk before anything follows from a record.
 */
export type Flush = "process" | "disk";

/** The treatment of a request, an answer or a call whose record cannot be written: `refuse`, or `ask` all the same. */
export type WhenNotKept = "refuse" | "ask";

/** The time for the last sync when a session closes, in milliseconds. */
const CLOSE_MS = 2_000;

/**
 * Opens the journal of a session, makes its folder, and settles the requests that an earlier process left open
 * (P-JRN-6), save for those of a turn that may go on.
 *
 * @throws LocalError INVALID_STATE if a process has the session open, also this one (P-JRN-7), and for a journal of a
 * later version (P-DUR-10).
 * @throws the system's error if the folder or file cannot be made or read.
 */
export function openJournal({
  folder,
  above = [],
  disk = nodeDisk,
  flush = "disk",
  whenNotKept = "refuse",
  log,
  clock,
}: JournalOptions): Journal {
  const file = join(folder, JOURNAL_FILE);
  const folders = [...new Set([...makeFolder(disk, folder), ...above])];
  const release = takeLock(disk, folder);
  try {
    return lockedJournal({ file, folder, folders, disk, flush, whenNotKept, release, log, clock });
  } catch (error) {
    release();
    throw error;
  }
}

interface LockedJournalOptions extends Required<Omit<JournalOptions, "above">> {
  readonly file: string;
  /** The folders in which names may be new. */
  readonly folders: readonly string[];
  readonly release: () => void;
}

function lockedJournal(options: LockedJournalOptions): Journal {
  const { file, folder, folders, disk, flush: until, whenNotKept, release, log, clock } = options;
  const { left, unsettled, last } = readLeftBehind(disk, file, log);
  const { generation, version, ...found } = left;
  if (version > RECORDS_VERSION) throw ofLaterVersion(file, version);
  const mine = { generation: generation + 1, process: process.pid, version: RECORDS_VERSION };
  const listeners: ((why: LocalError) => void)[] = [];
  const appender = openAppender({
    disk,
    file,
    header: headerLine,
    opening: recordLine(clock.now(), "SessionOpened", mine),
    syncs: until === "disk",
    folders,
    onLost: (why) => {
      for (const listener of listeners) listener(why);
    },
    log,
    clock,
  });

  /** The line of a record; undefined for one that cannot be recorded. */
  function lineOf(type: string, payload: object): string | undefined {
    try {
      return recordLine(clock.now(), type, payload);
    } catch (error) {
      log.error({ file, type, problem: String(error) }, "it cannot be recorded: it is no JSON");
      return undefined;
    }
  }

  /** The line of a message of the wire, likewise. */
  function messageLine({ type, payload }: WireMessage): string | undefined {
    const parsed = validateCompiled(findRecordType(type)?.payload as never, payload);
    if (parsed.ok) return lineOf(type, parsed.value as object);
    log.error({ file, type, problem: parsed.problem }, "it cannot be recorded: it does not fit");
    return undefined;
  }

  const merging = merger((message) => {
    const line = messageLine(message);
    if (line === undefined) return;
    // A result and a call of a client's tool are told at once, and must not be known only there (P-DUR-3).
    if (message.type === "ToolResult" || message.type === "ToolCallRequest") appender.appendNow(line);
    else appender.append(line);
  });

  function note(type: keyof typeof ownRecords, payload: object): void {
    merging.flush();
    const line = lineOf(type, payload);
    if (line !== undefined) appender.append(line);
  }

  /** Writes records at once and has them synced. Returns false if what they stand for must not happen. */
  function keep(...lines: readonly (string | undefined)[]): boolean {
    merging.flush();
    const written = lines.every((line) => line !== undefined) && appender.appendKept(...lines);
    return written || whenNotKept === "ask";
  }

  for (const request of unsettled) note("InteractionSettled", { ...request, outcome: shutdown(clock) });

  function flush(): void {
    merging.flush();
    appender.flush();
  }

  function place(): Place {
    merging.flush();
    return appender.place();
  }

  const synced = () => appender.synced();

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    flush();
    const pending = synced();
    if (pending !== undefined)
      await atMost(
        clock,
        CLOSE_MS,
        pending.catch(() => {}),
      );
    appender.close();
    try {
      release();
    } catch (error) {
      log.error({ folder, error: String(error) }, "the session cannot be given back");
    }
    try {
      disk.rmdir(folder);
    } catch {
      // The folder has contents.
    }
  }

  return {
    file,
    ...found,
    left: last,
    record(message) {
      if (message.type !== "ApprovalResponse") merging.push(message);
    },
    turnOpened: ({ turn_id, by }, begin) => keep(lineOf("TurnOpened", { turn_id, by }), messageLine(begin)),
    turnStopping: (turn_id) => keep(lineOf("TurnStopping", { turn_id })),
    turnEnded: ({ turn_id, status, steps, error }) =>
      keep(
        ...(hasTurnEnd(last, turn_id) ? [] : [messageLine({ type: "TurnEnd", payload: {} })]),
        lineOf("TurnEnded", { turn_id, status, steps, error }),
      ),
    callStarted: ({ call_id, nth }) => keep(lineOf("CallStarted", { call_id, nth })),
    opened: (opened, message, asked) =>
      keep(
        ...(asked === undefined ? [] : [lineOf("AskOpened", asked)]),
        lineOf("InteractionOpened", opened),
        ...(message === undefined ? [] : [messageLine(message)]),
      ),
    touched: (request_id) => note("InteractionTouched", { request_id }),
    settled(settled) {
      const line = lineOf("InteractionSettled", settled);
      if (settled.kind === "question" || settled.kind === "approval") return keep(line);
      merging.flush();
      if (line !== undefined) appender.appendNow(line);
      return true;
    },
    claimed: (claimed) => keep(lineOf("InteractionClaimed", claimed)),
    rejoined: (request_id) => note("InteractionRejoined", { request_id }),
    turnResumed: (turn_id, attempt) => keep(lineOf("TurnResumed", { turn_id, attempt })),
    turnSuspended: (turn_id) => note("TurnSuspended", { turn_id }),
    onceBegun: (turn_id, key) => keep(lineOf("OnceBegun", { turn_id, key })),
    onceDone: (turn_id, key, value) => keep(lineOf("OnceDone", { turn_id, key, value })),
    doNotAskSet: (enabled) => note("DoNotAsk", { enabled }),
    policyDecided: (decision) => note("PolicyDecided", decision),
    agentMemorySet: (value) => note("AgentMemory", { value }),
    synced,
    onLost: (listener) => void listeners.push(listener),
    async flush() {
      flush();
      await synced()?.catch(() => {});
    },
    place,
    async replay(target, signal, { until, without } = { until: place() }) {
      const lines = skippedLines(file, log);
      flush();
      const records = readJournal(file, {
        disk,
        end: until.at,
        ...(without !== undefined && { without: { from: without.from.at, to: without.to.at } }),
        onSkipped: lines.add,
      });
      until.release();
      const result = await replayTo({
        records,
        event: (type, payload) => target.event(type, payload),
        request: (type, payload) => target.request(type, payload),
        ...(target.note !== undefined && { note: (type, payload) => target.note?.(type, payload) ?? false }),
        ...(target.isFull !== undefined && { isFull: () => target.isFull?.() ?? false }),
        drained: () => target.drained(),
        signal,
      });
      lines.tell();
      return result;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The remains of earlier processes in a journal, and the requests that they left open. */
function readLeftBehind(disk: Disk, file: string, log: Log) {
  const skipped = skippedLines(file, log);
  const unsettled: { request_id: string; kind: InteractionKind }[] = [];
  const left = findUnsettled(file, (request) => unsettled.push(request), { disk, onSkipped: skipped.add });
  skipped.tell();
  const last = readLast(disk, file);
  const goesOn = new Set(last.turn?.requests.map(({ opened }) => opened.request_id));
  return { left, unsettled: unsettled.filter(({ request_id }) => !goesOn.has(request_id)), last };
}

/** The end of a journal: its last turn, if that has no end, and what is remembered of earlier ones. */
function readLast(disk: Disk, file: string): Left {
  if (disk.stat(file) === undefined) return { turn: undefined, settled: [], ended: [] };
  const opened = disk.open(file, "read");
  try {
    return readLeft(opened);
  } finally {
    opened.close();
  }
}

/** True for a turn whose end was written only in part. */
const hasTurnEnd = ({ turn }: Left, id: string) =>
  turn?.turnId === id && turn.events.some(({ type }) => type === "TurnEnd");

const ofLaterVersion = (file: string, version: number) =>
  new LocalError(
    "INVALID_STATE",
    `${file} has records of version ${version}, and this program knows ${RECORDS_VERSION}: use a newer one, or another session`,
  );

/** The outcome of a request whose process ended without recording one. */
function shutdown(clock: Clock): Outcome {
  return {
    status: "withdrawn",
    reason: "shutdown",
    by: "system",
    at: new Date(clock.now()).toISOString(),
  };
}
