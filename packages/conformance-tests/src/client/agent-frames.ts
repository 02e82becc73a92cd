import { FRAME_HEAD } from "./agent-program.js";

/** The size of the pieces that the agent's process reads, so that none of its buffers grows. */
const PIECE = 65_536;

/** The bytes of one frame. */
function frame(kind: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUInt8(kind);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** The frames that carry some content, in pieces. */
export function* frames(kind: number, content: Uint8Array): Generator<Buffer> {
  for (let start = 0; start < content.length || start === 0; start += PIECE) {
    yield frame(kind, content.subarray(start, start + PIECE));
  }
}

/** Cuts a stream of bytes into frames. */
export function clientFrameReader(onFrame: (kind: number, content: Buffer) => void): (chunk: Buffer) => void {
  let waiting = Buffer.alloc(0);
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= FRAME_HEAD) {
      const end = FRAME_HEAD + waiting.readUInt32BE(1);
      if (waiting.length < end) return;
      onFrame(waiting.readUInt8(), waiting.subarray(FRAME_HEAD, end));
      waiting = waiting.subarray(end);
    }
  };
}
