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

describe("all that a journal says in one reading", () => {
  test("a journal is read once, but for a turn without an end", () => {
    const past = Array.from({ length: 100 }, () => said("x".repeat(10_000)));
    const ended = line("TurnEnded", { turn_id: "t-1", status: "finished" });
    const whole = journal(opened, begin, ...past, ended);
    readAll(whole);
    expect(whole.bytes).toBe(whole.size());
    const cut = journal(opened, begin, ...past, ended, opened, begin, step);
    readAll(cut);
    expect(cut.bytes).toBe(cut.size() + [opened, begin, step].join("\n").length + 1);
  });
});
