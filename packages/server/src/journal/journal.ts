import { join } from "node:path";
import type { Outcome } from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { openAppender, type Place } from "./appender.js";
import { type Disk, nodeDisk } from "./disk.js";
import {
  type AskOpened,
  findRecordType,
  headerLine,
  type InteractionOpened,
  type InteractionSettled,
  type ownRecords,
  recordLine,
} from "./entries.js";
import { takeLock } from "./lock.js";
import { makeFolder } from "./make-folder.js";
import { merger, type WireMessage } from "./merge.js";
import { JOURNAL_FILE } from "./places.js";
import { readJournal } from "./read-journal.js";
import { type ReplayResult, type ReplayTarget, replayTo } from "./replay.js";
import { skippedLines } from "./skipped-lines.js";
import { findUnsettled, type LeftBehind, type SettledAsk } from "./unsettled.js";

/** The events and requests of a session, kept in its folder. A failing disk makes nothing here throw (P-JRN-12). */
export interface Journal {
  /** The path of the file. */
  readonly file: string;
  /** True if plan mode was on when an earlier process ended (P-PLN-1). */
  readonly planMode: boolean;
  /** True if nobody wanted to be asked when an earlier process ended (P-XDN-3). */
  readonly doNotAsk: boolean;
  /** The time at which an earlier process began it, in milliseconds since 1970; undefined for a new one. */
  readonly begunAt?: number;
  /** The first line of the first prompt of earlier processes. */
  readonly firstPrompt?: string;
  /** The asks of earlier processes that were settled, oldest first: the last 256. */
  readonly asks: readonly SettledAsk[];
  /**
   * Records an event or request of the turn's wire, as broadcast to a base client. Pieces of a stream are merged
   * (P-JRN-3). An ApprovalResponse is not recorded (P-JRN-4). A message that does not fit its schema becomes a line in
   * the log.
   */
  record(message: WireMessage): void;
  /** Records the key of an ask whose questions were sent (P-JRN-5). */
  asked(asked: AskOpened): void;
  /** Records that an approval was sent (P-JRN-5). */
  opened(opened: InteractionOpened): void;
  /**
   * Records the outcome of a request. `request` is given if nothing else records its making, as for hooks (P-JRN-5).
   */
  settled(settled: InteractionSettled): void;
  /** Records that a person does not want to be asked, or wants to be asked again (P-XDN-3). */
  doNotAskSet(enabled: boolean): void;
  /** Resolves once all that was recorded before is written. Never rejects. */
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
  /** Default: this machine's. */
  readonly disk?: Disk;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Opens the journal of a session, makes its folder, and settles the requests that an earlier process left open
 * (P-JRN-6).
 *
 * @throws LocalError INVALID_STATE if a process has the session open, also this one (P-JRN-7).
 * @throws the system's error if the folder or file cannot be made or read.
 */
export function openJournal({ folder, disk = nodeDisk, log, clock }: JournalOptions): Journal {
  const file = join(folder, JOURNAL_FILE);
  makeFolder(disk, folder);
  const release = takeLock(disk, folder);
  try {
    return lockedJournal({ file, folder, disk, release, log, clock });
  } catch (error) {
    release();
    throw error;
  }
}

function lockedJournal(
  options: Required<JournalOptions> & { readonly file: string; readonly release: () => void },
): Journal {
  const { file, folder, disk, release, log, clock } = options;
  const begun = disk.stat(file) !== undefined;
  const appender = openAppender({ disk, file, header: headerLine, log, clock });

  function write(type: string, payload: object): void {
    try {
      appender.append(recordLine(clock.now(), type, payload));
    } catch (error) {
      log.error({ file, type, problem: String(error) }, "it cannot be recorded: it is no JSON");
    }
  }

  const merging = merger(({ type, payload }) => {
    const parsed = validateCompiled(findRecordType(type)?.payload as never, payload);
    if (parsed.ok) write(type, parsed.value as object);
    else log.error({ file, type, problem: parsed.problem }, "it cannot be recorded: it does not fit");
  });

  function note(type: keyof typeof ownRecords, payload: object): void {
    merging.flush();
    write(type, payload);
  }

  function takeOver(): ReturnType<typeof findUnsettled> {
    const skipped = skippedLines(file, log);
    const settle = (request: Parameters<Parameters<typeof findUnsettled>[1]>[0]) =>
      note("InteractionSettled", { ...request, outcome: shutdown(clock) });
    const left = findUnsettled(file, settle, { disk, onSkipped: skipped.add });
    skipped.tell();
    return left;
  }
  const left = begun ? takeOver() : nothing;

  function flush(): void {
    merging.flush();
    appender.flush();
  }

  function place(): Place {
    merging.flush();
    return appender.place();
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    merging.flush();
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
    ...left,
    record(message) {
      if (message.type !== "ApprovalResponse") merging.push(message);
    },
    asked: ({ request_id, key, digest }) => note("AskOpened", { request_id, key, digest }),
    opened: ({ request_id, kind, request }) => note("InteractionOpened", { request_id, kind, request }),
    settled: ({ request_id, kind, request, outcome, response }) =>
      note("InteractionSettled", { request_id, kind, request, outcome, response }),
    doNotAskSet: (enabled) => note("DoNotAsk", { enabled }),
    async flush() {
      flush();
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

const nothing: LeftBehind = { planMode: false, doNotAsk: false, asks: [] };

/** The outcome of a request whose process ended without recording one. */
function shutdown(clock: Clock): Outcome {
  return {
    status: "withdrawn",
    reason: "shutdown",
    by: "system",
    at: new Date(clock.now()).toISOString(),
  };
}
