import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keptPrompts } from "../../src/sessions/kept-prompts.js";
import { folderWith } from "../askwire.js";

test("sent texts are found by a later session, in a file of this person alone", async () => {
  const folder = join(await folderWith(), "home");
  keptPrompts(folder).add("one\nline");
  keptPrompts(folder).add("two");
  keptPrompts(folder).add("one\nline");
  expect(keptPrompts(folder).load()).toEqual(["two", "one\nline"]);
  expect(statSync(join(folder, "prompts.jsonl")).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("the file stays small, and a damaged line costs itself alone", async () => {
  const folder = await folderWith();
  const kept = keptPrompts(folder);
  for (let n = 0; n < 250; n += 1) kept.add(`text ${n}`);
  kept.add("x".repeat(10_000));
  const all = kept.load();
  expect(all).toHaveLength(200);
  expect(all.at(-1)).toBe("text 249");
  const file = join(folder, "prompts.jsonl");
  writeFileSync(file, `${readFileSync(file, "utf8").slice(0, -3)}\n"last"\n`);
  expect(keptPrompts(folder).load().slice(-2)).toEqual(["text 248", "last"]);
});
