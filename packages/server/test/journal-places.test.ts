import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { latestSession, sessionFolder, shareFolder } from "../src/index.js";
import { openedJournal, temporaryFolder } from "./journal-folder.js";

const first = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";

test("sessions lie under Kimi's share folder only for a program that stands in for Kimi (P-JRN-1)", () => {
  const env = { KIMI_SHARE_DIR: "/kimi", ASKWIRE_HOME: "/ours" };
  expect(shareFolder(env, { kimi: true })).toBe("/kimi");
  expect(shareFolder(env, { kimi: false })).toBe("/ours");
  expect(shareFolder({ ASKWIRE_HOME: "/ours" }, { kimi: true })).toBe("/ours");
  expect(shareFolder({ KIMI_SHARE_DIR: "", ASKWIRE_HOME: "" }, { kimi: true })).toBe(
    join(homedir(), ".askwire"),
  );
});

test("a session's folder is named by the hash of the work directory, as Kimi names it (P-JRN-1)", () => {
  const hash = createHash("md5").update("/home/me/project").digest("hex");
  const place = { share: "/share", workDir: "/home/me/other/../project/", id: "one" };
  expect(sessionFolder(place)).toBe(`/share/sessions/${hash}/one`);
});

test("an id that would lead elsewhere is refused by name (P-JRN-1)", () => {
  for (const id of ["", ".", "..", "../other", "a/b", "a\\b", "a\0b", "line\nfeed", "x".repeat(201)]) {
    expect(() => sessionFolder({ share: "/share", workDir: "/work", id })).toThrow(/^session: "/);
  }
  for (const id of ["a..b", "my session", "x".repeat(200), "ü"]) {
    expect(sessionFolder({ share: "/share", workDir: "/work", id }).endsWith(`/${id}`)).toBe(true);
  }
});

test("the latest session is the one written last, of those with a UUID and something in them (P-JRN-1)", () => {
  const place = { share: temporaryFolder(), workDir: "/work" };
  expect(latestSession(place)).toBeUndefined();
  const sessions = [
    { id: first, text: "{}\n", at: 100 },
    { id: second, text: "{}\n", at: 200 },
    { id: "33333333-3333-4333-8333-333333333333", text: "", at: 300 },
    { id: "by-hand", text: "{}\n", at: 400 },
  ];
  for (const { id, text, at } of sessions) {
    const folder = sessionFolder({ ...place, id });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "wire.jsonl"), text);
    utimesSync(join(folder, "wire.jsonl"), at, at);
  }
  expect(latestSession(place)).toBe(second);
  expect(latestSession({ ...place, workDir: "/elsewhere" })).toBeUndefined();
});

test("only the owner can read what is kept (P-JRN-1)", async () => {
  const share = temporaryFolder();
  const folder = sessionFolder({ share, workDir: "/work", id: first });
  const { journal } = openedJournal(folder);
  journal.record({ type: "TurnEnd", payload: {} });
  await journal.flush();
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(["sessions", folder.slice(share.length + 1)].map((path) => mode(join(share, path)))).toEqual([
    "700",
    "700",
  ]);
  expect(readdirSync(folder).map((name) => mode(join(folder, name)))).toEqual(["600", "600"]);
});

test("a session that is open is refused with the process and the file, in this process too (P-JRN-7)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  expect(() => openedJournal(folder)).toThrow(
    `the session is in use by process ${process.pid} (${join(folder, "lock")}): end that process or use another session`,
  );
  journal.record({ type: "TurnEnd", payload: {} });
  await journal.close();
  expect(readdirSync(folder)).toEqual(["wire.jsonl"]);
  await openedJournal(folder).journal.close();
});

test("another living process keeps its session, and one that has ended loses it (P-JRN-7)", async () => {
  const folder = temporaryFolder();
  const lock = join(folder, "lock");
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void other.kill());
  writeFileSync(lock, JSON.stringify({ pid: other.pid }));
  expect(() => openedJournal(folder)).toThrow(`in use by process ${other.pid}`);

  const ended = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(lock, JSON.stringify({ pid: ended.pid }));
  const { journal } = openedJournal(folder);
  expect(() => openedJournal(folder)).toThrow(`in use by process ${process.pid}`);
  await journal.close();
});

test.runIf(existsSync("/proc/self/stat"))(
  "a lock is not kept by a later process that got the number of the one that ended (P-JRN-7)",
  async () => {
    for (const lock of [JSON.stringify({ pid: process.ppid, started: "1" }), "torn"]) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "lock"), lock);
      await openedJournal(folder).journal.close();
    }
  },
);

test("a session in which nothing happened leaves no folder (P-JRN-7)", async () => {
  const folder = join(temporaryFolder(), "session");
  await openedJournal(folder).journal.close();
  expect(existsSync(folder)).toBe(false);
});
