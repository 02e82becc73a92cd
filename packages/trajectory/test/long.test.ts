import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SkippedLine } from "@askwire/server/internal";
import { expect, test } from "vitest";
import { recordLine } from "../../server/src/journal/entries.js";
import { temporaryFolder } from "../../server/test/journal-folder.js";
import { readTrajectory } from "../src/read-trajectory.js";

const record = (type: string, payload: object) => `${recordLine(1_000, type, payload)}\n`;
const text = (words: string) => record("ContentPart", { type: "text", text: words });

test("a session that is too long for one trajectory is read no further than to there (P-TRJ-2)", async () => {
  const file = join(temporaryFolder(), "wire.jsonl");
  writeFileSync(file, record("TurnBegin", { user_input: "go" }) + record("StepBegin", { n: 1 }));
  for (let mebibyte = 0; mebibyte < 15; mebibyte += 1) appendFileSync(file, text("x".repeat(1024 * 1024)));
  expect(await readTrajectory(file, "s")).toMatchObject({ task: "go" });
  const skipped: SkippedLine[] = [];
  appendFileSync(file, `${text("x".repeat(1024 * 1024))}foreign\n`);
  expect(await readTrajectory(file, "s", { onSkipped: (line) => skipped.push(line) })).toBe("too_long");
  expect(skipped).toEqual([]);
});
