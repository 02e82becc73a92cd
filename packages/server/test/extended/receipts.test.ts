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
  const { prompt } = await one.begin("TurnBegin");
  await one.settled();
  const [asked] = one.requests() as [Message];
  return { ...set, session, one, asked, prompt };
}

const received = (request_id: unknown) => ({ jsonrpc: "2.0", method: "received", params: { request_id } });

const settledOf = (client: ReturnType<typeof extended>) =>
  client.events("InteractionSettled").map(({ payload }) => payload.outcome as Record<string, unknown>);

describe("what an extended client says of a request that it was sent (P-XAN-1)", () => {
  test("a receipt settles nothing, and neither does a missing one", async () => {
    const set = await silent();
    expect(set.asked).not.toHaveProperty("method", "request");
    await set.one.settled();
    expect(set.session.pending.length).toBe(1);
    set.one.send(received(set.asked.id));
    await set.one.settled();
    expect(set.session.pending.length).toBe(1);
    expect((await set.one.answer(set.asked, { items })).error).toBeUndefined();
    expect((await set.prompt).result).toEqual({ status: "finished" });
    expect(set.warnings).toEqual([]);
  });

  test.each([undefined, 7, "", "nothing"])(
    "a receipt for %j has no effect, and is not answered",
    async (id) => {
      const set = await silent();
      const before = set.one.received.length;
      set.one.send(received(id));
      await set.one.settled();
      const more = set.one.received.slice(before).filter(({ error }) => error?.code !== -32601);
      expect([set.session.pending.length, more]).toEqual([1, []]);
      await set.one.answer(set.asked, { items });
      await set.prompt;
    },
  );

  test.each<[string, (client: Asked["one"], asked: Message) => void]>([
    [
      "an answer in the words of the base profile",
      (client, asked) => client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } }),
    ],
    ["a receipt in the words of revision 1", (client, asked) => client.reply(asked, { received: true })],
    [
      "an error",
      (client, { id }) => client.send({ jsonrpc: "2.0", id, error: { code: -32602, message: "cannot" } }),
    ],
  ])("%s in reply is a response to nothing: the question stays, also its own", async (_, reply) => {
    const set = await silent();
    reply(set.one, set.asked);
    await set.one.settled();
    expect(set.session.pending.length).toBe(1);
    expect((await set.one.answer(set.asked, { items })).error).toBeUndefined();
    expect((await set.prompt).result).toEqual({ status: "finished" });
  });

  test("a receipt of a client of the base profile is no answer: it is taken off", async () => {
    const set = asking(() => [question({ questions: question().questions as never })]);
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, received: true });
    await prompt;
    expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason: "protocol_error" });
  });
});

describe("release (P-XAN-9)", () => {
  const release = (client: Asked["one"], id: unknown, more: object = {}) =>
    client.call("release", { request_id: id, ...more });

  test.each([undefined, "unsupported", "limit", "protocol_error"])(
    "a release for the reason %s takes the client off, and another still answers",
    async (reason) => {
      const set = await twoAsked();
      expect((await release(set.one, set.asked.id, { reason })).result).toEqual({});
      expect((await set.one.answer(set.asked, { items })).error?.code).toBe(-32014);
      await otherAnswers(set);
    },
  );

  test.each([
    [undefined, "protocol_error"],
    ["unsupported", "unsupported"],
    ["limit", "limit"],
    ["protocol_error", "protocol_error"],
  ])(
    "a release for the reason %s by the last client makes the question unavailable, %s",
    async (reason, told) => {
      const set = await silent();
      await release(set.one, set.asked.id, { reason });
      expect((await set.prompt).result).toEqual({ status: "finished" });
      expect(settledOf(set.one)).toMatchObject([{ status: "unavailable", reason: told, by: "system" }]);
      expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason: told });
    },
  );

  test("a release of an approval allows nothing", async () => {
    const set = await silent(() => [approval()]);
    await release(set.one, set.asked.id, { reason: "unsupported" });
    await set.prompt;
    expect(await set.opened[0]?.wait()).toMatchObject({ response: "reject" });
  });

  test("a release of an approval by the first client leaves it to the other (P-INT-5)", async () => {
    const set = await twoAsked(() => [approval()]);
    await release(set.one, set.asked.id, { reason: "unsupported" });
    await otherAnswers(set, { response: "approve" });
  });

  test("a released client still hears how the request ended (P-XST-1)", async () => {
    const set = await twoAsked();
    await release(set.one, set.asked.id);
    await set.two.answer(set.asked, { items });
    await set.prompt;
    expect(settledOf(set.one)).toMatchObject([{ status: "answered", client: { name: "two" } }]);
  });

  test("a release by the last client ends the question, with the message as note", async () => {
    const set = await twoAsked();
    await release(set.two, set.asked.id, { message: "the window is gone" });
    await release(set.one, set.asked.id, { message: "mine too" });
    expect((await set.prompt).result).toEqual({ status: "finished" });
    const outcome = { status: "unavailable", reason: "protocol_error", by: "system", note: "mine too" };
    expect(settledOf(set.one)).toMatchObject([outcome]);
  });

  test("a release needs no receipt before it, and no message; one that comes later has no effect", async () => {
    const set = await silent(() => [approval()]);
    expect((await release(set.one, set.asked.id)).result).toEqual({});
    set.one.send(received(set.asked.id));
    expect((await set.prompt).result).toEqual({ status: "finished" });
    expect(settledOf(set.one)).toMatchObject([{ status: "unavailable", reason: "protocol_error" }]);
  });

  test("a release is refused as an answer would be, and the question stays open", async () => {
    const set = await twoAsked();
    const { client: blind } = await meetExtended(set, { session: set.session }, { question: false });
    const { client: stranger } = await meetExtended(set);
    const codes = [
      await release(blind, set.asked.id),
      await release(stranger, set.asked.id),
      await release(set.one, "nothing"),
      await set.one.call("release", {}),
      await release(set.one, set.asked.id, { message: 1 }),
      await release(set.one, set.asked.id, { reason: "client_lost" }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([-32014, -32012, -32011, -32602, -32602, -32602]);
    expect((await set.one.answer(set.asked, { items })).error).toBeUndefined();
    await set.prompt;
    expect((await release(set.two, set.asked.id)).error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "answered" } },
    });
  });

  test("a base client cannot release a request (P-XNG-4)", async () => {
    const { client } = await asking(() => []).meet();
    expect((await client.call("release", { request_id: "x" })).error?.code).toBe(-32601);
  });
});
