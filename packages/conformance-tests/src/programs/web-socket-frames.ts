import { randomBytes } from "node:crypto";
import type { PlayedPart } from "../faults/player.js";

/** The contents of a WebSocket's frame (RFC 6455). */
export const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame of a client: masked. */
export function maskedFrame(opcode: number, payload: Uint8Array, isLast = true): Buffer {
  return frame(opcode, payload, isLast, randomBytes(4));
}

/** A frame of a server: not masked, unless a mask is given. */
export function frame(
  opcode: number,
  payload: Uint8Array,
  isLast = true,
  mask: Uint8Array = new Uint8Array(),
): Buffer {
  const { length } = payload;
  const size = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + size);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = (mask.length > 0 ? 0x80 : 0) | (size === 0 ? length : size === 2 ? 126 : 127);
  if (size === 2) head.writeUInt16BE(length, 2);
  if (size === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, mask, mask.length > 0 ? masked(payload, mask) : payload]);
}

/** Makes a writer of text messages of which each piece is a frame. Pieces that are given together leave in one go. */
export function textFrames(
  framed: (opcode: number, payload: Uint8Array, isLast: boolean) => Uint8Array,
  write: (bytes: Uint8Array) => void,
): (parts: readonly PlayedPart[]) => void {
  let isInside = false;
  return (parts) => {
    const frames = parts.map(({ bytes, isLast }) => {
      const opcode = isInside ? opcodes.more : opcodes.text;
      isInside = !isLast;
      return framed(opcode, bytes, isLast);
    });
    write(Buffer.concat(frames));
  };
}

/** Puts a mask on, or takes it off: the operation is the same. */
function masked(payload: Uint8Array, mask: Uint8Array): Buffer {
  const bytes = Buffer.alloc(payload.length);
  for (let index = 0; index < payload.length; index += 1)
    bytes[index] = (payload[index] as number) ^ (mask[index % 4] as number);
  return bytes;
}

/** The receiver of the other side's frames. A message in several frames comes whole. */
export interface FrameListener {
  message(opcode: number, payload: Buffer): void;
  /** Tells of bytes that are no frame from the other side. */
  broken(expected: string): void;
}

/**
 * Cuts the other side's bytes into messages.
 *
 * @param from a client masks its frames, a server does not.
 */
export function frameReader(
  { message, broken }: FrameListener,
  from: "client" | "server" = "server",
): (chunk: Buffer) => void {
  const isMasked = from === "client";
  const take = frameJoiner(message);
  let rest: Buffer = Buffer.alloc(0);
  let isBroken = false;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (!isBroken && rest.length >= 2) {
      if (!beginsFrame(rest, isMasked)) {
        isBroken = true;
        return broken(`frames ${isMasked ? "with" : "without"} a mask and without extensions`);
      }
      const first = firstFrame(rest, isMasked);
      if (first === undefined) return;
      rest = rest.subarray(first.size);
      take(first);
    }
  };
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
  /** The bytes of the whole frame. */
  readonly size: number;
}

/** True for a frame from the right side, without extensions. */
function beginsFrame(bytes: Buffer, isMasked: boolean): boolean {
  return ((bytes.readUInt8(1) & 0x80) !== 0) === isMasked && (bytes.readUInt8(0) & 0x70) === 0;
}

/** The frame at the start of some bytes; undefined until it is whole. */
function firstFrame(bytes: Buffer, isMasked: boolean): Frame | undefined {
  const head = bytes.readUInt8(0);
  const short = bytes.readUInt8(1) & 0x7f;
  const start = (short === 126 ? 4 : short === 127 ? 10 : 2) + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const size = start + length;
  if (bytes.length < size) return undefined;
  const carried = bytes.subarray(start, size);
  const payload = isMasked ? masked(carried, bytes.subarray(start - 4, start)) : carried;
  return { opcode: head & 0x0f, isLast: (head & 0x80) !== 0, payload, size };
}

/** Joins the frames of a message. Control frames may come between them. */
function frameJoiner(message: FrameListener["message"]): (frame: Frame) => void {
  let parts: Buffer[] = [];
  let begun: number = opcodes.more;
  return ({ opcode, isLast, payload }) => {
    if (opcode >= opcodes.close) return message(opcode, payload);
    if (opcode !== opcodes.more) begun = opcode;
    parts.push(payload);
    if (!isLast) return;
    const whole = parts.length === 1 ? payload : Buffer.concat(parts);
    parts = [];
    message(begun, whole);
  };
}
