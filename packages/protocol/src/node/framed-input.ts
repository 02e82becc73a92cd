import { type BodySink, ContentLengthDecoder, framingOf } from "../framing/content-length.js";
import { LineDecoder, type LineSink } from "../framing/lines.js";

export type Framing = ReturnType<typeof framingOf>;

/** The receiver of the output of a {@link FramedInput}. */
export interface FramedSink extends LineSink, BodySink {
  /** Reports the framing that the first bytes have. Called at most once, before any message. */
  framed(framing: Framing): void;
}

/** Cuts a stream of bytes into messages, by lines or by `Content-Length`. The first bytes may show which (P-FRM-7). */
export class FramedInput {
  readonly #limitBytes: number;
  readonly #sink: FramedSink;
  #framing: Framing;
  #decoder: LineDecoder | ContentLengthDecoder;
  /** The bytes received before the framing was known. */
  #start: Uint8Array = new Uint8Array();

  /** @param framing undefined if the first bytes show it. */
  constructor(framing: Framing, limitBytes: number, sink: FramedSink) {
    this.#limitBytes = limitBytes;
    this.#sink = sink;
    this.#framing = framing;
    this.#decoder = decoderFor(framing, limitBytes);
  }

  push(chunk: Uint8Array): void {
    if (this.#framing !== undefined) return this.#decoder.push(chunk, this.#sink);
    this.#start = Buffer.concat([this.#start, chunk]);
    this.#framing = framingOf(this.#start);
    if (this.#framing === undefined) return;
    this.#sink.framed(this.#framing);
    this.#decoder = decoderFor(this.#framing, this.#limitBytes);
    this.#pushStart();
  }

  end(): void {
    this.#pushStart();
    this.#decoder.end(this.#sink);
  }

  /** Clears the bytes first: a reader may throw, and the end of the input comes nevertheless. */
  #pushStart(): void {
    const bytes = this.#start;
    this.#start = new Uint8Array();
    this.#decoder.push(bytes, this.#sink);
  }
}

const decoderFor = (framing: Framing, limitBytes: number) =>
  framing === "content-length"
    ? new ContentLengthDecoder(limitBytes, decodeFast)
    : new LineDecoder(limitBytes, decodeFast);

/** Twice as fast as a `TextDecoder` for the length of a question. */
const decodeFast = (bytes: Uint8Array, start: number, end: number) =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString("utf8", start, end);
