import fc from "fast-check";
import { expect, test } from "vitest";
import { Chain, Link } from "../src/chain.js";

class Item extends Link<Item> {
  readonly n: number;
  constructor(n: number) {
    super();
    this.n = n;
  }
}

test("whatever is added and removed, a chain has what a set would have, in its order", () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 5 })));
  fc.assert(
    fc.property(steps, (steps) => {
      const items = Array.from({ length: 6 }, (_, n) => new Item(n));
      const chain = new Chain<Item>();
      const model = new Set<Item>();
      for (const [adds, n] of steps) {
        const item = items[n] as Item;
        if (!adds) expect(chain.remove(item)).toBe(model.delete(item));
        else if (!model.has(item)) {
          chain.add(item);
          model.add(item);
        }
        expect(chain.items()).toEqual([...model]);
        expect(chain.size).toBe(model.size);
      }
    }),
  );
});

test("an item of another chain is not removed", () => {
  const item = new Item(1);
  const chain = new Chain<Item>();
  chain.add(item);
  expect(new Chain<Item>().remove(item)).toBe(false);
  expect(chain.items()).toEqual([item]);
});
