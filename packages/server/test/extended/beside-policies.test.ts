import { describe, expect, test } from "vitest";
import { keepIn, sessionFolder } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { detailedLog, messagesOf, temporaryFolder } from "../journal-folder.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import {
  approval,
  asking,
  extended,
  items,
  lastState,
  meetExtended,
  normalized,
  question,
} from "./extended-client.js";

describe("policies and attendance towards extended clients (P-ATT-1 to P-ATT-3, P-XST-1)", () => {
  const settled = (client: ReturnType<typeof extended>) => client.events("InteractionSettled");

  test("an approval by policy, and a question that nobody may be asked, are sent and reported to nobody", async () => {
    for (const [made, options] of [
      [() => [approval()], { yolo: true }],
      [() => [question()], { attendance: "decline" }],
    ] as const) {
      const set = asking(made, options);
      const { client } = await meetExtended(set);
      await client.call("prompt", { user_input: "go" });
      expect(client.requests()).toEqual([]);
      expect(settled(client)).toEqual([]);
      expect(set.opened[0]?.resolved).toBe(true);
    }
  });

  test("a request over the limit is sent to nobody, and the others stay (P-INT-8)", async () => {
    const set = asking(() => [question(), question(), question()], { maxOpenRequests: 2 });
    const { client } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    const [first, second] = [await client.asked("QuestionRequest"), await client.asked("QuestionRequest", 2)];
    await client.settled();
    expect(set.opened[2]?.outcome).toMatchObject({ status: "unavailable", reason: "limit" });
    expect([settled(client), lastState(client)?.pending]).toEqual([[], [first.id, second.id]]);
    for (const asked of [first, second]) await client.answer(asked, { items });
    await prompt;
  });

  test("on hold a question outlives its clients' failures, and waits for the next one", async () => {
    const set = asking(() => [question()], { attendance: "hold", clock: drivenClock() });
    const session = set.server.createSession();
    const { client: one } = await meetExtended(set, { session });
    const prompt = session.prompt("go");
    await one.cannot(await one.seen("QuestionRequest"));
    await one.settled();
    expect([session.pending.length, lastState(one)?.state]).toEqual([1, "waiting"]);
    const { client: two } = await meetExtended(set, { session });
    expect((await two.answer(await two.asked("QuestionRequest"), { items })).error).toBeUndefined();
    expect(await prompt).toEqual({ status: "finished" });
    expect(settled(one)).toHaveLength(1);
  });

  test("switching to another attendance settles what nobody has, and reports that", async () => {
    const set = asking(() => [question()], { attendance: "hold" });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session }, { question: false });
    const prompt = session.prompt("go");
    expect((await client.seen("InteractionOpened")).params).toMatchObject({
      payload: { request_id: set.opened[0]?.id, kind: "question" },
      state: "waiting",
    });
    session.attendance = "attended";
    expect(await prompt).toEqual({ status: "finished" });
    await client.settled();
    expect(lastState(client)).toEqual({ state: "idle", pending: [] });
    expect(settled(client).map(({ payload }) => payload.outcome)).toMatchObject([{ status: "unavailable" }]);
  });
});

describe("the journal (P-JRN-2, P-JRN-4, P-JRN-5)", () => {
  const id = "11111111-1111-4111-8111-111111111111";

  /** What is recorded of a turn with a question and an approval, answered by one client. */
  async function recorded(by: "base" | "extended") {
    const place = { share: temporaryFolder(), workDir: "/work" };
    const keep = keepIn({ ...place, log: detailedLog() });
    const set = scenario([asks(), callLine("Shell", {}, "tc-2"), "text: done"], {
      keep,
      tools: [approvedTool("Shell")],
    });
    const options = { sessionId: id };
    const client =
      by === "base" ? extended((await set.meet(options)).client) : (await meetExtended(set, options)).client;
    const { prompt, asked } = await client.begin("QuestionRequest");
    if (by === "base") client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
    else await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    const action = await client.seen("ApprovalRequest");
    if (by === "base") client.reply(action, { request_id: action.id, response: "approve", feedback: "" });
    else await client.answer(action, { response: "approve" });
    await prompt;
    await set.server.close();
    // A base client's answer has no id of its own.
    return messagesOf(sessionFolder({ ...place, id })).map(({ type, payload }) => {
      const { answer_id: _answer, client_id: _client, ...rest } = payload;
      return { type, payload: rest };
    });
  }

  test("the journal is the same whether a base client or an extended one answered", async () => {
    expect(normalized(await recorded("extended"))).toEqual(normalized(await recorded("base")));
  });
});
