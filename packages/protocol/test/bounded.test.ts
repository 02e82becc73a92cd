import { expect, test } from "vitest";
import { BoundedMap, BoundedSet } from "../src/bounded.js";

test("a bounded map drops its oldest entry for a further one", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("a", 3);
  expect([...map]).toEqual([
    ["a", 3],
    ["b", 2],
  ]);
  expect([...map.set("c", 4)]).toEqual([
    ["b", 2],
    ["c", 4],
  ]);
});

test("a bounded map drops nothing for an entry that takes the place of a deleted one", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2);
  map.delete("a");
  expect([...map.set("a", 3).keys()]).toEqual(["b", "a"]);
});

test("a bounded set drops its oldest value for a further one", () => {
  const set = new BoundedSet<string | undefined>(2).add(undefined).add("b").add(undefined);
  expect([...set]).toEqual([undefined, "b"]);
  expect([...set.add("c")]).toEqual(["b", "c"]);
});
