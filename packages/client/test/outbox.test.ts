import { describe, expect, test } from "vitest";
import type { ClientSession, DeliveryState } from "../src/index.js";
import { askedPerson } from "./asked-person.js";
import { type ExtendedLine, extendedServer, greeting, outcome } from "./extended-server.js";

const yes = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };

/** The states that the outbox tells of now. */
const states = ({ outbox }: ClientSession) => outbox.current().map(({ state }) => state.is);

/** A client whose person has the question before them, and all that is told of the delivery of their answers. */
async function asked() {
  const opened = await askedPerson();
  const { shown } = opened;
  const told: DeliveryState[] = [];
  const follow = () => shown.at(-1)?.context.onDelivery((state) => told.push(state));
  follow();
  return { ...opened, told, follow, is: () => told.map(({ is }) => is) };
}

const wait = 5_000;

describe("an answer in the outbox (P-XCL-9)", () => {
  test("an answer is sent, then taken, and leaves the outbox", async () => {
    const { session, line, shown, told, time } = await asked();
    expect(states(session)).toEqual([]);
    shown[0]?.answer(yes);
    const { id, params } = await line.next();
    expect(session.outbox.current()).toEqual([
      {
        ...{ kind: "answer", id: params.answer_id, requestId: "r-1", state: { is: "sending" } },
        answer: { outcome: { status: "answered" }, ...yes },
      },
    ]);
    line.reply(id, { outcome });
    await line.settled();
    expect(told).toEqual([{ is: "sending" }, { is: "taken" }]);
    expect([states(session), time.waits().includes(wait)]).toEqual([[], false]);
  });

  test("an answer without a word for five seconds counts as not delivered yet, and as taken once the word comes", async () => {
    const { session, line, shown, is, time } = await asked();
    shown[0]?.answer(yes);
    const { id } = await line.next();
    time.fire(wait);
    expect([is(), states(session)]).toEqual([["sending", "undelivered"], ["undelivered"]]);
    line.reply(id, { outcome });
    await line.settled();
    expect([is(), states(session)]).toEqual([["sending", "undelivered", "taken"], []]);
  });

  test("an answer whose connection is lost is not delivered yet at once, and the next connection sends it again", async () => {
    const { session, line, shown, is, back, time } = await asked();
    shown[0]?.answer(yes);
    const { params } = await line.next();
    await line.cut();
    expect([is(), time.waits().includes(wait)]).toEqual([["sending", "undelivered"], false]);
    const { line: next } = await back({ pending: ["r-1"] });
    const again = await next.next();
    expect([again.params.answer_id, states(session)]).toEqual([params.answer_id, ["sending"]]);
    next.reply(again.id, { outcome });
    await next.settled();
    expect(is()).toEqual(["sending", "undelivered", "sending", "taken"]);
  });

  test("an answer that is given without a connection is not delivered yet, not sending", async () => {
    const { session, line, shown, is } = await asked();
    await line.cut();
    shown[0]?.answer(yes);
    await new Promise(setImmediate);
    expect([is(), states(session)]).toEqual([["undelivered"], ["undelivered"]]);
  });

  test("a refused answer comes back with its mistakes, and the corrected one is followed anew", async () => {
    const { session, line, shown, told, follow } = await asked();
    shown[0]?.answer(yes);
    const issues = [{ question_id: "q1", code: "pattern", message: "expected small letters" }];
    line.fail((await line.next()).id, -32013, { issues });
    await expect.poll(() => shown.length).toBe(2);
    expect(told).toEqual([{ is: "sending" }, { is: "refused", issues }]);
    expect([shown[1]?.context.issues, states(session)]).toEqual([issues, []]);
    follow();
    shown[1]?.answer(yes);
    line.reply((await line.next()).id, { outcome });
    await line.settled();
    expect(told.map(({ is }) => is)).toEqual(["sending", "refused", "sending", "taken"]);
  });

  test("an answer that came too late is reported with the outcome that stands", async () => {
    const { session, line, shown, told } = await asked();
    shown[0]?.answer(yes);
    line.fail((await line.next()).id, -32010, { outcome });
    await line.settled();
    expect(told).toMatchObject([{ is: "sending" }, { is: "late", outcome }]);
    expect([states(session), shown[0]?.context.signal.aborted]).toEqual([[], true]);
  });

  test("an answer that failed says why", async () => {
    const { line, shown, told } = await asked();
    shown[0]?.answer(yes);
    line.fail((await line.next()).id, -32603);
    expect((await line.next()).method).toBe("release");
    expect(told).toEqual([{ is: "sending" }, { is: "failed", problem: "no -32603" }]);
  });

  test("an answer whose session ends first is reported as one that nobody knows whether it counted", async () => {
    const { session, line, shown, told } = await asked();
    shown[0]?.answer(yes);
    await line.next();
    await session.close();
    expect(told).toMatchObject([{ is: "sending" }, { is: "failed", problem: /closed before/ }]);
    expect(states(session)).toEqual([]);
  });

  test("a listener of the outbox that fails is reported, and the answer goes its way", async () => {
    const problems: string[] = [];
    const { shown, line } = await askedPerson({ onProblem: (problem) => void problems.push(problem) });
    shown[0]?.context.onDelivery(() => {
      throw new Error("no room");
    });
    shown[0]?.answer(yes);
    line.reply((await line.next()).id, { outcome });
    await line.settled();
    expect(problems).toEqual([
      "delivery handler: sending: Error: no room",
      "delivery handler: taken: Error: no room",
    ]);
  });
});

test("an answer that is not delivered yet may have the connection opened anew, by the person's word alone (P-XCL-2)", async () => {
  const { session, line, shown, time, nextLine } = await asked();
  session.reconnect();
  shown[0]?.answer(yes);
  await line.next();
  session.reconnect();
  expect(session.connection).toBe("connected");
  time.fire(wait);
  session.reconnect();
  expect(session.connection).toBe("lost");
  time.fire();
  const next = await nextLine();
  next.reply((await next.next()).id, greeting({ seq: 1, pending: ["r-1"] }));
  expect((await next.next()).method).toBe("answer");
});

test("a listener hears each change of the outbox until it is taken off", async () => {
  const { session, line, shown } = await asked();
  const heard: string[][] = [];
  const off = session.outbox.subscribe(() => heard.push(states(session)));
  shown[0]?.answer(yes);
  const { id } = await line.next();
  const before = session.outbox.current();
  expect(session.outbox.current()).toBe(before);
  off();
  line.reply(id, { outcome });
  await line.settled();
  expect(heard).toEqual([["sending"]]);
});

describe("words to the agent (P-XCL-9)", () => {
  const begin = (line: ExtendedLine, turn_id: unknown) =>
    line.event("TurnBegin", { user_input: "x", turn_id });

  test("words that follow at once wait for those before them, and reach the turn that these began", async () => {
    const { session, line } = await extendedServer();
    const turns: (string | undefined)[] = [];
    const first = session.outbox.say("one", ({ id }) => turns.push(id));
    const second = session.outbox.say("two");
    expect(session.outbox.current()).toMatchObject([
      { kind: "words", input: "one", state: { is: "sending" } },
      { kind: "words", input: "two", state: { is: "sending" } },
    ]);
    const prompt = await line.next();
    expect(prompt).toMatchObject({ method: "prompt", params: { user_input: "one", turn_id: turns[0] } });
    begin(line, prompt.params.turn_id);
    expect((await first)?.id).toBe(turns[0]);
    const steer = await line.next();
    expect(steer).toMatchObject({ method: "steer", params: { user_input: "two" } });
    line.reply(steer.id, { status: "steered" });
    expect(await second).toBeUndefined();
    expect(session.outbox.current()).toMatchObject([{ input: "two", state: { is: "taken" } }]);
    line.event("SteerInput", { user_input: "two" });
    await expect.poll(() => states(session)).toEqual([]);
  });

  test("words that the agent did not read by the end of the turn no longer wait", async () => {
    const { session, line } = await extendedServer();
    line.event("TurnBegin", { user_input: "x", turn_id: "t-9" });
    await line.settled();
    const said = session.outbox.say("more");
    const prompt = await line.next();
    line.fail(prompt.id, -32000);
    const steer = await line.next();
    line.reply(steer.id, { status: "steered" });
    await said;
    expect(states(session)).toEqual(["taken"]);
    line.event("TurnEnd", { turn_id: "t-9", status: "finished" });
    await expect.poll(() => states(session)).toEqual([]);
  });

  test("words into a turn are sent again under the same id where the connection was lost before a word on them (P-XTR-3)", async () => {
    const { session, line, back } = await extendedServer();
    begin(line, "t-9");
    await line.settled();
    const said = session.outbox.say("more");
    line.fail((await line.next()).id, -32000);
    const { params } = await line.next();
    await line.cut();
    expect(states(session)).toEqual(["undelivered"]);
    const { line: next } = await back({ turn_id: "t-9" });
    const again = await next.next();
    expect(again).toMatchObject({ method: "steer", params: { ...params, steer_id: expect.any(String) } });
    next.reply(again.id, { status: "steered" });
    await said;
    expect(states(session)).toEqual(["taken"]);
    next.event("SteerInput", { user_input: "more" });
    await expect.poll(() => states(session)).toEqual([]);
  });

  test("words that wait for a connection can be taken back, and those behind them are sent", async () => {
    const { session, line, back } = await extendedServer();
    await line.cut();
    const recall = new AbortController();
    const first = session.outbox.say("one", undefined, { signal: recall.signal });
    const second = session.outbox.say("two");
    second.catch(() => {});
    recall.abort();
    await expect(first).rejects.toBe(recall.signal.reason);
    expect(session.outbox.current()).toMatchObject([{ input: "two" }]);
    const { line: next } = await back({});
    expect(await next.next()).toMatchObject({ method: "prompt", params: { user_input: "two" } });
  });

  test("words that are on their way cannot be taken back", async () => {
    const { session, line } = await extendedServer();
    const recall = new AbortController();
    const said = session.outbox.say("one", undefined, { signal: recall.signal });
    const { params } = await line.next();
    recall.abort();
    begin(line, params.turn_id);
    expect((await said)?.id).toBe(params.turn_id);
  });

  test("words to the agent without a reply for five seconds are not delivered yet", async () => {
    const { session, line, time } = await extendedServer();
    void session.outbox.say("one");
    const { params } = await line.next();
    time.fire(wait);
    expect(states(session)).toEqual(["undelivered"]);
    begin(line, params.turn_id);
    await expect.poll(() => states(session)).toEqual([]);
  });

  test("words said without a connection wait for one", async () => {
    const { session, line, back } = await extendedServer();
    await line.cut();
    const said = session.outbox.say("one");
    expect(states(session)).toEqual(["undelivered"]);
    const { line: next } = await back();
    const { params } = await next.next();
    expect([params.user_input, states(session)]).toEqual(["one", ["sending"]]);
    begin(next, params.turn_id);
    expect((await said)?.id).toBe(params.turn_id);
  });

  test("words that are refused leave the outbox, and whoever said them is told; the next ones go out", async () => {
    const { session, line } = await extendedServer();
    const first = session.outbox.say("one");
    const second = session.outbox.say("two");
    line.fail((await line.next()).id, -32001);
    await expect(first).rejects.toThrow("no -32001");
    const { params } = await line.next();
    expect([params.user_input, states(session)]).toEqual(["two", ["sending"]]);
    begin(line, params.turn_id);
    await second;
  });

  test("the end of the session rejects all words that wait", async () => {
    const { session, line } = await extendedServer();
    const said = ["one", "two"].map((text) => session.outbox.say(text).catch(({ code }) => code));
    await line.next();
    await session.close();
    expect(await Promise.all(said)).toEqual(["CLOSED", "CLOSED"]);
    expect(states(session)).toEqual([]);
  });

  test("more than a thousand words that wait are refused", async () => {
    const { session } = await extendedServer();
    for (let count = 0; count < 1_000; count += 1) session.outbox.say("one").catch(() => {});
    await expect(session.outbox.say("too much")).rejects.toMatchObject({ code: "INVALID_STATE" });
    await session.close();
  });
});
