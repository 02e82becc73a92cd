import type { Message } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { keptBeforeTold } from "../../../../scripts/kept-before-told.js";
import { answers } from "./agent.js";
import { hold, type Spoken } from "./conversation.js";
import {
  acknowledgedCounts,
  allSettled,
  askedOnce,
  everyLineIsARecord,
  fairDeadlines,
  knowsEveryAnswer,
  noneInvented,
  oneTurnEach,
  ranAtMostOnce,
  sameConversation,
  settledAtMostOnce,
  toldResultsAreKept,
  toldTheSame,
  validConversation,
} from "./invariants.js";
import { type JournalRecord, recordsOf } from "./journal-records.js";
import type { Person } from "./people.js";

const at = "2026-01-02T03:04:05.000Z";
const opened: JournalRecord = { type: "InteractionOpened", payload: { request_id: "r", call_id: "c" } };
const settledBy = (more: object): JournalRecord => ({
  type: "InteractionSettled",
  payload: {
    request_id: "r",
    kind: "question",
    outcome: { status: "answered", by: "human", at },
    response: { answers: { "Which port?": "5432" } },
    ...more,
  },
});
const settled = settledBy({ answer_id: "a" });
const result: JournalRecord = { type: "ToolResult", payload: { tool_call_id: "c", return_value: {} } };

const spoken = (by: Spoken["by"], message: object): Spoken => ({
  connection: 1,
  client: "x",
  by,
  message: { jsonrpc: "2.0", ...message },
});
const answer = spoken("client", { id: "1", method: "answer", params: { request_id: "r", answer_id: "a" } });
const acknowledgement = spoken("server", { id: "1", result: { outcome: { status: "answered" } } });
const event = (type: string, payload: object) =>
  spoken("server", { method: "event", params: { type, payload } });

const asked = (profile: Person["profile"], ...ids: string[]): Person => ({
  name: "p",
  profile,
  asked: ids.map((id) => ({ id, what: "Which?" })),
  result: undefined,
  sawEnd: true,
});

const calls: Message = {
  role: "assistant",
  content: [],
  tool_calls: [{ type: "function", id: "c", function: { name: "Ask", arguments: "{}" }, extras: null }],
};
const toolResult = (output: string): Message => ({
  role: "tool",
  tool_call_id: "c",
  result: { is_error: false, output, message: "", display: [], extras: null },
});

describe("each invariant holds of a conversation without a fault, and sees a made-up breach", () => {
  const held = hold({ cast: "both" });
  const ofHeld = async () => {
    const { journal, lines, people, world } = await held;
    return { journal, records: recordsOf(journal), lines, people, world };
  };

  test("I-1: a request has one settlement", async () => {
    const { records } = await ofHeld();
    expect([...settledAtMostOnce(records), ...allSettled(records)]).toEqual([]);
    expect(settledAtMostOnce([settled, settled])).toEqual(["request r is settled 2 times"]);
    expect(allSettled([opened])).toEqual(["request r is not settled"]);
  });

  test("I-2: an acknowledged answer is the settlement", () => {
    expect(acknowledgedCounts([settled], [answer, acknowledgement])).toEqual([]);
    expect(acknowledgedCounts([], [answer])).toEqual([]);
    const lost = ["the answer to r was acknowledged and is not its settlement"];
    expect(acknowledgedCounts([], [answer, acknowledgement])).toEqual(lost);
    expect(acknowledgedCounts([settledBy({ answer_id: "b" })], [answer, acknowledgement])).toEqual(lost);
  });

  test("I-3: all are told the same", async () => {
    const { records, lines } = await ofHeld();
    expect(toldTheSame(records, lines)).toEqual([]);
    const { payload } = settledBy({ response: { answers: { "Which port?": "6543" } } });
    expect(toldTheSame([settled], [event("InteractionSettled", payload)])).toEqual([
      "r was told in different ways",
    ]);
    const outcome = { status: "answered", by: "human", at };
    const other = spoken("server", { id: "1", result: { outcome, kind: "question", response: {} } });
    expect(toldTheSame([settled], [answer, other])).toEqual(["r was told in different ways"]);
  });

  test("I-4: a person is asked once, under one id", async () => {
    const { people } = await ofHeld();
    expect(askedOnce(people, 0)).toEqual([]);
    expect(askedOnce([asked("extended", "r", "r")], 1)).toEqual(['p was asked "Which?" 2 times']);
    expect(askedOnce([asked("base", "r", "r")], 1)).toEqual([]);
    expect(askedOnce([asked("base", "r", "s")], 1)).toEqual(['"Which?" had another id: 2 times']);
  });

  test("I-5: a call has one effect and one result, which is kept if it is told", async () => {
    const { records, lines, world } = await ofHeld();
    expect(ranAtMostOnce(records, world.effects)).toEqual([]);
    expect(toldResultsAreKept(records, lines)).toEqual([]);
    expect(ranAtMostOnce([], ["c", "c"])).toEqual(["c was done 2 times"]);
    expect(ranAtMostOnce([result, result], [])).toEqual(["call c has a result 2 times"]);
    expect(toldResultsAreKept([], [event("ToolResult", result.payload)])).toEqual([
      "the result of c was told and is not kept",
    ]);
  });

  test("I-7, I-11: the journal has the same conversation", async () => {
    const { records } = await ofHeld();
    const other = await hold({ cast: "both" });
    expect(sameConversation(records, recordsOf(other.journal))).toEqual([]);
    expect(sameConversation(records.slice(0, -2), records)).toHaveLength(1);
  });

  test("I-8: a prompt begins one turn", () => {
    const turn: JournalRecord = { type: "TurnOpened", payload: { turn_id: "t" } };
    expect(oneTurnEach([turn])).toEqual([]);
    expect(oneTurnEach([turn, turn])).toEqual(["turn t has a TurnOpened 2 times"]);
  });

  test("I-9: the model is given one result for each call, and every answer", async () => {
    const { records, world } = await ofHeld();
    expect(world.model.flatMap(validConversation)).toEqual([]);
    expect(knowsEveryAnswer(records, world.model.at(-1) ?? [])).toEqual([]);
    expect(validConversation([calls])).toEqual(["call c has no result"]);
    expect(validConversation([calls, toolResult("a"), toolResult("a")])).toEqual([
      "a result of c has no call",
    ]);
    expect(knowsEveryAnswer([settled], [calls, toolResult("6543")])).toEqual([
      'the model does not know the answer to "Which port?"',
    ]);
  });

  test("I-10: nobody's time runs out while nobody could answer", () => {
    expect(
      fairDeadlines([
        { ms: 90_000, left: 60_000 },
        { ms: 5_000, left: 5_000 },
      ]),
    ).toEqual([]);
    expect(fairDeadlines([{ ms: 90_000, left: 59_999 }])).toEqual(["59999 ms are left of 90000 ms"]);
    expect(fairDeadlines([{ ms: 5_000, left: 5_001 }])).toEqual(["5001 ms are left of 5000 ms"]);
  });

  test("I-12: every line can be read", async () => {
    const { journal } = await ofHeld();
    expect(everyLineIsARecord(journal)).toEqual([]);
    expect(everyLineIsARecord(`${journal}\0\0{"timestamp": 1}\n`)).toHaveLength(1);
  });

  test("no answer is one that nobody gave", async () => {
    const { records } = await ofHeld();
    expect(noneInvented(records, answers)).toEqual([]);
    expect(noneInvented([settled], { "Which port?": "6543" })).toEqual([
      'an answer to "Which port?" was invented',
    ]);
    expect(noneInvented([settledBy({ kind: "approval", response: { response: "reject" } })], {})).toEqual([
      "an approval was invented",
    ]);
  });
});

describe("I-6: a watch over a kept session", () => {
  const line = (record: JournalRecord) => `${JSON.stringify({ timestamp: 1, message: record })}\n`;
  const turnOpened: JournalRecord = { type: "TurnOpened", payload: { turn_id: "t" } };
  const turnEnded: JournalRecord = { type: "TurnEnded", payload: { turn_id: "t", status: "finished" } };
  const callStarted: JournalRecord = { type: "CallStarted", payload: { call_id: "c", nth: 1 } };
  const { payload: settlement } = settled;
  type Said = readonly Spoken[] | "runs" | "goes on";

  test.each<[string, readonly JournalRecord[], Said]>([
    ["a request is asked", [opened], [event("QuestionRequest", { id: "r" })]],
    ["an approval is asked", [opened], [event("ApprovalRequest", { id: "r" })]],
    ["a settlement is told", [settled], [event("InteractionSettled", settlement)]],
    ["a decision is told", [settled], [event("ApprovalResponse", { request_id: "r" })]],
    ["a result is told", [opened, settled], [event("ToolResult", { tool_call_id: "c" })]],
    ["an answer is acknowledged", [settled], [answer, acknowledgement]],
    [
      "an answer is refused as late",
      [settled],
      [answer, spoken("server", { id: "1", error: { code: -32010, message: "" } })],
    ],
    [
      "a steer is answered",
      [settled],
      [
        spoken("client", { id: "1", method: "steer", params: {} }),
        spoken("server", { id: "1", result: { status: "steered" } }),
      ],
    ],
    ["a turn begins", [turnOpened], [event("TurnBegin", { turn_id: "t" })]],
    ["a turn ends", [turnOpened, turnEnded], [event("TurnEnd", { turn_id: "t" })]],
    [
      "a prompt is answered",
      [turnOpened, turnEnded],
      [
        spoken("client", { id: "1", method: "prompt", params: { turn_id: "t" } }),
        spoken("server", { id: "1", result: { status: "finished" } }),
      ],
    ],
    ["a tool runs", [callStarted], "runs"],
    ["a tool goes on", [opened, settled], "goes on"],
  ])(
    "a watch over a kept session sees whatever happens before it is kept (I-6): %s",
    (_what, records, said) => {
      const written = records.map(line).join("");
      const watched = (safe: string) => {
        const watch = keptBeforeTold({ written: () => written, safe: () => safe });
        if (said === "runs") watch.runs("c");
        else if (said === "goes on") watch.goesOn("c");
        else {
          const ear = watch.ear();
          for (const { by, message } of said) ear[by === "client" ? "read" : "sent"](JSON.stringify(message));
        }
        return watch.early;
      };
      expect(watched(written)).toEqual([]);
      expect(watched(records.slice(0, -1).map(line).join(""))).toHaveLength(1);
      expect(watched(written.slice(0, -2))).toHaveLength(1);
    },
  );
});
