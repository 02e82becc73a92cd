import { describe, expect, test } from "vitest";
import { frameReader, maskedFrame, opcodes } from "../src/programs/web-socket-frames.js";

/** A frame as a server sends it. */
function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** The reading of bytes in pieces of a length. */
function read(bytes: Buffer, piece: number) {
  const messages: [opcode: number, text: string][] = [];
  const problems: string[] = [];
  const push = frameReader({
    message: (opcode, payload) => messages.push([opcode, payload.toString()]),
    broken: (expected) => problems.push(expected),
  });
  for (let start = 0; start < bytes.length; start += piece) push(bytes.subarray(start, start + piece));
  return { messages, problems };
}

describe("the frames of a gateway", () => {
  const middle = "m".repeat(300);
  const long = "l".repeat(70_000);
  const bytes = Buffer.concat([
    frame(opcodes.text, Buffer.from("one, ")),
    frame(opcodes.text, Buffer.from("in "), false),
    frame(opcodes.ping, Buffer.from("?")),
    frame(opcodes.more, Buffer.from(middle), false),
    frame(opcodes.more, Buffer.from(" pieces")),
    frame(opcodes.text, Buffer.from(long)),
  ]);

  test.each([1, 7, 4_096, bytes.length])(
    "the frames of a gateway are read the same in pieces of %i bytes",
    (piece) => {
      expect(read(bytes, piece)).toEqual({
        messages: [
          [opcodes.text, "one, "],
          [opcodes.ping, "?"],
          [opcodes.text, `in ${middle} pieces`],
          [opcodes.text, long],
        ],
        problems: [],
      });
    },
  );

  test("the frames of a gateway that are masked, as only a client's are, are reported once", () => {
    const masked = maskedFrame(opcodes.text, Buffer.from("hello"));
    expect(read(Buffer.concat([masked, masked]), 3)).toEqual({
      messages: [],
      problems: ["frames without a mask and without extensions"],
    });
  });
});
