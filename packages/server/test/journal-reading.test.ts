import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeDisk } from "../src/internal.js";
import { readLinesSync } from "../src/journal/lines.js";
import { readJournal, type SkippedLine } from "../src/journal/read-journal.js";
import { answered, recordsIn, temporaryFolder } from "./journal-folder.js";

/** A file of these lines, each with its line feed. */
function fileOf(lines: readonly unknown[], end = "\n"): string {
  const file = join(temporaryFolder(), "wire.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n") + end);
  return file;
}

const record = (type: string, payload: unknown) => ({ timestamp: 1.5, message: { type, payload } });
const text = (words: string) => record("ContentPart", { type: "text", text: words });

test("a file of Kimi's with all that may be in it is read, the bad lines are named by number (P-JRN-9)", async () => {
  const skipped: SkippedLine[] = [];
  const file = fileOf(
    [
      record("TurnBegin", { user_input: "hi" }),
      "",
      "  \r",
      record("ApprovalRequestResolved", { request_id: "a-1", response: "approve" }),
      record("SubagentEvent", { task_tool_call_id: "tc-1", event: { type: "Later", payload: {} } }),
      { type: "metadata", protocol_version: "1.1" },
      record("FromTheFuture", {}),
      { message: { type: "TurnEnd", payload: {} } },
      record("ContentPart", { type: "smell", smell: "rose" }),
      "[]",
      "5",
      { timestamp: 1, message: "TurnEnd" },
      record("InteractionSettled", { request_id: "a-1", kind: "approval", outcome: answered }),
      record("ApprovalRequest", {
        id: "a-2",
        tool_call_id: "tc-2",
        sender: "Shell",
        action: "run",
        description: "ls",
      }),
      record("__proto__", {}),
      { timestamp: 1, message: { type: 5 } },
      { timestamp: 1, message: null },
      '{"timestamp": 2, "message": {"type": "TurnE',
    ],
    "",
  );
  const records = await recordsIn(file, { onSkipped: (line) => skipped.push(line) });
  expect(records.map(({ line, form, type }) => `${line} ${form} ${type}`)).toEqual([
    "1 event TurnBegin",
    "4 event ApprovalResponse",
    "5 event SubagentEvent",
    "13 note InteractionSettled",
    "14 request ApprovalRequest",
  ]);
  expect(records[0]?.timestamp).toBe(1.5);
  expect(records[1]?.payload).toEqual({ request_id: "a-1", response: "approve", feedback: "" });
  expect(records[2]?.payload).toEqual({
    parent_tool_call_id: "tc-1",
    agent_id: null,
    subagent_type: null,
    event: { type: "Later", payload: {} },
  });
  expect(records[4]?.payload).toMatchObject({ source_kind: null, display: [] });
  expect(skipped.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
    '7 message.type: unknown "FromTheFuture"',
    "8 timestamp: expected a number",
    "9 message.payload: type: unknown type",
    "10 expected an object",
    "11 expected an object",
    "12 message: expected an object with a type",
    '15 message.type: unknown "__proto__"',
    "16 message: expected an object with a type",
    "17 message: expected an object with a type",
    "18 expected JSON",
  ]);
});

test("a last line without its line feed counts, and no file at all is an empty one (P-JRN-9)", async () => {
  const file = fileOf([text("one"), text("two")], "");
  expect((await recordsIn(file)).map(({ line }) => line)).toEqual([1, 2]);
  expect(await recordsIn(`${file}.none`)).toEqual([]);
});

test("a line that is too long is skipped by number, the next is read (P-JRN-9)", async () => {
  const skipped: SkippedLine[] = [];
  const file = fileOf([text("one"), text("x".repeat(200_000)), text("three")]);
  const records = await recordsIn(file, { lineBytes: 100_000, onSkipped: (line) => skipped.push(line) });
  expect(records.map(({ line }) => line)).toEqual([1, 3]);
  expect(skipped).toEqual([{ line: 2, problem: "it is too long" }]);
});

test("U+2028 written raw, as Kimi does, ends no line (P-JRN-9)", async () => {
  const words = "a\u2028b\u2029c😀".repeat(30_000);
  const [read] = await recordsIn(fileOf([text(words)]));
  expect(JSON.stringify(read?.payload) === JSON.stringify({ type: "text", text: words })).toBe(true);
});

test("a journal many times as long as what memory it takes is read to its end (P-JRN-9)", async () => {
  const line = `${JSON.stringify(text("x".repeat(1_000)))}\n`;
  const file = fileOf([line.repeat(60_000)], "");
  let count = 0;
  let most = 0;
  const before = process.memoryUsage().arrayBuffers;
  for await (const _ of readJournal(file)) {
    count += 1;
    if (count % 500 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(count).toBe(60_000);
  expect(most).toBeLessThan(32 * 1024 * 1024);
});

test("a file that gets shorter while it is read ends there", () => {
  const shrunk = { ...nodeDisk.open(fileOf(["gone"]), "read"), size: () => 10, readSync: () => 0 };
  const disk = { ...nodeDisk, open: () => shrunk };
  expect([...readLinesSync("journal", { disk })]).toEqual([]);
});
