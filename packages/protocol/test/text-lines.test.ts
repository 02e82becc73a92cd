import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { onLines, textLines } from "../src/node/index.js";

const text = fc
  .array(fc.constantFrom("a", "🛠", "\u2028", "\u2029", "\u0085", "\u000b", "\r", "\n", "\r\n"), {
    maxLength: 30,
  })
  .map((all) => all.join(""));

/** The lines of a text as its bytes come in pieces, heard and asked for. */
async function read(given: string, size: number) {
  const bytes = Buffer.from(given);
  const streams = [new PassThrough(), new PassThrough()] as const;
  const heard: string[] = [];
  onLines(streams[0], (line) => heard.push(line));
  const asked = (async () => {
    const lines: string[] = [];
    for await (const line of textLines(streams[1])) lines.push(line);
    return lines;
  })();
  for (const stream of streams) {
    for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
    stream.end();
  }
  return { heard, asked: await asked };
}

test("a line ends with LF or CR LF, never with U+2028 or a carriage return alone, in pieces of any size", async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (given, size) => {
      const lines = given.split("\n");
      if (lines.at(-1) === "") lines.pop();
      const right = lines.map((line) => line.replace(/\r$/, ""));
      expect(await read(given, size)).toEqual({ heard: right, asked: right });
    }),
  );
});

test("lines end with a stream that is destroyed, and fail with one that fails", async () => {
  const left = new PassThrough();
  const lines = textLines(left);
  left.write("one\ntw");
  expect(await lines.next()).toEqual({ done: false, value: "one" });
  const next = lines.next();
  left.destroy();
  expect(await next).toEqual({ done: false, value: "tw" });
  expect(await lines.next()).toEqual({ done: true, value: undefined });
  const failing = textLines(new PassThrough().destroy(new Error("the disk is gone")));
  await expect(failing.next()).rejects.toThrow("the disk is gone");
});

test("nothing is heard after the stop, and the stream is read no further", () => {
  const input = new PassThrough();
  const heard: string[] = [];
  const stop = onLines(input, (line) => heard.push(line));
  stop();
  input.write("late\n");
  expect(heard).toEqual([]);
  expect(input.isPaused()).toBe(true);
});
