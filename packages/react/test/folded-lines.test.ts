import { expect, test } from "vitest";
import { differentLines } from "../src/cards/different-lines.js";
import { foldedRuns, shownRows } from "../src/cards/folded-lines.js";

/** The runs of a file of so many lines, of which these change. */
function runsOf(count: number, changed: readonly number[]) {
  const old = Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);
  const now = old.map((line, at) => (changed.includes(at + 1) ? `other ${at + 1}\n` : line));
  const texts = { old_text: old.join(""), new_text: now.join("") };
  return foldedRuns(
    differentLines({ path: "a.ts", ...texts, old_start: 1, new_start: 1, is_summary: false }),
  );
}

/** The rows in short: a sign with a number, or the number of folded lines. */
const told = ({ rows }: ReturnType<typeof shownRows>) =>
  rows.map((row) =>
    "line" in row ? `${row.line.sign}${row.line.before ?? row.line.after}` : `… ${row.folded}`,
  );
const none = new Map<number, number>();

test("three lines stay around a change, and all others that stay the same are folded", () => {
  expect(told(shownRows(runsOf(20, [10]), none, 100))).toEqual([
    "… 6",
    " 7",
    " 8",
    " 9",
    "-10",
    "+10",
    " 11",
    " 12",
    " 13",
    "… 7",
  ]);
});

test("a few lines between two changes are not folded, since the control would take a row too", () => {
  expect(told(shownRows(runsOf(12, [1, 10]), none, 100)).filter((row) => row.startsWith("…"))).toEqual([]);
  expect(told(shownRows(runsOf(13, [1, 11]), none, 100))).toContain("… 3");
});

test("unfolded lines come from the top, and the control says how many are left", () => {
  expect(told(shownRows(runsOf(20, [10]), new Map([[0, 4]]), 100)).slice(0, 5)).toEqual([
    " 1",
    " 2",
    " 3",
    " 4",
    "… 2",
  ]);
});

test("no more lines than the bound are shown, and those behind it are counted without folded ones", () => {
  const runs = runsOf(1_000, [100, 500, 900]);
  const { left, ...shown } = shownRows(runs, none, 10);
  expect(told({ left, ...shown })).toHaveLength(12);
  expect(left).toBe(14);
  expect(shownRows(runs, none, 24).left).toBe(0);
});

test("a file without a changed line is one fold", () => {
  expect(told(shownRows(runsOf(50, []), none, 100))).toEqual(["… 50"]);
});
