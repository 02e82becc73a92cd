import { timeOfLine } from "./decisions.js";
import type { DiskFile } from "./disk.js";
import { BEGINNING } from "./lines.js";

/** A line of a part of a file. */
export interface LineBytes {
  /** The place of its first byte. */
  readonly at: number;
  /** Its bytes without the line feed. */
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;
/** Bytes that are read at once, and of a line at most: a longer one is cut. */
const BLOCK = 128 * 1024;
const LINE_BYTES = 64 * 1024 * 1024;
/** Bytes that are read to find a line. */
const PROBE = 4 * 1024;

/** A file of which parts are read, and the bytes that were. */
export class CountedFile {
  readonly #file: DiskFile;
  readonly size: number;
  read = 0;

  constructor(file: DiskFile) {
    this.#file = file;
    this.size = file.size();
  }

  async part(from: number, to: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = await this.#file.read(bytes.subarray(length), from + length);
    this.read += length;
    return bytes.subarray(0, length);
  }
}

/**
 * The last whole lines before a place, the last first; the next ones end at `from`. A line whose end is not written yet is
 * left out.
 *
 * @param end the end of a line, or of the file.
 */
export async function linesBefore(
  file: CountedFile,
  end: number,
): Promise<{ readonly from: number; readonly lines: readonly LineBytes[] }> {
  let start = Math.max(0, end - BLOCK);
  for (let bytes = await file.part(start, end); ; ) {
    const first = start === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1;
    // The block begins in the middle of a line that is longer.
    if (start > 0 && (first === 0 || first === bytes.length) && bytes.length < LINE_BYTES) {
      const before = Math.max(0, start - Math.max(BLOCK, bytes.length));
      const part = await file.part(before, start);
      // With less there, the file was cut meanwhile, and nothing is left behind that part.
      bytes = part.length < start - before ? part : Buffer.concat([part, bytes]);
      start = before;
      continue;
    }
    const lines: LineBytes[] = [];
    for (let to = bytes.lastIndexOf(LINE_FEED); to >= first; ) {
      const from = Math.max(first, to === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, to - 1) + 1);
      lines.push({ at: start + from, bytes: bytes.subarray(from, to) });
      to = from - 1;
    }
    return { from: first === bytes.length ? start : start + first, lines };
  }
}

/** The beginning of a line, by which its type and its time are told. */
export const beginningOf = ({ bytes }: LineBytes): string => bytes.toString("latin1", 0, BEGINNING);

/** The time of a line in milliseconds since 1970; undefined for one without. */
export function timeOf(beginning: string): number | undefined {
  const seconds = timeOfLine(beginning);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The places at which a file is looked at, to see if its clock went back. */
const LOOKED_AT = 16;
/** The milliseconds by which a clock may go back and not be seen there. */
const BACK_MS = 60_000;

/**
 * A place behind all lines up to a time, in milliseconds since 1970: close to the last of them where the lines of the
 * file have rising times but for a minute, else its end. A file of one block is not searched.
 */
export async function endOfLinesUntil(file: CountedFile, time: number): Promise<number> {
  if (file.size <= BLOCK) return file.size;
  const limit = time + BACK_MS;
  const times = await timesIn(file);
  if (times.some((one, n) => n > 0 && one < (times[n - 1] as number))) return file.size;
  if (times[0] !== undefined && times[0] > limit) return 0;
  let end = file.size;
  let [low, high] = [0, file.size];
  while (high - low > BLOCK) {
    const middle = (low + high) >> 1;
    const line = await lineFrom(file, middle, high);
    if (line !== undefined && line.time <= limit) low = line.at + 1;
    else {
      high = middle;
      end = line?.at ?? end;
    }
  }
  return end;
}

/** The times of lines here and there in a file, the first and one close to the last among them. */
async function timesIn(file: CountedFile): Promise<number[]> {
  const places = Array.from({ length: LOOKED_AT }, (_, n) => Math.floor((file.size * n) / LOOKED_AT));
  places.push(file.size - PROBE);
  const times: number[] = [];
  for (const [n, place] of places.entries()) {
    const line = await lineFrom(file, place, places[n + 1] ?? file.size);
    if (line !== undefined) times.push(line.time);
  }
  return times;
}

/** The first line with a time that begins between two places. */
async function lineFrom(
  file: CountedFile,
  from: number,
  to: number,
): Promise<{ readonly at: number; readonly time: number } | undefined> {
  // Found behind the end of the line before.
  for (let place = Math.max(0, from - 1); place < to; ) {
    const bytes = await file.part(place, Math.min(file.size, place + PROBE));
    if (bytes.length === 0) return undefined;
    const feed = bytes.indexOf(LINE_FEED);
    if (feed < 0) {
      place += bytes.length;
      continue;
    }
    const at = place + feed + 1;
    if (at >= to) return undefined;
    const time = timeOf((await file.part(at, Math.min(file.size, at + BEGINNING))).toString("latin1"));
    if (time !== undefined) return { at, time };
    place = at;
  }
  return undefined;
}
