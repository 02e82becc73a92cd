/** A file of which parts can be read. */
export interface ReadableFile {
  /** The length in bytes. */
  size(): number;
  /** Reads from a place in the file. Returns the number of bytes, 0 at the end. */
  readSync(into: Uint8Array, at: number): number;
}

const CHUNK = 64 * 1024;
const LINE_FEED = 0x0a;

/**
 * The lines of a file from its end to its beginning, with no more of the file in memory than a chunk and a line. A last
 * line without a line feed counts. Stops before the line that reaches below `most` bytes from the end.
 */
export function* readLinesBackwards(
  file: ReadableFile,
  most = Number.POSITIVE_INFINITY,
): Generator<{ readonly text: string; readonly fromEnd: number }> {
  const size = file.size();
  const bottom = Math.max(0, size - most);
  /** The end of a line whose beginning was not read yet. */
  let rest: Buffer[] = [];
  const line = (beginning: Buffer, at: number) => {
    const text = Buffer.concat([beginning, ...rest]).toString("utf8");
    rest = [];
    return { text, fromEnd: size - at };
  };
  for (let from = size; from > bottom; ) {
    const length = Math.min(CHUNK, from - bottom);
    from -= length;
    const chunk = read(file, from, length);
    let end = chunk.length;
    while (end > 0) {
      const feed = chunk.lastIndexOf(LINE_FEED, end - 1);
      if (feed === -1) break;
      yield line(chunk.subarray(feed + 1, end), from + feed + 1);
      end = feed;
    }
    rest.unshift(chunk.subarray(0, end));
  }
  if (bottom === 0) yield line(Buffer.alloc(0), 0);
}

function read(file: ReadableFile, at: number, length: number): Buffer {
  const chunk = Buffer.alloc(length);
  let count = 0;
  while (count < length) {
    const bytes = file.readSync(chunk.subarray(count), at + count);
    if (bytes === 0) break;
    count += bytes;
  }
  return chunk.subarray(0, count);
}
