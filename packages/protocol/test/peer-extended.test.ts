import { describe, expect, test } from "vitest";
import { clientMethods, type Marks, validate } from "../src/index.js";
import { checkedEventText, jsonText } from "../src/internal.js";
import { agentAlone, ask, clientAlone, eventLine, pair, questionPayload, requestLine } from "./peer-sides.js";
import { stateOf, turns } from "./raw-channel.js";

describe("marks beside type and payload", () => {
  test("marks beside type and payload are sent and heard with events, both ways of sending one (P-XAT-3, P-XRP-1)", async () => {
    const heard: [string, Marks][] = [];
    const { agent } = pair({}, { event: (event, marks) => void heard.push([event.type, marks]) });
    agent.tell("event", "StepBegin", { n: 1 }, { seq: 1, state: "running" });
    agent.pass(
      checkedEventText(clientMethods.event.types.StepBegin, "StepBegin", { n: 2 }, { seq: 2 }, validate),
    );
    agent.tell("event", "TurnEnd", {}, { replayed: true });
    agent.tell("event", "TurnEnd", {});
    await turns();
    expect(heard).toEqual([
      ["StepBegin", { seq: 1, state: "running" }],
      ["StepBegin", { seq: 2 }],
      ["TurnEnd", { replayed: true }],
      ["TurnEnd", {}],
    ]);
  });

  test("marks beside type and payload stand in params and nowhere else, and a base client's events have none (P-XAT-3, P-XNG-5)", () => {
    const { wire, agent } = agentAlone();
    agent.tell("event", "TurnEnd", {}, { seq: 7 });
    agent.pass(checkedEventText(clientMethods.event.types.TurnEnd, "TurnEnd", {}, { seq: 7 }, validate));
    agent.tell("event", "TurnEnd", {});
    const marked = { ...eventLine("TurnEnd", {}), params: { type: "TurnEnd", payload: {}, seq: 7 } };
    expect(wire.messages()).toEqual([marked, marked, eventLine("TurnEnd", {})]);
  });

  test("marks beside type and payload are sent and heard with requests (P-XAT-3)", async () => {
    const heard: Marks[] = [];
    const { agent } = pair(
      {},
      {
        request(wanted, _call, marks) {
          heard.push(marks);
          return { request_id: wanted.payload.id as string, answers: {} };
        },
      },
    );
    const answers: unknown[] = [];
    agent.ask("request", "QuestionRequest", questionPayload("a"), "a", (answer) => answers.push(answer), {
      seq: 0,
      state: "waiting",
    });
    agent.ask("request", "QuestionRequest", questionPayload("b"), "b", (answer) => answers.push(answer));
    await turns();
    expect(heard).toEqual([{ seq: 0, state: "waiting" }, {}]);
    expect(answers).toEqual([
      { ok: true, value: { request_id: "a", answers: {} } },
      { ok: true, value: { request_id: "b", answers: {} } },
    ]);
  });

  test.each([
    [{ seq: "7" }, {}],
    [{ seq: 1.5 }, {}],
    [{ seq: null, replayed: null }, {}],
    [{ seq: 1e300, replayed: true }, { replayed: true }],
    [{ seq: 7, replayed: "yes" }, { seq: 7 }],
    [{ seq: 7, replayed: false }, { seq: 7 }],
    [{ seq: 7, state: "busy" }, { seq: 7 }],
    [{ seq: 7, state: null }, { seq: 7 }],
    [
      { seq: 7, state: "idle" },
      { seq: 7, state: "idle" },
    ],
  ])("marks in the shape %j are read as %j, and the message is heard (P-XAT-3)", async (broken, expected) => {
    const heard: unknown[] = [];
    const { wire } = clientAlone({
      event: (event, marks) => void heard.push(event.type, marks),
      request(wanted, _call, marks) {
        heard.push(wanted.type, marks);
        return { request_id: "q1", answers: {} };
      },
    });
    const withMarks = (line: { params: object }) => ({ ...line, params: { ...line.params, ...broken } });
    wire.receive(
      withMarks(eventLine("TurnEnd", {})),
      withMarks(eventLine("Comet", {})),
      withMarks(requestLine("q1", "QuestionRequest", questionPayload())),
    );
    await turns();
    expect(heard).toEqual(["TurnEnd", expected, "unrecognized", expected, "QuestionRequest", expected]);
  });
});

describe("events of the extended profile", () => {
  const settled = {
    request_id: "r",
    kind: "approval" as const,
    outcome: { status: "answered" as const, by: "human" as const, at: "2026-01-01T00:00:00.000Z" },
    response: { response: "approve", feedback: "" },
  };

  test("events of the extended profile reach the client's handler validated (P-XST-1 to P-XST-3)", async () => {
    const heard: unknown[] = [];
    const { agent } = pair({}, { event: (event) => void heard.push(event) });
    agent.tell("event", "InteractionSettled", settled, { seq: 1 });
    agent.tell("event", "InteractionOpened", { request_id: "r", kind: "question" }, { seq: 2 });
    agent.tell("event", "InteractionUpdated", { request_id: "r", deadline: null }, { seq: 3 });
    await turns();
    expect(heard).toEqual([
      { type: "InteractionSettled", payload: settled },
      { type: "InteractionOpened", payload: { request_id: "r", kind: "question" } },
      { type: "InteractionUpdated", payload: { request_id: "r", deadline: null } },
    ]);
  });

  test("events of the extended profile that do not fit are not sent, and those that come are passed on with what is wrong (P-MSG-7)", async () => {
    const { wire, agent } = agentAlone();
    const broken = { request_id: "r", kind: "riddle" };
    const expected = expect.objectContaining({
      code: "BAD_MESSAGE",
      message: expect.stringContaining('kind: expected "question"'),
    });
    expect(() => agent.tell("event", "InteractionOpened", broken as never)).toThrow(expected);
    const schema = clientMethods.event.types.InteractionOpened;
    expect(() => checkedEventText(schema, "InteractionOpened", broken, {}, validate)).toThrow(expected);
    expect(wire.sent).toEqual([]);

    const heard: unknown[] = [];
    const client = clientAlone({ event: (event) => void heard.push(event) });
    client.wire.receive(eventLine("InteractionOpened", broken));
    await turns();
    expect(heard).toMatchObject([{ type: "unrecognized", payload: { type: "InteractionOpened" } }]);
  });
});

describe("alive", () => {
  test("alive is sent and heard (P-XAT-9)", async () => {
    const heard: unknown[] = [];
    const { agent } = pair({}, { alive: (alive) => void heard.push(alive) });
    agent.notify("alive", { seq: 12 });
    await turns();
    expect(heard).toEqual([{ seq: 12 }]);
  });

  test("an alive that does not fit is not sent, and one that comes is reported and dropped (P-XAT-9)", async () => {
    const { wire, agent } = agentAlone();
    expect(() => agent.notify("alive", { seq: "12" as never })).toThrow("alive does not fit the protocol");
    expect(wire.sent).toEqual([]);

    const heard: unknown[] = [];
    const client = clientAlone({ alive: (alive) => void heard.push(alive) });
    const alive = (params: unknown) => ({ jsonrpc: "2.0", method: "alive", params });
    client.wire.receive(alive({}), { ...alive({ seq: 3 }), id: "5" }, alive({ seq: 4 }));
    await turns();
    expect(heard).toEqual([{ seq: 3 }, { seq: 4 }]);
    expect(client.problems).toEqual([
      "notification alive: Invalid parameters for method `alive`: seq: expected number",
    ]);
    expect(client.wire.sent).toEqual([]);
  });

  test("alive is no request of a peer without a handler for it, and harms nothing (P-XAT-9)", async () => {
    const { agent, client } = pair({ cancel: () => ({}) });
    agent.notify("alive", { seq: 1 });
    await expect(client.request("cancel", {})).resolves.toEqual({});
  });
});

describe("a request that is cancelled by its asker", () => {
  const hook = { id: "h", subscription_id: "s", event: "Stop", target: "", input_data: {} };

  test("a request that its asker cancels ends at once, tells the other side, and its answer no longer counts (P-XST-4, P-ENG-6)", async () => {
    const cancelled: unknown[] = [];
    let answer: (value: { request_id: string }) => void = () => {};
    const { agent } = pair(
      {},
      {
        request(wanted, call) {
          call.onCancel(() => void cancelled.push(wanted.type, call.id));
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
    );
    const ended: unknown[] = [];
    const call = agent.ask("request", "HookRequest", hook, "h1", (outcome) => ended.push(outcome));
    await turns();
    call.cancel();
    call.cancel();
    await turns();
    expect(cancelled).toEqual(["HookRequest", "h1"]);
    expect(ended).toMatchObject([{ ok: false, error: { code: -32800 } }]);
    answer({ request_id: "h" });
    await turns();
    expect(ended).toHaveLength(1);
  });

  test("a cancelled request is named by its JSON-RPC id; one that is answered or forgotten is not (P-XST-4)", async () => {
    const { wire, agent } = agentAlone();
    const call = (id: string) => agent.ask("request", "HookRequest", hook, id, () => {});
    const [answered, forgotten, cancelled] = [call("h1"), call("h2"), call("h3")];
    wire.receive({ jsonrpc: "2.0", id: "h1", result: { request_id: "h" } });
    answered.cancel();
    forgotten.forget();
    forgotten.cancel();
    cancelled.cancel();
    expect(wire.messages().slice(3)).toEqual([
      { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "h3" } },
    ]);
  });

  test("cancelling a request does nothing after the end of the connection (P-ENG-7)", async () => {
    const { wire, agent } = agentAlone();
    const before = ask(agent, "HookRequest", hook, "h1");
    before.response.catch(() => {});
    wire.end();
    const after = agent.ask("request", "HookRequest", hook, "h2", () => {});
    after.cancel();
    expect(wire.sent).toHaveLength(1);
    expect(await stateOf(before.response)).toEqual({ rejected: "CLOSED" });
  });

  test("a cancelled request is still answered by a handler that does not look at it (P-ENG-5)", async () => {
    let answer: (value: { request_id: string }) => void = () => {};
    const { wire } = clientAlone({
      request: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    wire.receive(requestLine("h1", "HookRequest", hook), {
      jsonrpc: "2.0",
      method: "$/cancelRequest",
      params: { id: "h1" },
    });
    answer({ request_id: "h" });
    await turns();
    expect(wire.messages()).toMatchObject([{ id: "h1", result: { request_id: "h", action: "allow" } }]);
  });
});

test("a message that is passed goes out unchanged, and nowhere after the end", async () => {
  const { wire, agent } = agentAlone();
  const text = jsonText({ jsonrpc: "2.0", method: "event", params: { type: "TurnEnd", payload: {} } });
  agent.pass(text);
  expect(wire.sent).toEqual([text]);
  agent.close();
  agent.pass(text);
  expect(wire.sent).toEqual([text]);
});

describe("methods of the extended profile", () => {
  const outcome = {
    status: "declined" as const,
    reason: "dismissed" as const,
    by: "human" as const,
    at: "now",
  };
  const answer = { request_id: "r", answer_id: "a", outcome: { status: "declined" } };

  test("methods of the extended profile are called and answered where they are handled (P-XNG-4, P-XAN-2, P-XSE-1)", async () => {
    const listed = { id: "s", state: "idle" as const, connections: 1 };
    const { client } = pair({
      answer: ({ answer_id }) => ({ outcome: { ...outcome, note: answer_id } }),
      touch: () => ({}),
      list_sessions: () => ({ sessions: [listed] }),
      create_session: () => ({ session: listed }),
      close_session: () => ({}),
    });
    await expect(client.request("answer", answer)).resolves.toEqual({ outcome: { ...outcome, note: "a" } });
    await expect(client.request("touch", { request_id: "r" })).resolves.toEqual({});
    await expect(client.request("list_sessions", undefined)).resolves.toEqual({ sessions: [listed] });
    await expect(client.request("create_session", {})).resolves.toEqual({ session: listed });
    await expect(client.request("close_session", { session_id: "s" })).resolves.toEqual({});
  });

  test("methods of the extended profile get -32601 where they are not handled, and -32602 with the place where the params do not fit (P-XNG-4)", async () => {
    const { client } = pair({});
    await expect(client.request("answer", answer)).rejects.toMatchObject({ code: -32601 });
    const { wire } = agentAlone({ answer: () => ({ outcome }) });
    wire.receive({ jsonrpc: "2.0", id: "1", method: "answer", params: { ...answer, items: [{}] } });
    expect(wire.messages()).toMatchObject([
      {
        id: "1",
        error: { code: -32602, message: expect.stringContaining("items[0].question_id: expected string") },
      },
    ]);
  });
});
