/** Lines that wait to be written, as bytes: texts that live on cost the garbage collector more than the writing. */
export interface LineBuffer {
  /** Bytes that wait. */
  readonly length: number;
  /** Adds a line, given without its line feed. */
  add(line: string): void;
  /** Takes all that waits, as bytes that hold until the next line is added. */
  take(): Buffer[];
}

const LF = 0x0a;
/** Each session keeps so many bytes for its next lines: to allocate them for each write took longer than the write. */
const CHUNK = 16 * 1024;
/** The most bytes of UTF-8 that one UTF-16 unit takes. */
const WIDEST = 3;

export function lineBuffer(): LineBuffer {
  let full: Buffer[] = [];
  let fullLength = 0;
  let chunk: Buffer | undefined;
  let used = 0;

  function close(): void {
    if (chunk !== undefined && used > 0) full.push(chunk.subarray(0, used));
    fullLength += used;
    chunk = undefined;
    used = 0;
  }

  function addAlone(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    full.push(bytes);
    fullLength += bytes.length;
  }

  return {
    get length() {
      return fullLength + used;
    },
    add(line) {
      const most = line.length * WIDEST + 1;
      if (used + most > CHUNK) close();
      if (most > CHUNK) return addAlone(line);
      chunk ??= Buffer.allocUnsafeSlow(CHUNK);
      used += chunk.write(line, used);
      chunk[used] = LF;
      used += 1;
    },
    take() {
      const taken = chunk === undefined || used === 0 ? full : [...full, chunk.subarray(0, used)];
      full = [];
      fullLength = 0;
      used = 0;
      return taken;
    },
  };
}
