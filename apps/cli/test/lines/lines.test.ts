import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { openLines } from "../../src/lines/lines.js";

test("a pipe is read no faster than its lines are taken, and no line is lost", async () => {
  let written = 0;
  function* source() {
    while (written < 5_000) yield Buffer.from(`${written++}\n`);
  }
  const input = Readable.from(source()) as unknown as NodeJS.ReadStream;
  const output = new PassThrough().resume() as unknown as NodeJS.WriteStream;
  const lines = openLines(input, output);
  await once(input, "pause");
  expect(written).toBeLessThan(1_000);
  const taken: (string | undefined)[] = [];
  do taken.push(await lines.next("> "));
  while (taken.at(-1) !== undefined);
  expect(taken).toEqual([...Array.from({ length: 5_000 }, (_, index) => `${index}`), undefined]);
});
