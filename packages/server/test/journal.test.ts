import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Journal } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { diskWith, systemError } from "./failing-disk.js";
import {
  answered,
  linesOf,
  messagesOf,
  openedJournal,
  questionMessage,
  temporaryFolder,
  typesOf,
} from "./journal-folder.js";
import { until } from "./until.js";

/** A disk that is full, but for the lock of a session. */
const diskWithoutRoomForRecords = diskWith({
  write(name, text, write) {
    if (name.endsWith("wire.jsonl")) throw systemError("ENOSPC");
    return write(Buffer.from(text));
  },
});

const header = { type: "metadata", protocol_version: "1.10" };
const say = (journal: Journal, text: string) =>
  journal.record({ type: "ContentPart", payload: { type: "text", text } });
const file = (folder: string) => join(folder, "wire.jsonl");

test("the header comes once, and each run says who it is before it continues below the last (P-JRN-2, P-DUR-4)", async () => {
  const folder = temporaryFolder();
  const clock = drivenClock();
  clock.advance(1_500);
  for (const text of ["one", "two"]) {
    const { journal } = openedJournal(folder, { clock });
    say(journal, text);
    await journal.close();
  }
  const record = (type: string, payload: object) => ({ timestamp: 1.5, message: { type, payload } });
  const opened = (generation: number) =>
    record("SessionOpened", { generation, process: process.pid, version: 1 });
  const said = (text: string) => record("ContentPart", { type: "text", text });
  expect(linesOf(folder)).toEqual([header, opened(1), said("one"), opened(2), said("two")]);
});

test("a question is recorded with every field, those with a default too (P-JRN-2)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  journal.record(questionMessage("q-1"));
  journal.record({ type: "StatusUpdate", payload: { plan_mode: true } });
  await journal.flush();
  const [question, status] = messagesOf(folder);
  expect(question?.payload).toEqual({
    id: "q-1",
    tool_call_id: "tc-1",
    questions: [
      {
        question: "Which?",
        header: "",
        options: [
          { label: "A", description: "" },
          { label: "B", description: "" },
        ],
        multi_select: false,
        body: "",
        other_label: "",
        other_description: "",
      },
    ],
  });
  expect(status?.payload).toMatchObject({ plan_mode: true, context_usage: null, mcp_status: null });
});

test("characters that readers stumble over are not in the file, and nothing else is changed (P-JRN-2)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  const text = "\u2028 \u2029 \ud800 \ude00 😀 \\ud800 \\\\ud800 \\u2028";
  say(journal, text);
  await journal.flush();
  expect(readFileSync(file(folder), "utf8")).not.toMatch(/[\u2028\u2029]|[^\\](\\\\)*\\ud[89a-f]/);
  expect(messagesOf(folder)[0]?.payload.text).toBe(
    text.replace("\ud800", "\ufffd").replace("\ude00", "\ufffd"),
  );
});

test("a character that was cut between two pieces is whole again (P-JRN-3)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  say(journal, "\ud83d");
  say(journal, "\ude00");
  await journal.flush();
  expect(messagesOf(folder).map(({ payload }) => payload.text)).toEqual(["😀"]);
});

test("streams are recorded whole: texts, thoughts up to an encrypted one, arguments of calls (P-JRN-3)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  const think = (text: string, encrypted: string | null = null) =>
    journal.record({ type: "ContentPart", payload: { type: "think", think: text, encrypted } });
  const more = (arguments_part: string | null) =>
    journal.record({ type: "ToolCallPart", payload: { arguments_part } });
  const call = {
    type: "function",
    id: "tc-1",
    function: { name: "Shell", arguments: null },
    extras: null,
  } as const;
  think("a");
  think("b", "sealed");
  think("c");
  say(journal, "d");
  say(journal, "e");
  journal.record({ type: "StepBegin", payload: { n: 2 } });
  say(journal, "f");
  journal.record({ type: "ToolCall", payload: call });
  more('{"a"');
  more(null);
  more(":1}");
  journal.record({ type: "ContentPart", payload: { type: "image_url", image_url: { url: "data:," } } });
  more("lost ");
  more("pieces");
  await journal.flush();
  expect(messagesOf(folder).map(({ payload }) => payload)).toEqual([
    { type: "think", think: "ab", encrypted: "sealed" },
    { type: "think", think: "c", encrypted: null },
    { type: "text", text: "de" },
    { n: 2 },
    { type: "text", text: "f" },
    { ...call, function: { name: "Shell", arguments: '{"a":1}' } },
    { type: "image_url", image_url: { url: "data:,", id: null } },
    { arguments_part: "lost pieces" },
  ]);
  expect(call.function.arguments).toBeNull();
});

test("a text that never ends is recorded in parts (P-JRN-3)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  const piece = "x".repeat(100_000);
  for (let n = 0; n < 25; n += 1) say(journal, piece);
  await journal.flush();
  const lengths = messagesOf(folder).map(({ payload }) => String(payload.text).length);
  expect(lengths).toEqual([1_200_000, 1_200_000, 100_000]);
});

test("approvals are recorded with what was asked and how it ended, in our own records only (P-JRN-4, P-JRN-5)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  const request = { id: "a-1", tool_call_id: "tc-1", sender: "Shell", action: "run", description: "ls" };
  journal.opened({ request_id: "a-1", kind: "approval", request });
  const response = { response: "approve", feedback: "" } as const;
  journal.settled({ request_id: "a-1", kind: "approval", outcome: answered, response });
  journal.record({ type: "ApprovalResponse", payload: { request_id: "a-1", ...response } });
  await journal.flush();
  expect(messagesOf(folder)).toEqual([
    { type: "InteractionOpened", payload: { request_id: "a-1", kind: "approval", request } },
    {
      type: "InteractionSettled",
      payload: { request_id: "a-1", kind: "approval", outcome: answered, response },
    },
  ]);
});

test("at the next start each request that was left open is withdrawn, and no other (P-JRN-6)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  journal.record(questionMessage("q-settled"));
  journal.settled({ request_id: "q-settled", kind: "question", outcome: answered });
  journal.record(questionMessage("q-open"));
  journal.record({ type: "ToolCallRequest", payload: { id: "tc-open", name: "Look", arguments: null } });
  journal.opened({ request_id: "a-open", kind: "approval", request: {} });
  journal.settled({ request_id: "h-1", kind: "hook", request: {}, outcome: answered });
  say(journal, '"QuestionRequest" is a word like others');
  await journal.close();

  const clock = drivenClock();
  clock.advance(Date.parse("2026-05-06T07:08:09Z"));
  for (let start = 0; start < 2; start += 1) await openedJournal(folder, { clock }).journal.close();
  const settled = messagesOf(folder)
    .filter(({ type }) => type === "InteractionSettled")
    .slice(2);
  const outcome = { status: "withdrawn", reason: "shutdown", by: "system", at: "2026-05-06T07:08:09.000Z" };
  expect(settled.map(({ payload }) => payload)).toEqual([
    { request_id: "q-open", kind: "question", outcome },
    { request_id: "tc-open", kind: "tool_call", outcome },
    { request_id: "a-open", kind: "approval", outcome },
  ]);
});

test("a torn last line takes nothing with it (P-JRN-8)", async () => {
  const folder = temporaryFolder();
  writeFileSync(file(folder), `${JSON.stringify(header)}\n{"timestamp": 1, "mess`);
  const { journal } = openedJournal(folder);
  say(journal, "whole");
  await journal.close();
  const lines = readFileSync(file(folder), "utf8").split("\n");
  expect(lines.slice(1, 2)).toEqual(['{"timestamp": 1, "mess']);
  expect(JSON.parse(lines[3] ?? "").message.payload.text).toBe("whole");
});

test("a record is on disk soon after it was made, without anybody asking for it (P-JRN-12)", async () => {
  const folder = temporaryFolder();
  const clock = drivenClock();
  const { journal } = openedJournal(folder, { clock });
  journal.record({ type: "TurnEnd", payload: {} });
  expect(statSync(file(folder)).size).toBe(0);
  clock.advance(20);
  await until(() => statSync(file(folder)).size > 0);
  expect(typesOf(folder)).toEqual(["TurnEnd"]);
  journal.record({ type: "StepInterrupted", payload: {} });
  clock.advance(20);
  await until(() => typesOf(folder).length === 2);
});

test("much that is recorded at once is bounded by being written, in its order (P-JRN-12)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  const text = "x".repeat(50_000);
  for (let n = 1; n <= 300; n += 1) {
    say(journal, text);
    journal.record({ type: "StepBegin", payload: { n } });
  }
  // Nothing has had a chance to be written beside this.
  expect(statSync(file(folder)).size).toBeGreaterThan(10 * 1024 * 1024);
  await journal.close();
  const steps = messagesOf(folder).flatMap(({ type, payload }) => (type === "StepBegin" ? [payload.n] : []));
  expect(steps).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
});

test("a place stays right where the lines before it cannot be written (P-XHI-1)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder, { disk: diskWithoutRoomForRecords });
  journal.record({ type: "StepBegin", payload: { n: 1 } });
  const place = journal.place();
  expect(place.at).toBeGreaterThan(60);
  await journal.flush();
  expect(place.at).toBe(0);
  place.release();
  await journal.close();
});

test("on a full disk the session continues, and the log says so once (P-JRN-12)", async () => {
  const folder = temporaryFolder();
  const { journal, told } = openedJournal(folder, { disk: diskWithoutRoomForRecords });
  for (let n = 1; n <= 3; n += 1) {
    journal.record({ type: "StepBegin", payload: { n } });
    await journal.flush();
  }
  say(journal, "x".repeat(5 * 1024 * 1024));
  await journal.close();
  expect(told.map(({ text }) => text)).toEqual(["it cannot be written; the session goes on"]);
  expect(String(told[0]?.details.error)).toContain("ENOSPC");
});

test("a message that fits no schema is left out and named in the log (P-JRN-4)", async () => {
  const folder = temporaryFolder();
  const { journal, told } = openedJournal(folder);
  journal.record({ type: "StepBegin", payload: { n: 0 } });
  journal.record({ type: "TurnEnd", payload: {} });
  await journal.flush();
  expect(typesOf(folder)).toEqual(["TurnEnd"]);
  expect(told.map(({ details }) => details.problem)).toEqual(["n: expected at least 1"]);
});

test("lines added after the session closed are not written, and closing twice is fine (P-JRN-12)", async () => {
  const folder = temporaryFolder();
  const { journal } = openedJournal(folder);
  journal.record({ type: "TurnEnd", payload: {} });
  await Promise.all([journal.close(), journal.close()]);
  const before = readFileSync(file(folder), "utf8");
  journal.record({ type: "TurnEnd", payload: {} });
  await journal.flush();
  expect(readFileSync(file(folder), "utf8")).toBe(before);
});
