import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { QuestionExpired, type QuestionRequest } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { until } from "../until.js";
import {
  approval,
  asking,
  everything,
  type extended,
  items,
  meetAsked,
  meetExtended,
  order,
  question,
} from "./extended-client.js";

type Expiry = "cancel" | "default";

const defaults = [
  { ...order[0], default: ["blue"] },
  { ...order[1], default: ["bell", "light"] },
];
const defaultItems = [
  { question_id: "colour", selected: ["blue"] },
  { question_id: "extras", selected: ["bell", "light"] },
];

/** A session in which a question with a deadline of a minute is open, at a moment that is not the clock's first. */
async function timed(on_expiry: Expiry = "cancel", questions: unknown = order, shows: object = everything) {
  const clock = drivenClock();
  clock.advance(1_000_000);
  const set = asking(
    () => [question({ questions: questions as never, deadline: { ms: 60_000, on_expiry } })],
    { clock },
  );
  const session = set.server.createSession();
  const { client: one } = await meetExtended(set, { session }, { name: "one", shows });
  const { prompt, asked } = await one.begun("QuestionRequest");
  return { ...set, clock, session, one, prompt, asked, request: set.opened[0] as QuestionRequest };
}

const settlements = (client: ReturnType<typeof extended>) =>
  client.events("InteractionSettled").map(({ payload: { outcome, response } }) => ({ outcome, response }));
const updates = (client: ReturnType<typeof extended>) =>
  client.events("InteractionUpdated").map(({ payload }) => payload);
const iso = (ms: number) => new Date(ms).toISOString();

const expired = { status: "expired", reason: "deadline", by: "timer" };

describe("a deadline (P-XDL-1)", () => {
  test("a deadline says until when, how long that is, and what then, by the server's clock", async () => {
    const { asked, one, prompt } = await timed("default", defaults);
    expect(asked.params?.payload.deadline).toEqual({
      at: iso(1_060_000),
      remaining_ms: 60_000,
      on_expiry: "default",
    });
    await one.answer(asked, { items });
    await prompt;
  });

  test("a deadline says what is left to a client that attaches later", async () => {
    const { clock, session, asked, one, prompt, ...set } = await timed();
    clock.advance(45_000);
    const { client } = await meetExtended(set, { session });
    const later = await client.seen("QuestionRequest");
    expect(later.params?.payload.deadline).toEqual({
      at: iso(1_060_000),
      remaining_ms: 15_000,
      on_expiry: "cancel",
    });
    await one.answer(asked, { items });
    await prompt;
  });

  test("a deadline is not there unless the agent sets one, nor for a client that shows none, nor for a base client", async () => {
    const { session, one, asked, prompt, ...set } = await timed("cancel", order, { previews: true });
    expect(asked.params?.payload).not.toHaveProperty("deadline");
    const { client: base } = await set.meet({ session });
    expect((await base.seen("QuestionRequest")).params?.payload).not.toHaveProperty("deadline");
    await one.answer(asked, { items });
    await prompt;
  });

  test.each<[unknown, Expiry | "later"]>([
    [0, "cancel"],
    [-1, "cancel"],
    [Number.NaN, "cancel"],
    [2 ** 31, "cancel"],
    ["5", "cancel"],
    [Number.POSITIVE_INFINITY, "cancel"],
    [1, "later"],
  ])("a deadline of %j that ends by %s is an error of the asker", (ms, on_expiry) => {
    const deadline = { ms, on_expiry } as never;
    expect(() => question({ deadline })).toThrow(TypeError);
  });
});

describe("when it passes (P-XDL-2)", () => {
  test("a question whose deadline passes has expired by the timer, without an answer, and every extended client is told", async () => {
    const { clock, one, session, request, prompt, ...set } = await timed();
    const { client: two } = await meetExtended(set, { session }, { shows: {}, question: false });
    clock.advance(59_999);
    expect(request.resolved).toBe(false);
    clock.advance(1);
    expect(request.outcome).toMatchObject(expired);
    await expect(request.wait()).rejects.toThrow(QuestionExpired);
    expect((await prompt).result).toEqual({ status: "finished" });
    await two.settled();
    for (const client of [one, two]) {
      expect(settlements(client)).toMatchObject([{ outcome: expired, response: undefined }]);
    }
    expect(settlements(one)[0]?.outcome).not.toHaveProperty("client");
  });

  test("the defaults count at a deadline where each question has one and a client that shows deadlines has it", async () => {
    const { clock, one, request, prompt } = await timed("default", defaults);
    clock.advance(60_000);
    const answers = { "Which colour?": "Blue", "Which extras?": "Bell, Light, bright" };
    expect(await request.wait()).toEqual(answers);
    expect(request.outcome).toMatchObject(expired);
    await prompt;
    expect(settlements(one)).toMatchObject([
      { outcome: expired, response: { answers, items: defaultItems } },
    ]);
  });

  test.each<[string, unknown, object]>([
    ["a question has no default", [defaults[0], order[1]], everything],
    ["no question has one", order, everything],
    ["no client shows deadlines", defaults, { ...everything, deadline: false }],
  ])("the defaults do not count at a deadline where %s", async (_, questions, shows) => {
    const { clock, request, prompt, one } = await timed("default", questions, shows);
    clock.advance(60_000);
    await expect(request.wait()).rejects.toThrow(QuestionExpired);
    await prompt;
    expect(settlements(one)).toMatchObject([{ outcome: expired, response: undefined }]);
  });

  test("the defaults count at a deadline where one of two clients shows deadlines, and not when that one is taken off", async () => {
    for (const taken of [false, true]) {
      const { clock, session, request, prompt, ...set } = await timed("default", defaults, {
        deadline: false,
      });
      const { client: shows } = await meetExtended(set, { session });
      const asked = await shows.seen("QuestionRequest");
      if (taken) await shows.cannot(asked);
      await shows.settled();
      clock.advance(60_000);
      await prompt;
      expect(request.outcome).toMatchObject(expired);
      expect(await request.wait().then(Object.keys, () => "none")).toEqual(
        taken ? "none" : Object.values(order).map((q) => q.question),
      );
    }
  });

  test("the defaults do not count at a deadline where only base clients have it", async () => {
    const clock = drivenClock();
    const request = question({
      questions: defaults as never,
      deadline: { ms: 60_000, on_expiry: "default" },
    });
    const set = asking(() => [request], { clock });
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    clock.advance(60_000);
    expect((await prompt).result).toEqual({ status: "finished" });
    await expect(request.wait()).rejects.toThrow(QuestionExpired);
    client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
    await client.settled();
    expect(request.outcome).toMatchObject(expired);
  });

  /** Closes the server, once its turn has ended, and wants no timer left. */
  async function wantNoTimer({ clock, one, prompt, server }: Awaited<ReturnType<typeof timed>>) {
    await prompt;
    await server.close();
    await until(() => one.isClosed);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.waiting).toBe(0);
  }

  test("an answer before the deadline counts, and nothing is left of the timer", async () => {
    const set = await timed("default", defaults);
    set.clock.advance(59_999);
    expect((await set.one.answer(set.asked, { items })).error).toBeUndefined();
    await wantNoTimer(set);
    set.clock.advance(60_000);
    expect(set.request.outcome).toMatchObject({ status: "answered", by: "human" });
  });

  test("an answer after the deadline is told that the question expired", async () => {
    const { clock, one, asked, prompt } = await timed("default", defaults);
    clock.advance(60_000);
    const { error } = await one.answer(asked, { items });
    expect(error).toMatchObject({ code: -32010, data: { outcome: expired } });
    await prompt;
  });

  test("a turn that is cancelled leaves nothing of the timer either", async () => {
    const set = await timed();
    await set.one.call("cancel");
    await wantNoTimer(set);
    expect(set.request.outcome).toMatchObject({ status: "withdrawn", reason: "interrupted" });
  });

  test("a refused answer does not lengthen a deadline", async () => {
    const { clock, one, asked, request, prompt } = await timed();
    clock.advance(30_000);
    await one.answer(asked, { items: [] });
    clock.advance(30_000);
    expect(request.outcome).toMatchObject(expired);
    await prompt;
  });
});

describe("touch (P-XDL-3, P-XST-3)", () => {
  const touch = (client: ReturnType<typeof extended>, id: unknown) =>
    client.call("touch", { request_id: id });

  test("touch takes the deadline away, is replied {}, and every extended client is told, once", async () => {
    const { clock, session, one, asked, request, prompt, ...set } = await timed();
    const { client: two } = await meetExtended(set, { session });
    await two.asked("QuestionRequest");
    clock.advance(59_999);
    expect((await touch(two, asked.id)).result).toEqual({});
    expect((await touch(two, asked.id)).result).toEqual({});
    expect((await touch(one, asked.id)).result).toEqual({});
    clock.advance(1e8);
    expect(request.resolved).toBe(false);
    const gone = { request_id: asked.id, deadline: null };
    expect([updates(one), updates(two)]).toEqual([[gone], [gone]]);
    const { client: late } = await meetExtended(set, { session });
    expect((await late.seen("QuestionRequest")).params?.payload.deadline ?? null).toBeNull();
    expect((await two.answer(asked, { items })).error).toBeUndefined();
    await prompt;
  });

  test("touch by a client that shows no deadlines counts too", async () => {
    const { clock, one, asked, request, prompt } = await timed("cancel", order, {});
    expect((await touch(one, asked.id)).result).toEqual({});
    clock.advance(1e8);
    expect(request.resolved).toBe(false);
    await one.answer(asked, { items });
    await prompt;
  });

  test("touch reports who answers where there is no deadline, and where the client is lost (P-XST-5)", async () => {
    const set = asking(() => [question(), approval()]);
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session });
    const two = await meetExtended(
      set,
      { session },
      { name: "two", shows: { ...everything, presence: true } },
    );
    const prompt = client.call("prompt", { user_input: "go" });
    for (const type of ["QuestionRequest", "ApprovalRequest"]) {
      const { id } = await two.client.asked(type);
      expect((await touch(two.client, id)).result).toEqual({});
      expect((await touch(two.client, id)).result).toEqual({});
      expect((await touch(client, id)).result).toEqual({});
      const answering = [{ name: "two", connection: expect.any(String) }];
      expect(updates(client).at(-1)).toEqual({ request_id: id, deadline: null, answering });
    }
    two.client.close();
    await until(() => updates(client).length === 4);
    expect(updates(client).slice(2)).toMatchObject([{ answering: [] }, { answering: [] }]);
    session.cancel();
    await prompt;
  });

  test("touch changes nothing where there is no deadline, of a question and of an approval", async () => {
    const told: string[] = [];
    const onTouched = () => void told.push("touched");
    const set = asking(() => [question({ onTouched }), approval()]);
    const session = set.server.createSession();
    const { client, prompt, asked } = await meetAsked("QuestionRequest", set, { session });
    const action = await client.asked("ApprovalRequest");
    const two = await meetExtended(set, { session });
    for (const { id } of [asked, action])
      for (const one of [client, two.client]) expect((await touch(one, id)).result).toEqual({});
    two.client.close();
    await until(() => session.pending.length === 2 && two.client.isClosed);
    await client.settled();
    expect([updates(client), told]).toEqual([[], []]);
    await client.answer(asked, { items });
    await client.answer(action, { response: "approve" });
    await prompt;
  });

  test("touch is refused as an answer would be, and the deadline continues", async () => {
    const { clock, session, one, asked, request, prompt, ...set } = await timed();
    const { client: blind } = await meetExtended(set, { session }, { question: false });
    const { client: elsewhere } = await meetExtended(set);
    const codes = [
      await touch(blind, asked.id),
      await touch(elsewhere, asked.id),
      await touch(one, "nothing"),
      await one.call("touch", {}),
      await one.call("touch", { request_id: 1 }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([-32014, -32012, -32011, -32602, -32602]);
    clock.advance(60_000);
    expect(request.outcome).toMatchObject(expired);
    const { error } = await touch(one, asked.id);
    expect(error).toMatchObject({ code: -32010, data: { outcome: expired } });
    await prompt;
  });

  test("the full time starts again when the client that touched is lost, and clients are told so", async () => {
    const { clock, session, one, asked, request, prompt, ...set } = await timed();
    const two = await meetExtended(set, { session });
    await two.client.asked("QuestionRequest");
    clock.advance(50_000);
    await touch(two.client, asked.id);
    clock.advance(100_000);
    two.client.close();
    await two.closed;
    await one.settled();
    const again = { at: iso(1_210_000), remaining_ms: 60_000, on_expiry: "cancel" };
    expect(updates(one)).toEqual([
      { request_id: asked.id, deadline: null },
      { request_id: asked.id, deadline: again },
    ]);
    clock.advance(59_999);
    expect(request.resolved).toBe(false);
    clock.advance(1);
    expect(request.outcome).toMatchObject(expired);
    await prompt;
  });

  test("the full time does not start again while another client that touched is there, but does when that one is taken off (P-XDL-4)", async () => {
    const { clock, session, one, asked, request, prompt, ...set } = await timed();
    const two = await meetExtended(set, { session });
    const theirs = await two.client.seen("QuestionRequest");
    const { client: three } = await meetExtended(set, { session });
    await three.asked("QuestionRequest");
    await touch(two.client, asked.id);
    await touch(three, asked.id);
    three.close();
    await one.settled();
    clock.advance(1e6);
    expect([request.resolved, updates(one).length]).toEqual([false, 1]);
    await two.client.cannot(theirs);
    await two.client.settled();
    expect(updates(one).at(-1)?.deadline).toMatchObject({ remaining_ms: 60_000 });
    clock.advance(60_000);
    expect(request.outcome).toMatchObject(expired);
    await prompt;
  });

  test("touch is over when its client can no longer show the question: the full time starts again (P-XDL-4)", async () => {
    const { clock, session, one, asked, request, prompt, ...set } = await timed();
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const first = await meetExtended(set, { session, graceMs: 30_000 }, same);
    await touch(first.client, asked.id);
    await meetExtended(set, { session, graceMs: 30_000 }, { ...same, question: false });
    await one.settled();
    expect(updates(one).at(-1)).toMatchObject({ request_id: asked.id, deadline: { remaining_ms: 60_000 } });
    clock.advance(60_000);
    await prompt;
    expect(request.outcome).toMatchObject(expired);
  });

  test("touch stays in force for the same client on another connection (P-XAT-1)", async () => {
    const { clock, session, one, asked, request, prompt, ...set } = await timed();
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const first = await meetExtended(set, { session, graceMs: 30_000 }, same);
    await touch(first.client, asked.id);
    const { client: second } = await meetExtended(set, { session, graceMs: 30_000 }, same);
    clock.advance(1e6);
    expect(request.resolved).toBe(false);
    await second.answer(await second.asked("QuestionRequest"), { items });
    await prompt;
    expect(updates(one)).toHaveLength(1);
  });
});
