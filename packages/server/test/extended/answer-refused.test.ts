import { describe, expect, test } from "vitest";
import type { Message } from "../raw-client.js";
import { callLine, scenario } from "../scenario.js";
import {
  approval,
  asking,
  everything,
  items,
  meetExtended,
  question,
  states,
  twoAsked,
} from "./extended-client.js";

const refusal = ({ error }: Message) => error?.code;

/** Whatever was refused: the request is as open as before, nobody was told anything, and another answer counts. */
async function stillOpen({ one, two, asked, prompt, session }: Awaited<ReturnType<typeof twoAsked>>) {
  await one.settled();
  await two.settled();
  expect([session.pending.length, one.events("InteractionSettled")]).toEqual([1, []]);
  expect(states(one)).toEqual(["TurnBegin: running", expect.stringMatching(/Request: waiting$/)]);
  const said = asked.params?.type === "ApprovalRequest" ? { response: "approve" } : { items };
  expect((await one.answer(asked, said)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(two.events("InteractionSettled")).toHaveLength(1);
}

describe("a status that only the server may state (P-XAN-2, P-OUT-2)", () => {
  test.each<[string, object]>([
    ["expired", { status: "expired", reason: "deadline" }],
    ["expired, without a reason", { status: "expired" }],
    ["withdrawn", { status: "withdrawn", reason: "interrupted" }],
    ["unavailable", { status: "unavailable", reason: "client_lost" }],
    ["the actor", { status: "answered", by: "policy" }],
    ["the true actor", { status: "answered", by: "human" }],
    ["another client", { status: "answered", client: { name: "two", connection: "x" } }],
    ["when", { status: "answered", at: "1999-01-01T00:00:00.000Z" }],
    ["the lost features", { status: "answered", degraded: [] }],
    ["the actor, beside declining", { status: "declined", reason: "dismissed", by: "timer" }],
  ])(
    "a status that only the server may state is refused with -32014, and the question stays open: %s",
    async (_, outcome) => {
      const set = await twoAsked();
      expect(refusal(await set.two.answer(set.asked, { outcome, items }))).toBe(-32014);
      expect(refusal(await set.two.answer(set.asked, { outcome }))).toBe(-32014);
      await stillOpen(set);
    },
  );

  test.each<[string, object]>([
    ["expired", { status: "expired" }],
    ["by policy", { status: "answered", by: "policy" }],
  ])(
    "a status that only the server may state is refused with -32014, and the approval stays open: %s",
    async (_, outcome) => {
      const set = await twoAsked(() => [approval()]);
      expect(refusal(await set.two.answer(set.asked, { outcome, response: "approve" }))).toBe(-32014);
      await stillOpen(set);
    },
  );
});

describe("a client that passes requests on (P-XAN-10)", () => {
  const relayed = { "Which colour?": "Rouge", "Which extras?": "" };

  /** A client that declared `relay`, or did not, before a question. */
  async function before(relay: boolean) {
    const request = question();
    const set = asking(() => [request]);
    const { client } = await meetExtended(set, {}, { shows: { ...everything, relay } });
    void client.call("prompt", { user_input: "go" });
    return { client, request, asked: await client.asked("QuestionRequest") };
  }

  test.each<[string, object]>([
    ["by", { by: "human" }],
    ["client", { client: { name: "x", connection: "y" } }],
    ["at", { at: "1999-01-01T00:00:00.000Z" }],
  ])("a client that passes requests on may state what was lost, and not %s", async (_, more) => {
    const { client, asked, request } = await before(true);
    expect(refusal(await client.answer(asked, { outcome: { status: "answered", ...more }, items }))).toBe(
      -32014,
    );
    expect(request.resolved).toBe(false);
    const said = { outcome: { status: "answered", degraded: [] }, items };
    expect((await client.answer(asked, said)).error).toBeUndefined();
  });

  test.each([true, false])(
    "a client that passes requests on has its answers by text counted only where it declared that: %s",
    async (relay) => {
      const { client, asked, request } = await before(relay);
      expect((await client.answer(asked, { items, answers: relayed })).error).toBeUndefined();
      const own = { "Which colour?": "Red", "Which extras?": "Bell, Light, bright" };
      expect(await request.wait()).toEqual(relay ? relayed : own);
    },
  );
});

describe("params of a wrong shape (P-XAN-2)", () => {
  test.each<[string, object]>([
    ["no outcome", { outcome: undefined }],
    ["a status that is no text", { outcome: { status: 1 } }],
    ["no answer_id", { answer_id: undefined }],
    ["an empty answer_id", { answer_id: "" }],
    ["an answer_id of 129 characters", { answer_id: "x".repeat(129) }],
    ["items that are no list", { items: {} }],
    ["an item without a question_id", { items: [{ selected: ["red"] }] }],
    ["selected that is no list", { items: [{ question_id: "colour", selected: "red" }] }],
    ["a response that nobody knows", { response: "maybe" }],
  ])("params of a wrong shape are refused, and the question stays open: %s", async (_, said) => {
    const set = await twoAsked();
    const { error } = await set.two.answer(set.asked, { items, ...said });
    expect(error?.code).toBe(-32602);
    await stillOpen(set);
  });

  test("params with an unknown status of an outcome are refused, and the question stays open", async () => {
    const set = await twoAsked();
    const code = refusal(await set.two.answer(set.asked, { outcome: { status: "maybe" }, items }));
    expect([-32602, -32013, -32014]).toContain(code);
    await stillOpen(set);
  });

  test("an answer_id of 128 characters is accepted", async () => {
    const { one, asked, prompt } = await twoAsked();
    expect((await one.answer(asked, { items, answer_id: "x".repeat(128) })).error).toBeUndefined();
    await prompt;
  });
});

describe("an answer to something else (P-XAN-3)", () => {
  test("an answer to a request that nobody knows is -32011 and changes nothing", async () => {
    const set = await twoAsked();
    for (const id of ["nothing", "", "__proto__", "tc-1", "00000000-0000-4000-8000-000000000000"]) {
      expect(refusal(await set.two.answer({ id }, { items }))).toBe(-32011);
    }
    await stillOpen(set);
  });

  test("an answer to a question of another session is -32012, and both stay open", async () => {
    const set = await twoAsked();
    const other = set.server.createSession();
    const stranger = await meetExtended(set, { session: other });
    const prompt = stranger.client.call("prompt", { user_input: "go" });
    const theirs = await stranger.client.asked("QuestionRequest");
    expect(refusal(await set.two.answer(theirs, { items }))).toBe(-32012);
    expect(refusal(await stranger.client.answer(set.asked, { items }))).toBe(-32012);
    expect([other.pending.length, set.session.pending.length]).toEqual([1, 1]);
    await stillOpen(set);
    expect((await stranger.client.answer(theirs, { items })).error).toBeUndefined();
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("an answer by a client that was not sent the question is -32014 and changes nothing", async () => {
    const set = await twoAsked();
    const { client } = await meetExtended(set, { session: set.session }, { question: false });
    await client.settled();
    expect(client.story()).not.toContain("ask QuestionRequest");
    expect(refusal(await client.answer(set.asked, { items }))).toBe(-32014);
    expect(refusal(await client.answer(set.asked, { outcome: { status: "declined" } }))).toBe(-32014);
    await stillOpen(set);
  });

  test("a late answer is -32010 with the outcome, also by a client that was not sent the question", async () => {
    const set = await twoAsked();
    const { client: blind } = await meetExtended(set, { session: set.session }, { question: false });
    const { result } = await set.one.answer(set.asked, { items });
    const { outcome } = result as { outcome: unknown };
    await set.prompt;
    for (const client of [set.one, set.two, blind]) {
      const { error } = await client.answer(set.asked, { items });
      expect(error).toMatchObject({ code: -32010, data: { outcome } });
    }
    const wrong = await set.two.answer(set.asked, { items: [] });
    expect(refusal(wrong)).toBe(-32010);
    expect(set.two.events("InteractionSettled")).toHaveLength(1);
  });

  test("a late answer to what the server ended is told so by the outcome", async () => {
    const set = await twoAsked();
    await set.one.call("cancel");
    await set.prompt;
    const { error } = await set.two.answer(set.asked, { items });
    expect(error?.data).toMatchObject({ outcome: { status: "withdrawn", reason: "interrupted" } });
  });
});

describe("a request that is no question and no approval (P-XAN-3)", () => {
  const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
  const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };

  test("a tool call cannot be answered under its request_id by the client that has it: -32014", async () => {
    const set = scenario([callLine("Weather", {}), "text: done"]);
    const { client, session } = await meetExtended(set, {}, { external_tools: [weather] });
    const { prompt, asked: call } = await client.begin("ToolCallRequest");
    const id = call.params?.payload.request_id as string;
    expect(refusal(await client.answer({ id }, { items }))).toBe(-32014);
    expect(session.pending.length).toBe(1);
    for (const method of ["touch", "release"]) {
      expect(refusal(await client.call(method, { request_id: id }))).toBe(-32014);
    }
    expect(session.pending.length).toBe(1);
    client.reply(call, { tool_call_id: call.id, return_value: sunny });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a hook cannot be answered by another client: -32014", async () => {
    const set = scenario([callLine("Nothing", {}), "text: done"]);
    const session = set.server.createSession();
    const { client } = await meetExtended(
      set,
      { session },
      { hooks: [{ id: "h", event: "UserPromptSubmit" }] },
    );
    const { client: other } = await meetExtended(set, { session });
    const { prompt, asked: hook } = await client.begin("HookRequest");
    const id = hook.params?.payload.request_id as string;
    for (const one of [client, other])
      expect(refusal(await one.answer({ id }, { response: "approve" }))).toBe(-32014);
    expect(session.pending.length).toBe(1);
    client.reply(hook, { request_id: hook.id, action: "allow" });
    expect((await prompt).result).toEqual({ status: "finished" });
  });
});

test("a refused answer is not read as an answer to something else later (P-XAN-3)", async () => {
  const requests = [question(), question()];
  const set = asking(() => requests);
  const { client } = await meetExtended(set, {}, { shows: everything });
  const prompt = client.call("prompt", { user_input: "go" });
  const [first, second] = [await client.asked("QuestionRequest"), await client.asked("QuestionRequest", 2)];
  const mixed = await client.answer(first, { request_id: second.id, items });
  expect(mixed.error).toBeUndefined();
  expect([requests[0]?.resolved, requests[1]?.resolved]).toEqual([false, true]);
  expect((await client.answer(first, { items })).error).toBeUndefined();
  await prompt;
});
