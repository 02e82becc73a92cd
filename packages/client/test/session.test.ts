import { LocalError, type Unrecognized, type WireEvent } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import type { ApprovalReply, QuestionReply } from "../src/index.js";
import { approval, question, rawServer } from "./raw-server.js";

type Event = WireEvent | Unrecognized;

async function typesOf(events: AsyncIterable<Event>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  return types;
}

/** A person who never answers, and the signal of what was put to them. */
function thinking() {
  const { promise: asked, resolve: shown } = deferred<AbortSignal>();
  const handlers = {
    question: (_view: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<QuestionReply>((resolve) => {
        signal.addEventListener("abort", () => resolve("declined"));
        shown(signal);
      }),
  };
  return { handlers, asked };
}

test("a prompt with input that does not fit is refused, and the session continues", async () => {
  const { session, next, reply } = await rawServer();
  for (const input of [undefined, 1, {}, [{ type: "text" }]]) {
    let error: unknown;
    try {
      session.prompt(input as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(LocalError);
    expect(error).toMatchObject({ code: "BAD_MESSAGE" });
  }
  const turn = session.prompt("hello");
  reply((await next()).id, { status: "finished" });
  expect(await turn.result).toEqual({ status: "finished" });
});

describe("a question and its turn", () => {
  test("a refused prompt takes away no question of somebody else's turn, nor its events", async () => {
    const { handlers, asked } = thinking();
    const seen: string[] = [];
    const { session, next, ask, fail, reply, event } = await rawServer({
      handlers: { ...handlers, event: ({ type }) => void seen.push(type) },
    });
    event("TurnBegin", { user_input: "theirs" });
    ask("QuestionRequest", question);
    const signal = await asked;
    const refused = session.prompt("mine");
    fail((await next()).id, -32000);
    await expect(refused.result).rejects.toMatchObject({ code: -32000 });
    expect(signal.aborted).toBe(false);
    event("TurnEnd");
    expect(await next()).toMatchObject({ id: "r-1", error: { code: -32603 } });
    expect([signal.aborted, seen]).toEqual([true, ["TurnBegin", "TurnEnd"]]);

    const mine = session.prompt("again");
    event("TurnBegin", { user_input: "again" });
    event("TurnEnd");
    reply((await next()).id, { status: "finished" });
    expect(await typesOf(mine)).toEqual(["TurnBegin", "TurnEnd"]);
  });

  test("the result of a turn that has ended takes away no question of the turn after it", async () => {
    const { handlers, asked } = thinking();
    const { session, next, ask, reply, event } = await rawServer({ handlers });
    const turn = session.prompt("mine");
    const { id } = await next();
    event("TurnBegin", { user_input: "mine" });
    event("TurnEnd");
    event("TurnBegin", { user_input: "theirs" });
    ask("QuestionRequest", question);
    const signal = await asked;
    reply(id, { status: "finished" });
    await turn.result;
    expect(signal.aborted).toBe(false);
  });

  test.each([null, "1.1"])(
    "a server of version %s ends its turn with the prompt's result (P-CLI-1)",
    async (version) => {
      const { handlers, asked } = thinking();
      const { session, next, ask, reply } = await rawServer({ handlers }, version);
      const turn = session.prompt("go");
      const { id } = await next();
      ask("QuestionRequest", question);
      const signal = await asked;
      reply(id, { status: "finished" });
      await turn.result;
      expect(signal.aborted).toBe(true);
    },
  );

  test("the end of the connection takes a question away (P-CLI-1)", async () => {
    const { handlers, asked } = thinking();
    const { session, ask, end } = await rawServer({ handlers });
    ask("QuestionRequest", question);
    const signal = await asked;
    end();
    await session.closed;
    expect(signal.aborted).toBe(true);
  });
});

describe("a turn has its own events and all of them", () => {
  test("a turn that begins as somebody else's ends has nothing of theirs", async () => {
    const { promise: begun, resolve: theirs } = deferred();
    const { session, next, reply, event } = await rawServer({ handlers: { event: () => theirs() } });
    event("TurnBegin", { user_input: "theirs" });
    await begun;
    const turn = session.prompt("mine");
    const { id } = await next();
    event("StepBegin", { n: 7 });
    event("TurnEnd");
    event("TurnBegin", { user_input: "mine" });
    event("StepBegin", { n: 1 });
    event("TurnEnd");
    reply(id, { status: "finished" });
    expect(await typesOf(turn)).toEqual(["TurnBegin", "StepBegin", "TurnEnd"]);
  });

  test("a turn that was cut off without an end costs the next one nothing", async () => {
    const { session, next, reply, event } = await rawServer();
    const first = session.prompt("one");
    event("TurnBegin", { user_input: "one" });
    reply((await next()).id, { status: "cancelled" });
    expect(await typesOf(first)).toEqual(["TurnBegin"]);
    const second = session.prompt("two");
    event("TurnBegin", { user_input: "two" });
    event("TurnEnd");
    reply((await next()).id, { status: "finished" });
    expect(await typesOf(second)).toEqual(["TurnBegin", "TurnEnd"]);
  });

  test("an event handler that fails later is reported too, and harms nobody", async () => {
    const { promise: problem, resolve: told } = deferred<string>();
    const { session, next, reply, event } = await rawServer({
      handlers: { event: async () => Promise.reject(new Error("the display broke")) },
      onProblem: told,
    });
    const turn = session.prompt("go");
    event("TurnEnd");
    reply((await next()).id, { status: "finished" });
    expect((await turn.result).status).toBe("finished");
    expect(await problem).toBe("event handler: TurnEnd: Error: the display broke");
  });

  test("an event handler that throws is reported and costs the turn no event", async () => {
    const problems: string[] = [];
    const { session, next, reply, event } = await rawServer({
      handlers: {
        event() {
          throw new Error("the display broke");
        },
      },
      onProblem: (message) => void problems.push(message),
    });
    const turn = session.prompt("go");
    event("TurnBegin", { user_input: "go" });
    event("TurnEnd");
    event("TurnBegin", { user_input: "theirs" });
    reply((await next()).id, { status: "finished" });
    expect(await typesOf(turn)).toEqual(["TurnBegin", "TurnEnd"]);
    expect(problems).toEqual(
      ["TurnBegin", "TurnEnd", "TurnBegin"].map((type) => `event handler: ${type}: Error: the display broke`),
    );
  });
});

describe("an answer of a handler", () => {
  test("a handler may answer by a promise of another kind", async () => {
    const later = {
      // biome-ignore lint/suspicious/noThenProperty: the subject of the test.
      then: (resolve: (reply: QuestionReply) => void) => resolve({ answers: { "Which?": "A" } }),
    };
    const { ask, next } = await rawServer({ handlers: { question: () => later as never } });
    ask("QuestionRequest", question);
    expect(await next()).toMatchObject({
      id: "r-1",
      result: { request_id: "r-1", answers: { "Which?": "A" } },
    });
  });

  const forQuestion = 'question handler: expected "declined", {items} or {answers}';
  test.each([
    [undefined, forQuestion],
    [null, forQuestion],
    ["A", forQuestion],
    [{}, forQuestion],
    [{ answers: "A" }, forQuestion],
    [{ items: "A" }, forQuestion],
    [{ items: ["A"] }, "items: expected {question_id, selected, own_text?} each"],
    [{ items: [{ question_id: "q1" }] }, "items: expected {question_id, selected, own_text?} each"],
  ])("a handler that answers a question with %j is told that this is no answer", async (reply, message) => {
    const both = [() => reply as QuestionReply, async () => reply as QuestionReply];
    for (const handler of both) {
      const { ask, next } = await rawServer({ handlers: { question: handler } });
      ask("QuestionRequest", question);
      expect(await next()).toMatchObject({
        error: { code: -32603, message: expect.stringContaining(message) },
      });
    }
  });

  test.each([[undefined], [null], ["yes"], [{}], [{ response: true }]])(
    "a handler that answers an approval with %j is told that this is no answer",
    async (reply) => {
      const { ask, next } = await rawServer({ handlers: { approval: () => reply as ApprovalReply } });
      ask("ApprovalRequest", approval);
      const message =
        'approval handler: expected "approve", "approve_for_session", "reject", {response, feedback?}, {option, feedback?, edited?} or {declined}';
      expect(await next()).toMatchObject({
        error: { code: -32603, message: expect.stringContaining(message) },
      });
    },
  );
});

test("a log that fails ends nothing", async () => {
  const { session, next, reply, event } = await rawServer({
    onProblem() {
      throw new Error("the log broke");
    },
  });
  const turn = session.prompt("go");
  const { id } = await next();
  reply("nothing", {});
  event("TurnBegin", {});
  event("TurnEnd");
  reply(id, { status: "finished" });
  expect(await typesOf(turn)).toEqual(["unrecognized", "TurnEnd"]);
});
