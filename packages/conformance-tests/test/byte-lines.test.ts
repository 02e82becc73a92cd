import fc from "fast-check";
import { expect, test } from "vitest";
import { byteLines } from "../src/programs/byte-lines.js";

/** Cuts bytes that come in pieces of these lengths. */
function cut(bytes: Uint8Array, lengths: readonly number[]) {
  const lines: string[] = [];
  const { push, end } = byteLines((line) => lines.push(Buffer.from(line).toString("latin1")));
  let rest = bytes;
  for (const length of lengths) {
    push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  push(rest);
  return { lines, rest: Buffer.from(end()).toString("latin1") };
}

test("lines are the same however the bytes come, and are cut at 0x0A only (P-FRM-2)", () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => some.map((byte) => (byte < 60 ? 0x0a : byte)));
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(9)), (bytes, lengths) => {
      const parts = Buffer.from(bytes).toString("latin1").split("\n");
      const rest = parts.pop() ?? "";
      expect(cut(bytes, lengths)).toEqual({ lines: parts, rest });
    }),
  );
});

test("a line without an end takes no more than 64 MiB, and the next one is whole", () => {
  const lengths: number[] = [];
  const { push } = byteLines((line) => lengths.push(line.length));
  const piece = new Uint8Array(16 * 1024 * 1024);
  for (let count = 0; count < 6; count += 1) push(piece);
  push(Buffer.from("\nnext\n"));
  expect(lengths).toEqual([64 * 1024 * 1024, 4]);
});
