import { expect, test } from "vitest";
import { standardErrorLog } from "../src/index.js";

test("a log whose lines somebody takes writes them there, from its level on", async () => {
  const lines: string[] = [];
  const log = standardErrorLog("warn", (line) => void lines.push(line));
  log.info({}, "not this");
  log.warn({ session: "s1" }, "this");
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatch(/\n$/);
  expect(JSON.parse(lines[0] as string)).toMatchObject({ name: "askwire", msg: "this", session: "s1" });
});
