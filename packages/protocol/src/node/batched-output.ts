import type { Writable } from "node:stream";
import { afterPromises } from "./after-promises.js";

/** The size of a batch that is written at once, so that the other side works in parallel. In characters. */
const BATCH = 4096;

/** A stream to which the texts of one turn of the event loop are written together. */
export class BatchedOutput {
  readonly #stream: Writable;
  readonly #unsentBytes: number;
  readonly #overflow: () => void;
  #batch = "";
  #isOpen = true;
  #waiting: (() => void)[] = [];

  /** @param overflow called when the stream holds more than `unsentBytes`. */
  constructor(stream: Writable, unsentBytes: number, overflow: () => void) {
    this.#stream = stream;
    this.#unsentBytes = unsentBytes;
    this.#overflow = overflow;
    stream.on("drain", this.#release);
  }

  add(text: string): void {
    if (this.#batch === "") afterPromises(this.flush);
    this.#batch += text;
    if (this.#batch.length >= BATCH) this.flush();
  }

  flush = (): void => {
    const text = this.#batch;
    this.#batch = "";
    if (text === "" || !this.#stream.writable) return;
    this.#stream.write(text);
    if (this.#stream.writableLength > this.#unsentBytes) this.#overflow();
  };

  /** Resolves once at most that many bytes are unsent, or at the end. */
  drained(bytes: number): Promise<void> {
    if (!this.#isOpen || this.#stream.writableLength + this.#batch.length <= bytes) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.flush();
      // Below its high-water mark a stream tells nobody that it has drained.
      if (this.#isOpen && !this.#stream.writableNeedDrain) this.#stream.write("", this.#release);
    });
  }

  /** Ends all waits. */
  end(): void {
    this.#isOpen = false;
    this.#release();
  }

  #release = (): void => {
    const released = this.#waiting;
    this.#waiting = [];
    for (const resolve of released) resolve();
  };
}
