import { dirname } from "node:path";
import type { LocalError } from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { Appender, type LinePlace } from "./appender.js";
import type { Disk } from "./disk.js";
import { findRecordType, headerLine, type OwnRecord, type OwnRecordType, recordLine } from "./entries.js";
import { type Merger, merger, type WireMessage } from "./merge.js";
import { readJournal, type SkippedLine } from "./read-journal.js";
import { type ReplayEnd, type ReplayTarget, replayTo } from "./replay.js";
import { skippedLines } from "./skipped-lines.js";

export interface RecordFileOptions {
  readonly disk: Disk;
  readonly path: string;
  /** The first record of this process. */
  readonly opening: OwnRecord<"SessionOpened">;
  /** True if kept records are synced. */
  readonly syncs: boolean;
  /** The folders in which names may be new. */
  readonly folders: readonly string[];
  /** True if what a record stands for happens even where the record cannot be written. */
  readonly goesOnUnkept: boolean;
  /** Gives up the lock of the folder. */
  readonly release: () => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** The records between the beginning of a journal and a place. */
export interface JournalPart {
  readonly until: LinePlace;
  /** Records that are left out, from one place to another. Default: none. */
  readonly without?: { readonly from: LinePlace; readonly to: LinePlace } | undefined;
}

/** The time for the last sync when a session closes, in milliseconds. */
const CLOSE_MS = 2_000;

/** The file of a journal: records are made into lines and added in order, the pieces of a stream as one (P-JRN-3). */
export class RecordFile {
  readonly #options: RecordFileOptions;
  readonly #appender: Appender;
  readonly #merging: Merger;
  readonly #listeners: ((why: LocalError) => void)[] = [];
  #closing: Promise<void> | undefined;

  /** @throws the system's error if the file cannot be opened or made. */
  constructor(options: RecordFileOptions) {
    const { disk, path, opening, syncs, folders, log, clock } = options;
    this.#options = options;
    this.#merging = merger((message) => this.#write(message));
    this.#appender = new Appender({
      disk,
      file: path,
      header: headerLine,
      opening: recordLine(clock.now(), "SessionOpened", opening),
      syncs,
      folders,
      onLost: (why) => {
        for (const listener of this.#listeners) listener(why);
      },
      log,
      clock,
    });
  }

  get path(): string {
    return this.#options.path;
  }

  /** The line of a record; undefined for one that cannot be recorded. */
  lineOf(type: string, payload: object): string | undefined {
    const { clock, log, path: file } = this.#options;
    try {
      return recordLine(clock.now(), type, payload);
    } catch (error) {
      log.error({ file, type, problem: String(error) }, "it cannot be recorded: it is no JSON");
      return undefined;
    }
  }

  /** The line of a message of the wire; undefined for one that cannot be recorded. */
  messageLine({ type, payload }: WireMessage): string | undefined {
    const parsed = validateCompiled(findRecordType(type)?.payload as never, payload);
    if (parsed.ok) return this.lineOf(type, parsed.value as object);
    const { log, path: file } = this.#options;
    log.error({ file, type, problem: parsed.problem }, "it cannot be recorded: it does not fit");
    return undefined;
  }

  /** Adds a message of the wire, once no more pieces of it come. */
  push(message: WireMessage): void {
    this.#merging.push(message);
  }

  /** Adds a record, which is written soon after. */
  note(type: OwnRecordType, payload: object): void {
    this.#merging.flush();
    const line = this.lineOf(type, payload);
    if (line !== undefined) this.#appender.append(line);
  }

  /** Writes a record before it returns. */
  writeNow(type: OwnRecordType, payload: object): void {
    const line = this.lineOf(type, payload);
    this.#merging.flush();
    if (line !== undefined) this.#appender.appendNow(line);
  }

  /** Writes a record as {@link keepLines} does. */
  keep(type: OwnRecordType, payload: object): boolean {
    return this.keepLines(this.lineOf(type, payload));
  }

  /** Writes lines at once and has them synced. Returns false if what they stand for must not happen. */
  keepLines(...lines: readonly (string | undefined)[]): boolean {
    this.#merging.flush();
    const written = lines.every((line) => line !== undefined) && this.#appender.appendKept(...lines);
    return written || this.#options.goesOnUnkept;
  }

  /** Settles once the kept lines are safe, or the file is lost; undefined where no kept line is unsafe. */
  synced(): Promise<void> | undefined {
    return this.#appender.synced();
  }

  /** Calls `listener` once the file can be kept no more, with the reason. */
  onLost(listener: (why: LocalError) => void): void {
    this.#listeners.push(listener);
  }

  /** Writes all that was added before. */
  flush(): void {
    this.#merging.flush();
    this.#appender.flush();
  }

  /** The place after all that was added. */
  place(): LinePlace {
    this.#merging.flush();
    return this.#appender.place();
  }

  /** Sends a client a part of the records, and releases the end of the part. */
  async replay(target: ReplayTarget, signal: AbortSignal, part: JournalPart): Promise<ReplayEnd> {
    const { path, log } = this.#options;
    const lines = skippedLines(path, log);
    this.flush();
    const records = this.#read(part, lines.add);
    part.until.release();
    const result = await replayTo({
      records,
      event: (type, payload, timestamp) => target.event(type, payload, timestamp),
      request: (type, payload) => target.request(type, payload),
      ...(target.note !== undefined && { note: (type, payload) => target.note?.(type, payload) ?? false }),
      ...(target.finish !== undefined && { finish: () => target.finish?.() }),
      ...(target.isFull !== undefined && { isFull: () => target.isFull?.() ?? false }),
      drained: () => target.drained(),
      signal,
    });
    lines.tell();
    return result;
  }

  /** Writes the rest, closes the file and gives up the lock. Removes a folder in which nothing was written. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.flush();
    const pending = this.synced()?.catch(() => {});
    if (pending !== undefined) await atMost(this.#options.clock, CLOSE_MS, pending);
    this.#appender.close();
    this.#leaveFolder();
  }

  #leaveFolder(): void {
    const { disk, path, release, log } = this.#options;
    const folder = dirname(path);
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

  #read({ until, without }: JournalPart, onSkipped: (skipped: SkippedLine) => void) {
    const { disk, path } = this.#options;
    return readJournal(path, {
      disk,
      end: until.at,
      ...(without !== undefined && { without: { from: without.from.at, to: without.to.at } }),
      onSkipped,
    });
  }

  #write(message: WireMessage): void {
    const line = this.messageLine(message);
    if (line === undefined) return;
    // A result and a call of a client's tool are told at once, and must not be known only there (P-DUR-3).
    if (message.type === "ToolResult" || message.type === "ToolCallRequest") this.#appender.appendNow(line);
    else this.#appender.append(line);
  }
}
