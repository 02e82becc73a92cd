import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { Disk } from "./disk.js";
import { KeptFile, type KeptFileOptions } from "./kept-file.js";
import type { LinePlace } from "./kept-lines.js";
import { LineBuffer } from "./line-buffer.js";

export interface AppenderOptions {
  readonly disk: Disk;
  readonly file: string;
  /** The first line of a new file. Default: none. */
  readonly header?: string;
  /** The first line of this process. Default: none. */
  readonly opening?: string;
  /** True if kept lines are synced. Default: false. */
  readonly syncs?: boolean;
  /** As for {@link KeptFile}. Default: none. */
  readonly folders?: KeptFileOptions["folders"];
  /** As for {@link KeptFile}. */
  readonly onLost?: KeptFileOptions["onLost"];
  /** As for {@link KeptFile}. */
  readonly committed?: KeptFileOptions["committed"];
  readonly log: Log;
  readonly clock: Clock;
}

/** A line waits at most this long, in milliseconds, for others that are written with it. */
const GATHER_MS = 20;
/** More than this many bytes never wait: they are written before `append` returns, however slow the disk is. */
const BATCH = 256 * 1024;

/**
 * Adds lines to the end of a file that only this process writes to. Lines are given without their line feed, gathered
 * and written in order by one synchronous write at a time, so that none is ever behind another that is unfinished
 * (P-DUR-1). A file without a final line feed gets one before the first line (P-JRN-8). Lines that cannot be written
 * are lost, and nobody fails for it (P-JRN-12). The log has the beginning and the end of each such period.
 */
export class Appender {
  readonly #options: AppenderOptions;
  readonly #file: KeptFile;
  readonly #waiting = new LineBuffer();
  readonly #places = new Set<{ at: number }>();
  /** The text before the first line of this process. */
  #lead: string;
  #cancelTimer: (() => void) | undefined;
  #failing = false;
  #closed = false;

  /** @throws the system's error if the file cannot be opened or made. */
  constructor(options: AppenderOptions) {
    const { disk, file: path, header, opening, syncs = false, folders = [] } = options;
    const { onLost, committed, clock, log } = options;
    this.#options = options;
    this.#file = new KeptFile({ disk, path, syncs, folders, onLost, committed, clock, log });
    this.#lead = leadOf(this.#file, header, opening);
  }

  /** Adds a line. Returns at once; writing follows soon after. Ignored once closed. */
  append(line: string): void {
    if (this.#closed) return;
    this.#waiting.add(line);
    if (this.#waiting.length >= BATCH) this.#write();
    else this.#cancelTimer ??= this.#options.clock.after(GATHER_MS, () => this.#write());
  }

  /** Writes all lines that wait, then these, before it returns. Returns false if they are not written. */
  appendNow(...lines: readonly string[]): boolean {
    if (this.#closed) return false;
    for (const line of lines) this.#waiting.add(line);
    return this.#write();
  }

  /** Writes as {@link appendNow} does, and has the lines synced. */
  appendKept(...lines: readonly string[]): boolean {
    const written = this.appendNow(...lines);
    if (written) this.#file.demand();
    return written;
  }

  /** Settles once the kept lines are safe, or the file is lost; undefined where no kept line is unsafe. */
  synced(): Promise<void> | undefined {
    return this.#file.synced();
  }

  /** The place after all lines that were added, also those that are not written yet. */
  place(): LinePlace {
    const place = {
      at: this.#file.length + Buffer.byteLength(this.#lead) + this.#waiting.length,
      release: () => void this.#places.delete(place),
    };
    this.#places.add(place);
    return place;
  }

  /** Writes all that was added before. Never throws. */
  flush(): void {
    if (!this.#closed) this.#write();
  }

  /** Writes the rest and closes the file. Removes a file in which nothing was ever written. Never throws. */
  close(): void {
    if (this.#closed) return;
    this.#write();
    this.#close();
    this.#removeIfEmpty();
  }

  /** Closes the file without the rest, for a file that has been replaced. */
  abandon(): void {
    if (this.#closed) return;
    this.#waiting.take();
    this.#close();
  }

  /** Returns false if the lines that waited are not written. */
  #write(): boolean {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#waiting.length === 0) return !this.#file.isLost;
    const records = this.#waiting.count;
    const bytes = Buffer.concat([Buffer.from(this.#lead), ...this.#waiting.take()]);
    try {
      this.#file.write(bytes, records);
    } catch (error) {
      this.#failed(error);
      return false;
    }
    this.#lead = "";
    const { file, log } = this.#options;
    if (this.#failing) log.warn({ file }, "it is written again; what came in between is missing");
    this.#failing = false;
    return true;
  }

  #failed(error: unknown): void {
    for (const place of this.#places) place.at = Math.min(place.at, this.#file.length);
    if (this.#file.isLost || this.#failing) return;
    this.#log(error, "it cannot be written; the session goes on");
    this.#failing = true;
  }

  #close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    try {
      this.#file.close();
    } catch (error) {
      this.#log(error, "it cannot be closed");
    }
  }

  #removeIfEmpty(): void {
    try {
      if (this.#file.length === 0) this.#options.disk.unlink(this.#options.file);
    } catch (error) {
      this.#log(error, "it is empty, and cannot be removed");
    }
  }

  #log(error: unknown, what: string): void {
    const { file, log } = this.#options;
    log.error({ file, error: String(error) }, what);
  }
}

function leadOf(file: KeptFile, header: string | undefined, opening: string | undefined): string {
  const lines = [...(file.length === 0 ? [header] : []), opening].filter((line) => line !== undefined);
  return (file.endsInLineFeed() ? "" : "\n") + lines.map((line) => `${line}\n`).join("");
}
