import { expect, test } from "vitest";
import { displayLines } from "../src/terminal/display-lines.js";

const plain = (_style: string, text: string) => text;
const diff = { type: "diff" as const, path: "a.txt", old_start: 1, new_start: 1, is_summary: false };

test("a difference has the line numbers of the file, also where its part begins further down", () => {
  const block = {
    ...diff,
    old_text: "7\n8\n9\n",
    new_text: "7\n8\nnine\n9\n",
    old_start: 107,
    new_start: 110,
  };
  expect(displayLines(block, plain)).toEqual(["@@ -107,3 +110,4 @@", " 7", " 8", "+nine", " 9"]);
});

test("of a new file the old side is empty, and named by the line before it", () => {
  const block = { ...diff, old_text: "", new_text: "one\n" };
  expect(displayLines(block, plain)).toEqual(["@@ -0,0 +1,1 @@", "+one"]);
});

test("a line feed that is added at the end is told; where neither side has one, nothing is", () => {
  const marker = "\\ No newline at end of file";
  expect(displayLines({ ...diff, old_text: "one", new_text: "one\n" }, plain)).toEqual([
    "@@ -1,1 +1,1 @@",
    "-one",
    marker,
    "+one",
  ]);
  expect(displayLines({ ...diff, old_text: "one", new_text: "two" }, plain)).not.toContain(marker);
});

test("a difference that is only summed up says so, and is not compared", () => {
  const block = { ...diff, old_text: "(9000 lines)", new_text: "(1 line)", is_summary: true };
  expect(displayLines(block, plain)).toEqual(["too long to show: (9000 lines) before, (1 line) after"]);
});
