import { describe, expect, test } from "vitest";
import { readLeft as readAll } from "../src/journal/left.js";
import type { ReadableFile } from "../src/journal/lines.js";
import { answered } from "./journal-folder.js";

/** A file in memory that counts the bytes that are read. */
function fileOf(text: string): ReadableFile & { bytes: number } {
  const all = Buffer.from(text);
  return {
    bytes: 0,
    size: () => all.length,
    readSync(into, at) {
      const count = all.copy(into, 0, at, at + into.length);
      this.bytes += count;
      return count;
    },
  };
}

let clock = 0;
const line = (type: string, payload: unknown) =>
  JSON.stringify({ timestamp: ++clock, message: { type, payload } });
const journal = (...lines: readonly string[]) => fileOf(lines.map((text) => `${text}\n`).join(""));

const readLeft = (file: ReadableFile) => readAll(file).turns;

const opened = line("TurnOpened", { turn_id: "t-1", by: { name: "raw", connection: "c-1" } });
const begin = line("TurnBegin", { user_input: "paint" });
const step = line("StepBegin", { n: 1 });
const question = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
const asked = (request_id: string, more: object = { turn_id: "t-1", call_id: "tc-1", nth: 1 }) =>
  line("InteractionOpened", {
    request_id,
    kind: "question",
    request: { id: request_id, tool_call_id: "tc-1", questions: [question] },
    ...more,
  });
const settled = (request_id: string, more: object = {}) =>
  line("InteractionSettled", { request_id, kind: "question", outcome: answered, ...more });
const said = (text: string) => line("ContentPart", { type: "text", text });
const told = line("ToolResult", {
  tool_call_id: "tc-1",
  return_value: { is_error: false, output: "red", message: "", display: [], extras: null },
});

describe("a turn that was left before its end", () => {
  test("a turn that was left before its end is found with who asked for it, what was sent in it, and its request (P-RES-1)", () => {
    const { turn } = readLeft(journal(said("an earlier turn"), opened, begin, step, asked("r-1"), said("b")));
    expect(turn).toMatchObject({
      turnId: "t-1",
      by: { name: "raw", connection: "c-1" },
      attempts: 0,
      stopped: false,
      requests: [{ opened: { request_id: "r-1", call_id: "tc-1", nth: 1 }, touched: false, claimed: false }],
    });
    expect(turn?.events.map(({ type }) => type)).toEqual(["TurnBegin", "StepBegin", "ContentPart"]);
    expect(turn?.requests[0]?.settled).toBeUndefined();
  });

  test("a turn is not found as left after the record of its end, nor in an older journal", () => {
    const ended = line("TurnEnded", { turn_id: "t-1", status: "finished" });
    expect(readLeft(journal(opened, begin, step, ended)).turn).toBeUndefined();
    expect(readLeft(journal(begin, step, said("a"))).turn).toBeUndefined();
    expect(readLeft(journal()).turn).toBeUndefined();
  });

  test("a turn is not found as left where its beginning was cut out", () => {
    expect(readLeft(journal(opened, step, asked("r-1"))).turn).toBeUndefined();
    expect(readLeft(journal(begin, step, asked("r-1"))).turn).toBeUndefined();
  });

  test("a turn whose last line was torn has all that came before", () => {
    const file = fileOf(`${[opened, begin, step, asked("r-1")].join("\n")}\n${settled("r-1").slice(0, -9)}`);
    const { turn } = readLeft(file);
    expect(turn?.requests).toMatchObject([{ opened: { request_id: "r-1" } }]);
    expect(turn?.requests[0]?.settled).toBeUndefined();
  });

  test("a turn that was doubled by hand has each request and each settlement once, the first", () => {
    const second = settled("r-1", { outcome: { ...answered, note: "second" } });
    const lines = [opened, begin, asked("r-1"), asked("r-1"), settled("r-1"), second];
    const { turn } = readLeft(journal(...lines, begin));
    expect(turn?.requests).toHaveLength(1);
    expect(turn?.requests[0]?.settled?.outcome.note).toBeUndefined();
    expect(turn?.events.map(({ type }) => type)).toEqual(["TurnBegin"]);
    expect(readLeft(journal(...lines, ...lines)).turn?.requests).toHaveLength(1);
  });

  test("a turn that was left has a settlement as claimed, unless it was held and nothing took it", () => {
    const claimed = (...more: string[]) =>
      readLeft(journal(opened, begin, asked("r-1"), ...more)).turn?.requests[0]?.claimed;
    expect(claimed(settled("r-1"))).toBe(true);
    expect(claimed(settled("r-1", { held: true }))).toBe(false);
    expect(claimed(settled("r-1", { held: true }), line("InteractionClaimed", { request_id: "r-1" }))).toBe(
      true,
    );
  });

  test("a turn that was left has no requests of others: beside the turn, or of an earlier one", () => {
    const { turn } = readLeft(
      journal(opened, begin, asked("r-1", {}), asked("r-2", { turn_id: "t-0" }), settled("r-9")),
    );
    expect(turn?.requests).toEqual([]);
  });

  test("a turn that was left knows what was begun and what was finished", () => {
    const { turn } = readLeft(
      journal(
        opened,
        begin,
        line("OnceBegun", { turn_id: "t-1", key: "a" }),
        line("OnceDone", { turn_id: "t-1", key: "a", value: { n: 1 } }),
        line("OnceBegun", { turn_id: "t-1", key: "b" }),
        line("CallStarted", { call_id: "tc-1", nth: 2 }),
        line("InteractionClaimed", { request_id: "r-7", call_id: "tc-1", nth: 2 }),
        line("InteractionTouched", { request_id: "r-8" }),
        line("TurnStopping", { turn_id: "t-1" }),
        line("LaterInvented", { anything: true }),
      ),
    );
    expect([...(turn?.once ?? [])]).toEqual([
      ["a", { value: { n: 1 } }],
      ["b", undefined],
    ]);
    expect(turn?.started).toEqual([{ callId: "tc-1", nth: 2 }]);
    expect(turn?.passed).toEqual([{ callId: "tc-1", nth: 2 }]);
    expect(turn?.stopped).toBe(true);
  });

  test.each([
    ["nothing came of", [], 2],
    ["a step began in", [step], 0],
    ["a result came in", [told], 0],
    ["a request was waited for again in", [line("InteractionRejoined", { request_id: "r-1" })], 0],
    ["ended in good order", [line("TurnSuspended", { turn_id: "t-1" })], 0],
  ])("a turn that was left counts its attempts, and those that %s apart", (_, progress, fruitless) => {
    const resumed = (attempt: number) => line("TurnResumed", { turn_id: "t-1", attempt });
    const { turn } = readLeft(journal(opened, begin, resumed(1), resumed(2), ...progress));
    expect([turn?.attempts, turn?.fruitless]).toEqual([2, fruitless]);
  });
});

describe("the last settlements of a journal", () => {
  test("the last settlements of a journal are 256, oldest first, also those of earlier turns", () => {
    const many = Array.from({ length: 300 }, (_, index) => settled(`r-${index}`));
    const left = readLeft(journal(...many, opened, begin)).settled;
    expect([left.length, left[0]?.request_id, left.at(-1)?.request_id]).toEqual([256, "r-44", "r-299"]);
  });

  test("the last settlements of a journal are looked for in the last 16 MiB and no further", () => {
    const megabyte = said("x".repeat(1024 * 1024));
    const long = Array.from({ length: 24 }, () => megabyte);
    const file = journal(settled("r-old"), ...long, settled("r-new"), opened, begin);
    const { settled: found, turn } = readLeft(file);
    expect(found.map(({ request_id }) => request_id)).toEqual(["r-new"]);
    expect(turn?.turnId).toBe("t-1");
  });
});

describe("the remains of a journal in one reading", () => {
  const left = (...lines: readonly string[]) => readAll(journal(...lines));
  const status = (plan_mode: unknown) => line("StatusUpdate", { plan_mode });
  const shown = (id: string) => line("QuestionRequest", { id, tool_call_id: "tc-1", questions: [question] });
  const called = (id: unknown) => line("ToolCallRequest", { id, name: "Look", arguments: null });
  const askedBy = (request_id: string) =>
    line("AskOpened", { request_id, key: `key of ${request_id}`, digest: "d" });
  const beside = (request_id: string) => asked(request_id, {});
  const touched = (request_id: string) => line("InteractionTouched", { request_id });
  const ended = (turn_id = "t-1") => line("TurnEnded", { turn_id, status: "finished" });

  test("a journal is read once, but for a turn without an end", () => {
    const past = Array.from({ length: 100 }, () => said("x".repeat(10_000)));
    const whole = journal(opened, begin, ...past, ended());
    readAll(whole);
    expect(whole.bytes).toBe(whole.size());
    const cut = journal(opened, begin, ...past, ended(), opened, begin, step);
    readAll(cut);
    expect(cut.bytes).toBe(cut.size() + [opened, begin, step].join("\n").length + 1);
  });

  test("an empty journal leaves nothing", () => {
    expect(left()).toEqual({
      generation: 0,
      version: 0,
      state: { planMode: false, doNotAsk: false, agentMemory: undefined, asks: [], openAsks: [] },
      turns: { turn: undefined, settled: [], ended: [] },
      unsettled: [],
      modelTexts: expect.objectContaining({ size: 0 }),
    });
  });

  test("the newest process and version are found in whatever order they stand", () => {
    const process = (generation: unknown, version: unknown) =>
      line("SessionOpened", { generation, process: 1, version });
    expect(left(process(2, 1), process(7, 3), process(3, 2), process("9", null))).toMatchObject({
      generation: 7,
      version: 3,
    });
  });

  test("the last word about plan mode, about questions and of the agent's memory counts", () => {
    const doNotAsk = (enabled: unknown) => line("DoNotAsk", { enabled });
    const memory = (value: unknown) => line("AgentMemory", { value });
    const on = [
      status(true),
      status(null),
      doNotAsk(true),
      doNotAsk("no"),
      memory({ n: 1 }),
      memory({ n: 2 }),
    ];
    expect(left(...on).state).toMatchObject({ planMode: true, doNotAsk: true, agentMemory: { n: 2 } });
    expect(left(...on, status(false), doNotAsk(false), memory(null)).state).toMatchObject({
      planMode: false,
      doNotAsk: false,
      agentMemory: null,
    });
    expect(left(...on, memory({ n: 3 }).slice(0, -3)).state.agentMemory).toEqual({ n: 2 });
  });

  test("a session began with its first record, and its first prompt is the first with words for the agent", () => {
    const header = JSON.stringify({ type: "metadata", protocol_version: "1.10" });
    const prompt = (user_input: unknown) => line("TurnBegin", { user_input });
    const first = JSON.stringify({ timestamp: 1.5, message: { type: "StepBegin", payload: { n: 1 } } });
    const parts = [{ type: "image_url" }, { type: "text", text: " paint\nthe wall" }];
    const { state } = left(header, first, prompt("/plan now"), prompt("  "), prompt(parts), prompt("later"));
    expect([state.begunAt, state.firstPrompt]).toEqual([1_500, "paint"]);
  });

  test("requests without a settlement are told, oldest first, and calls of one id as often as they are open (P-JRN-6)", () => {
    const approval = line("InteractionOpened", { request_id: "a-1", kind: "approval", request: {} });
    const odd = line("InteractionOpened", { request_id: "o-1", kind: "later", request: {} });
    const { unsettled } = left(
      ...[shown("q-1"), called("c-1"), approval, called("c-1"), beside("q-2"), shown("q-2"), called("c-1")],
      ...[called(5), odd, settled("q-1"), settled("c-1"), settled("never asked")],
    );
    expect(unsettled).toEqual([
      { request_id: "c-1", kind: "tool_call" },
      { request_id: "c-1", kind: "tool_call" },
      { request_id: "a-1", kind: "approval" },
      { request_id: "q-2", kind: "question" },
    ]);
  });

  test("the oldest of more than 10,000 open requests counts as not settled, whatever comes of it", () => {
    const many = Array.from({ length: 10_001 }, (_, n) => called(`c-${n}`));
    const settlements = Array.from({ length: 10_001 }, (_, n) => settled(`c-${n}`));
    expect(left(...many, ...settlements).unsettled).toEqual([{ request_id: "c-0", kind: "tool_call" }]);
  });

  test("requests of a turn without an end and open asks are not told as unsettled (P-JRN-6)", () => {
    const asks = [askedBy("r-2"), beside("r-2"), shown("r-2")];
    const turn = [opened, begin, asked("r-1"), shown("r-1"), called("c-1")];
    expect(left(...asks, ...turn).unsettled).toEqual([{ request_id: "c-1", kind: "tool_call" }]);
    expect(left(...asks, ...turn, ended()).unsettled).toEqual([
      { request_id: "r-1", kind: "question" },
      { request_id: "c-1", kind: "tool_call" },
    ]);
  });

  test("open asks are found with what came of them, but not without their questions (P-XAK-8)", () => {
    const { openAsks } = left(
      ...[askedBy("r-1"), beside("r-1"), shown("r-1"), touched("r-1"), askedBy("r-2"), beside("r-2")],
      ...[askedBy("r-3"), touched("r-4")],
    ).state;
    expect(openAsks).toMatchObject([
      { asked: { request_id: "r-1" }, opened: { request_id: "r-1" }, touched: true, isWhole: true },
      { asked: { request_id: "r-2" }, opened: { request_id: "r-2" }, touched: false, isWhole: false },
    ]);
    expect(openAsks[1]?.since).toBeGreaterThan(openAsks[0]?.since ?? Number.POSITIVE_INFINITY);
    expect(openAsks[0]?.since).toBeGreaterThan(1_000);
  });

  test("settled asks are found with their answers, the last 256", () => {
    const response = {
      answers: { "Which?": "A" },
      items: [{ question_id: "q1", selected: ["A"] }],
    };
    const ids = Array.from({ length: 258 }, (_, n) => `r-${n}`);
    const lines = ids.flatMap((id) => [askedBy(id), beside(id), shown(id), settled(id, { response })]);
    const { asks, openAsks } = left(...lines, askedBy("r-x"), beside("r-x"), settled("r-x")).state;
    expect([asks.length, asks[0]?.request_id, openAsks]).toEqual([256, "r-3", []]);
    expect(asks[0]).toEqual({
      request_id: "r-3",
      key: "key of r-3",
      digest: "d",
      outcome: answered,
      answer: response,
    });
    expect(asks.at(-1)?.answer).toBeUndefined();
  });

  test("the ends of the last turns are 64, oldest first, as far as they are in the last 16 MiB (P-RES-13)", () => {
    const many = Array.from({ length: 70 }, (_, n) => ended(`t-${n}`));
    const odd = line("TurnEnded", { turn_id: "t-odd", status: "later" });
    const { turns } = left(...many, odd);
    expect(turns.ended.map(({ turn_id }) => turn_id)).toEqual(
      Array.from({ length: 64 }, (_, n) => `t-${n + 6}`),
    );
    const long = Array.from({ length: 17 }, () => said("x".repeat(1024 * 1024)));
    expect(left(ended("t-old"), ...long, ended("t-new")).turns.ended).toMatchObject([{ turn_id: "t-new" }]);
  });

  test("a turn of more than 64 MiB is not restored, and its requests are told as unsettled", () => {
    const long = Array.from({ length: 65 }, () => said("x".repeat(1024 * 1024)));
    const { turns, unsettled } = left(opened, begin, asked("r-1"), ...long);
    expect([turns.turn, unsettled]).toEqual([undefined, [{ request_id: "r-1", kind: "question" }]]);
  });

  test("a settlement that is no record is not among the last", () => {
    const torn = [
      settled("r-2").slice(0, -3),
      line("InteractionSettled", { request_id: "r-3", kind: "later" }),
    ];
    const { turns } = left(settled("r-1"), ...torn);
    expect(turns.settled.map(({ request_id }) => request_id)).toEqual(["r-1"]);
  });

  test("records count whatever their form, and words that look like a record do not", () => {
    const turned = (text: string) => {
      const { timestamp, message } = JSON.parse(text);
      return JSON.stringify({ message: { payload: message.payload, type: message.type }, timestamp });
    };
    const spaced = `  ${shown("q-2")} \r`;
    const words = [
      said(shown("q-3")),
      line("Later", { type: "QuestionRequest", id: "q-4" }),
      "[]",
      "null",
      "5",
    ];
    const bare = JSON.stringify({ timestamp: 1, message: { type: "QuestionRequest", payload: null } });
    const { unsettled, turns } = left(
      turned(shown("q-1")),
      spaced,
      ...words,
      bare,
      ...[opened, begin].map(turned),
    );
    expect(unsettled.map(({ request_id }) => request_id)).toEqual(["q-1", "q-2"]);
    expect(turns.turn?.turnId).toBe("t-1");
  });

  test("a line that is too long is reported by its number, and the next is read", () => {
    const text = `${opened}\n${"x".repeat(64 * 1024 * 1024 + 1)}\n${shown("q-1")}\n`;
    const skipped: unknown[] = [];
    const { unsettled } = readAll(fileOf(text), (one) => skipped.push(one));
    expect(skipped).toEqual([{ line: 2, problem: "it is too long" }]);
    expect(unsettled).toMatchObject([{ request_id: "q-1" }]);
  });
});
