import { type Decode, decodeAnywhere, joinBytes } from "./bytes.js";

const LF = 0x0a;
/** Bytes of one header block. */
const HEADER_LIMIT = 8 * 1024;
const MARK = "content-";

/**
 * Recognizes the framing of a stream from its first bytes (P-FRM-7); undefined while they are too few. JSON never
 * begins as a header does.
 */
export function framingOf(start: Uint8Array): "content-length" | "lines" | undefined {
  const text = latin1(start.subarray(0, MARK.length)).toLowerCase();
  if (text === MARK) return "content-length";
  return MARK.startsWith(text) ? undefined : "lines";
}

/** Frames one text (P-FRM-7). */
export function contentLengthFrame(text: string, byteLength: number): string {
  return `Content-Length: ${byteLength}\r\n\r\n${text}`;
}

/** The receiver of the output of a {@link ContentLengthDecoder}. */
export interface BodySink {
  body(text: string): void;
  /** Reports a skipped body whose announced length is over the limit. */
  oversized(): void;
  /** Reports that the start of the next message cannot be found. No call follows. */
  unreadable(problem: string): void;
}

/**
 * Cuts a stream of bytes into bodies, each after a header block with its length in bytes (P-FRM-7). Pure: no I/O.
 * Invalid UTF-8 becomes U+FFFD. Keeps at most `limit` bytes of an unfinished body, and 8 KiB of a header.
 */
export class ContentLengthDecoder {
  readonly #limit: number;
  readonly #decode: Decode;
  /** State of the current header: its size so far, its unfinished line, and its fields. */
  #headerBytes = 0;
  #line = "";
  #length: number | undefined;
  /** State of the current body: the bytes still to come, and the bytes received. */
  #left = 0;
  #parts: Uint8Array[] = [];
  #state: "header" | "body" | "skipping" | "unreadable" = "header";

  /** @param decode Default: a `TextDecoder`. */
  constructor(limitBytes: number, decode: Decode = decodeAnywhere) {
    this.#limit = limitBytes;
    this.#decode = decode;
  }

  push(chunk: Uint8Array, sink: BodySink): void {
    let at = 0;
    while (at < chunk.length && this.#state !== "unreadable") {
      at = this.#state === "header" ? this.#readHeader(chunk, at, sink) : this.#readBody(chunk, at, sink);
    }
  }

  /** The stream has ended: inside a message that is a fault. */
  end(sink: BodySink): void {
    if (this.#state === "unreadable") return;
    if (this.#state === "skipping") sink.oversized();
    else if (this.#state === "body" || this.#headerBytes > 0) this.#fail("the input ended inside it", sink);
  }

  /** Reads up to the end of a line of the header, or of the chunk, and returns where that is. */
  #readHeader(chunk: Uint8Array, start: number, sink: BodySink): number {
    const lineFeed = chunk.indexOf(LF, start);
    const end = lineFeed === -1 ? chunk.length : lineFeed + 1;
    this.#headerBytes += end - start;
    if (this.#headerBytes > HEADER_LIMIT) {
      this.#fail(`its header is longer than ${HEADER_LIMIT} bytes`, sink);
      return chunk.length;
    }
    this.#line += latin1(chunk.subarray(start, end));
    if (lineFeed === -1) return end;
    const line = this.#line.replace(/\r?\n$/, "");
    this.#line = "";
    if (line === "") this.#beginBody(sink);
    else this.#readField(line, sink);
    return end;
  }

  #readField(line: string, sink: BodySink): void {
    const [, name, value = ""] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    switch (name?.toLowerCase()) {
      case undefined:
        return this.#fail("a line of its header is not name: value", sink);
      case "content-length":
        // At most 15 digits: more are no safe integer.
        if (!/^\d{1,15}$/.test(value)) return this.#fail("Content-Length: expected a number of bytes", sink);
        if (this.#length !== undefined) return this.#fail("Content-Length: expected once", sink);
        this.#length = Number(value);
        return;
      case "content-type": {
        const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(value) ?? [];
        if (!/^utf-?8$/i.test(charset)) this.#fail("Content-Type: expected the charset utf-8", sink);
      }
    }
  }

  #beginBody(sink: BodySink): void {
    if (this.#length === undefined) return this.#fail("its header has no Content-Length", sink);
    this.#left = this.#length;
    this.#state = this.#length > this.#limit ? "skipping" : "body";
    this.#headerBytes = 0;
    this.#length = undefined;
    if (this.#left === 0) this.#finish(sink);
  }

  #readBody(chunk: Uint8Array, start: number, sink: BodySink): number {
    const end = Math.min(start + this.#left, chunk.length);
    this.#left -= end - start;
    if (this.#state === "body") {
      if (this.#left === 0 && this.#parts.length === 0) {
        // A body that lies whole in the chunk, as most do, needs no copy.
        this.#state = "header";
        sink.body(this.#decode(chunk, start, end));
        return end;
      }
      this.#parts.push(chunk.subarray(start, end));
    }
    if (this.#left === 0) this.#finish(sink);
    return end;
  }

  #finish(sink: BodySink): void {
    const skipped = this.#state === "skipping";
    const bytes = joinBytes(this.#parts);
    this.#parts = [];
    this.#state = "header";
    if (skipped) sink.oversized();
    else sink.body(this.#decode(bytes, 0, bytes.length));
  }

  #fail(problem: string, sink: BodySink): void {
    this.#state = "unreadable";
    this.#parts = [];
    this.#line = "";
    sink.unreadable(`Invalid message: ${problem}`);
  }
}

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);
