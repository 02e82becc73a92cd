// The promises of the Kimi dialect across the wire, in both profiles.

import type { QuestionRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { drivenClock } from "../../server/test/driven-clock.js";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { detailedLog } from "../../server/test/journal-folder.js";
import { type Message, payload } from "../../server/test/raw-client.js";
import { asks, callLine, colour, scenario, toolResult } from "../../server/test/scenario.js";
import { delegate } from "./matrix-stage.js";

const done = "text: done";
const other = { ...colour, question: "Which other colour?" };

interface Item {
  readonly id: string;
  readonly options: readonly { id: string; label: string }[];
}
/** An item that answers the n-th question by the labels of options, for a client that knows their ids. */
function chosen(asked: Message, labels: readonly string[], more: object = {}, n = 0) {
  const item = (payload(asked).questions as Item[])[n];
  const selected = labels.map((label) => item?.options.find((option) => option.label === label)?.id);
  return { question_id: item?.id, selected, ...more };
}

/** A model that asks, and an extended client that has the question. */
async function askedExtended(questions: unknown[]) {
  const set = scenario([asks(questions), done]);
  const { client, session } = await meetExtended(set);
  const prompt = client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  return { client, session, prompt, asked };
}

describe("the tool that the model is offered", () => {
  test("the tool that the model is offered stays the same to the byte when plan mode is switched and switched back", async () => {
    const { meet, model } = scenario([done, done, done]);
    const { client } = await meet({}, { supports_question: true, supports_plan_mode: true });
    for (const enabled of [false, true, false]) {
      await client.call("set_plan_mode", { enabled });
      await client.call("prompt", { user_input: "go" });
    }
    const offered = model.requests.map(({ tools }) => JSON.stringify(tools));
    expect(offered).toHaveLength(3);
    expect(new Set(offered).size).toBe(1);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))[1]).toEqual(["AskUserQuestion"]);
  });
});

describe("a sub-agent", () => {
  test.each([
    [false, [], "Failed to get user response."],
    [true, ["AskUserQuestion"], '{"answers": {"Which colour?": "Red"}}'],
  ])(
    "a sub-agent is offered the tool, and heard, only where the session lets it ask: %s (P-SUB-3)",
    async (subagentQuestions, offered, told) => {
      const { tool, model } = delegate("Task", [asks(), done]);
      const scripts = [callLine("Task", {}, "t-1"), done];
      const { meet } = scenario(scripts, { tools: [tool], subagentQuestions });
      const { client } = await meet();
      const prompt = client.call("prompt", { user_input: "go" });
      if (subagentQuestions) {
        const asked = await client.seen("QuestionRequest");
        expect(payload(asked).tool_call_id).toBe("tc-1");
        client.reply(asked, { request_id: asked.id, answers: { [colour.question]: "Red" } });
      }
      await prompt;
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(offered);
      const last = model.requests[1]?.messages.at(-1);
      expect(last?.role === "tool" && (last.result.output || last.result.message)).toBe(told);
      expect(client.received.filter(({ method }) => method === "request")).toHaveLength(offered.length);
    },
  );
});

describe("an answer by ids", () => {
  const toppings = {
    question: "Which toppings?",
    multi_select: true,
    options: [{ label: "Ham" }, { label: "Salt, pepper" }, { label: "Salt" }],
  };

  test("an answer by ids reaches the model in the order of the options, own text last", async () => {
    const { client, prompt, asked } = await askedExtended([toppings]);
    const items = [chosen(asked, ["Salt", "Salt, pepper", "Ham"], { own_text: "olives" })];
    expect((await client.answer(asked, { items })).error).toBeUndefined();
    await prompt;
    expect(await toolResult(client)).toMatchObject({
      output: '{"answers": {"Which toppings?": "Ham, Salt, pepper, Salt, olives"}}',
    });
  });

  test("an answer by ids comes round with a label that has a comma, and only that one is chosen", async () => {
    const { client, session, prompt, asked } = await askedExtended([toppings]);
    const [open] = session.pending as QuestionRequest[];
    await client.answer(asked, { items: [chosen(asked, ["Salt, pepper"])] });
    await prompt;
    expect((await open?.waitForAnswer())?.items).toEqual([chosen(asked, ["Salt, pepper"])]);
    const [settled] = client.events("InteractionSettled");
    expect(settled?.payload.response).toMatchObject({ items: [chosen(asked, ["Salt, pepper"])] });
  });

  test("an answer in the words of a base client is read by its labels, the longest first", async () => {
    const { meet } = scenario([asks([toppings]), done]);
    const { client, session } = await meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    const [open] = session.pending as QuestionRequest[];
    const said = "Ham, Salt, pepper, olives";
    client.reply(asked, { request_id: asked.id, answers: { "Which toppings?": said } });
    await prompt;
    const [item] = (await open?.waitForAnswer())?.items ?? [];
    const labels = item?.selected.map(
      (id) => open?.questions[0]?.options.find((option) => option.id === id)?.label,
    );
    expect([labels, item?.own_text]).toEqual([["Ham", "Salt, pepper"], "olives"]);
    expect((await toolResult(client)).output).toBe(`{"answers": {"Which toppings?": "${said}"}}`);
  });

  test("own text in an answer by ids replaces the label, without a mark", async () => {
    const { client, prompt, asked } = await askedExtended([colour]);
    await client.answer(asked, { items: [chosen(asked, [], { own_text: "Green" })] });
    await prompt;
    expect((await toolResult(client)).output).toBe('{"answers": {"Which colour?": "Green"}}');
  });

  test("an answer of nothing but spaces is refused, and the question stays open (P-XAN-4)", async () => {
    const { client, session, asked } = await askedExtended([colour]);
    const { error } = await client.answer(asked, { items: [chosen(asked, [], { own_text: "  " })] });
    expect(error).toMatchObject({ code: -32013, data: { issues: [{ code: "blank" }] } });
    expect(session.pending.length).toBe(1);
    client.close();
  });

  test("an answer with blank own text beside a choice of several is that choice, and blank alone is refused (P-XAN-4)", async () => {
    const { client, session, prompt, asked } = await askedExtended([toppings]);
    const { error } = await client.answer(asked, { items: [chosen(asked, [], { own_text: "\n" })] });
    expect(error).toMatchObject({ code: -32013, data: { issues: [{ code: "blank" }] } });
    expect(session.pending.length).toBe(1);
    await client.answer(asked, { items: [chosen(asked, ["Salt"], { own_text: " " })] });
    await prompt;
    expect((await toolResult(client)).output).toBe('{"answers": {"Which toppings?": "Salt"}}');
  });

  test("an answer by ids has to answer every question, and its refusal says which one is missing", async () => {
    const { client, session, prompt, asked } = await askedExtended([colour, other]);
    const first = chosen(asked, ["Red"]);
    const { error } = await client.answer(asked, { items: [first] });
    const [, missing] = payload(asked).questions as Item[];
    expect(error).toMatchObject({
      code: -32013,
      data: { issues: [{ code: "missing", question_id: missing?.id }] },
    });
    expect(session.pending.length).toBe(1);
    await client.answer(asked, { items: [first, chosen(asked, ["Blue"], {}, 1)] });
    await prompt;
    expect((await toolResult(client)).output).toBe(
      '{"answers": {"Which colour?": "Red", "Which other colour?": "Blue"}}',
    );
  });

  test("an answer by ids may have fields that nobody knows yet: they change nothing (P-ENV-10)", async () => {
    const { client, prompt, asked } = await askedExtended([colour]);
    const newer = { language: "de", required: true, values: ["Red"] };
    const { error } = await client.answer(asked, { items: [chosen(asked, ["Blue"], newer)], newer });
    expect(error).toBeUndefined();
    await prompt;
    expect((await toolResult(client)).output).toBe('{"answers": {"Which colour?": "Blue"}}');
  });
});

describe("open requests", () => {
  test("requests of one step go out in their order, and each answer to its own call, whichever comes first", async () => {
    const { meet } = scenario([`${asks([colour], "tc-1")}\n${asks([other], "tc-2")}`, done]);
    const { client, session } = await meet();
    const prompt = client.call("prompt", { user_input: "go" });
    const [one, two] = [await client.seen("QuestionRequest", 1), await client.seen("QuestionRequest", 2)];
    expect([payload(one).tool_call_id, payload(two).tool_call_id]).toEqual(["tc-1", "tc-2"]);
    expect(session.pending.map(({ id }) => id)).toEqual([one.id, two.id]);
    client.reply(two, { request_id: two.id, answers: { [other.question]: "Blue" } });
    expect(payload(await client.seen("ToolResult"))).toMatchObject({ tool_call_id: "tc-2" });
    client.reply(one, { request_id: one.id, answers: { [colour.question]: "Red" } });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("at most 64 questions are open: one more is not sent, and fails", async () => {
    const calls = Array.from({ length: 65 }, (_, index) => {
      return asks([{ ...colour, question: `Which ${index}?` }], `tc-${index}`);
    });
    const { meet } = scenario([calls.join("\n"), done]);
    const { client, session } = await meet();
    const prompt = client.call("prompt", { user_input: "go" });
    expect(payload(await client.seen("ToolResult"))).toMatchObject({
      tool_call_id: "tc-64",
      return_value: { is_error: true, message: "Failed to get user response." },
    });
    expect(session.pending.length).toBe(64);
    for (const asked of client.received.filter(({ params }) => params?.type === "QuestionRequest")) {
      client.reply(asked, { request_id: asked.id, answers: { "Which?": "Red" } });
    }
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.story().filter((word) => word === "ask QuestionRequest")).toHaveLength(64);
  });

  test("all open requests are settled when a turn is cancelled, before the turn ends", async () => {
    const set = scenario([`${asks([colour], "tc-1")}\n${asks([other], "tc-2")}`, done]);
    const { client, session } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    await client.asked("QuestionRequest", 1);
    await client.seen("QuestionRequest", 2);
    const open = session.pending;
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(open.map(({ outcome }) => outcome?.reason)).toEqual(["interrupted", "interrupted"]);
    const told = client.received.map(({ params }) => params?.type);
    expect(told.filter((type) => type === "InteractionSettled")).toHaveLength(2);
    expect(told.lastIndexOf("InteractionSettled")).toBeLessThan(told.indexOf("TurnEnd"));
    expect(told).not.toContain("ToolResult");
  });

  test("a request may stay open for hours: clients are told that the server is there, where they can be (P-XAT-9)", async () => {
    const clock = drivenClock();
    const set = scenario([asks(), done], { clock });
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client } = await meetExtended(set, { session });
    const prompt = base.call("prompt", { user_input: "go" });
    const asked = await client.asked("QuestionRequest");
    await base.seen("QuestionRequest");
    await client.settled();
    const before = base.received.length;
    for (let minute = 0; minute < 120; minute += 1) for (let n = 0; n < 4; n += 1) clock.advance(15_000);
    await client.settled();
    expect(client.received.filter(({ method }) => method === "alive")).toHaveLength(480);
    expect(base.received.slice(before)).toEqual([]);
    expect([base.isClosed, client.isClosed, session.pending.length]).toEqual([false, false, 1]);
    await client.answer(asked, { items: [chosen(asked, ["Red"])] });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("an open request is written down with its id, and so is one that no client could answer", async () => {
    const log = detailedLog();
    const { meet } = scenario([asks(), done], { log });
    const { client } = await meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    expect(asked.id).toBe(payload(asked).id);
    client.reply(asked, { request_id: asked.id, answers: 7 });
    await prompt;
    expect(log.told).toMatchObject([
      {
        text: "a request failed at the client",
        details: { request: asked.id, failure: { reason: "protocol_error" } },
      },
    ]);
    expect(await toolResult(client)).toMatchObject({ message: "Failed to get user response." });
  });

  test("a request goes out under its own id, and an answer under another one settles nothing", async () => {
    const { meet } = scenario([asks(), done]);
    const { client, session } = await meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    const answers = { [colour.question]: "Red" };
    client.send({ jsonrpc: "2.0", id: "nothing", result: { request_id: asked.id, answers } });
    client.send({ jsonrpc: "2.0", id: null, result: { request_id: asked.id, answers } });
    await client.settled();
    expect(session.pending.length).toBe(1);
    client.reply(asked, { request_id: "something else", answers });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect((await toolResult(client)).output).toBe('{"answers": {"Which colour?": "Red"}}');
  });
});
