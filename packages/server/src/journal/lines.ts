import { LineDecoder } from "@askwire/protocol";
import { type Disk, type DiskFile, nodeDisk, openIfThere } from "./disk.js";

/** A file of which parts can be read. */
export type ReadableFile = Pick<DiskFile, "size" | "readSync">;

/** A line of a file. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** The place of its first byte. */
  readonly at: number;
  /** The text; undefined for a line over the bound, which was skipped. */
  readonly text: string | undefined;
}

export interface LinePart {
  /** The place of the first line that is read. Lines are numbered from there. Default: the beginning. */
  readonly from?: number;
  /** Reads up to this byte and no further. Default: the length of the file when reading starts. */
  readonly end?: number;
  /** Bytes that are passed over, whole lines. Default: none. */
  readonly without?: { readonly from: number; readonly to: number };
  /** Longer lines are skipped. Default: 64 MiB, more than the longest message that is sent. */
  readonly lineBytes?: number;
  /** Chooses lines by their first 100 bytes as Latin-1: others, and blank lines, are left out. Default: all. */
  readonly wants?: (beginning: string) => boolean;
}

export interface LineReading extends LinePart {
  /** Default: this machine's. */
  readonly disk?: Disk;
}

const LINE_BYTES = 64 * 1024 * 1024;
const CHUNK = 32 * 1024;
/** The length of the beginning by which lines are chosen. */
export const BEGINNING = 100;
const LINE_FEED = 0x0a;

/** The lines of a file, with no more of it in memory than a chunk and a line. No file: no lines. */
export async function* readLines(path: string, options: LineReading = {}): AsyncGenerator<FileLine> {
  const file = openIfThere(options.disk ?? nodeDisk, path);
  if (file === undefined) return;
  try {
    const cutter = new LineCutter(file, options);
    for (let count = -1; count !== 0; ) {
      const room = cutter.room();
      count = await file.read(room, cutter.place);
      yield* cutter.cut(room.subarray(0, count));
    }
  } finally {
    file.close();
  }
}

/** Reads lines synchronously, for facts that must be known before anything else happens. No file: no lines. */
export function* readLinesSync(path: string, options: LineReading = {}): Generator<FileLine> {
  const file = openIfThere(options.disk ?? nodeDisk, path);
  if (file === undefined) return;
  try {
    yield* linesIn(file, options);
  } finally {
    file.close();
  }
}

/** The lines of an open file, read synchronously. */
export function* linesIn(file: ReadableFile, part: LinePart = {}): Generator<FileLine> {
  const cutter = new LineCutter(file, part);
  for (let count = -1; count !== 0; ) {
    const room = cutter.room();
    count = file.readSync(room, cutter.place);
    yield* cutter.cut(room.subarray(0, count));
  }
}

/** Decodes lines, twice as fast as a `TextDecoder` does. Lines that nobody wants become empty ones. */
const decoding = (wants: LinePart["wants"]) => (bytes: Uint8Array, start: number, end: number) => {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset);
  const isWanted = wants?.(buffer.toString("latin1", start, Math.min(end, start + BEGINNING))) ?? true;
  return isWanted ? buffer.toString("utf8", start, end) : "";
};

/** Cuts a part of a file into lines, a chunk at a time. */
class LineCutter {
  readonly #end: number;
  readonly #without: { readonly from: number; readonly to: number };
  readonly #isChosen: boolean;
  readonly #decoder: LineDecoder;
  #number = 0;
  /** The place of the first line that is not cut yet. */
  #at: number;
  /** The place of the next bytes. */
  place: number;

  constructor(file: ReadableFile, part: LinePart) {
    const {
      from = 0,
      end = file.size(),
      without = { from: end, to: end },
      lineBytes = LINE_BYTES,
      wants,
    } = part;
    this.#end = end;
    this.#without = without;
    this.#isChosen = wants !== undefined;
    this.#decoder = new LineDecoder(lineBytes, decoding(wants));
    this.#at = from;
    this.place = from;
  }

  /** Room for the next bytes, empty at the end. */
  room(): Buffer {
    const { from, to } = this.#without;
    if (this.place === from && to > from) {
      this.#at = to;
      this.place = to;
    }
    const end = this.place < from ? Math.min(from, this.#end) : this.#end;
    return Buffer.allocUnsafe(Math.max(0, Math.min(CHUNK, end - this.place)));
  }

  /** Returns the lines that end in the next bytes. No bytes end the file, and its last line. */
  cut(chunk: Buffer): FileLine[] {
    const { place } = this;
    const lines: FileLine[] = [];
    const add = (text?: string) => {
      this.#number += 1;
      if (text !== "" || !this.#isChosen) lines.push({ number: this.#number, at: this.#at, text });
      this.#at = place + chunk.indexOf(LINE_FEED, Math.max(0, this.#at - place)) + 1;
    };
    const sink = { line: add, oversized: () => add() };
    if (chunk.length === 0) this.#decoder.end(sink);
    else this.#decoder.push(chunk, sink);
    this.place += chunk.length;
    return lines;
  }
}
