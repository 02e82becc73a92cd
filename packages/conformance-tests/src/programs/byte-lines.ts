const LF = 0x0a;
/** The bytes of a line that are kept. No message comes near. */
const LIMIT = 64 * 1024 * 1024;

/** Cuts a stream of bytes at each 0x0A and nowhere else, as no reader of lines of text does. */
export interface ByteLines {
  push(chunk: Uint8Array): void;
  /** Ends the stream. Returns the bytes after the last line feed. */
  end(): Uint8Array;
}

/** @param onLine hears of each line, without its line feed. One over 64 MiB is cut there, and so is no JSON. */
export function byteLines(onLine: (line: Uint8Array) => void): ByteLines {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    const kept = part.subarray(0, LIMIT - length);
    length += kept.length;
    if (kept.length > 0) parts.push(kept);
  };
  const take = () => {
    const line = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        add(chunk.subarray(start, end));
        start = end + 1;
        onLine(take());
      }
      add(chunk.subarray(start));
    },
    end: take,
  };
}
