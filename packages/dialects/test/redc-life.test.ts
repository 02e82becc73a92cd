import { type QuestionRequest, type Session, wireSend } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { outcomeNow } from "../../server/src/requests/interaction.js";
import { servedSession } from "../../server/src/session/served-session.js";
import { drivenClock } from "../../server/test/driven-clock.js";
import {
  approval,
  type extended,
  lastState,
  meetExtended,
} from "../../server/test/extended/extended-client.js";
import { type Message, payload, questionsOf } from "../../server/test/raw-client.js";
import { toolResult } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { askedOverBase, askedOverExtended, asksUser, done, readByModel, redcScenario } from "./redc-scene.js";

const singapore = { items: [{ question_id: "q1", selected: ["q1_o2"] }] };
const openQuestion = (session: Session) => session.pending[0] as QuestionRequest;

describe("an answer", () => {
  test("an answer that comes while the question is still being sent is kept (P-INT-1)", async () => {
    const { server, model } = redcScenario();
    const session = server.createSession();
    const refusals: unknown[] = [];
    const settlement = {
      outcome: outcomeNow("answered", { by: "human" }),
      answer: { answers: { "Which region?": "Singapore" }, ...singapore },
    };
    servedSession(session).core.attach({
      id: "quick",
      canShow: () => true,
      show: ({ id }) => void refusals.push(servedSession(session).core.answer(id, "quick", () => settlement)),
      settled() {},
    });
    expect(await session.prompt("go")).toEqual({ status: "finished" });
    expect(refusals).toEqual([undefined]);
    expect(readByModel(model.requests).output).toBe("Singapore");
  });

  test("an answer is the only one: a second is refused with the reason, and so is one to no question (P-XAN-3)", async () => {
    const { client, prompt, asked, model } = await askedOverExtended();
    expect((await client.answer(asked, singapore)).error).toBeUndefined();
    const late = await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    expect(late.error).toMatchObject({ code: -32010, data: { outcome: { status: "answered" } } });
    const other = { id: "11111111-1111-4111-8111-111111111111" };
    expect((await client.answer(other, singapore)).error).toMatchObject({ code: -32011 });
    expect((await prompt).result).toMatchObject({ status: "finished" });
    expect(readByModel(model.requests).output).toBe("Singapore");
  });

  test("an answer that is sent again counts once, and each client's card is updated once (P-XAN-5)", async () => {
    const set = await askedOverExtended();
    const { client: other } = await meetExtended(set, { session: set.session }, { name: "two" });
    const again = { ...singapore, answer_id: "mine" };
    const replies = [await set.client.answer(set.asked, again), await set.client.answer(set.asked, again)];
    expect(replies[1]?.result).toEqual({ outcome: replies[0]?.result?.outcome });
    await set.prompt;
    await other.settled();
    for (const { events } of [set.client, other]) {
      expect(events("InteractionSettled").map(({ payload: { request_id } }) => request_id)).toEqual([
        set.asked.id,
      ]);
      expect(events("ToolResult")).toHaveLength(1);
    }
  });

  test("an answer of a base client that comes too late harms nothing: the next question is asked and answered", async () => {
    const scripts = [asksUser(), asksUser({ question: "And then?" }, "tc-2"), done, done];
    const { client, prompt, asked, model } = await askedOverBase(scripts);
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": "Singapore" } });
    const next = await client.seen("QuestionRequest", 2);
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": "Hong Kong" } });
    client.reply(next, { request_id: next.id, answers: { "And then?": "Rest" } });
    expect((await prompt).result).toEqual({ status: "finished" });
    client.reply(next, { request_id: next.id, answers: { "And then?": "Work" } });
    expect((await client.call("prompt", { user_input: "on" })).result).toEqual({ status: "finished" });
    expect([readByModel(model.requests), readByModel(model.requests, 2, "tc-2")]).toMatchObject([
      { output: "Singapore" },
      { output: "Rest" },
    ]);
  });

  test("an answer is kept with who gave it (P-OUT-3)", async () => {
    const { client, prompt, asked } = await askedOverExtended();
    await client.answer(asked, singapore);
    await prompt;
    expect(client.events("InteractionSettled").map((event) => event.payload.outcome)).toMatchObject([
      { status: "answered", by: "human", client: { name: "one", connection: expect.any(String) } },
    ]);
  });
});

describe("the question", () => {
  type Open = Awaited<ReturnType<typeof askedOverExtended>> & {
    readonly clock: ReturnType<typeof drivenClock>;
  };
  const cancelled = "用户未回答，操作已取消";

  test.each<[string, (open: Open) => unknown, string | undefined]>([
    ["was answered", ({ client, asked }) => client.answer(asked, singapore), "Singapore"],
    [
      "was dismissed",
      ({ client, asked }) => client.answer(asked, { outcome: { status: "declined" } }),
      cancelled,
    ],
    ["expired", ({ clock }) => clock.advance(60_000), cancelled],
    ["was given up by the agent", ({ session }) => openQuestion(session).reject("no use"), cancelled],
    [
      "failed at its client",
      ({ client, asked }) => client.call("release", { request_id: asked.id }),
      cancelled,
    ],
    ["lost its turn", ({ client }) => client.call("cancel"), undefined],
  ])("a question is gone when it %s, and a later answer is refused (P-RED-4)", async (_, ends, told) => {
    const clock = drivenClock();
    const settings = { deadline: { ms: 60_000, on_expiry: "cancel" as const } };
    const open = await askedOverExtended([asksUser(), done], { clock, settings });
    await ends({ ...open, clock });
    await open.prompt;
    expect([open.session.pending.length, lastState(open.client)]).toEqual([
      0,
      { state: "idle", pending: [] },
    ]);
    const late = await open.client.answer(open.asked, singapore);
    expect(late.error).toMatchObject({ code: -32010, data: { outcome: { at: expect.any(String) } } });
    expect(open.client.events("ToolResult")).toHaveLength(told === undefined ? 0 : 1);
    if (told === undefined) return;
    const isAnswer = told !== cancelled;
    const read = { is_error: !isAnswer, output: told, extras: { success: isAnswer } };
    expect(readByModel(open.model.requests)).toMatchObject(read);
  });

  test("a question is gone when its client is lost and does not come back", async () => {
    const { client, session, model } = await askedOverExtended();
    client.close();
    await until(() => !session.running);
    expect(session.pending.length).toBe(0);
    expect(readByModel(model.requests)).toMatchObject({
      is_error: true,
      output: cancelled,
      extras: { success: false },
    });
  });

  test("a question carries the id of the model's call, under which its card gets the result", async () => {
    const { client, prompt, asked } = await askedOverBase([asksUser(undefined, "call_7f"), done]);
    expect(payload(asked).tool_call_id).toBe("call_7f");
    expect(payload(await client.seen("ToolCall")).id).toBe("call_7f");
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": "Singapore" } });
    await prompt;
    expect(payload(await client.seen("ToolResult"))).toMatchObject({
      tool_call_id: "call_7f",
      return_value: { output: "Singapore" },
    });
  });

  test("a question is shown to a client that comes later, also after a reload, and it may answer (P-INT-3)", async () => {
    const set = await askedOverExtended([asksUser(), done], { attendance: "hold" });
    set.client.close();
    await until(() => set.session.connections === 0);
    const { client, found } = await meetExtended(set, { session: set.session }, { name: "reloaded" });
    expect(found).toMatchObject({ state: "waiting", pending: [set.asked.id] });
    const asked = await client.asked("QuestionRequest");
    expect([asked.id, payload(asked).tool_call_id]).toEqual([set.asked.id, "tc-1"]);
    expect((await client.answer(asked, singapore)).error).toBeUndefined();
    await until(() => !set.session.running);
    expect(readByModel(set.model.requests).output).toBe("Singapore");
  });

  test("a question tells an extended client whether own words count, and what stands in their field (P-XQS-1)", async () => {
    const open = await askedOverExtended();
    open.client.close();
    expect(questionsOf(open.asked)).toMatchObject([
      {
        own_text: true,
        placeholder: "Or type your thoughts...",
        options: [{ id: "q1_o1" }, { id: "q1_o2" }],
      },
    ]);
    const closed = await askedOverExtended([
      asksUser({ question: "Go?", choices: ["Go"], allow_freeform: false }),
    ]);
    closed.client.close();
    const [item] = payload(closed.asked).questions as object[];
    expect(item).toMatchObject({ own_text: false });
    expect(item).not.toHaveProperty("placeholder");
  });

  test("a question where only choices count refuses own words of an extended client, and stays open (P-XAN-4)", async () => {
    const { client, asked, prompt, model } = await askedOverExtended([
      asksUser({ question: "Go on?", choices: ["Yes, proceed", "No, cancel"], allow_freeform: false }),
      done,
    ]);
    const own = { items: [{ question_id: "q1", selected: [], own_text: "don't proceed" }] };
    expect((await client.answer(asked, own)).error).toMatchObject({
      code: -32013,
      data: { issues: [{ code: "own_text" }] },
    });
    await client.answer(asked, singapore);
    await prompt;
    expect(readByModel(model.requests).output).toBe("No, cancel");
  });
});

describe("the card of a question goes", () => {
  const gone = (client: ReturnType<typeof extended>) => [
    client.events("InteractionSettled").length,
    lastState(client)?.pending,
  ];

  test("the card of a question goes when the person stops: the turn ends, and the call has no result (P-DIA-4)", async () => {
    const { client, prompt, model, asked } = await askedOverExtended();
    expect((await client.call("cancel")).result).toEqual({});
    expect((await prompt).result).toMatchObject({ status: "cancelled" });
    expect(gone(client)).toEqual([1, []]);
    expect(client.events("InteractionSettled")[0]?.payload).toMatchObject({
      request_id: asked.id,
      outcome: { status: "withdrawn", reason: "interrupted" },
    });
    expect([client.events("ToolResult"), client.events("TurnEnd").length, model.requests.length]).toEqual([
      [],
      1,
      1,
    ]);
  });

  test("the card of a question goes when sending it fails, and when the turn ends", async () => {
    const failing = redcScenario();
    const { client } = await meetExtended(failing);
    const prompt = client.call("prompt", { user_input: "go" });
    client.replyError(await client.seen("QuestionRequest"), -32602, "cannot");
    await prompt;
    expect(gone(client)).toEqual([1, []]);

    const run = async () => wireSend(approval());
    const ending = redcScenario([], { run });
    const { client: other } = await meetExtended(ending);
    await other.call("prompt", { user_input: "go" });
    expect(gone(other)).toEqual([1, []]);
  });
});

describe("two questions in one session", () => {
  const ask = (question: string) => ({ question, choices: ["a", "b"] });

  test("a second question of the tool is refused, the first stays unchanged, and then there is room again (P-DIA-3)", async () => {
    const told: unknown[] = [];
    const set = redcScenario([], {
      run: async (turn) => {
        const [tool] = turn.dialectTools;
        if (tool === undefined) throw new Error("no tool");
        const first = turn.callTool(tool, ask("One?"));
        told.push(await turn.callTool(tool, ask("Two?")));
        told.push(await first);
        told.push(await turn.callTool(tool, ask("Three?")));
      },
    });
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    const answer = (asked: Message, question: string, label: string) =>
      client.reply(asked, { request_id: asked.id, answers: { [question]: label } });
    const one = await client.seen("QuestionRequest");
    await toolResult(client);
    expect(set.server.sessions.values().next().value?.pending.length).toBe(1);
    answer(one, "One?", "a");
    answer(await client.seen("QuestionRequest", 2), "Three?", "b");
    await prompt;
    expect(told).toMatchObject([
      {
        output: "Only one user interaction can be pending at a time",
        is_error: true,
        extras: { success: false },
      },
      { output: "a", is_error: false },
      { output: "b", is_error: false },
    ]);
  });

  test("questions of the tool and of the runtime, beside an approval, each have their own answer", async () => {
    const told: unknown[] = [];
    const set = redcScenario([], {
      run: async (turn) => {
        const [tool] = turn.dialectTools;
        if (tool === undefined) throw new Error("no tool");
        const allowed = approval();
        wireSend(allowed);
        const options = [
          { id: "wait", label: "Keep waiting" },
          { id: "end", label: "End it" },
        ];
        const first = turn.ask({ question: "Wait?", options, own_text: false });
        const [chosen, said] = await Promise.all([first, turn.callTool(tool, ask("One?"))]);
        told.push(chosen.answer, said.output, (await allowed.wait()).response);
      },
    });
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    const [wait, one] = [await client.seen("QuestionRequest"), await client.seen("QuestionRequest", 2)];
    client.reply(one, { request_id: one.id, answers: { "One?": "b" } });
    await client.settled();
    client.reply(wait, { request_id: wait.id, answers: { "Wait?": "End it" } });
    await client.settled();
    const allow = await client.seen("ApprovalRequest");
    client.reply(allow, { request_id: allow.id, response: "approve", feedback: "" });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(told).toEqual(["end", "b", "approve"]);
  });
});
