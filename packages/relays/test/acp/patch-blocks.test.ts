import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patchBlocks } from "../../src/acp/patch-blocks.js";

const modified = [{ operation: "modify", path: "/work/notes.md" }];

test("a patch gives a difference for each hunk, with its lines and the path of its change", () => {
  const hunks = "@@ -1,2 +1,2 @@ head\n one\n-two\n+zwei\n@@ -9 +9,2 @@\n-nine\n+neun\n+zehn\n";
  const text = `diff --git a/notes.md b/notes.md\nindex 1..2 100644\n--- a/notes.md\n+++ b/notes.md\n${hunks}`;
  const same = { type: "diff", path: "/work/notes.md" };
  expect(patchBlocks(text, modified)).toEqual([
    { ...same, old_text: "one\ntwo\n", new_text: "one\nzwei\n", old_start: 1, new_start: 1 },
    { ...same, old_text: "nine\n", new_text: "neun\nzehn\n", old_start: 9, new_start: 9 },
  ]);
});

test("a new file and one that is gone have one side, and lines that look like headers stay lines", () => {
  const made =
    "diff --git /w/a /w/a\nnew file mode 100644\n--- /dev/null\n+++ /w/a\n@@ -0,0 +1,2 @@\n+++ b\n+@@ -1 +1 @@\n";
  expect(patchBlocks(made, [{ operation: "create", path: "/w/a" }])).toMatchObject([
    { old_text: "", new_text: "++ b\n@@ -1 +1 @@\n", old_start: 1, new_start: 1 },
  ]);
  const gone = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n\\ No newline at end of file\n";
  expect(patchBlocks(gone, [{ operation: "delete", path: "/w/a" }])).toMatchObject([
    { old_text: "one\n", new_text: "" },
  ]);
});

test.each([
  ["renames", "rename from a\nrename to b\n", [{ operation: "move", oldPath: "/w/a", path: "/w/b" }]],
  ["names another file", "--- a/other.md\n+++ b/other.md\n@@ -1 +1 @@\n-1\n+2\n", modified],
  [
    "has a file too many",
    "--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-1\n+2\n--- a/x\n+++ b/x\n",
    modified,
  ],
  ["has a file too few", "--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-1\n+2\n", [...modified, ...modified]],
  ["is binary", "--- a/notes.md\n+++ b/notes.md\nBinary files differ\n", modified],
  ["is cut", "--- a/notes.md\n+++ b/notes.md\n@@ -1,3 +1 @@\n-1\n+2\n", modified],
  ["has lines that nobody counted", "--- a/notes.md\n+++ b/notes.md\n@@ -1 +1 @@\n-1\n+2\n+3\n", modified],
  ["has no hunk", "--- a/notes.md\n+++ b/notes.md\n", modified],
  ["has a hunk of no file", "@@ -1 +1 @@\n-1\n+2\n", modified],
  ["is empty", "", []],
])("a patch that %s gives no differences", (_what, text, changes) => {
  expect(patchBlocks(text, changes)).toBeUndefined();
});

test("the differences of git's own patch, put into the file before, give the file after", () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-patch-"));
  const file = fc
    .array(fc.constantFrom("a", "b", "--- a", "+++ b", "@@ -1 +1 @@", ""), { maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));
  try {
    fc.assert(
      fc.property(file, file, fc.constantFrom([], ["-U0"]), (before, after, context) => {
        fc.pre(before !== after);
        writeFileSync(join(folder, "one"), before);
        writeFileSync(join(folder, "two"), after);
        const text = patchOf(folder, context).replace(
          /^(--- a\/one|\+\+\+ b\/two)$/gm,
          (line) => `${line.slice(0, 6)}f`,
        );
        const blocks = patchBlocks(text, [{ operation: "modify", path: "/w/f" }]) ?? [];
        const lines = linesOf(before);
        for (const { old_text, new_text, old_start = 1 } of blocks.toReversed()) {
          const begin = old_start - 1;
          const old = linesOf(old_text);
          expect(lines.slice(begin, begin + old.length)).toEqual(old);
          lines.splice(begin, old.length, ...linesOf(new_text));
        }
        expect(blocks).not.toEqual([]);
        expect(lines).toEqual(linesOf(after));
      }),
      { numRuns: 40 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const linesOf = (text: string) => text.split("\n").slice(0, -1);

/** The patch that git makes of two files. Different files make git end with 1. */
function patchOf(cwd: string, context: readonly string[]): string {
  try {
    return execFileSync("git", ["diff", "--no-index", ...context, "one", "two"], { cwd, encoding: "utf8" });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
