import { terminalWords } from "@askwire/client/words";
import { expect, test } from "vitest";
import { displayLines } from "../../src/terminal/display-lines.js";

const plain = (_style: string, text: string) => text;
const words = terminalWords.en.chat;
const diff = { type: "diff" as const, path: "a.txt", old_start: 1, new_start: 1, is_summary: false };

test("a difference shows the line numbers of the file, even where its part begins further down", () => {
  const block = {
    ...diff,
    old_text: "7\n8\n9\n",
    new_text: "7\n8\nnine\n9\n",
    old_start: 107,
    new_start: 110,
  };
  expect(displayLines(block, plain, words)).toEqual(["@@ -107,3 +110,4 @@", " 7", " 8", "+nine", " 9"]);
});

test("the old side of a new file is empty, and named by the line before it", () => {
  const block = { ...diff, old_text: "", new_text: "one\n" };
  expect(displayLines(block, plain, words)).toEqual(["@@ -0,0 +1,1 @@", "+one"]);
});

test("a line feed added at the end is mentioned, and its absence on both sides is not", () => {
  const marker = "\\ No newline at end of file";
  expect(displayLines({ ...diff, old_text: "one", new_text: "one\n" }, plain, words)).toEqual([
    "@@ -1,1 +1,1 @@",
    "-one",
    marker,
    "+one",
  ]);
  expect(displayLines({ ...diff, old_text: "one", new_text: "two" }, plain, words)).not.toContain(marker);
});

test("changed line ends are mentioned above the difference", () => {
  const block = { ...diff, old_text: "one\r\ntwo\r\n", new_text: "one\ntwo\n" };
  expect(displayLines(block, plain, words)[0]).toBe("Line ends change: CR LF before, LF after.");
});

test("a difference that is only summed up says so, and is not compared", () => {
  const block = { ...diff, old_text: "(9000 lines)", new_text: "(1 line)", is_summary: true };
  expect(displayLines(block, plain, words)).toEqual([
    "too long to show: (9000 lines) before, (1 line) after",
  ]);
});

test("a block in the terminal's own words is Chinese for a Chinese person", () => {
  const summary = { ...diff, old_text: "(9000 lines)", new_text: "(1 line)", is_summary: true };
  expect(displayLines(summary, plain, terminalWords.zh.chat)).toEqual([
    "改动过长，不予显示：修改前 (9000 lines)，修改后 (1 line)",
  ]);
  const task = { type: "background_task" as const, task_id: "b", kind: "shell", description: "server" };
  expect(displayLines({ ...task, status: "running" }, plain, terminalWords.zh.chat)).toEqual([
    "server：运行中",
  ]);
  expect(displayLines({ ...task, status: "odd\u200b" }, plain, terminalWords.zh.chat)).toEqual([
    "server：odd\\u{200b}",
  ]);
});
