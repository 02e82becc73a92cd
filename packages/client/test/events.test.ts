import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { question, rawServer } from "./raw-server.js";

type AnyEvent = WireEvent | Unrecognized;

async function read(events: AsyncIterable<AnyEvent>): Promise<AnyEvent[]> {
  const seen: AnyEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** A turn in which the server tells this, and what the client made of it. */
async function told(...events: [type: string, payload: object][]) {
  const problems: string[] = [];
  const { session, next, reply, event } = await rawServer({
    onProblem: (problem) => void problems.push(problem),
  });
  const turn = session.prompt("go");
  const { id } = await next();
  for (const [type, payload] of events) event(type, payload);
  reply(id, { status: "finished" });
  return { events: await read(turn), result: await turn.result, problems };
}

describe("the events of a turn", () => {
  test("the events of a turn come in order, and the result last, however late they are read", async () => {
    const steps = Array.from(
      { length: 500 },
      (_, index) => ["StepBegin", { n: index + 1 }] as [string, object],
    );
    const { events, result } = await told(["TurnBegin", { user_input: "go" }], ...steps, ["TurnEnd", {}]);
    expect(events.map(({ type }) => type)).toEqual(["TurnBegin", ...steps.map(([type]) => type), "TurnEnd"]);
    expect(events.slice(1, -1).map(({ payload }) => payload)).toEqual(steps.map(([, payload]) => payload));
    expect(result).toEqual({ status: "finished" });
  });

  test("events of an unknown type are passed on unchanged, and the turn continues (P-MSG-7)", async () => {
    const { events, problems } = await told(["Dream", { of: ["sheep"] }], ["TurnEnd", {}]);
    expect(events).toEqual([
      { type: "unrecognized", payload: { type: "Dream", payload: { of: ["sheep"] } } },
      { type: "TurnEnd", payload: {} },
    ]);
    expect(problems).toEqual([]);
  });

  test("events with more fields keep them", async () => {
    const { events } = await told(["StepBegin", { n: 1, of: 3, note: { a: null } }]);
    expect(events).toEqual([{ type: "StepBegin", payload: { n: 1, of: 3, note: { a: null } } }]);
  });

  test.each([
    ["StepBegin", { n: "one" }, "event StepBegin: n: expected "],
    ["ContentPart", { type: "smell" }, "event ContentPart: type: unknown type"],
    ["ToolResult", { tool_call_id: "tc-1" }, "event ToolResult: return_value: expected object"],
  ])(
    "a %s that does not fit is reported and passed on unchanged (P-MSG-7)",
    async (type, payload, problem) => {
      const { events, problems } = await told([type, payload], ["TurnEnd", {}]);
      expect(events).toMatchObject([
        { type: "unrecognized", payload: { type, payload } },
        { type: "TurnEnd" },
      ]);
      expect(problems).toEqual([expect.stringContaining(problem)]);
    },
  );

  test("events with an id are taken and not answered (P-MSG-1)", async () => {
    const seen: string[] = [];
    const { send, settled } = await rawServer({ handlers: { event: ({ type }) => void seen.push(type) } });
    send({ method: "event", id: "e-1", params: { type: "TurnEnd", payload: {} } });
    await settled();
    expect(seen).toEqual(["TurnEnd"]);
  });

  test("events of a sub-agent survive an unknown inner type (P-MSG-10)", async () => {
    const inner = { type: "SubagentEvent", payload: { event: { type: "Dream", payload: 7 } } };
    const { events } = await told(["SubagentEvent", { parent_tool_call_id: "tc-1", event: inner }]);
    expect(events).toMatchObject([{ type: "SubagentEvent", payload: { event: inner } }]);
  });

  test("events that nobody reads are bounded: the reader is told, and the turn ends as usual", async () => {
    const { session, next, reply, event, settled } = await rawServer();
    const turn = session.prompt("go");
    const { id } = await next();
    for (let n = 1; n <= 65_537; n++) {
      event("StepBegin", { n });
      if (n % 1_000 === 0) await settled();
    }
    reply(id, { status: "finished" });
    expect(await turn.result).toEqual({ status: "finished" });
    await expect(read(turn)).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: expect.stringMatching(/more than 65536 events, .* wait to be read/),
    });
  });
});

test("large events that nobody reads are bounded by their size", async () => {
  const { session, next, reply, event, settled } = await rawServer();
  const turn = session.prompt("go");
  const { id } = await next();
  const text = "x".repeat(4 * 1_048_576);
  for (let n = 1; n <= 33; n++) {
    event("ContentPart", { type: "text", text });
    await settled();
  }
  reply(id, { status: "finished" });
  await turn.result;
  await expect(read(turn)).rejects.toMatchObject({ code: "INVALID_STATE" });
});

test("a prompt is refused on this side while one runs, and the first continues", async () => {
  const { session, next, reply } = await rawServer();
  const turn = session.prompt("one");
  const { id } = await next();
  expect(() => session.prompt("two")).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
  reply(id, { status: "finished" });
  expect(await turn.result).toEqual({ status: "finished" });
});

test("two sessions in a process share nothing, also under the same ids", async () => {
  const both = await Promise.all(
    ["left", "right"].map((name) =>
      rawServer({
        handlers: { question: async () => ({ answers: { "Which?": name } }) },
        tools: [{ name: "Name", description: "", parameters: {}, run: () => name }],
      }),
    ),
  );
  const turns = both.map(({ session }) => session.prompt("go"));
  for (const [index, { next, ask, event, reply, end }] of both.entries()) {
    const name = ["left", "right"][index];
    const { id } = await next();
    event("StatusUpdate", { context_tokens: index });
    ask("QuestionRequest", question);
    expect(await next()).toMatchObject({ id: "r-1", result: { answers: { "Which?": name } } });
    ask("ToolCallRequest", { id: "tc-1", name: "Name", arguments: null });
    expect(await next()).toMatchObject({ id: "tc-1", result: { return_value: { output: name } } });
    reply(id, { status: index === 0 ? "finished" : "cancelled" });
    await turns[index]?.result;
    if (index === 0) end();
  }
  expect(await Promise.all(turns.map(({ result }) => result))).toEqual([
    { status: "finished" },
    { status: "cancelled" },
  ]);
  expect(both.map(({ session }) => session.status.context_tokens)).toEqual([0, 1]);
});
