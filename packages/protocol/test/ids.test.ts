import { expect, onTestFinished, test, vi } from "vitest";
import { randomId, timedId } from "../src/internal.js";

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an id by chance is a UUID of version 4, as clients of Kimi's know it", () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(ids.filter((id) => !version4.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(100);
});

test("an id by chance is made in a page without a secure context too", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  expect([randomId(), randomId()]).toEqual([
    expect.stringMatching(version4),
    expect.stringMatching(version4),
  ]);
});

test("ids with a time sort in the order in which they were made", () => {
  const ids = Array.from({ length: 1_000 }, timedId);
  expect(ids.filter((id) => !version7.test(id))).toEqual([]);
  expect([...ids].sort()).toEqual(ids);
});
