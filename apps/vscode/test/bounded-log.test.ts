import { expect, test } from "vitest";
import { boundedLog } from "../src/agent/bounded-log.js";

test("a flood is cut, and the log says how much was left out once there is room again", () => {
  const lines: string[] = [];
  let now = 0;
  const log = boundedLog(
    (line) => lines.push(line),
    () => now,
  );
  log("first");
  for (let at = 0; at < 100; at++) log("x".repeat(10_000));
  expect(lines.join("").length).toBeLessThan(101_000);
  expect(lines.at(-1)).toBe("[the agent floods the log: its words are left out]");
  now = 10_000;
  log("later");
  expect(lines.slice(-2)).toEqual(["[900005 characters of the agent were left out]", "later"]);
});
