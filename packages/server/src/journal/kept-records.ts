import { validateCompiled } from "@askwire/protocol/node";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { findRecordType, type OwnRecordType, recordLine } from "./entries.js";
import type { KeptLines, LinePlace } from "./kept-lines.js";
import { type Merger, merger, type WireMessage } from "./merge.js";
import { recordsOf, type SkippedLine } from "./read-journal.js";
import { type ReplayEnd, type ReplayTarget, replayTo } from "./replay.js";
import { skippedLines } from "./skipped-lines.js";

export interface KeptRecordsOptions {
  readonly lines: KeptLines;
  /** True if what a record stands for happens even where the record cannot be written. */
  readonly goesOnUnkept: boolean;
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

/** The records of a session: made into lines and added in order, the pieces of a stream as one (P-JRN-3). */
export class KeptRecords {
  readonly #options: KeptRecordsOptions;
  readonly #lines: KeptLines;
  readonly #merging: Merger;
  #closing: Promise<void> | undefined;

  constructor(options: KeptRecordsOptions) {
    this.#options = options;
    this.#lines = options.lines;
    this.#merging = merger((message) => this.#write(message));
  }

  /** The line of a record; undefined for one that cannot be recorded. */
  lineOf(type: string, payload: object): string | undefined {
    const { clock, log, lines } = this.#options;
    try {
      return recordLine(clock.now(), type, payload);
    } catch (error) {
      log.error({ file: lines.name, type, problem: String(error) }, "it cannot be recorded: it is no JSON");
      return undefined;
    }
  }

  /** The line of a message of the wire; undefined for one that cannot be recorded. */
  messageLine({ type, payload }: WireMessage): string | undefined {
    const parsed = validateCompiled(findRecordType(type)?.payload as never, payload);
    if (parsed.ok) return this.lineOf(type, parsed.value as object);
    const { log, lines } = this.#options;
    log.error({ file: lines.name, type, problem: parsed.problem }, "it cannot be recorded: it does not fit");
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
    if (line !== undefined) this.#lines.append(line);
  }

  /** Writes a record before it returns. */
  writeNow(type: OwnRecordType, payload: object): void {
    const line = this.lineOf(type, payload);
    this.#merging.flush();
    if (line !== undefined) this.#lines.appendNow(line);
  }

  /** Writes a record as {@link keepLines} does. */
  keep(type: OwnRecordType, payload: object): boolean {
    return this.keepLines(this.lineOf(type, payload));
  }

  /** Writes lines at once and has them synced. Returns false if what they stand for must not happen. */
  keepLines(...lines: readonly (string | undefined)[]): boolean {
    this.#merging.flush();
    const written = lines.every((line) => line !== undefined) && this.#lines.appendKept(...lines);
    return written || this.#options.goesOnUnkept;
  }

  /** Writes all that was added before. */
  flush(): void {
    this.#merging.flush();
    this.#lines.flush();
  }

  /** The place after all that was added. */
  place(): LinePlace {
    this.#merging.flush();
    return this.#lines.place();
  }

  /** Sends a client a part of the records, and releases the end of the part. */
  async replay(target: ReplayTarget, signal: AbortSignal, part: JournalPart): Promise<ReplayEnd> {
    const skipped = skippedLines(this.#lines.name, this.#options.log);
    this.flush();
    const records = this.#read(part, skipped.add);
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
    skipped.tell();
    return result;
  }

  /** Writes the rest and gives the session back. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.flush();
    const pending = this.#lines.synced()?.catch(() => {});
    const { clock } = this.#options;
    if (pending !== undefined) await atMost(clock, CLOSE_MS, pending);
    const closing = this.#lines.close();
    if (closing !== undefined) await atMost(clock, CLOSE_MS, closing);
  }

  #read({ until, without }: JournalPart, onSkipped: (skipped: SkippedLine) => void) {
    const lines = this.#lines.read({
      end: until.at,
      ...(without !== undefined && { without: { from: without.from.at, to: without.to.at } }),
    });
    return recordsOf(lines, onSkipped);
  }

  #write(message: WireMessage): void {
    const line = this.messageLine(message);
    if (line === undefined) return;
    // A result and a call of a client's tool are told at once, and must not be known only there (P-DUR-3).
    if (message.type === "ToolResult" || message.type === "ToolCallRequest") this.#lines.appendNow(line);
    else this.#lines.append(line);
  }
}
