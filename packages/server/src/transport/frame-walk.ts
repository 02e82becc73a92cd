/** Bytes that a chunk or a frame takes besides its content, at least. */
const OVERHEAD = 256;
/** Bytes of the longest header: two, a length of eight, a mask of four. */
const LONGEST_HEADER = 14;

/**
 * Follows the frames of one side of a WebSocket, only to know how much memory its unfinished message takes. Walks from
 * header to header and skips the contents. A message of many frames ends with its first final data frame (RFC 6455, 5.2
 * and 5.4). A chunk counts whole while any of its bytes may still be needed, since it stays in memory. Invalid bytes
 * are refused by the reader of the frames.
 */
export class FrameWalk {
  readonly #header = Buffer.allocUnsafe(LONGEST_HEADER);
  /** Bytes of the header that have come; 0 within a payload. */
  #filled = 0;
  /** Bytes of the frame's payload that are still to come. */
  #rest = 0;
  #final = true;
  #control = false;
  /** The bytes held for the parts of the unfinished message. */
  #message = 0;
  /** The bytes held only for a header, or for a control frame, that is cut. */
  #cut = 0;
  /** True if the chunk that is read has a part of the unfinished message. */
  #holds = false;

  /** Bytes of memory that the unfinished message holds: its chunks and frames, each with its overhead. */
  get held(): number {
    return this.#message + this.#cut;
  }

  /** Follows the next bytes of the connection. */
  read(chunk: Buffer): void {
    this.#holds = false;
    for (let at = 0; at < chunk.length; ) {
      if (this.#rest === 0) at += this.#readHeader(chunk, at);
      if (this.#filled === 0) at += this.#skipPayload(chunk.length - at);
    }
    if (this.#holds) this.#message += chunk.length + OVERHEAD;
    else if (this.#filled > 0 || this.#rest > 0) this.#cut += chunk.length + OVERHEAD;
  }

  /** Returns the number of bytes that were read. */
  #readHeader(chunk: Buffer, at: number): number {
    const wanted = this.#headerLength() - this.#filled;
    const copied = chunk.copy(this.#header, this.#filled, at, at + wanted);
    this.#filled += copied;
    if (this.#filled === this.#headerLength()) this.#beginFrame();
    return copied;
  }

  #beginFrame(): void {
    const [first = 0] = this.#header;
    this.#filled = 0;
    this.#rest = this.#payloadLength();
    this.#final = (first & 0x80) !== 0;
    this.#control = (first & 0x08) !== 0;
    this.#cut = 0;
    if (!this.#control) this.#message += OVERHEAD;
  }

  /** Returns the number of bytes that were skipped. */
  #skipPayload(come: number): number {
    const taken = Math.min(this.#rest, come);
    this.#rest -= taken;
    if (!this.#control && taken > 0) this.#holds = true;
    if (this.#rest === 0) this.#endFrame();
    return taken;
  }

  #endFrame(): void {
    this.#cut = 0;
    if (this.#control || !this.#final) return;
    this.#message = 0;
    this.#holds = false;
  }

  /** The length of the header, as far as known. */
  #headerLength(): number {
    if (this.#filled < 2) return 2;
    const [, second = 0] = this.#header;
    const length = second & 0x7f;
    return 2 + (length === 126 ? 2 : length === 127 ? 8 : 0) + (second & 0x80 ? 4 : 0);
  }

  #payloadLength(): number {
    const length = (this.#header[1] ?? 0) & 0x7f;
    if (length === 126) return this.#header.readUInt16BE(2);
    return length === 127 ? Number(this.#header.readBigUInt64BE(2)) : length;
  }
}
