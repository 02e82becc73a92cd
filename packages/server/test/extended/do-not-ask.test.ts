import { describe, expect, test } from "vitest";
import { modelAgent, planModeTools, scriptedModel } from "../../../agent/src/index.js";
import { keepIn, sessionFolder } from "../../src/index.js";
import { detailedLog, messagesOf, temporaryFolder, typesOf } from "../journal-folder.js";
import { approvedTool, asks, callLine, scenario, toolResult } from "../scenario.js";
import { approval, asking, items, meetAsked, meetExtended, question } from "./extended-client.js";

const unwanted = { status: "unavailable", reason: "do_not_ask", by: "policy" };

/** A session that asks one question and one approval each turn, with two extended clients. */
async function twoClients(made = () => [question(), approval()]) {
  const set = asking(made);
  const session = set.server.createSession();
  const { client: one } = await meetExtended(set, { session }, { name: "one" });
  const { client: two } = await meetExtended(set, { session }, { name: "two" });
  return { ...set, session, one, two };
}

describe("a person who does not want to be asked (P-XDN-1)", () => {
  test("a person who does not want to be asked ends open questions by policy, before the reply, and every client is told who said so", async () => {
    const { one, two, opened } = await twoClients();
    const prompt = one.call("prompt", { user_input: "go" });
    await two.asked("QuestionRequest");
    two.story();
    expect((await two.call("set_do_not_ask", { enabled: true })).result).toEqual({ do_not_ask: true });
    expect(two.story()).toEqual(["DoNotAsk", "InteractionSettled", "set_do_not_ask: ok"]);
    await one.settled();
    for (const client of [one, two]) {
      expect(client.events("DoNotAsk").map(({ payload }) => payload)).toEqual([
        { enabled: true, by: { name: "two", connection: expect.any(String) } },
      ]);
      expect(client.events("InteractionSettled")[0]?.payload).toMatchObject({
        kind: "question",
        outcome: unwanted,
      });
    }
    expect(opened.map(({ resolved }) => resolved)).toEqual([true, false]);
    await one.answer(await one.asked("ApprovalRequest"), { response: "approve" });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a person who does not want to be asked is asked no further question, and all approvals", async () => {
    const { one, opened } = await twoClients();
    await one.call("set_do_not_ask", { enabled: true });
    const prompt = one.call("prompt", { user_input: "go" });
    await one.answer(await one.asked("ApprovalRequest"), { response: "approve" });
    await prompt;
    expect(one.events("QuestionRequest")).toEqual([]);
    expect(opened.map(({ outcome }) => outcome)).toMatchObject([unwanted, { status: "answered" }]);
  });

  test("a person who does not want to be asked ends questions that are for others, or keeps new ones from them", async () => {
    const to = { principals: ["Ann"] };
    const { session, connect, one } = await twoClients(() => [question({ to }), question({ to })]);
    const ann = { id: "Ann", name: "Ann", via: "token" } as const;
    const { client } = await meetExtended({ connect }, { session, principal: ann }, { name: "ann" });
    const prompt = one.call("prompt", { user_input: "go" });
    const first = await client.asked("QuestionRequest");
    await one.call("set_do_not_ask", { enabled: true });
    for (const request of [first, await client.asked("QuestionRequest", 2)]) {
      const { result } = await client.answer(request, { items });
      expect(result).toMatchObject({ outcome: { status: "answered", principal: ann } });
    }
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a person is asked again once they take that back, and a word that changes nothing is not reported", async () => {
    const { one, two } = await twoClients(() => [question()]);
    for (const enabled of [false, true, true, false])
      expect((await one.call("set_do_not_ask", { enabled })).result).toEqual({ do_not_ask: enabled });
    await two.settled();
    expect(two.events("DoNotAsk").map(({ payload }) => payload.enabled)).toEqual([true, false]);
    const prompt = one.call("prompt", { user_input: "go" });
    await two.answer(await two.asked("QuestionRequest"), { items });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a client is told at the attach that a person does not want to be asked, and clients of the base profile are sent nothing of it", async () => {
    const set = asking(() => [question()]);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client, found } = await meetExtended(set, { session });
    expect(found).not.toHaveProperty("do_not_ask");
    await client.call("set_do_not_ask", { enabled: true });
    const { found: later } = await meetExtended(set, { session });
    expect(later).toMatchObject({ do_not_ask: true });
    await base.call("prompt", { user_input: "go" });
    await base.settled();
    expect(base.story()).toEqual(["TurnBegin", "TurnEnd", "prompt: finished"]);
    await client.call("set_do_not_ask", { enabled: false });
    expect((await meetExtended(set, { session })).found).not.toHaveProperty("do_not_ask");
  });

  test.each([undefined, {}, { enabled: "yes" }, { enabled: null }, []])(
    "a person says with true or false whether they want to be asked: params %j are -32602 and change nothing",
    async (params) => {
      const { one, session } = await twoClients();
      expect((await one.call("set_do_not_ask", params)).error?.code).toBe(-32602);
      expect(session.doNotAsk).toBe(false);
    },
  );

  test("a client of the base profile cannot say that a person does not want to be asked (P-XNG-4)", async () => {
    const set = asking(() => []);
    const { client } = await set.meet();
    expect((await client.call("set_do_not_ask", { enabled: true })).error?.code).toBe(-32601);
  });
});

describe("the model of a person who does not want to be asked (P-XDN-2)", () => {
  test("the model of a person who does not want to be asked is told so in place of an answer, and the turn continues", async () => {
    const set = scenario([asks(), "text: I decide."]);
    const { client, prompt } = await meetAsked("QuestionRequest", set);
    await client.call("set_do_not_ask", { enabled: true });
    expect((await toolResult(client)).output).toBe(
      '{"answers": {}, "note": "The user does not want to be asked questions in this session. Make your own decision."}',
    );
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("the model is not offered the question tool from the next step, and is again once that is taken back", async () => {
    const set = scenario([asks(), "text: I decide.", "text: and again"], { tools: [approvedTool("Shell")] });
    const { client, prompt } = await meetAsked("QuestionRequest", set);
    await client.call("set_do_not_ask", { enabled: true });
    await prompt;
    await client.call("set_do_not_ask", { enabled: false });
    await client.call("prompt", { user_input: "and now?" });
    expect(set.model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["AskUserQuestion", "Shell"],
      ["Shell"],
      ["AskUserQuestion", "Shell"],
    ]);
  });

  test("a model that calls the question tool all the same reads that nobody is to be asked", async () => {
    const set = scenario([asks(), "text: I decide."]);
    const { client } = await meetExtended(set);
    await client.call("set_do_not_ask", { enabled: true });
    await client.call("prompt", { user_input: "go" });
    expect(client.events("QuestionRequest")).toEqual([]);
    expect((await toolResult(client)).output).toContain("does not want to be asked");
  });

  test("a model whose tool does not catch the failure reads what to do", async () => {
    const request = question();
    request.settle({ outcome: { ...unwanted, at: "2026-01-01T00:00:00Z" } as never });
    await expect(request.wait()).rejects.toMatchObject({
      name: "QuestionUnavailable",
      outcome: { reason: "do_not_ask" },
      toolError: { message: expect.stringContaining("the user does not want to be asked") },
    });
  });

  test("the model stays in plan mode, since a plan that nobody was asked about is not approved", async () => {
    const set = scenario([callLine("ExitPlanMode", { plan: "1. Paint" }), "text: ok"], {
      tools: planModeTools,
    });
    const { client, session } = await meetExtended(set);
    session.planMode = true;
    await client.call("set_do_not_ask", { enabled: true });
    await client.call("prompt", { user_input: "go" });
    expect([session.planMode, client.events("QuestionRequest")]).toEqual([true, []]);
    expect((await toolResult(client)).output).toContain("The plan was not approved");
  });

  test("the model's calls are asked for approvals as before, also of a tool in the same step", async () => {
    const set = scenario([`${asks()}\n${callLine("Shell", {}, "tc-2")}`, "text: ok"], {
      tools: [approvedTool("Shell")],
    });
    const { client } = await meetExtended(set);
    await client.call("set_do_not_ask", { enabled: true });
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("ApprovalRequest"), { response: "approve" });
    await prompt;
    expect((await toolResult(client, 2)).output).toBe("done");
  });
});

describe("a kept session (P-XDN-3)", () => {
  test("a kept session asks nothing in the next process either, and a replay has both words", async () => {
    const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog() });
    const id = "11111111-1111-4111-8111-111111111111";
    const agent = () => modelAgent({ model: scriptedModel(["text: a"]) });
    const open = () => scenario([], { keep, agent });
    const first = open();
    const { client } = await meetExtended(first, { sessionId: id });
    await client.call("prompt", { user_input: "go" });
    for (const enabled of [true, false, true]) await client.call("set_do_not_ask", { enabled });
    await first.server.close();
    const again = open();
    const { client: later, found } = await meetExtended(again, { sessionId: id });
    expect(found).toMatchObject({ do_not_ask: true });
    await later.call("replay");
    expect(later.events("DoNotAsk").map(({ payload }) => payload)).toEqual(
      [true, false, true].map((enabled) => ({
        enabled,
        by: { name: "raw", connection: expect.any(String) },
      })),
    );
    await again.server.close();
  });

  test("a question that nobody was asked is kept with its reason, and no client is told of it later (P-JRN-5)", async () => {
    const place = { share: temporaryFolder(), workDir: "/work" };
    const open = () => asking(() => [question()], { keep: keepIn({ ...place, log: detailedLog() }) });
    const first = open();
    const { client } = await meetExtended(first, { sessionId: "s-1" });
    await client.call("set_do_not_ask", { enabled: true });
    await client.call("prompt", { user_input: "go" });
    await first.server.close();
    const kept = messagesOf(sessionFolder({ ...place, id: "s-1" }));
    expect(kept.filter(({ type }) => type === "InteractionSettled").map(({ payload }) => payload)).toEqual([
      {
        request_id: first.opened[0]?.id,
        kind: "question",
        request: { id: first.opened[0]?.id, tool_call_id: "tc-1", questions: expect.any(Array) },
        outcome: { ...unwanted, at: expect.any(String) },
      },
    ]);
    const again = open();
    const { client: later } = await meetExtended(again, { sessionId: "s-1" });
    await later.call("replay");
    expect([later.events("DoNotAsk").length, later.events("InteractionSettled")]).toEqual([1, []]);
    await again.server.close();
  });

  test("a kept session has a note of the person's wish that base clients are not replayed", async () => {
    const share = temporaryFolder();
    const keep = keepIn({ share, workDir: "/work", log: detailedLog() });
    const set = scenario(["text: a"], { keep });
    const { client: base, session } = await set.meet({ sessionId: "s-1" });
    session.doNotAsk = true;
    await base.call("prompt", { user_input: "go" });
    base.story();
    await base.call("replay");
    expect(base.story()).not.toContain("DoNotAsk");
    expect(typesOf(sessionFolder({ share, workDir: "/work", id: "s-1" }))).toContain("DoNotAsk");
    await set.server.close();
  });
});
