import type { FileChange } from "@askwire/protocol";
import { expect, test } from "vitest";
import { changesOf, leftOutOf, sidesOf } from "../src/cards/whole-file.js";

const change = (old_text: string, new_text: string, old_start = 1): FileChange => ({
  ...{ path: "a.ts", old_text, new_text, old_start, new_start: old_start, is_summary: false },
});
const file = "one\ntwo\nthree\nfour\n";

test("changes that fit the file are shown inside the whole file", () => {
  expect(sidesOf(file, [change("two", "2", 2), change("four", "4\n5", 4)])).toEqual({
    current: file,
    proposed: "one\n2\nthree\n4\n5\n",
  });
});

test.each([
  ["CR LF on every line", "one\r\ntwo\r\nthree\r\n", "one\r\n2\r\n3\r\nthree\r\n"],
  ["no end on the last line", "one\r\ntwo\r\nthree", "one\r\n2\r\n3\r\nthree"],
  ["mixed ends, LF where it changes", "one\r\ntwo\nthree\r\n", "one\r\n2\n3\nthree\r\n"],
  ["a byte order mark and U+2028", "\ufeffone\u2028\ntwo\nthree\n", "\ufeffone\u2028\n2\n3\nthree\n"],
])(
  "a file with %s contains the change, with the ends of the lines that it replaces (P-XAO-9)",
  (_, current, proposed) => {
    expect(sidesOf(current, [change("two", "2\n3", 2)])).toEqual({ current, proposed });
    const sent = current.includes("two\r") ? change("two\r", "2\r\n3\r", 2) : change("two", "2\n3", 2);
    expect(sidesOf(current, [sent])).toEqual({ current, proposed });
  },
);

test("a change that no longer fits the file is shown as the agent sent it", () => {
  expect(sidesOf(file, [change("zwei", "2", 2)])).toEqual({ current: "zwei", proposed: "2" });
});

test("a new file has nothing on the other side", () => {
  expect(sidesOf(undefined, [change("", "hello\n")])).toEqual({ current: "", proposed: "hello\n" });
});

test("changes are grouped by their files, and those described only in words are left out", () => {
  const display = [
    { type: "diff", ...change("a", "b") },
    { type: "diff", ...change("c", "d"), path: "b.ts" },
    { type: "diff", ...change("(10 MB)", "(11 MB)"), path: "large", is_summary: true },
    { type: "brief", text: "words" },
  ] as Parameters<typeof changesOf>[0];
  expect([...changesOf(display).keys()]).toEqual(["a.ts", "b.ts"]);
});

test("a file is left out of the diff editor where none of its changes is of text, and then it is named", () => {
  const bytes = "\0\u0001\ufffd\u0002".repeat(20);
  const display = [
    { type: "diff", ...change("a", "b") },
    { type: "diff", ...change("", bytes) },
    { type: "diff", ...change("c\n", "c\n\0"), path: "b.ts" },
    { type: "diff", ...change("", bytes), path: "logo.png" },
    { type: "diff", ...change("(10 MB)", "(11 MB)"), path: "large", is_summary: true },
  ] as Parameters<typeof changesOf>[0];
  expect([...changesOf(display)].map(([path, blocks]) => [path, blocks.length])).toEqual([
    ["a.ts", 2],
    ["b.ts", 1],
  ]);
  expect(leftOutOf(display)).toEqual(["logo.png", "large"]);
});
