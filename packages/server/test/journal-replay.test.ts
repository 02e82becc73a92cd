import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ReplayTarget } from "../src/journal/replay.js";
import { answered, openedJournal, questionMessage, temporaryFolder } from "./journal-folder.js";
import { until } from "./until.js";

/** A client that keeps what it is sent, as words. */
function listener(target: Partial<ReplayTarget> = {}) {
  const heard: string[] = [];
  return {
    heard,
    event: (type: string) => void heard.push(type),
    request: (type: string, payload: unknown) => void heard.push(`${type} ${(payload as { id: string }).id}`),
    drained: () => Promise.resolve(),
    ...target,
  };
}

function journalOf(steps: number) {
  const folder = temporaryFolder();
  const opened = openedJournal(folder);
  for (let n = 1; n <= steps; n += 1) opened.journal.record({ type: "StepBegin", payload: { n } });
  return { folder, ...opened };
}

const never = new AbortController().signal;

test("a session without a history replays nothing (P-JRN-10)", async () => {
  const client = listener();
  const result = await journalOf(0).journal.replay(client, never);
  expect([result, client.heard]).toEqual([{ status: "finished", events: 0, requests: 0 }, []]);
});

test("after a restart a client is told all of it, and asked the old question under its old id (P-JRN-10)", async () => {
  const folder = temporaryFolder();
  const first = openedJournal(folder).journal;
  first.record({ type: "TurnBegin", payload: { user_input: "hi" } });
  first.record(questionMessage("q-1"));
  first.settled({ request_id: "q-1", kind: "question", outcome: answered, response: { answers: {} } });
  first.opened({ request_id: "a-1", kind: "approval", request: {} });
  first.record({ type: "ContentPart", payload: { type: "text", text: "a" } });
  first.record({ type: "ContentPart", payload: { type: "text", text: "b" } });
  first.record({ type: "TurnEnd", payload: {} });
  await first.close();

  const client = listener();
  const result = await openedJournal(folder).journal.replay(client, never);
  expect(client.heard).toEqual(["TurnBegin", "QuestionRequest q-1", "ContentPart", "TurnEnd"]);
  expect(result).toEqual({ status: "finished", events: 3, requests: 1 });
});

test("records made while a replay runs are not part of it (P-JRN-10)", async () => {
  const { journal } = journalOf(300);
  const client = listener({
    event: () => journal.record({ type: "StepInterrupted", payload: {} }),
  });
  expect(await journal.replay(client, never)).toEqual({ status: "finished", events: 300, requests: 0 });
});

test("a long replay can be stopped, and says how far it came (P-JRN-10)", async () => {
  const { journal } = journalOf(5_000);
  const controller = new AbortController();
  let heard = 0;
  const client = listener({
    event() {
      heard += 1;
      if (heard === 700) controller.abort();
    },
  });
  const result = await journal.replay(client, controller.signal);
  expect(result).toEqual({ status: "cancelled", events: 700, requests: 0 });
  expect(await journal.replay(client, AbortSignal.abort())).toEqual({
    status: "cancelled",
    events: 0,
    requests: 0,
  });
});

test("a client that does not read is waited for, and can still stop (P-JRN-10)", async () => {
  const { journal } = journalOf(5_000);
  const controller = new AbortController();
  const client = listener({ drained: () => new Promise(() => {}) });
  const replay = journal.replay(client, controller.signal);
  await until(() => client.heard.length > 0);
  for (let turn = 0; turn < 50; turn += 1) await nextLoop();
  expect(client.heard.length).toBeLessThan(100);
  controller.abort();
  expect(await replay).toEqual({ status: "cancelled", events: client.heard.length, requests: 0 });
});

test("other work continues during a replay (P-JRN-10)", async () => {
  const { journal } = journalOf(5_000);
  let turns = 0;
  let done = false;
  const replay = journal.replay(listener(), never).finally(() => (done = true));
  while (!done) {
    turns += 1;
    await nextLoop();
  }
  expect(await replay).toEqual({ status: "finished", events: 5_000, requests: 0 });
  expect(turns).toBeGreaterThan(10);
});

test("an event that the client is too old for does not count (P-JRN-10)", async () => {
  const { journal } = journalOf(3);
  journal.record({ type: "SteerInput", payload: { user_input: "more" } });
  const client = listener({ event: (type) => type !== "SteerInput" });
  expect(await journal.replay(client, never)).toEqual({ status: "finished", events: 3, requests: 0 });
});

test("lines that a replay skips are in the log, by number (P-JRN-9)", async () => {
  const { folder, journal, told } = journalOf(1);
  await journal.close();
  appendFileSync(join(folder, "wire.jsonl"), "torn");
  const again = openedJournal(folder);
  again.journal.record({ type: "TurnEnd", payload: {} });
  expect(await again.journal.replay(listener(), never)).toMatchObject({ events: 2 });
  expect(again.told).toEqual([
    {
      text: "lines that cannot be read were skipped",
      details: {
        file: join(folder, "wire.jsonl"),
        count: 1,
        lines: [{ line: 4, problem: "expected JSON" }],
      },
    },
  ]);
  expect(told).toEqual([]);
});
