const LF = 0x0a;
/** The bytes that each session keeps for its next lines: to allocate them for each write took longer than the write. */
const CHUNK = 16 * 1024;
/** The most bytes of UTF-8 that one UTF-16 unit takes. */
const WIDEST = 3;

/** Lines that wait to be written, as bytes: texts that live on cost the garbage collector more than the writing. */
export class LineBuffer {
  #full: Buffer[] = [];
  #fullLength = 0;
  #chunk: Buffer | undefined;
  /** Bytes of the chunk that have lines. */
  #used = 0;
  #count = 0;

  /** Bytes that wait. */
  get length(): number {
    return this.#fullLength + this.#used;
  }

  /** Lines that wait. */
  get count(): number {
    return this.#count;
  }

  /** Adds a line, given without its line feed. */
  add(line: string): void {
    this.#count += 1;
    const most = line.length * WIDEST + 1;
    if (this.#used + most > CHUNK) this.#close();
    if (most > CHUNK) return this.#addAlone(line);
    this.#chunk ??= Buffer.allocUnsafeSlow(CHUNK);
    this.#used += this.#chunk.write(line, this.#used);
    this.#chunk[this.#used] = LF;
    this.#used += 1;
  }

  /** Takes all that waits, as bytes that hold until the next line is added. */
  take(): Buffer[] {
    const chunk = this.#chunk;
    const taken =
      chunk === undefined || this.#used === 0 ? this.#full : [...this.#full, chunk.subarray(0, this.#used)];
    this.#full = [];
    this.#fullLength = 0;
    this.#used = 0;
    this.#count = 0;
    return taken;
  }

  #close(): void {
    if (this.#chunk !== undefined && this.#used > 0) this.#full.push(this.#chunk.subarray(0, this.#used));
    this.#fullLength += this.#used;
    this.#chunk = undefined;
    this.#used = 0;
  }

  #addAlone(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#full.push(bytes);
    this.#fullLength += bytes.length;
  }
}
