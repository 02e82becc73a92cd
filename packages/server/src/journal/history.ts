import { join } from "node:path";
import type { ContentPart } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { History, KeptMessage } from "../agent/agent-session.js";
import { completeCalls } from "../agent/interrupted-calls.js";
import type { ModelGiven } from "../agent/model.js";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { Appender } from "./appender.js";
import { type Disk, type DiskFile, writeAll } from "./disk.js";
import { HistoryMessage } from "./history-message.js";
import { readLinesSync } from "./lines.js";
import type { ModelNotes } from "./model-notes.js";
import { skippedLines } from "./skipped-lines.js";

export const HISTORY_FILE = "context.jsonl";
/** The time for the last sync when a session closes, in milliseconds. */
const CLOSE_MS = 1_000;

export interface HistoryOptions {
  readonly folder: string;
  readonly disk: Disk;
  /** True if a history is synced: at the end of a turn, and before a shorter one takes its place. Default: true. */
  readonly syncs?: boolean;
  /** Takes what a reader of the journal needs besides events. Default: nothing is noted. */
  readonly notes?: ModelNotes;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * The model's conversation of a session, a message a line, which begins with the kept messages (P-JRN-11). The folder
 * belongs to an open journal, whose lock keeps other processes away. Close the history before the journal.
 */
export class KeptHistory implements History {
  readonly #options: HistoryOptions;
  readonly #file: string;
  readonly #syncs: boolean;
  #kept: KeptMessage[];
  #appender: Appender;
  #isSaved = true;
  #replacing: Promise<void> | undefined;
  #closed = false;

  /** @throws the system's error if the file cannot be made or read. */
  constructor(options: HistoryOptions) {
    const { folder, disk, syncs = true, log } = options;
    this.#options = options;
    this.#file = join(folder, HISTORY_FILE);
    this.#syncs = syncs;
    this.#kept = readMessages(disk, this.#file, log);
    this.#appender = this.#open();
  }

  load(): KeptMessage[] {
    return completeCalls(this.#kept);
  }

  append(messages: readonly KeptMessage[]): void {
    this.#kept.push(...messages);
    if (messages.length > 0) this.#isSaved = false;
    for (const message of messages) this.#appender.append(jsonText(message));
  }

  replace(messages: readonly KeptMessage[]): void {
    this.#kept = [...messages];
    try {
      const next = writeAnew(this.#options.disk, this.#next, textOf(this.#kept));
      this.#replacing = this.#takePlace(next, this.#kept, this.#kept.length);
    } catch (error) {
      this.#staysLong(error);
    }
  }

  asked(request: ModelGiven): void {
    this.#options.notes?.modelAsked(request);
  }

  said(content: readonly ContentPart[]): void {
    this.#options.notes?.modelSaid(content);
  }

  forgot(messages: readonly KeptMessage[]): void {
    this.#options.notes?.modelForgot(messages);
  }

  /** Writes all that was appended before. Never throws. */
  flush(): void {
    this.#appender.flush();
  }

  /** Writes and syncs all of it. Settles once it is safe, or the file is lost; undefined where it is safe now. */
  save(): Promise<void> | undefined {
    if (!this.#isSaved) this.#appender.appendKept();
    this.#isSaved = true;
    return this.#appender.synced();
  }

  /** Writes the rest. A file in which nothing was written is removed. The wait for a slow disk is bounded. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    if (this.#replacing !== undefined) await atMost(clock, CLOSE_MS, this.#replacing);
    this.#closed = true;
    const saving = this.#appender.synced()?.catch(() => {});
    if (saving !== undefined) await atMost(clock, CLOSE_MS, saving);
    this.#appender.close();
  }

  /** The path of a shorter history until it takes the place of the longer one. */
  get #next(): string {
    return `${this.#file}.next`;
  }

  #open(): Appender {
    const { disk, log, clock } = this.#options;
    return new Appender({ disk, file: this.#file, syncs: this.#syncs, log, clock });
  }

  /** Until the shorter history is safe, the longer one is added to, and stays whole. */
  async #takePlace(next: DiskFile, mine: readonly KeptMessage[], written: number): Promise<void> {
    const { disk, folder } = this.#options;
    try {
      if (this.#syncs) await Promise.all([next.sync(), this.#appender.synced()?.catch(() => {})]);
      // A history that was replaced again, or closed, meanwhile has no place to take.
      if (this.#kept !== mine || this.#closed) return;
      writeAll(next, Buffer.from(textOf(mine.slice(written))));
      disk.rename(this.#next, this.#file);
      const opened = this.#open();
      this.#appender.abandon();
      this.#appender = opened;
      if (this.#syncs) await disk.syncFolder(folder);
    } catch (error) {
      this.#staysLong(error);
    } finally {
      next.close();
    }
  }

  #staysLong(error: unknown): void {
    const log = { file: this.#file, error: String(error) };
    this.#options.log.error(log, "the shorter history cannot be written; the longer stays");
  }
}

const textOf = (messages: readonly KeptMessage[]) =>
  messages.map((message) => `${jsonText(message)}\n`).join("");

/** Writes a file anew, over what an earlier process may have left under the name, and leaves it open. */
function writeAnew(disk: Disk, path: string, text: string): DiskFile {
  const file = disk.open(path, "append");
  try {
    file.truncate(0);
    writeAll(file, Buffer.from(text));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function readMessages(disk: Disk, file: string, log: Log): KeptMessage[] {
  const messages: KeptMessage[] = [];
  const skipped = skippedLines(file, log);
  for (const { number: line, text } of readLinesSync(file, { disk })) {
    if (text === undefined) skipped.add({ line, problem: "it is too long" });
    else if (text.trim() !== "") {
      const read = readMessage(text);
      if (typeof read === "string") skipped.add({ line, problem: read });
      else messages.push(read);
    }
  }
  skipped.tell();
  return messages;
}

/** A message, or the problem of the line. */
function readMessage(text: string): KeptMessage | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "expected JSON";
  }
  const parsed = validateCompiled(HistoryMessage, value);
  return parsed.ok ? (parsed.value as KeptMessage) : parsed.problem;
}
