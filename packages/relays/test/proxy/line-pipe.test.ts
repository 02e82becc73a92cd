import { PassThrough, Readable, Writable } from "node:stream";
import { defined } from "@askwire/protocol/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LineFate, linePipe } from "../../src/proxy/line-pipe.js";

/** Passes pieces through, and resolves with all that arrived. */
async function passed(
  pieces: readonly Buffer[],
  look: (message: unknown) => LineFate = () => "pass",
  mostRead?: number,
) {
  const arrived: Buffer[] = [];
  const receiver = new Writable({
    highWaterMark: 16,
    write(chunk, _encoding, done) {
      arrived.push(chunk);
      setImmediate(done);
    },
  });
  const pipe = linePipe(Readable.from(pieces), receiver, look, defined({ mostRead }));
  await pipe.ended;
  return Buffer.concat(arrived);
}

const cut = (bytes: Buffer, cuts: readonly number[]) => {
  const places = [
    0,
    ...cuts.map((at) => at % (bytes.length + 1)).sort((left, right) => left - right),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

test("bytes pass as they are, however they are cut and however long a line may be", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(new Uint8Array([10])))),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (parts, cuts) => {
        const bytes = Buffer.concat(parts);
        expect(await passed(cut(bytes, cuts), undefined, 16)).toEqual(bytes);
      },
    ),
    { numRuns: 200 },
  );
});

test("each line is looked at whole, and one that is dropped leaves nothing behind", async () => {
  const seen: unknown[] = [];
  const look = (message: unknown): LineFate => {
    seen.push(message);
    return Object(message).drop === true ? "drop" : "pass";
  };
  const bytes = Buffer.from('{"n":1}\n{"drop":true}\r\nnot json\n{"n":2}');
  expect(String(await passed(cut(bytes, [3, 9, 20, 21]), look))).toBe('{"n":1}\nnot json\n{"n":2}');
  expect(seen).toEqual([{ n: 1 }, { drop: true }, undefined, { n: 2 }]);
});

test("a line of our own waits for the end of a line that is already on its way", async () => {
  const source = new PassThrough();
  const receiver = new PassThrough();
  const pipe = linePipe(source, receiver, () => "pass", { mostRead: 4 });
  source.write("a long line");
  await expect.poll(() => receiver.readableLength).toBe(11);
  pipe.insert({ own: 1 });
  source.end(" that ends\n");
  await pipe.ended;
  expect(String(receiver.read())).toBe('a long line that ends\n{"own":1}\n');
});

test("a receiver that is gone ends the pipe", async () => {
  const source = new PassThrough();
  const receiver = new PassThrough();
  const pipe = linePipe(source, receiver, () => "pass");
  receiver.destroy();
  source.write("a line\n");
  await pipe.ended;
});
