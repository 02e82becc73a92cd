import { describe, expect, test } from "vitest";
import type { Message } from "../raw-client.js";
import {
  approval,
  asking,
  type extended,
  items,
  meetExtended,
  question,
  twoAsked,
} from "./extended-client.js";

type Asked = Awaited<ReturnType<typeof twoAsked>>;

/** The other client still answers. */
async function otherAnswers({ one, two, asked, prompt, session }: Asked, said: object = { items }) {
  await one.settled();
  expect(session.pending.length).toBe(1);
  expect(two.events("InteractionSettled")).toEqual([]);
  expect((await two.answer(asked, said)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
}

/** A client that has the question before it, and has said nothing of it yet. */
async function silent(made: Parameters<typeof twoAsked>[0] = () => [question()]) {
  const set = asking(made);
  const session = set.server.createSession();
  const { client: one } = await meetExtended(set, { session }, { name: "one" });
  const prompt = one.call("prompt", { user_input: "go" });
  await one.seen("TurnBegin");
  await one.settled();
  const asked = one.received.find(({ method }) => method === "request") as Message;
  return { ...set, session, one, asked, prompt };
}

const settledOf = (client: ReturnType<typeof extended>) =>
  client.events("InteractionSettled").map(({ payload }) => payload.outcome as Record<string, unknown>);

describe("the replies of an extended client to a request (P-XAN-1)", () => {
  test("a receipt settles nothing, and neither does none", async () => {
    const set = await silent();
    await set.one.settled();
    expect(set.session.pending.length).toBe(1);
    set.one.reply(set.asked, { request_id: set.asked.id, received: true });
    await set.one.settled();
    expect(set.session.pending.length).toBe(1);
    expect((await set.one.answer(set.asked, { items })).error).toBeUndefined();
    expect((await set.prompt).result).toEqual({ status: "finished" });
  });

  test.each<[string, (client: Asked["one"], asked: Message) => void]>([
    ["-32602", (client, asked) => client.replyError(asked, -32602, "cannot")],
    ["another error", (client, asked) => client.replyError(asked, -32603, "crashed")],
    ["an error of its own", (client, asked) => client.replyError(asked, -1, "no")],
    [
      "an answer in the words of the base profile",
      (client, asked) => client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } }),
    ],
    [
      "a receipt that says no",
      (client, asked) => client.reply(asked, { request_id: asked.id, received: false }),
    ],
    ["nothing but an object", (client, asked) => client.reply(asked, {})],
    ["null", (client, asked) => client.reply(asked, null)],
  ])("%s takes it off, and another client still answers", async (_, reply) => {
    const set = await silent();
    const { client: two } = await meetExtended(set, { session: set.session }, { name: "two" });
    await two.asked("QuestionRequest");
    reply(set.one, set.asked);
    await otherAnswers({ ...set, two } as never);
  });

  test.each<[string, string, (client: Asked["one"], asked: Message) => void]>([
    ["-32602", "unsupported", (client, asked) => client.replyError(asked, -32602, "cannot")],
    ["-32020", "limit", (client, asked) => client.replyError(asked, -32020, "too much")],
    ["-32601", "unsupported", (client, asked) => client.replyError(asked, -32601, "never heard of it")],
    ["-32020", "limit", (client, asked) => client.replyError(asked, -32020, "too many cards")],
    ["another error", "protocol_error", (client, asked) => client.replyError(asked, -32603, "crashed")],
    [
      "an answer in the words of the base profile",
      "protocol_error",
      (client, asked) => client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } }),
    ],
    [
      "a receipt that says no",
      "protocol_error",
      (client, asked) => client.reply(asked, { request_id: asked.id, received: false }),
    ],
  ])("with nobody left, after %s the question is unavailable, %s", async (_, reason, reply) => {
    const set = await silent();
    reply(set.one, set.asked);
    expect((await set.prompt).result).toEqual({ status: "finished" });
    expect(settledOf(set.one)).toMatchObject([{ status: "unavailable", reason, by: "system" }]);
    expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason });
  });

  test("an approval in the words of the base profile allows nothing", async () => {
    const set = await silent(() => [approval()]);
    set.one.reply(set.asked, { request_id: set.asked.id, response: "approve" });
    await set.prompt;
    expect(settledOf(set.one)).toMatchObject([{ status: "unavailable", reason: "protocol_error" }]);
    expect(await set.opened[0]?.wait()).toMatchObject({ response: "reject" });
  });

  test("an approval that the first cannot show is the other's (P-INT-5)", async () => {
    const set = await silent(() => [approval()]);
    const { client: two } = await meetExtended(set, { session: set.session }, { name: "two" });
    await two.asked("ApprovalRequest");
    set.one.replyError(set.asked, -32602, "cannot");
    await otherAnswers({ ...set, two } as never, { response: "approve" });
  });

  test("a receipt of a client of the base profile is no answer: it is taken off", async () => {
    const set = asking(() => [question({ questions: question().questions as never })]);
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, { request_id: asked.id, received: true });
    await prompt;
    expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason: "protocol_error" });
  });

  test("a client that was taken off is told the outcome too (P-XST-1)", async () => {
    const set = await silent();
    const { client: two } = await meetExtended(set, { session: set.session }, { name: "two" });
    await two.asked("QuestionRequest");
    set.one.replyError(set.asked, -32602, "cannot");
    await set.one.settled();
    await two.answer(set.asked, { items });
    await set.prompt;
    expect(settledOf(set.one)).toMatchObject([{ status: "answered", client: { name: "two" } }]);
  });
});

describe("release (P-XAN-9)", () => {
  const release = (client: Asked["one"], id: unknown, more: object = {}) =>
    client.call("release", { request_id: id, ...more });

  test("takes the client off, and another still answers", async () => {
    const set = await twoAsked();
    expect((await release(set.one, set.asked.id)).result).toEqual({});
    expect((await set.one.answer(set.asked, { items })).error?.code).toBe(-32014);
    await otherAnswers(set);
  });

  test("by the last one ends the question, with the message as note", async () => {
    const set = await twoAsked();
    await release(set.two, set.asked.id, { message: "the window is gone" });
    await release(set.one, set.asked.id, { message: "mine too" });
    expect((await set.prompt).result).toEqual({ status: "finished" });
    const outcome = { status: "unavailable", reason: "protocol_error", by: "system", note: "mine too" };
    expect(settledOf(set.one)).toMatchObject([outcome]);
  });

  test("needs no receipt before it, and no message; one that comes later has no effect", async () => {
    const set = await silent(() => [approval()]);
    expect((await release(set.one, set.asked.id)).result).toEqual({});
    set.one.reply(set.asked, { request_id: set.asked.id, received: true });
    expect((await set.prompt).result).toEqual({ status: "finished" });
    expect(settledOf(set.one)).toMatchObject([{ status: "unavailable", reason: "protocol_error" }]);
  });

  test("is refused as an answer would be, and the question stays open", async () => {
    const set = await twoAsked();
    const { client: blind } = await meetExtended(set, { session: set.session }, { question: false });
    const { client: stranger } = await meetExtended(set);
    const codes = [
      await release(blind, set.asked.id),
      await release(stranger, set.asked.id),
      await release(set.one, "nothing"),
      await set.one.call("release", {}),
      await release(set.one, set.asked.id, { message: 1 }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([-32014, -32012, -32011, -32602, -32602]);
    expect((await set.one.answer(set.asked, { items })).error).toBeUndefined();
    await set.prompt;
    expect((await release(set.two, set.asked.id)).error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "answered" } },
    });
  });

  test("is not there for a base client (P-XNG-4)", async () => {
    const { client } = await asking(() => []).meet();
    expect((await client.call("release", { request_id: "x" })).error?.code).toBe(-32601);
  });
});
