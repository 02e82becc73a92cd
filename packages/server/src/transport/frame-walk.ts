/** Follows the frames of one side of a WebSocket, only to know how much memory its unfinished message takes. */
export interface FrameWalk {
  /** Bytes of memory that the unfinished message holds: its chunks and frames, each with its overhead. */
  readonly held: number;
  /** Follows the next bytes of the connection. */
  read(chunk: Buffer): void;
}

/** Bytes that a chunk or a frame takes beside its content, at least. */
const OVERHEAD = 256;
/** Bytes of the longest header: two, a length of eight, a mask of four. */
const LONGEST_HEADER = 14;

/**
 * Walks from header to header and skips the contents. A message of many frames ends with its first final data frame
 * (RFC 6455, 5.2 and 5.4). A chunk counts whole while any of its bytes may still be needed, since it stays in memory.
 * Invalid bytes are refused by the reader of the frames.
 */
export function createFrameWalk(): FrameWalk {
  const header = Buffer.allocUnsafe(LONGEST_HEADER);
  let filled = 0;
  /** Bytes of the frame's payload that are still to come. */
  let rest = 0;
  let final = true;
  let control = false;
  /** The bytes held for the parts of the unfinished message. */
  let message = 0;
  /** The bytes held only for a header, or for a control frame, that is cut. */
  let cut = 0;

  /** The length of the header, as far as known. */
  function headerLength(): number {
    if (filled < 2) return 2;
    const [, second = 0] = header;
    const length = second & 0x7f;
    return 2 + (length === 126 ? 2 : length === 127 ? 8 : 0) + (second & 0x80 ? 4 : 0);
  }

  function payloadLength(): number {
    const length = (header[1] ?? 0) & 0x7f;
    if (length === 126) return header.readUInt16BE(2);
    return length === 127 ? Number(header.readBigUInt64BE(2)) : length;
  }

  return {
    get held() {
      return message + cut;
    },
    read(chunk) {
      let at = 0;
      /** Set if this chunk has a part of the unfinished message. */
      let holds = false;
      while (at < chunk.length) {
        if (rest === 0) {
          const wanted = headerLength() - filled;
          const copied = chunk.copy(header, filled, at, at + wanted);
          filled += copied;
          at += copied;
          if (filled < headerLength()) continue;
          const [first = 0] = header;
          filled = 0;
          rest = payloadLength();
          final = (first & 0x80) !== 0;
          control = (first & 0x08) !== 0;
          cut = 0;
          if (!control) message += OVERHEAD;
        }
        const taken = Math.min(rest, chunk.length - at);
        at += taken;
        rest -= taken;
        if (!control && taken > 0) holds = true;
        if (rest > 0) continue;
        cut = 0;
        if (control || !final) continue;
        message = 0;
        holds = false;
      }
      if (holds) message += chunk.length + OVERHEAD;
      else if (filled > 0 || rest > 0) cut += chunk.length + OVERHEAD;
    },
  };
}
