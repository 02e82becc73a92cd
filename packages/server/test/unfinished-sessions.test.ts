import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionFolder } from "../src/index.js";
import { UnfinishedSessions } from "../src/journal/unfinished-sessions.js";
import { temporaryFolder } from "./journal-folder.js";

const NOW = 1_700_000_000_000;
const never = new AbortController().signal;

/** Writes a closed session with an open question, last changed so many milliseconds ago. */
function kept(share: string, id: string, text: string, age: number): string {
  const folder = sessionFolder({ share, workDir: "/work", id });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wire.jsonl"), "{}\n");
  asks(folder, text);
  const at = new Date(NOW - age);
  utimesSync(folder, at, at);
  return folder;
}

const asks = (folder: string, text: string) =>
  writeFileSync(
    join(folder, "open.json"),
    JSON.stringify({
      open: [{ request_id: text, kind: "question", text, since: "2026-01-02T03:04:05.000Z" }],
    }),
  );

const textsOf = async (sessions: UnfinishedSessions) =>
  (await sessions.look(never)).flatMap(({ open }) => open.map(({ text }) => text)).sort();

test("a session whose folder has not changed is not read again, and one that has is (P-KPT-1)", async () => {
  const share = temporaryFolder();
  const old = kept(share, "old", "Old?", 60_000);
  const young = kept(share, "young", "Young?", 100);
  const sessions = new UnfinishedSessions(share, () => NOW);
  expect(await textsOf(sessions)).toEqual(["Old?", "Young?"]);
  // Written in place, the file is another and the folder as it was.
  for (const folder of [old, young]) asks(folder, "Another?");
  expect(await textsOf(sessions)).toEqual(["Another?", "Old?"]);
  rmSync(join(old, "open.json"));
  expect(await textsOf(sessions)).toEqual(["Another?"]);
});

test("a session of a process that has ended is read at each look, since its journal alone may grow", async () => {
  const share = temporaryFolder();
  const folder = kept(share, "held", "Which?", 0);
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 2 ** 30, token: "none" }));
  const at = new Date(NOW - 60_000);
  utimesSync(folder, at, at);
  const sessions = new UnfinishedSessions(share, () => NOW);
  expect(await textsOf(sessions)).toEqual(["Which?"]);
  asks(folder, "And now?");
  expect(await textsOf(sessions)).toEqual(["And now?"]);
});

test("a look at many sessions lets other work have its turn, and ends when it is given up", async () => {
  const share = temporaryFolder();
  for (let n = 0; n < 120; n += 1) kept(share, `s-${n}`, `Question ${n}?`, 60_000);
  const sessions = new UnfinishedSessions(share, () => NOW);
  const leave = new AbortController();
  setImmediate(() => leave.abort());
  expect((await sessions.look(leave.signal)).length).toBeLessThan(120);
  expect(await sessions.look(never)).toHaveLength(120);
  expect(await sessions.look(never, () => true, 7)).toHaveLength(7);
});
