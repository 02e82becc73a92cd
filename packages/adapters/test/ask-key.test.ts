import { expect, test } from "vitest";
import { askKey } from "../src/ask-key.js";

test("two lists of ids never have the same key, and each key is short enough for an ask (P-XAK-4)", async () => {
  const lists = [
    ["a", "b"],
    ["a:b"],
    ["a%3Ab"],
    ["a", "", "b"],
    ["a".repeat(200), "b"],
    ["a".repeat(201), "b"],
  ];
  const keys = await Promise.all(lists.map((ids) => askKey(...ids)));
  expect(keys[0]).toBe("a:b");
  expect(new Set(keys).size).toBe(lists.length);
  for (const { length } of keys) expect(length).toBeLessThanOrEqual(128);
});
