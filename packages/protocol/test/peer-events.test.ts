import { describe, expect, test } from "vitest";
import type { Unrecognized, WireEvent } from "../src/index.js";
import { ask, clientAlone, eventLine, pair, questionPayload } from "./peer-sides.js";
import { turns } from "./raw-channel.js";

describe("events", () => {
  /** The client's handler after one line. */
  async function heard(line: object) {
    const events: (WireEvent | Unrecognized)[] = [];
    const { wire, problems } = clientAlone({ event: (event) => void events.push(event) });
    wire.receive(line);
    await turns(5);
    return { events, problems, sent: wire.sent };
  }

  test("events of a type that this side does not know are passed on unchanged (P-MSG-7)", async () => {
    for (const type of ["Comet", "constructor", "__proto__", "toString"]) {
      expect((await heard(eventLine(type, { a: 1 }))).events).toEqual([
        { type: "unrecognized", payload: { type, payload: { a: 1 } } },
      ]);
    }
  });

  test("events with a payload that does not fit are passed on with what is wrong (P-MSG-7)", async () => {
    expect((await heard(eventLine("StepBegin", { n: "one" }))).events).toEqual([
      {
        type: "unrecognized",
        payload: { type: "StepBegin", payload: { n: "one" } },
        problem: "n: expected number",
      },
    ]);
  });

  test("events with an older name are read under the newer one (P-MSG-9)", async () => {
    const payload = { request_id: "a", response: "approve" };
    expect((await heard(eventLine("ApprovalRequestResolved", payload))).events).toEqual([
      { type: "ApprovalResponse", payload: { ...payload, feedback: "" } },
    ]);
  });

  test("events of a sub-agent with the older field name are read under the newer one (P-MSG-10)", async () => {
    const event = { type: "StepBegin", payload: { n: 1 } };
    expect((await heard(eventLine("SubagentEvent", { task_tool_call_id: "t", event }))).events).toEqual([
      {
        type: "SubagentEvent",
        payload: { parent_tool_call_id: "t", agent_id: null, subagent_type: null, event },
      },
    ]);
  });

  test("events of a sub-agent survive an inner event that nobody knows (P-MSG-10)", async () => {
    const event = { type: "Comet", payload: { tail: [1] }, extra: true };
    expect((await heard(eventLine("SubagentEvent", { parent_tool_call_id: null, event }))).events).toEqual([
      {
        type: "SubagentEvent",
        payload: { parent_tool_call_id: null, agent_id: null, subagent_type: null, event },
      },
    ]);
  });

  test("events that carry an id are heard and not answered (P-MSG-1)", async () => {
    const { events, sent } = await heard({ ...eventLine("TurnEnd", {}), id: "5" });
    expect(events).toEqual([{ type: "TurnEnd", payload: {} }]);
    expect(sent).toEqual([]);
  });

  test.each([undefined, null, [], "x", {}, { type: 5 }])(
    "events with the params %j are reported and dropped",
    async (params) => {
      const { events, problems } = await heard({ jsonrpc: "2.0", method: "event", params });
      expect(events).toEqual([]);
      expect(problems).toEqual([
        "notification event: Invalid parameters for method `event`: type: expected string",
      ]);
    },
  );

  test("events under another method name are reported and dropped", async () => {
    const { events, problems } = await heard({ jsonrpc: "2.0", method: "telegram", params: { seq: 1 } });
    expect(events).toEqual([]);
    expect(problems).toEqual(["ignored: notification telegram"]);
  });

  test("events continue when the application's handler throws, which is reported", async () => {
    const events: string[] = [];
    const { wire, problems } = clientAlone({
      event(event) {
        events.push(event.type);
        throw new Error("boom");
      },
    });
    wire.receive(eventLine("TurnEnd", {}), eventLine("CompactionBegin", {}));
    await turns(5);
    expect(events).toEqual(["TurnEnd", "CompactionBegin"]);
    expect(problems).toEqual(["notification event: boom", "notification event: boom"]);
  });

  test("events keep their order with what was asked around them (P-ENG-2)", async () => {
    const seen: string[] = [];
    const { agent } = pair(
      {},
      {
        event: (event) => void seen.push(event.type),
        request(wanted) {
          seen.push(wanted.type);
          return { request_id: "q1", answers: {} };
        },
      },
    );
    agent.tell("event", "TurnBegin", { user_input: "x" });
    const { response } = ask(agent, "QuestionRequest", questionPayload(), "q1");
    agent.tell("event", "CompactionBegin", {});
    await response;
    await turns();
    expect(seen).toEqual(["TurnBegin", "QuestionRequest", "CompactionBegin"]);
  });
});
