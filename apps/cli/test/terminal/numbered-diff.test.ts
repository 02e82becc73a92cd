import { expect, test } from "vitest";
import { HANGS, hangingRows } from "../../src/device/hanging-rows.js";
import { numberedDiff } from "../../src/terminal/numbered-diff.js";

/** Marked words in brackets; no colours. */
const marks = (style: string, text: string) => (style === "underline" ? `[${text}]` : text);
const shown = (old_text: string, new_text: string, { old_start = 1, new_start = 1 } = {}) =>
  numberedDiff({ path: "a", old_text, new_text, old_start, new_start }, marks).map((line) =>
    line.replace(HANGS, ""),
  );

test("each line of a drawn difference has its number in the file, and changed words are marked within it", () => {
  expect(
    shown("seven\nlet a = 1;\nnine\n", "seven\nlet b = 1;\nnew\nnine\n", { old_start: 98, new_start: 99 }),
  ).toEqual([" 99  seven", " 99 -let [a] = 1;", "100 +let [b] = 1;", "101 +new", "102  nine"]);
  expect(shown("one\nlet a = 1;\nend\n", "one\nlet b = 1;\nend\n")).toEqual([
    "1  one",
    "2 -let [a] = 1;",
    "2 +let [b] = 1;",
    "3  end",
  ]);
});

test("lines that have little in common are marked as wholes, and a torn character is shown whole", () => {
  expect(shown("all old\n", "quite new words\n")).toEqual(["1 -all old", "1 +quite new words"]);
  expect(shown("a long line with 👍🏻 in it\n", "a long line with 👍🏿 in it\n").join()).not.toContain(
    "\\u{",
  );
});

test("a gap stands between distant parts, and a missing line feed is mentioned without a number", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  const changed = lines.with(2, "third").with(25, "later");
  expect(shown(`${lines.join("\n")}\n`, changed.join("\n"))).toEqual(
    expect.arrayContaining([" 3 -line 3", " 3 +third", " ⋮", "26 +later", "   \\ No newline at end of file"]),
  );
});

test("a long line of a difference goes on below its own text, with a mark", () => {
  const [line = ""] = numberedDiff(
    { path: "a", old_text: "", new_text: "some words that go on\n", old_start: 1, new_start: 12 },
    marks,
  );
  expect([...hangingRows(line, 16)]).toEqual(["12 +some words", "  ↪ that go on"]);
  expect([...hangingRows(line, 8)]).toEqual(["12 +some", "words", "that go", "on"]);
});
