import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writev,
  writevSync,
} from "node:fs";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
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
  /** Resolves with the length of the file once all that was added before is written. Never rejects. */
  flush(): Promise<number>;
  /** Writes the rest and closes the file. Removes a file in which nothing was ever written. Never rejects. */
  close(): Promise<void>;
  /** Closes the file without the rest, for a file that has been replaced. */
  abandon(): void;
}

export interface AppenderOptions {
  readonly file: string;
  /** The first line of a new file. Default: none. */
  readonly header?: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** A line waits at most this long, in milliseconds, for others that are written with it. */
const GATHER_MS = 20;
/** Once this many bytes wait they are written. */
const BATCH = 256 * 1024;
/** More than this many bytes never wait: they are then written before `append` returns, however slow the disk is. */
const BACKLOG = 4 * 1024 * 1024;

/**
 * Opens a file for appending, readable for its owner only. Lines are gathered and written in order, one write at a
 * time, in parallel to other work. A file without a final line feed gets one before the first line (P-JRN-8). Lines
 * that cannot be written are lost, and nobody fails for it (P-JRN-12). The log tells the beginning and the end of each
 * such period.
 */
export function openAppender({ file, header, log, clock }: AppenderOptions): Appender {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  /** The place of the next batch. */
  let end = fstatSync(fd).size;
  const first = header === undefined ? "" : `${header}\n`;
  let lead = end === 0 ? first : endsInLineFeed(fd, end) ? "" : "\n";
  const waiting = lineBuffer();
  let writing: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let failing = false;
  let closed = false;
  const places = new Set<{ at: number }>();

  function take(): { bytes: Buffer[]; at: number; length: number } {
    cancelTimer?.();
    cancelTimer = undefined;
    const bytes = [Buffer.from(lead), ...waiting.take()];
    const length = bytes.reduce((sum, { length }) => sum + length, 0);
    const at = end;
    lead = "";
    end += length;
    return { bytes, at, length };
  }

  function start(): void {
    if (writing !== undefined || waiting.length === 0) return;
    const { bytes, at, length } = take();
    writing = writeAll(fd, bytes, at)
      .then(worked, (error) => failed(error, at, length))
      .then(() => {
        writing = undefined;
        // Lines that came too early to wait for a timer of their own have waited long enough.
        if (cancelTimer === undefined || waiting.length >= BATCH) start();
      });
  }

  function due(): void {
    cancelTimer = undefined;
    start();
  }

  /** Takes its place behind the write that is under way, if one is. */
  function writeNow(): void {
    const { bytes, at, length } = take();
    try {
      writeAllSync(fd, bytes, at);
      worked();
    } catch (error) {
      failed(error, at, length);
    }
  }

  function worked(): void {
    if (failing) log.warn({ file }, "it is written again; what came in between is missing");
    failing = false;
  }

  function failed(error: unknown, at: number, length: number): void {
    if (!failing) log.error({ file, error: String(error) }, "it cannot be written; the session goes on");
    failing = true;
    if (end === at + length) end = at;
    // Whatever of the batch is there must not swallow the next line.
    lead = end === 0 ? first : "\n";
    if (end !== at) return;
    for (const place of places) place.at = Math.max(Math.min(place.at, at), place.at - length);
    try {
      ftruncateSync(fd, at);
    } catch {
      // The next batch overwrites it.
    }
  }

  async function flush(): Promise<number> {
    await writing;
    start();
    await writing;
    return end;
  }

  return {
    append(line) {
      if (closed) return;
      waiting.add(line);
      if (waiting.length >= BACKLOG) writeNow();
      else if (waiting.length >= BATCH) start();
      else cancelTimer ??= clock.after(GATHER_MS, due);
    },
    place() {
      const place = {
        at: end + Buffer.byteLength(lead) + waiting.length,
        release: () => places.delete(place),
      };
      places.add(place);
      return place as Place;
    },
    flush,
    async close() {
      if (closed) return;
      closed = true;
      await flush();
      try {
        closeSync(fd);
        if (end === 0) rmSync(file, { force: true });
      } catch (error) {
        log.error({ file, error: String(error) }, "it cannot be closed");
      }
    },
    abandon() {
      if (closed) return;
      closed = true;
      cancelTimer?.();
      waiting.take();
      if (writing === undefined) closeSync(fd);
      else void writing.then(() => closeSync(fd));
    },
  };
}

function endsInLineFeed(fd: number, length: number): boolean {
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, length - 1);
  return last[0] === 0x0a;
}

function writeAll(fd: number, bytes: Buffer[], at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const from = (rest: Buffer[], place: number) =>
      writev(fd, rest, place, (error, count) => {
        const left = after(rest, count);
        if (error !== null) reject(error);
        else if (left.length === 0) resolve();
        else from(left, place + count);
      });
    from(bytes, at);
  });
}

function writeAllSync(fd: number, bytes: Buffer[], at: number): void {
  let rest = bytes;
  for (let place = at; rest.length > 0; ) {
    const count = writevSync(fd, rest, place);
    rest = after(rest, count);
    place += count;
  }
}

/** The bytes after the first `count`: most often none. */
function after(bytes: Buffer[], count: number): Buffer[] {
  const length = bytes.reduce((sum, { length }) => sum + length, 0);
  return length > count ? [Buffer.concat(bytes).subarray(count)] : [];
}
