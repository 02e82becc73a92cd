import fc from "fast-check";
import { expect, test } from "vitest";
import { moreThan, Room, unitsOf } from "../src/internal.js";

test("a room never holds more than it says, but for one thing that is larger than all of it", () => {
  const sizes = fc.array(fc.nat(2_000), { maxLength: 60 });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), (sizes, leaves) => {
      const room = new Room({ count: 8, units: 3_000 });
      const inside: number[] = [];
      for (const units of sizes) {
        const fits = inside.length === 0 || (inside.length < 8 && sum(inside) + units <= 3_000);
        expect(room.take(units)).toBe(fits);
        if (fits) inside.push(units);
        if (leaves.next().value && inside.length > 0) room.leave(inside.shift() as number);
      }
      expect(room.isOver).toBe(false);
    }),
  );
});

test("a value is about as large as its JSON text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const { length } = JSON.stringify(value);
      // Characters that JSON escapes are longer there, and a number is taken for eight.
      expect(unitsOf(value) * 6 + 200).toBeGreaterThan(length);
      expect(unitsOf(value)).toBeLessThan(length * 8 + 16);
    }),
  );
});

test("a bound is reported with both of its numbers", () => {
  expect(moreThan({ count: 1_000, units: 64 * 1_048_576 }, "answers")).toBe(
    "more than 1000 answers, or 64 Mi characters of them,",
  );
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
