import { expect, test } from "vitest";
import { type Ending, endings, outcomeReasons } from "../src/index.js";

const rows: readonly Ending[] = Object.values(endings);
const settled = rows.flatMap((ending) =>
  [ending.question, ending.approval].flatMap((ends) =>
    Object.values(ends).flatMap((ended) => (ended === "open" ? [] : [{ ended, isAct: ending.isAct }])),
  ),
);

test("every settlement has a status with one of its own reasons (P-OUT-1)", () => {
  for (const { ended } of settled) {
    const reasons: readonly string[] = outcomeReasons[ended.status];
    expect(ended.reason === undefined ? reasons.length === 0 : reasons.includes(ended.reason)).toBe(true);
  }
});

test("what a person did is by a human, and nothing else is (P-WHO-1)", () => {
  for (const { ended, isAct } of settled) expect(ended.by === "human").toBe(isAct);
});
