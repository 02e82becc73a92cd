import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../src/index.js";
import type { Disk } from "../src/journal/disk.js";
import { openJournal } from "../src/journal/journal.js";
import { type DiskCalls, diskWith, systemError } from "./failing-disk.js";
import { answered, detailedLog, messagesOf, recordsIn, temporaryFolder } from "./journal-folder.js";

/** The journal of a new folder on a disk. */
function kept(disk: Disk) {
  const folder = temporaryFolder();
  const log = detailedLog();
  const lost: Error[] = [];
  const journal = openJournal({ folder, disk, log, clock: systemClock });
  journal.onLost((why) => lost.push(why));
  return { folder, file: join(folder, "wire.jsonl"), journal, told: log.told, lost };
}

const step = (n: number) => ({ type: "StepBegin", payload: { n } }) as const;
const numbers = (folder: string) => messagesOf(folder).map(({ payload }) => payload.n ?? payload.call_id);

test("a kept record is written at once, behind all that waited, by one write at the end of the file (P-DUR-1)", () => {
  const writes: string[] = [];
  const { folder, journal } = kept(
    diskWith({
      write(file, text, write) {
        if (file.endsWith("wire.jsonl")) writes.push(text);
        return write(Buffer.from(text));
      },
    }),
  );
  journal.record(step(1));
  journal.record({ type: "ContentPart", payload: { type: "text", text: "so f" } });
  journal.record({ type: "ContentPart", payload: { type: "text", text: "ar" } });
  expect(writes).toEqual([]);
  expect(journal.callStarted({ call_id: "tc-1", nth: 1 })).toBe(true);
  expect(writes).toHaveLength(1);
  expect(messagesOf(folder).map(({ type, payload }) => payload.text ?? type)).toEqual([
    "StepBegin",
    "so far",
    "CallStarted",
  ]);
  return journal.close();
});

test("however a write is cut short, a record is there whole or not at all, and the next one is (P-DUR-1)", async () => {
  const cut = fc.record({ at: fc.nat({ max: 6 }), bytes: fc.nat({ max: 400 }), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 4 }), async (cuts) => {
      let calls = 0;
      const { folder, journal } = kept(
        diskWith({
          write(file, text, write) {
            const bytes = Buffer.from(text);
            if (!file.endsWith("wire.jsonl")) return write(bytes);
            const found = cuts.find(({ at }) => at === calls);
            calls += 1;
            if (found === undefined) return write(bytes);
            const written = write(bytes.subarray(0, Math.min(bytes.length, Math.max(1, found.bytes))));
            if (found.fails) throw systemError("ENOSPC");
            return written;
          },
        }),
      );
      const written: string[] = [];
      for (let n = 1; n <= 6; n += 1) {
        if (journal.callStarted({ call_id: `tc-${n}`, nth: 1 })) written.push(`tc-${n}`);
      }
      await journal.close();
      expect(numbers(folder)).toEqual(written);
      for (const line of readFileSync(journal.name, "utf8").split("\n").slice(0, -1)) JSON.parse(line);
    }),
    { numRuns: 60 },
  );
});

test("after a failed sync all since the last good one is written to a new file, which is synced before it takes the name (P-DUR-8)", async () => {
  const story: string[] = [];
  let isFailing = false;
  const calls: DiskCalls = {
    async sync(file, sync) {
      const name = file.split("/").at(-1);
      if (isFailing) {
        isFailing = false;
        throw systemError("EIO");
      }
      story.push(`sync ${name}`);
      return sync();
    },
    async syncFolder() {
      story.push("sync folder");
    },
  };
  const disk = diskWith(calls);
  const { folder, file, journal, told, lost } = kept({
    ...disk,
    rename(from, to) {
      story.push(`rename ${from.split("/").at(-1)}`);
      disk.rename(from, to);
    },
  });
  journal.callStarted({ call_id: "tc-1", nth: 1 });
  await journal.synced();
  expect(story).toEqual(["sync wire.jsonl", "sync folder"]);
  story.length = 0;
  isFailing = true;
  journal.record(step(2));
  journal.callStarted({ call_id: "tc-3", nth: 1 });
  await journal.synced();
  expect(story).toEqual(["sync wire.jsonl.next", "rename wire.jsonl.next", "sync folder"]);
  journal.callStarted({ call_id: "tc-4", nth: 1 });
  await journal.close();
  expect(numbers(folder)).toEqual(["tc-1", 2, "tc-3", "tc-4"]);
  expect(readdirSync(folder)).toEqual(["wire.jsonl"]);
  expect(await recordsIn(file)).toHaveLength(5);
  expect([told.map(({ text }) => text), lost]).toEqual([["it cannot be synced; it is written anew"], []]);
});

test("where the new file cannot be synced either, nothing more is written, and whoever waits is told (P-DUR-8)", async () => {
  const { folder, journal, lost } = kept(diskWith({ sync: () => Promise.reject(systemError("EIO")) }));
  expect(journal.callStarted({ call_id: "tc-1", nth: 1 })).toBe(true);
  await expect(journal.synced()).rejects.toThrow("nothing more of the session is kept");
  expect(lost).toHaveLength(1);
  expect(journal.callStarted({ call_id: "tc-2", nth: 1 })).toBe(false);
  await journal.close();
  expect(numbers(folder)).toEqual(["tc-1"]);
});

test("two writers: the one that finds the file changed stops writing, and leaves what the other wrote (P-DUR-9)", async () => {
  const { folder, file, journal, lost } = kept(diskWith({}));
  journal.callStarted({ call_id: "tc-1", nth: 1 });
  appendFileSync(file, '{"timestamp": 1, "message": {"type": "StepBegin", "payload": {"n": 7}}}\n');
  expect(journal.callStarted({ call_id: "tc-2", nth: 1 })).toBe(false);
  journal.settled({ request_id: "q-1", kind: "question", outcome: answered });
  expect(lost.map(({ message }) => message)).toEqual([
    expect.stringContaining("another process has written to it"),
  ]);
  await journal.close();
  expect(numbers(folder)).toEqual(["tc-1", 7]);
});

test("a journal with records of a later version is refused, and stays unchanged (P-DUR-10)", () => {
  const folder = temporaryFolder();
  const file = join(folder, "wire.jsonl");
  const opened = { generation: 1, process: 1, version: 3 };
  const text = `${JSON.stringify({ timestamp: 1, message: { type: "SessionOpened", payload: opened } })}\n{"timestamp": 1, "message": {"type": "QuestionRequest", "payload": {"id": "q"}}}`;
  writeFileSync(file, text);
  const open = () => openJournal({ folder, log: detailedLog(), clock: systemClock });
  expect(open).toThrow("records of version 3, and this program knows 2");
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(readdirSync(folder)).toEqual(["wire.jsonl"]);
});

test("a request is left open once, however often it is recorded; a call as often as its id is (P-JRN-6)", async () => {
  const { folder, journal } = kept(diskWith({}));
  const question = { request_id: "q-1", kind: "question", request: {} } as const;
  journal.opened(question);
  journal.opened(question);
  for (let time = 0; time < 2; time += 1) {
    journal.record({ type: "ToolCallRequest", payload: { id: "tc-1", name: "Look", arguments: null } });
  }
  await journal.close();
  const again = openJournal({ folder, log: detailedLog(), clock: systemClock });
  await again.close();
  const settled = messagesOf(folder).filter(({ type }) => type === "InteractionSettled");
  expect(settled.map(({ payload }) => payload.request_id)).toEqual(["q-1", "tc-1", "tc-1"]);
});
