import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { keepIn, sessionFolder } from "../src/index.js";
import { foundSessions } from "../src/journal/found-sessions.js";
import { keepOpenFile, readOpenFile } from "../src/journal/open-file.js";
import type { UnfinishedSession } from "../src/journal/open-requests.js";
import { removeSession } from "../src/journal/remove-session.js";
import { drivenClock } from "./driven-clock.js";
import { answered, detailedLog, openedJournal, questionMessage, temporaryFolder } from "./journal-folder.js";
import { asks, scenario } from "./scenario.js";
import { until } from "./until.js";

const id = "11111111-1111-4111-8111-111111111111";
const place = () => ({ share: temporaryFolder(), workDir: "/work" });
const open = (text: string): UnfinishedSession => ({
  open: [{ request_id: text, kind: "question", text, since: "2026-01-02T03:04:05.000Z" }],
});

/** A server whose session has a question open. */
async function asking(kept: ReturnType<typeof place>) {
  const { meet, server } = scenario([asks(), "text: Red it is."], {
    keep: keepIn({ ...kept, log: detailedLog() }),
  });
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "paint the wall" });
  const request = await client.seen("QuestionRequest");
  const folder = sessionFolder({ ...kept, id });
  await until(() => readOpenFile(folder) !== undefined);
  async function answer(): Promise<void> {
    client.reply(request, { request_id: request.id, answers: { "Which colour?": "Red" } });
    await prompt;
  }
  return { folder, server, request, answer };
}

test("an open question is in a file beside the journal, for its owner alone, until it is answered (P-KPT-1)", async () => {
  const kept = place();
  const { folder, server, request, answer } = await asking(kept);
  expect(readOpenFile(folder)).toEqual({
    turn_id: expect.any(String),
    open: [
      { request_id: request.id, kind: "question", text: "Which colour?", since: expect.stringMatching(/Z$/) },
    ],
  });
  await answer();
  await until(() => !existsSync(join(folder, "open.json")));
  await server.close();
  expect(existsSync(join(folder, "open.json"))).toBe(false);
});

test("a question that is answered at once is never written to the file (P-KPT-1)", () => {
  const folder = temporaryFolder();
  const clock = drivenClock();
  let state: UnfinishedSession | undefined = open("Which?");
  const file = keepOpenFile({ journal: join(folder, "wire.jsonl"), clock }, () => state);
  file.changed();
  clock.advance(99);
  expect(readOpenFile(folder)).toBeUndefined();
  state = undefined;
  clock.advance(1);
  expect(readOpenFile(folder)).toBeUndefined();
  state = open("And now?");
  file.changed();
  clock.advance(100);
  expect(readOpenFile(folder)).toEqual(state);
  file.close();
  expect(clock.waiting).toBe(0);
});

test("the file of an earlier process goes where nothing is open, also if the session closes at once (P-KPT-1)", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "open.json"), JSON.stringify(open("Old?")));
  keepOpenFile({ journal: join(folder, "wire.jsonl"), clock: drivenClock() }, () => undefined).close();
  expect(existsSync(join(folder, "open.json"))).toBe(false);
});

test("a list has the sessions of a folder, or of all with their folders (P-KPT-1, P-KPT-2)", async () => {
  const kept = place();
  const { server } = await asking(kept);
  const other = { ...kept, workDir: "/other" };
  const { journal } = keepIn({ ...other, log: detailedLog() })("mine");
  journal.record({ type: "TurnBegin", payload: { user_input: "hello\nyou" } });
  await journal.close();

  const [session, ...none] = foundSessions(kept);
  expect(none).toEqual([]);
  expect(session).toMatchObject({ id, state: "in_use", pid: process.pid, title: "paint the wall" });
  expect(session?.open).toHaveLength(1);
  const all = [...foundSessions({ share: kept.share })].map(({ id, workDir }) => [workDir, id]);
  expect(all.sort()).toEqual([
    ["/other", "mine"],
    ["/work", id],
  ]);
  const [closed] = foundSessions(other);
  expect(closed).toMatchObject({ id: "mine", state: "closed", title: "hello", open: [] });
  await server.close();
});

test("a session whose process was killed is listed with what its journal has open (P-KPT-1)", async () => {
  const kept = place();
  const { folder, server } = await asking(kept);
  await until(() => readFileSync(join(folder, "wire.jsonl"), "utf8").includes("QuestionRequest"));
  const killed = place();
  const copy = sessionFolder({ ...killed, id });
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(folder, copy, { recursive: true });
  await server.close();
  writeFileSync(join(copy, "lock"), JSON.stringify({ pid: 2 ** 30, token: "none" }));
  const list = () => [...foundSessions(killed)];
  expect(list()).toMatchObject([{ state: "cut_off", open: [{ text: "Which colour?" }] }]);
  rmSync(join(copy, "open.json"));
  expect(list()).toMatchObject([{ state: "cut_off", open: [{ text: "Which colour?" }] }]);
});

test("a killed session is listed without what was settled last, and with what a program asked (P-KPT-1, P-XAK-8)", async () => {
  const kept = place();
  const folder = sessionFolder({ ...kept, id });
  const { journal } = openedJournal(folder);
  journal.record({ type: "TurnBegin", payload: { user_input: "paint" } });
  journal.record(questionMessage("settled"));
  const asked = { request_id: "asked", key: "k", digest: "d", name: "deploy" };
  journal.opened({ request_id: "asked", kind: "question", request: {} }, questionMessage("asked"), asked);
  journal.opened({
    request_id: "approval",
    kind: "approval",
    request: { action: "write", description: "" },
  });
  journal.settled({ request_id: "settled", kind: "question", outcome: answered });
  await journal.flush();
  const noted = { ...open("settled"), turn_id: "t" };
  writeFileSync(join(folder, "open.json"), JSON.stringify(noted));
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 2 ** 30, token: "none" }));
  expect([...foundSessions(kept)]).toMatchObject([
    {
      turnId: "t",
      open: [
        { request_id: "asked", program: "deploy" },
        { request_id: "approval", kind: "approval", text: "write" },
      ],
    },
  ]);
});

test("only the beginning and the end of a journal are read for a list", async () => {
  const kept = place();
  const folder = sessionFolder({ ...kept, id });
  const { journal } = openedJournal(folder);
  journal.record({ type: "TurnBegin", payload: { user_input: "paint" } });
  await journal.close();
  // More than Node reads of a file at once.
  truncateSync(join(folder, "wire.jsonl"), 2 ** 32);
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: 2 ** 30 }));
  expect([...foundSessions(kept)]).toMatchObject([{ bytes: 2 ** 32, title: "paint", open: [] }]);
});

test("files that are no session are not listed, and damaged ones are listed as far as they go", async () => {
  const kept = place();
  const folder = (name: string) => sessionFolder({ ...kept, id: name });
  const { journal } = openedJournal(folder("damaged"));
  journal.record({ type: "TurnBegin", payload: { user_input: "paint" } });
  await journal.close();
  for (const text of ["", "{", "[]", '{"open":{}}', '{"open":[{"text":1}]}']) {
    writeFileSync(join(folder("damaged"), "open.json"), text);
    writeFileSync(join(folder("damaged"), "lock"), text);
    writeFileSync(join(folder("a-file"), ""), "");
    mkdirSync(join(folder("no-journal"), "wire.jsonl"), { recursive: true });
    expect([...foundSessions(kept)].map((session) => [session.id, session.open])).toEqual([["damaged", []]]);
  }
  expect([...foundSessions({ ...kept, workDir: "/nowhere" })]).toEqual([]);
});

test("a session is removed with its files, but not while a process has it (P-JRN-7)", async () => {
  const kept = place();
  const { folder, server } = await asking(kept);
  expect(() => removeSession(folder)).toThrow(/^the session is in use by process /);
  expect([...foundSessions(kept)]).toHaveLength(1);
  await server.close();
  mkdirSync(join(folder, "more"));
  removeSession(folder);
  expect(existsSync(folder)).toBe(false);
  expect([...foundSessions(kept)]).toEqual([]);
});
