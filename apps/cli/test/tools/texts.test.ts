import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diffBlocks } from "../../src/tools/diff-blocks.js";
import { KeptOutput } from "../../src/tools/kept-output.js";
import { readTextLines } from "../../src/tools/read-lines.js";
import { useFolders } from "./session.js";

const folders = useFolders();

/** Texts with few different lines, so that they have much in common. */
const someText = fc
  .tuple(fc.array(fc.constantFrom("", "a", "b", "ä🦆", "x".repeat(3_000), "\r")), fc.boolean())
  .map(([lines, ended]) => lines.join("\n") + (ended ? "\n" : ""));

test("the lines of any file are read unchanged, in any parts", async () => {
  const path = join(folders.work, "file");
  await fc.assert(
    fc.asyncProperty(someText, fc.integer({ min: 1, max: 5 }), async (text, count) => {
      await writeFile(path, text);
      const lines: string[] = [];
      for (let first = 1, more = true; more; first += count) {
        const handle = await open(path);
        const read = await readTextLines(handle, { first, count }, new AbortController().signal);
        await handle.close();
        lines.push(...read.lines);
        more = read.stopped === "count";
      }
      const expected = text.replace(/\n$/, "").split("\n");
      expect(lines).toEqual(text === "" ? [] : expected.map((line) => line.slice(0, 2_000)));
    }),
    { numRuns: 60 },
  );
});

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** Puts the new sides of blocks in the place of their old sides, where they say that these begin. */
function apply(oldText: string, blocks: ReturnType<typeof diffBlocks>): string {
  const lines = linesOf(oldText);
  for (const { old_text, new_text, old_start = 1 } of [...blocks].reverse()) {
    const replaced = lines.splice(old_start - 1, linesOf(old_text).length).join("");
    expect([old_text, `${old_text}\n`]).toContain(replaced);
    const feed = new_text !== "" && replaced !== old_text ? "\n" : "";
    lines.splice(old_start - 1, 0, `${new_text}${feed}`);
  }
  return lines.join("");
}

test("the difference that is shown is the complete difference, at its place", () => {
  fc.assert(
    fc.property(someText, someText, (oldText, newText) => {
      const applied = apply(oldText, diffBlocks("a", oldText, newText));
      // Of a new file the last line feed is not shown.
      expect([newText, ...(oldText === "" ? [newText.replace(/\n$/, "")] : [])]).toContain(applied);
    }),
  );
});

test("an output of any length keeps its beginning and end, and the rest is counted", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.integer({ min: 4, max: 50 }),
      (pieces, limit) => {
        const output = new KeptOutput(limit);
        for (const piece of pieces) output.push(piece);
        const text = pieces.join("");
        const [head = "", cut, tail = ""] = output
          .text()
          .split(/\n\[cut: (\d+) characters, \d+ line ends\]\n/);
        if (cut === undefined) {
          expect(head).toBe(text);
          return;
        }
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.length + Number(cut) + tail.length).toBe(text.length);
        expect(head.length + tail.length).toBeLessThanOrEqual(limit);
      },
    ),
  );
});
