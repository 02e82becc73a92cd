import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { Disk } from "./disk.js";
import { KeptFile, type KeptFileOptions } from "./kept-file.js";
import { lineBuffer } from "./line-buffer.js";

/** A place between two lines of a file, which stays right when lines before it cannot be written. */
export interface Place {
  readonly at: number;
  /** Nobody needs the place any more. */
  release(): void;
}

/** Adds lines to the end of a file that only this process writes to. Lines are given without their line feed. */
export interface Appender {
  /** Adds a line. Returns at once; writing follows soon after. Ignored once closed. */
  append(line: string): void;
  /** Writes all lines that wait, then these, before it returns. Returns false if they are not written. */
  appendNow(...lines: readonly string[]): boolean;
  /** Writes as {@link Appender.appendNow} does, and has the lines synced. */
  appendKept(...lines: readonly string[]): boolean;
  /** Settles once the kept lines are safe, or the file is lost; undefined where no kept line is unsafe. */
  synced(): Promise<void> | undefined;
  /** The place after all lines that were added, also those that are not written yet. */
  place(): Place;
  /** Writes all that was added before. Never throws. */
  flush(): void;
  /** Writes the rest and closes the file. Removes a file in which nothing was ever written. Never throws. */
  close(): void;
  /** Closes the file without the rest, for a file that has been replaced. */
  abandon(): void;
}

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
  readonly log: Log;
  readonly clock: Clock;
}

/** A line waits at most this long, in milliseconds, for others that are written with it. */
const GATHER_MS = 20;
/** More than this many bytes never wait: they are written before `append` returns, however slow the disk is. */
const BATCH = 256 * 1024;

/**
 * Opens a file for appending. Lines are gathered and written in order by one synchronous write at a time, so that none
 * is ever behind another that is unfinished (P-DUR-1). A file without a final line feed gets one before the first line
 * (P-JRN-8). Lines that cannot be written are lost, and nobody fails for it (P-JRN-12). The log tells the beginning and
 * the end of each such period.
 */
export function openAppender(options: AppenderOptions): Appender {
  const { disk, file: path, header, opening, syncs = false, folders = [], onLost, log, clock } = options;
  const file = new KeptFile({ disk, path, syncs, folders, onLost, log });
  /** The text before the first line of this process. */
  let lead = leadOf(file, header, opening);
  const waiting = lineBuffer();
  let cancelTimer: (() => void) | undefined;
  let failing = false;
  let closed = false;
  const places = new Set<{ at: number }>();

  /** Returns false if the lines that waited are not written. */
  function write(): boolean {
    cancelTimer?.();
    cancelTimer = undefined;
    if (waiting.length === 0) return !file.isLost;
    const bytes = Buffer.concat([Buffer.from(lead), ...waiting.take()]);
    try {
      file.write(bytes);
    } catch (error) {
      failed(error);
      return false;
    }
    lead = "";
    if (failing) log.warn({ file: path }, "it is written again; what came in between is missing");
    failing = false;
    return true;
  }

  function failed(error: unknown): void {
    for (const place of places) place.at = Math.min(place.at, file.length);
    if (file.isLost || failing) return;
    log.error({ file: path, error: String(error) }, "it cannot be written; the session goes on");
    failing = true;
  }

  function appendNow(...lines: readonly string[]): boolean {
    if (closed) return false;
    for (const line of lines) waiting.add(line);
    return write();
  }

  function close(): void {
    closed = true;
    cancelTimer?.();
    try {
      file.close();
    } catch (error) {
      log.error({ file: path, error: String(error) }, "it cannot be closed");
    }
  }

  function removeIfEmpty(): void {
    try {
      if (file.length === 0) disk.unlink(path);
    } catch (error) {
      log.error({ file: path, error: String(error) }, "it is empty, and cannot be removed");
    }
  }

  return {
    append(line) {
      if (closed) return;
      waiting.add(line);
      if (waiting.length >= BATCH) write();
      else cancelTimer ??= clock.after(GATHER_MS, write);
    },
    appendNow,
    appendKept(...lines) {
      const written = appendNow(...lines);
      if (written) file.demand();
      return written;
    },
    synced: () => file.synced(),
    place() {
      const place = {
        at: file.length + Buffer.byteLength(lead) + waiting.length,
        release: () => places.delete(place),
      };
      places.add(place);
      return place as Place;
    },
    flush() {
      if (!closed) write();
    },
    close() {
      if (closed) return;
      write();
      close();
      removeIfEmpty();
    },
    abandon() {
      if (closed) return;
      waiting.take();
      close();
    },
  };
}

function leadOf(file: KeptFile, header: string | undefined, opening: string | undefined): string {
  const lines = [...(file.length === 0 ? [header] : []), opening].filter((line) => line !== undefined);
  return (file.endsInLineFeed() ? "" : "\n") + lines.map((line) => `${line}\n`).join("");
}
