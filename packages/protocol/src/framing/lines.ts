import { type Decode, decodeAnywhere, joinBytes } from "./bytes.js";

const LF = 0x0a;

/** The receiver of the output of a {@link LineDecoder}. */
export interface LineSink {
  /** Takes a line without its line feed, possibly empty. */
  line(text: string): void;
  /** Reports a line over the limit, which was dropped up to its end. */
  oversized(): void;
}

/**
 * Cuts a stream of bytes into lines at each 0x0A, and nowhere else: not at U+2028, which JSON may contain
 * (P-FRM-2). Pure: no I/O. Invalid UTF-8 becomes U+FFFD. Keeps at most `limit` bytes of an unfinished line.
 */
export class LineDecoder {
  readonly #limit: number;
  readonly #decode: Decode;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipping = false;

  /**
   * @param limitBytes the longest line, in bytes without its line feed.
   * @param decode default: a `TextDecoder`.
   */
  constructor(limitBytes: number, decode: Decode = decodeAnywhere) {
    this.#limit = limitBytes;
    this.#decode = decode;
  }

  /** Takes the next bytes, and hands on the lines that they end. */
  push(chunk: Uint8Array, sink: LineSink): void {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LF, start);
      if (end === -1) return this.#take(chunk.subarray(start));
      if (this.#length === 0 && end - start <= this.#limit) {
        // A line that lies whole in the chunk, as most do, needs no copy.
        sink.line(this.#decode(chunk, start, end));
      } else {
        this.#take(chunk.subarray(start, end));
        this.#finish(sink);
      }
      start = end + 1;
    }
  }

  /** The stream has ended: a last line without its line feed counts as one. */
  end(sink: LineSink): void {
    if (this.#length > 0 || this.#skipping) this.#finish(sink);
  }

  #take(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) {
      this.#skipping = true;
      this.#parts = [];
    } else {
      this.#parts.push(piece);
    }
  }

  #finish(sink: LineSink): void {
    const skipped = this.#skipping;
    const line = joinBytes(this.#parts);
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    if (skipped) sink.oversized();
    else sink.line(this.#decode(line, 0, line.length));
  }
}
