import { join } from "node:path";
import { atMost, type Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { Appender } from "./appender.js";
import { type Disk, type DiskFile, writeAll } from "./disk.js";
import type { HistoryLines, OpenedHistory } from "./kept-lines.js";
import { readLinesSync } from "./lines.js";

export const HISTORY_FILE = "context.jsonl";
/** The time for the last sync when a session closes, in milliseconds. */
const CLOSE_MS = 1_000;

export interface DiskHistoryOptions {
  /** The session's. It belongs to open lines of its journal, whose lock keeps other processes away. */
  readonly folder: string;
  readonly disk: Disk;
  /** True if a history is synced: at the end of a turn, and before a shorter one takes its place. */
  readonly syncs: boolean;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Opens the file of a session's history.
 *
 * @throws the system's error if the file cannot be made, and from the lines that are left if it cannot be read.
 */
export function openDiskHistory(options: DiskHistoryOptions): OpenedHistory {
  const name = join(options.folder, HISTORY_FILE);
  return { name, left: readLinesSync(name, { disk: options.disk }), lines: new DiskHistory(name, options) };
}

/** A shorter history on its way to its place. */
interface Shorter {
  readonly file: DiskFile;
  /** The lines that were added after it was written. */
  readonly since: string[];
}

/** The lines of a history in a file. Close them before those of the journal. */
class DiskHistory implements HistoryLines {
  readonly #options: DiskHistoryOptions;
  readonly #file: string;
  #appender: Appender;
  #isSaved = true;
  #shorter: Shorter | undefined;
  #replacing: Promise<void> | undefined;
  #closed = false;

  constructor(file: string, options: DiskHistoryOptions) {
    this.#options = options;
    this.#file = file;
    this.#appender = this.#open();
  }

  append(line: string): void {
    this.#isSaved = false;
    this.#shorter?.since.push(line);
    this.#appender.append(line);
  }

  replace(lines: readonly string[]): void {
    try {
      const file = writeAnew(this.#options.disk, this.#next, textOf(lines));
      this.#shorter = { file, since: [] };
      this.#replacing = this.#takePlace(this.#shorter);
    } catch (error) {
      this.#shorter = undefined;
      this.#staysLong(error);
    }
  }

  flush(): void {
    this.#appender.flush();
  }

  save(): Promise<void> | undefined {
    if (!this.#isSaved) this.#appender.appendKept();
    this.#isSaved = true;
    return this.#appender.synced();
  }

  /** Writes the rest. A file in which nothing was written is removed. */
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
    const { disk, syncs, log, clock } = this.#options;
    return new Appender({ disk, file: this.#file, syncs, log, clock });
  }

  async #takePlace(mine: Shorter): Promise<void> {
    const { disk, folder, syncs } = this.#options;
    const { file, since } = mine;
    try {
      if (syncs) await Promise.all([file.sync(), this.#appender.synced()?.catch(() => {})]);
      // A history that was replaced again, or closed, meanwhile has no place to take.
      if (this.#shorter !== mine || this.#closed) return;
      writeAll(file, Buffer.from(textOf(since)));
      disk.rename(this.#next, this.#file);
      const opened = this.#open();
      this.#appender.abandon();
      this.#appender = opened;
      if (syncs) await disk.syncFolder(folder);
    } catch (error) {
      this.#staysLong(error);
    } finally {
      file.close();
      if (this.#shorter === mine) this.#shorter = undefined;
    }
  }

  #staysLong(error: unknown): void {
    const log = { file: this.#file, error: String(error) };
    this.#options.log.error(log, "the shorter history cannot be written; the longer stays");
  }
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

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
