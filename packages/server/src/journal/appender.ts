import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { type Disk, writeAll } from "./disk.js";
import { lineBuffer } from "./line-buffer.js";

/** A place between two lines of a file, which stays right when lines before it cannot be written. */
export interface Place {
  readonly at: number;
  /** Nobody needs the place any more. */
  release(): void;
}

/** Adds lines to the end of a file that only this process writes to. */
export interface Appender {
  /** Adds a line, given without its line feed. Returns at once; writing follows soon after. Ignored once closed. */
  append(line: string): void;
  /** The place after all lines that were added, also those that are not written yet. */
  place(): Place;
  /** Writes all that was added before. Returns the length of the file. Never throws. */
  flush(): number;
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
  readonly log: Log;
  readonly clock: Clock;
}

/** A line waits at most this long, in milliseconds, for others that are written with it. */
const GATHER_MS = 20;
/** More than this many bytes never wait: they are written before `append` returns, however slow the disk is. */
const BATCH = 256 * 1024;

/**
 * Opens a file for appending, readable for its owner only. Lines are gathered and written in order, at the end of the
 * file, by one synchronous write at a time: no write is ever behind another that is unfinished. A file without a final
 * line feed gets one before the first line (P-JRN-8). Lines that cannot be written are lost, and nobody fails for it
 * (P-JRN-12). The log tells the beginning and the end of each such period.
 */
export function openAppender({ disk, file, header, log, clock }: AppenderOptions): Appender {
  const opened = disk.open(file, "append");
  /** The length of what is written. */
  let end = opened.size();
  const first = header === undefined ? "" : `${header}\n`;
  let lead = end === 0 ? first : endsInLineFeed(opened, end) ? "" : "\n";
  const waiting = lineBuffer();
  let cancelTimer: (() => void) | undefined;
  let failing = false;
  let closed = false;
  const places = new Set<{ at: number }>();

  function write(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (waiting.length === 0) return;
    const bytes = Buffer.concat([Buffer.from(lead), ...waiting.take()]);
    try {
      writeAll(opened, bytes);
    } catch (error) {
      return failed(error, bytes.length);
    }
    end += bytes.length;
    lead = "";
    if (failing) log.warn({ file }, "it is written again; what came in between is missing");
    failing = false;
  }

  function failed(error: unknown, lost: number): void {
    if (!failing) log.error({ file, error: String(error) }, "it cannot be written; the session goes on");
    failing = true;
    for (const place of places) place.at = Math.max(Math.min(place.at, end), place.at - lost);
    try {
      // Part of a line must not swallow the next one.
      if (opened.size() > end) opened.truncate(end);
    } catch {
      end = sizeOr(end);
    }
    lead = end === 0 ? first : "\n";
  }

  function sizeOr(known: number): number {
    try {
      return opened.size();
    } catch {
      return known;
    }
  }

  return {
    append(line) {
      if (closed) return;
      waiting.add(line);
      if (waiting.length >= BATCH) write();
      else cancelTimer ??= clock.after(GATHER_MS, write);
    },
    place() {
      const place = {
        at: end + Buffer.byteLength(lead) + waiting.length,
        release: () => places.delete(place),
      };
      places.add(place);
      return place as Place;
    },
    flush() {
      if (!closed) write();
      return end;
    },
    close() {
      if (closed) return;
      write();
      closed = true;
      try {
        opened.close();
        if (end === 0) disk.unlink(file);
      } catch (error) {
        log.error({ file, error: String(error) }, "it cannot be closed");
      }
    },
    abandon() {
      if (closed) return;
      closed = true;
      cancelTimer?.();
      waiting.take();
      opened.close();
    },
  };
}

function endsInLineFeed(file: { readSync(into: Uint8Array, at: number): number }, length: number): boolean {
  const last = Buffer.alloc(1);
  file.readSync(last, length - 1);
  return last[0] === 0x0a;
}
