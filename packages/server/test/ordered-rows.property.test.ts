import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderedRows } from "../src/runtime/ordered-rows.js";

const sorted = (rows: Iterable<number>) => [...rows].sort((left, right) => left - right);

test("rows that come and go are out of order, twice there, or missing behind a place", () => {
  const change = fc.record({ row: fc.integer({ min: 0, max: 3_000 }), goes: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 4_000, size: "max" }),
      fc.integer({ min: 0, max: 3_000 }),
      (changes, place) => {
        const rows = new OrderedRows<number>((left, right) => left - right);
        const there = new Set<number>();
        for (const { row, goes } of changes) {
          if (goes) rows.delete(row);
          else if (!there.has(row)) rows.add(row);
          if (goes) there.delete(row);
          else there.add(row);
        }
        expect([...rows.from()]).toEqual(sorted(there));
        expect([...rows.from((row) => row > place)]).toEqual(sorted(there).filter((row) => row > place));
        expect(rows.first).toBe(sorted(there)[0]);
      },
    ),
    { numRuns: 30 },
  );
});
