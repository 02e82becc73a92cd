import type { FileHandle } from "node:fs/promises";

/** The most characters kept of a line, and of all lines together. */
export const MAX_LINE = 2_000;
export const MAX_TEXT = 100_000;
/** The most bytes read of a file. */
export const MAX_SCANNED = 256 * 1024 * 1024;

const CHUNK = 64 * 1024;
const LINE_FEED = 10;

export interface LinesRead {
  readonly lines: readonly string[];
  /** The numbers of the cut lines. */
  readonly cut: readonly number[];
  /** The reason for stopping: the end of the file, the number of wanted lines, or a limit. */
  readonly stopped: "end" | "count" | "length" | "scanned";
  /** The number of lines read, with the skipped lines. */
  readonly last: number;
  /** Set if the last of these lines has no line feed. */
  readonly open: boolean;
}

/** A file that is no text in UTF-8. */
export class NotText extends Error {
  override readonly name = "NotText";
}

/**
 * The number of lines of a file. A last line without its line feed counts.
 *
 * @returns undefined for a file that is too long to go through.
 */
export async function countLines(handle: FileHandle, signal: AbortSignal): Promise<number | undefined> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let count = 0;
  let unended = 0;
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, position);
    if (bytesRead === 0) return count + unended;
    for (let start = 0; ; ) {
      const end = chunk.subarray(0, bytesRead).indexOf(LINE_FEED, start);
      if (end === -1) break;
      count += 1;
      start = end + 1;
    }
    unended = chunk[bytesRead - 1] === LINE_FEED ? 0 : 1;
    position += bytesRead;
    if (position >= MAX_SCANNED) return undefined;
  }
}

/**
 * Reads lines of a file piece by piece, whatever its size.
 *
 * @param wanted the first line, from 1, and how many.
 * @throws NotText at a byte NUL or what is no UTF-8.
 */
export async function readTextLines(
  handle: FileHandle,
  wanted: { readonly first: number; readonly count: number },
  signal: AbortSignal,
): Promise<LinesRead> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  const lines: string[] = [];
  const cut: number[] = [];
  let length = 0;
  let last = 0;
  let scanned = 0;
  let line = newLine();

  const stop = (stopped: LinesRead["stopped"], open = false): LinesRead => ({
    lines,
    cut,
    stopped,
    last,
    open,
  });

  /** Ends a line. Returns the limit that the line reached. */
  function endLine(): "length" | undefined {
    const number = last + 1;
    if (number >= wanted.first) {
      const text = line.text();
      if (length + text.length > MAX_TEXT) return "length";
      length += text.length + 1;
      lines.push(text);
      if (line.cut) cut.push(number);
    }
    last = number;
    line = newLine();
    return undefined;
  }

  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, scanned);
    if (bytesRead === 0) break;
    if (lines.length === wanted.count) return stop("count");
    const bytes = chunk.subarray(0, bytesRead);
    if (bytes.includes(0)) throw new NotText();
    for (let start = 0; start < bytesRead; ) {
      if (lines.length === wanted.count) return stop("count");
      const end = bytes.indexOf(LINE_FEED, start);
      const isWanted = last + 1 >= wanted.first;
      if (isWanted) line.push(bytes.subarray(start, end === -1 ? bytesRead : end));
      else line.isEmpty = false;
      if (end === -1) break;
      if (endLine() !== undefined) return stop("length");
      start = end + 1;
    }
    scanned += bytesRead;
    if (scanned >= MAX_SCANNED) return stop("scanned");
  }
  const open = !line.isEmpty;
  if (open && endLine() !== undefined) return stop("length");
  return stop("end", open && lines.length > 0);
}

/** Gathers the beginning of a line. */
function newLine() {
  const pieces: Buffer[] = [];
  let room = MAX_LINE * 4;
  return {
    isEmpty: true,
    cut: false,
    push(bytes: Buffer): void {
      this.isEmpty = false;
      if (bytes.length > room) this.cut = true;
      const kept = bytes.subarray(0, room);
      room -= kept.length;
      // A copy: the chunk is read into again.
      if (kept.length > 0) pieces.push(Buffer.from(kept));
    },
    text(): string {
      const text = decode(Buffer.concat(pieces), this.cut);
      if (text.length <= MAX_LINE) return text;
      this.cut = true;
      const end = isHighSurrogate(text.charCodeAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE;
      return text.slice(0, end);
    },
  };
}

/** Decodes UTF-8; in a text that was cut, the last character may lack bytes. */
function decode(bytes: Buffer, cut: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    throw new NotText();
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
