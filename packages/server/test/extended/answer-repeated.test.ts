import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { drivenClock } from "../driven-clock.js";
import type { Message } from "../raw-client.js";
import { asking, everything, items, meetExtended, question, twoAsked } from "./extended-client.js";

/** The word of a reply that its repetition has too: the first one also stands for the event of the settlement. */
const word = ({ result, error }: Message) => ({ outcome: result?.outcome, error });
const answer_id = "mine";
const colour = { id: "colour", question: "Which?", options: [{ id: "red", label: "Red" }] };
const red = [{ question_id: "colour", selected: ["red"] }];

/** A client whose agent asks `count` questions, one after the other. */
async function askedOften(count: number) {
  let left = count;
  const set = asking(() => [question({ questions: [colour] })], { maxOpenRequests: 2_000 });
  const { client, session } = await meetExtended(set);
  const ids: string[] = [];
  while (left > 0) {
    left -= 1;
    const turn = client.call("prompt", { user_input: "go" });
    const { id } = await client.asked("QuestionRequest", ids.length + 1);
    ids.push(id as string);
    expect(
      (await client.answer({ id: id as string }, { items: red, answer_id: `a${ids.length}` })).error,
    ).toBeUndefined();
    await turn;
  }
  return { ...set, client, session, ids };
}

test("one of two clients that answer in the same tick, a thousand times, is taken and the other told what stands (P-XAN-3)", async () => {
  const clock = drivenClock();
  const set = asking(() => [question()], { clock });
  const session = set.server.createSession();
  const { client: one } = await meetExtended(set, { session }, { name: "one" });
  const { client: two } = await meetExtended(set, { session }, { name: "two" });
  const firsts = new Set<string>();
  for (let turn = 1; turn <= 1_000; turn += 1) {
    const prompt = session.prompt("go");
    const asked = await one.asked("QuestionRequest", turn);
    await two.asked("QuestionRequest", turn);
    const [left, right] = turn % 2 === 0 ? [one, two] : [two, one];
    const replies = await Promise.all([left, right].map((client) => client.answer(asked, { items })));
    const [taken, late] = replies[0]?.error === undefined ? replies : [replies[1], replies[0]];
    expect(taken?.error).toBeUndefined();
    expect(late?.error?.code).toBe(-32010);
    const { outcome } = (taken as Message).result as { outcome: { client: { name: string } } };
    expect(late?.error?.data).toMatchObject({ outcome });
    firsts.add(outcome.client.name);
    // More than so many refused answers in a minute would be an overload (P-XAN-8).
    if (turn % 200 === 0) clock.advance(60_000);
    await prompt;
  }
  expect([...firsts].sort()).toEqual(["one", "two"]);
});

describe("an answer_id that is sent again (P-XAN-5)", () => {
  test("an answer_id that is sent again on the same connection gets the first reply, and settles nothing twice", async () => {
    const { one, two, asked, prompt } = await twoAsked();
    const first = await one.answer(asked, { items, answer_id });
    expect(first.error).toBeUndefined();
    const outcome = first.result?.outcome;
    expect((await one.answer(asked, { items, answer_id })).result).toEqual({ outcome });
    await prompt;
    expect((await one.answer(asked, { items, answer_id })).result).toEqual({ outcome });
    expect(two.events("InteractionSettled")).toHaveLength(1);
  });

  test("the same answer_id from another client is another: a late answer under the id of the one that counted is late", async () => {
    const { one, two, asked, prompt } = await twoAsked();
    const first = await one.answer(asked, { items, answer_id });
    const late = await two.answer(asked, { outcome: { status: "declined" }, answer_id });
    expect(late.error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "answered", client: { name: "one" } } },
    });
    expect(word(await one.answer(asked, { items, answer_id }))).toEqual(word(first));
    await prompt;
  });

  test("the same answer_id from another client is another: under the id of a refused one a right answer counts", async () => {
    const { one, two, asked, prompt } = await twoAsked();
    const refused = await one.answer(asked, { items: [], answer_id });
    expect(refused.error?.code).toBe(-32013);
    expect((await two.answer(asked, { items, answer_id })).result?.outcome).toMatchObject({
      status: "answered",
      client: { name: "two" },
    });
    expect(word(await one.answer(asked, { items, answer_id }))).toEqual(word(refused));
    await prompt;
  });

  test("an answer_id gets the first reply again where it was written into the connection twice at once", async () => {
    const { one, asked, prompt } = await twoAsked();
    const both = await Promise.all([1, 2].map(() => one.answer(asked, { items, answer_id })));
    expect(word(both[1] as Message)).toEqual(word(both[0] as Message));
    expect(both[0]?.error).toBeUndefined();
    await prompt;
    expect(one.events("InteractionSettled")).toHaveLength(1);
  });

  test("an answer_id that is sent again with other words gets the first reply", async () => {
    const { one, asked, prompt } = await twoAsked();
    const first = await one.answer(asked, { items, answer_id });
    const other = await one.answer(asked, { outcome: { status: "declined" }, answer_id });
    expect(word(other)).toEqual(word(first));
    await prompt;
  });

  test("an answer_id that is sent again on a later connection of the client, known by its client_id, gets the first reply", async () => {
    const set = asking(() => [question()]);
    const shows = { ...everything, client_id: randomUUID() };
    const { client: before, session } = await meetExtended(set, {}, { shows });
    const { prompt, asked } = await before.begun("QuestionRequest");
    const first = await before.answer(asked, { items, answer_id });
    await prompt;
    before.close();
    const { client } = await meetExtended(set, { session }, { shows });
    expect(word(await client.answer(asked, { items: [], answer_id }))).toEqual(word(first));
    const stranger = await meetExtended(set, { session });
    expect((await stranger.client.answer(asked, { items, answer_id })).error?.code).toBe(-32010);
  });

  test("an answer_id that was refused is refused again, though its answer would be right now; a corrected one has another", async () => {
    const { one, asked, session } = await twoAsked();
    const first = await one.answer(asked, { items: [], answer_id });
    expect(first.error?.code).toBe(-32013);
    expect(word(await one.answer(asked, { items, answer_id }))).toEqual(word(first));
    expect(session.pending.length).toBe(1);
    expect((await one.answer(asked, { items, answer_id: "corrected" })).error).toBeUndefined();
    expect(word(await one.answer(asked, { items, answer_id }))).toEqual(word(first));
  });

  test("an answer_id that was late stays late after another client's counted", async () => {
    const { one, two, asked, prompt } = await twoAsked();
    expect((await two.answer(asked, { items })).error).toBeUndefined();
    const late = await one.answer(asked, { items, answer_id });
    expect(late.error?.code).toBe(-32010);
    expect(word(await one.answer(asked, { items, answer_id }))).toEqual(word(late));
    await prompt;
  });

  test("the same answer_id for another request is another", async () => {
    const set = asking(() => [question(), question()]);
    const { client } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    const [first, second] = [await client.asked("QuestionRequest"), await client.asked("QuestionRequest", 2)];
    const replies = [
      await client.answer(first, { items, answer_id }),
      await client.answer(second, { outcome: { status: "declined" }, answer_id }),
    ];
    expect(replies.map(({ result }) => result?.outcome)).toMatchObject([
      { status: "answered" },
      { status: "declined" },
    ]);
    await prompt;
  });

  test("the same answer_id in another session is another", async () => {
    const set = await twoAsked();
    await set.one.answer(set.asked, { items, answer_id });
    const { client } = await meetExtended(set);
    expect((await client.answer(set.asked, { items, answer_id })).result).toBeUndefined();
  });

  test("the last 256 answer_ids that settled something and the last 200 that were refused are remembered beside each other", async () => {
    const { client, ids } = await askedOften(1);
    const [first] = ids as [string];
    const refused: Message[] = [];
    for (let n = 0; n < 200; n += 1)
      refused.push(await client.answer({ id: first }, { items: [], answer_id: `r${n}` }));
    expect(refused.map(({ error }) => error?.code)).toEqual(Array(200).fill(-32010));
    expect((await client.answer({ id: first }, { items: [], answer_id: "a1" })).error).toBeUndefined();
    expect(word(await client.answer({ id: first }, { items: red, answer_id: "r0" }))).toEqual(
      word(refused[0] as Message),
    );
  });

  test("the answer_id of the first of 256 questions is still remembered", async () => {
    const { client, ids } = await askedOften(256);
    const again = await client.answer({ id: ids[0] as string }, { items: [], answer_id: "a1" });
    expect(again.result?.outcome).toMatchObject({ status: "answered" });
  });
});

describe("a flood of refused answers (P-XAN-8)", () => {
  const overloaded = { code: -32020, data: { limit: "refusedAnswers" } };

  async function flooded(passed = 0) {
    const clock = drivenClock();
    clock.advance(passed);
    const set = await twoAsked(undefined, { clock });
    const codes = new Set<number | undefined>();
    for (let n = 0; n < 256; n += 1) codes.add((await set.one.answer(set.asked, { items: [] })).error?.code);
    expect([...codes]).toEqual([-32013]);
    return { ...set, clock };
  }

  test("a flood of refused answers is refused as overloaded, with the right answer too, and the question stays open", async () => {
    const { one, asked, session } = await flooded();
    expect((await one.answer(asked, { items })).error).toMatchObject(overloaded);
    expect((await one.answer({ id: "nothing" }, { items })).error).toMatchObject(overloaded);
    expect([session.pending.length, one.isClosed]).toEqual([1, false]);
    expect((await one.call("steer", { user_input: "well" })).error).toBeUndefined();
  });

  test("a flood of refused answers is refused at any time", async () => {
    const { one, asked, clock } = await flooded(3_600_000);
    clock.advance(59_999);
    expect((await one.answer(asked, { items })).error).toMatchObject(overloaded);
  });

  test("a flood of refused answers does not affect another connection, which answers the question", async () => {
    const { one, two, asked, prompt } = await flooded();
    expect((await one.answer(asked, { items })).error).toMatchObject(overloaded);
    expect((await two.answer(asked, { items })).error).toBeUndefined();
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(one.events("InteractionSettled")).toHaveLength(1);
  });

  test("a flood of refused answers is over with its minute", async () => {
    const { one, asked, clock, prompt } = await flooded();
    clock.advance(59_999);
    expect((await one.answer(asked, { items })).error).toMatchObject(overloaded);
    clock.advance(1);
    expect((await one.answer(asked, { items })).error).toBeUndefined();
    await prompt;
  });

  test("a flood of refused answers counts from the first one, however they are spread over its minute", async () => {
    const clock = drivenClock();
    const { one, asked, prompt } = await twoAsked(undefined, { clock });
    for (let n = 0; n < 255; n += 1) await one.answer(asked, { items: [] });
    clock.advance(59_000);
    await one.answer(asked, { items: [] });
    expect((await one.answer(asked, { items })).error).toMatchObject(overloaded);
    clock.advance(1_000);
    expect((await one.answer(asked, { items })).error).toBeUndefined();
    await prompt;
  });

  test("refused answers that are spread over longer, or only 255, are no flood", async () => {
    const clock = drivenClock();
    const { one, asked, prompt } = await twoAsked(undefined, { clock });
    for (let minute = 0; minute < 3; minute += 1) {
      for (let n = 0; n < 255; n += 1) await one.answer({ id: "nothing" }, { items });
      clock.advance(60_000);
    }
    for (let n = 0; n < 255; n += 1) expect((await one.answer({ id: "x" }, {})).error?.code).toBe(-32011);
    expect((await one.answer(asked, { items })).error).toBeUndefined();
    await prompt;
  });

  test("refused answers of every kind count as a flood", async () => {
    const clock = drivenClock();
    const { one, asked, prompt } = await twoAsked(undefined, { clock });
    const wrong = [{ items: [] }, { outcome: { status: "expired" } }, { request_id: "nothing" }];
    for (let n = 0; n < 256; n += 1) {
      expect((await one.answer(asked, wrong[n % 3])).error?.code).not.toBe(-32020);
    }
    expect((await one.answer(asked, { items })).error).toMatchObject(overloaded);
    clock.advance(60_000);
    await one.answer(asked, { items });
    await prompt;
  });
});
