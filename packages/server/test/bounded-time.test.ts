import { expect, test } from "vitest";
import { boundedTime } from "../src/runtime/bounded-time.js";

/** Tries a regular expression that would take for ever. */
const endless = () => void /^(a+)+$/.test(`${"a".repeat(64)}b`);

test("work that ends in time is done, and what it throws is thrown", () => {
  const within = boundedTime(50);
  // A busy machine may stop it, and then it is begun again.
  const done = new Set<number>();
  expect([within(() => void done.add(1)), [...done]]).toEqual([true, [1]]);
  expect(() =>
    within(() => {
      throw new TypeError("no");
    }),
  ).toThrow(new TypeError("no"));
});

test("work that would take for ever is stopped, and the next is done", () => {
  const within = boundedTime(50);
  const began = process.cpuUsage();
  expect(within(endless)).toBe(false);
  const { user, system } = process.cpuUsage(began);
  expect(user + system).toBeLessThan(100_000);
  expect(within(() => {})).toBe(true);
});

test("work that was stopped because others had the processor is begun again", () => {
  // The compiler and the collector of this process work meanwhile, for some ten milliseconds: a quarter of this is more.
  const within = boundedTime(400);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let begun = 0;
  const work = () => {
    begun += 1;
    if (begun === 1) Atomics.wait(sleeper, 0, 0, 10_000);
  };
  expect(within(work)).toBe(true);
  // A busy machine may take the processor once more.
  expect(begun).toBeGreaterThan(1);
});
