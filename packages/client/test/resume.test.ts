import { describe, expect, test } from "vitest";
import { connect, type QuestionReply } from "../src/index.js";
import { asked, askedAgain, askedAndCut, askedPerson } from "./asked-person.js";
import {
  dialable,
  type ExtendedLine,
  extendedServer,
  fakeTiming,
  greeting,
  outcome,
} from "./extended-server.js";
import { person } from "./person.js";
import { approval, question } from "./raw-server.js";

const alsoAsked = { ...question, id: "r-2" };

async function types(events: AsyncIterable<{ type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

/** A turn that has begun, with some more of its events, and whose connection is cut. */
async function cutInTurn(...more: [type: string, payload: object][]) {
  const server = await extendedServer();
  const { session, line } = server;
  const turn = session.prompt("go");
  const { params } = await line.next();
  line.event("TurnBegin", { user_input: "go", turn_id: params.turn_id });
  for (const event of more) line.event(...event);
  await line.settled();
  await line.cut();
  return { ...server, turn, params };
}

describe("an answer cannot get lost (P-XCL-3)", () => {
  test("an answer without a reply is sent again with the same id, as often as it takes", async () => {
    const { shown, line, back } = await askedPerson();
    shown[0]?.answer("declined");
    const first = await line.next();
    await line.cut();
    const { line: second } = await back({ pending: ["r-1"] });
    const again = await second.next();
    expect(again).toMatchObject({ method: "answer", params: first.params });
    await second.cut();
    const { line: third } = await back();
    const last = await third.next();
    expect(last.params).toEqual(first.params);
    third.reply(last.id, { outcome });
    await third.settled();
    expect(shown[0]?.context.signal.aborted).toBe(false);
    await third.cut();
    const { line: fourth } = await back();
    await fourth.settled();
  });

  test("answers that were given while there was no connection are sent on return, in their order", async () => {
    const { shown, line, back } = await askedPerson();
    line.ask("ApprovalRequest", approval);
    await line.next();
    await line.cut();
    shown[1]?.answer("approve");
    shown[0]?.answer("declined");
    const { line: second } = await back({ pending: ["r-1", "a-1"] });
    expect((await second.next()).params).toMatchObject({ request_id: "a-1", response: "approve" });
    expect((await second.next()).params).toMatchObject({ request_id: "r-1" });
    second.askAgain("QuestionRequest", question);
    await second.settled();
    expect(shown).toHaveLength(2);
  });

  test.each<[string, object, number, object | null]>([
    [", with the outcome, also after a reconnection", {}, -32010, { outcome }],
    [
      " after a reset too: only the server knows whether it counts",
      { stream: "st-2", seq: 0, reset: true },
      -32011,
      null,
    ],
  ])("a late answer is reported by its reply%s", async (_when, session, code, data) => {
    const { shown, back } = await askedAndCut();
    shown[0]?.answer("declined");
    const { line: second } = await back(session);
    second.fail((await second.next()).id, code, data);
    await second.settled();
    expect(shown[0]?.context.signal.reason).toMatchObject({ name: "AbortError", ...data });
  });

  test("a question that comes on the heels of the introduction is not taken for one that was settled", async () => {
    const { shown, handlers } = person();
    const { numbers, dial, nextLine } = dialable();
    const time = fakeTiming();
    const connected = connect(dial, { timing: time.timing, handlers });
    const first = await nextLine();
    const initialize = await first.next();
    first.reply(initialize.id, greeting());
    await asked(first);
    const session = await connected;
    await first.cut();
    time.fire();
    const second = await nextLine();
    const again = await second.next();
    numbers.seq = 3;
    second.reply(again.id, greeting({ seq: 3, pending: ["r-1"] }));
    second.event("Later", {}, 2);
    second.event("Later", {}, 3);
    await asked(second, alsoAsked);
    for (const { answer, context } of shown) {
      expect(context.signal.aborted).toBe(false);
      answer("declined");
    }
    expect((await second.next()).params).toMatchObject({ request_id: "r-1" });
    expect((await second.next()).params).toMatchObject({ request_id: "r-2" });
    await session.close();
  });

  const own_text = "x".repeat(15 * 1_048_576);

  test.each<[string, number, QuestionReply, RegExp]>([
    ["1,000 answers", 1_000, "declined", /more than 1000 answers, .* wait for the server/],
    [
      "64 Mi characters of answers",
      4,
      { items: [{ question_id: "q1", selected: [], own_text }] },
      /64 Mi characters of them, wait for the server/,
    ],
  ])(
    "at most %s wait: whoever gives one more hears of it, and those before are sent",
    async (_most, most, reply, problem) => {
      const { shown, handlers } = person();
      const problems: string[] = [];
      const onProblem = (problem: string) => void problems.push(problem);
      const { line, back } = await extendedServer({ handlers, onProblem });
      for (let n = 0; n <= most; n++) await asked(line, { ...question, id: `r-${n}` });
      await line.cut();
      for (const { answer } of shown) answer(reply);
      await expect.poll(() => problems.length).toBe(1);
      expect(problems).toEqual([expect.stringMatching(problem)]);
      const { line: second } = await back();
      for (let n = 0; n < most; n++) expect((await second.next()).method).toBe("answer");
      await second.settled();
    },
  );
});

describe("open requests after a reconnection (P-XCL-6)", () => {
  test("a card that is still open after a reconnection is not put to the person twice", async () => {
    const { shown, back } = await askedAndCut();
    const { line: second } = await back({ pending: ["r-1"] });
    second.askAgain("QuestionRequest", question);
    await second.settled();
    expect([shown.length, shown[0]?.context.signal.aborted]).toEqual([1, false]);
    shown[0]?.answer("declined");
    expect(await second.next()).toMatchObject({ method: "answer" });
  });

  test("a request whose handler failed meanwhile is released, until the server has replied (P-XAN-9, P-XCL-6)", async () => {
    const { shown, back } = await askedAndCut();
    shown[0]?.fail(new Error("the screen broke"));
    const params = { request_id: "r-1", reason: "protocol_error", message: "Error: the screen broke" };
    const { line: second } = await back({ pending: ["r-1"] });
    expect(await second.next()).toMatchObject({ method: "release", params });
    await second.cut();
    const { line: third } = await back({ pending: ["r-1"] });
    const release = await third.next();
    expect(release).toMatchObject({ method: "release", params });
    third.reply(release.id);
    await third.settled();
    await third.cut();
    const { line: fourth } = await back({ pending: ["r-1"] });
    await fourth.settled();
    expect(shown).toHaveLength(1);
  });

  test("the last 10,000 of the requests that are not shown are released again after a reconnection", async () => {
    const { line, back } = await extendedServer();
    const pending = Array.from({ length: 10_001 }, (_, n) => `r-${n}`);
    for (const id of pending) {
      line.ask("QuestionRequest", { ...question, id });
      await line.next();
    }
    await line.cut();
    const { line: second } = await back({ pending });
    for (const id of pending.slice(1))
      expect(await second.next()).toMatchObject({ method: "release", params: { request_id: id } });
    await second.settled();
  });

  test("a request that is no longer open after a reconnection is taken away", async () => {
    const { shown, back } = await askedAndCut();
    const { line: second } = await back({ pending: [] });
    await second.settled();
    expect(shown[0]?.context.signal.reason).toMatchObject({
      name: "AbortError",
      message: "it was settled while the connection was lost",
      outcome: undefined,
    });
  });

  test("a request that was settled meanwhile is taken away with its outcome, where that is among what was missed (P-XCL-8)", async () => {
    const { shown, line, back } = await askedPerson();
    await asked(line, { ...question, id: "r-2" });
    await line.cut();
    const { line: second } = await back({ pending: [], seq: 4 });
    second.settle("r-1", outcome);
    second.event("StepBegin", { n: 1 });
    await second.settled();
    expect(shown.map(({ context }) => context.signal.reason.outcome)).toEqual([outcome, undefined]);
  });

  const resets = [
    ["too much was missed", { reset: true }],
    ["the server was restarted", { stream: "st-2", reset: true }],
    ["the server was restarted", { stream: "st-2", reset: false }],
  ] as const;

  test.each(resets)("a reset takes away what is no longer open: %s", async (message, session) => {
    const { shown, handlers } = person();
    const resets: boolean[] = [];
    const {
      line,
      back,
      session: client,
    } = await extendedServer({
      handlers,
      onConnection: (change) => void (change.state === "connected" && resets.push(change.reset)),
    });
    line.event("StatusUpdate", { context_tokens: 7 });
    await asked(line);
    await line.cut();
    const { line: second } = await back({ pending: [], seq: 5, ...session });
    expect(shown[0]?.context.signal.reason).toMatchObject({ name: "AbortError", message });
    expect([resets, client.status.context_tokens]).toEqual([[false, true], null]);
    second.event("StepBegin", { n: 1 }, 6);
    await second.settled();
    expect(client.connection).toBe("connected");
  });

  test.each(resets)(
    "a request that is open stays with its draft over a reset: %s",
    async (_message, session) => {
      const { shown, back } = await askedAndCut();
      const { line: second } = await back({ pending: ["r-1"], seq: 5, ...session });
      await askedAgain(second);
      expect([shown.length, shown[0]?.context.signal.aborted]).toEqual([1, false]);
      shown[0]?.answer("declined");
      expect(await second.next()).toMatchObject({ method: "answer", params: { request_id: "r-1" } });
    },
  );

  test.each(resets)(
    "a request whose addressees have grown meanwhile stays with its draft over a reset: %s",
    async (_message, session) => {
      const { shown, back } = await askedAndCut();
      const { line: second } = await back({ pending: ["r-1"], seq: 5, ...session });
      await askedAgain(second, { ...question, to: { roles: ["payments", "leads"] }, escalated: 1 });
      expect([shown.length, shown[0]?.context.signal.aborted]).toEqual([1, false]);
    },
  );

  const other = { ...question, questions: [{ ...question.questions[0], question: "Which one now?" }] };

  test.each([
    ["comes again after a reset and asks something else", true],
    ["is asked otherwise under the same id", false],
  ])("a question that %s is put anew", async (_what, isReset) => {
    const { shown, line, back } = await askedPerson();
    if (isReset) await line.cut();
    await askedAgain(isReset ? (await back({ stream: "st-2", pending: ["r-1"] })).line : line, other);
    expect(shown).toHaveLength(2);
    expect(shown[0]?.context.signal.reason).toMatchObject({ message: "it was asked anew, and otherwise" });
    expect(shown[1]?.context.signal.aborted).toBe(false);
  });

  test("an answer to what was asked before is not sent to what the server asks now", async () => {
    const { shown, back } = await askedAndCut();
    const states: string[] = [];
    shown[0]?.context.onDelivery(({ is }) => void states.push(is));
    shown[0]?.answer("declined");
    const { line: second } = await back({ stream: "st-2", pending: ["r-1"] });
    await askedAgain(second, other);
    await second.settled();
    expect([shown.length, states.at(-1)]).toEqual([2, "failed"]);
    shown[1]?.answer("declined");
    expect(await second.next()).toMatchObject({ method: "answer", params: { request_id: "r-1" } });
  });

  test("an answer that is given while its question is to come again waits for it", async () => {
    const { shown, back } = await askedAndCut();
    const { line: second } = await back({ stream: "st-2", pending: ["r-1"] });
    shown[0]?.answer("declined");
    await second.settled();
    await askedAgain(second, other);
    expect(shown).toHaveLength(2);
  });

  test.each([
    ["comes again", (line: ExtendedLine) => line.askAgain("QuestionRequest", question)],
    [
      "does not come again, and something else happens",
      (line: ExtendedLine) => line.event("StepBegin", { n: 1 }, 6),
    ],
    ["was settled meanwhile", (line: ExtendedLine) => line.settle("r-1", outcome, 6)],
  ])("an answer from before a reset is sent where its question %s", async (_how, then) => {
    const { shown, back } = await askedAndCut();
    shown[0]?.answer("declined");
    const { line: second } = await back({ stream: "st-2", pending: ["r-1"], seq: 5 });
    then(second);
    expect(await second.next()).toMatchObject({ method: "answer", params: { request_id: "r-1" } });
    expect(shown).toHaveLength(1);
  });

  test("an answer to a question that has come again after a reset waits for nothing on the next connection", async () => {
    const { shown, back } = await askedAndCut();
    const { line: second } = await back({ stream: "st-2", pending: ["r-1"] });
    await askedAgain(second);
    await second.cut();
    shown[0]?.answer("declined");
    const { line: third } = await back({ stream: "st-2", pending: ["r-1"] });
    expect(await third.next()).toMatchObject({ method: "answer", params: { request_id: "r-1" } });
  });

  test("a deadline that changes leaves all else, and the user is told of it", async () => {
    const told: unknown[] = [];
    const handlers = { event: (event: unknown) => void told.push(event) };
    const deadline = (second: number) => ({
      at: `2026-01-01T00:00:${second}Z`,
      remaining_ms: 30_000,
      on_expiry: "cancel",
    });
    const shows = { deadline: true };
    const { shown, back } = await askedAndCut({ handlers, shows }, { ...question, deadline: deadline(30) });
    const { line: second } = await back({ stream: "st-2", pending: ["r-1"] });
    await askedAgain(second, { ...question, deadline: deadline(50) });
    expect([shown.length, shown[0]?.context.signal.aborted]).toEqual([1, false]);
    const payload = { request_id: "r-1", deadline: deadline(50) };
    expect(told).toEqual([{ type: "InteractionUpdated", payload }]);
    shown[0]?.context.touch();
    expect(await second.next()).toMatchObject({ method: "touch", params: { request_id: "r-1" } });
  });

  /** A person has begun, which took a deadline away, and the connection is cut. */
  async function begunAndCut() {
    const deadline = { at: "2026-01-01T00:00:30Z", remaining_ms: 30_000, on_expiry: "cancel" };
    const { shown, line, back } = await askedPerson({ shows: { deadline: true } }, { ...question, deadline });
    shown[0]?.context.touch();
    line.reply((await line.next()).id);
    line.event("InteractionUpdated", { request_id: "r-1", deadline: null });
    await line.settled();
    await line.cut();
    return { back, deadline };
  }

  test("a person who has begun is reported again: a deadline that started again is taken away again (P-XDL-3)", async () => {
    const { back, deadline } = await begunAndCut();
    const { line: second } = await back({ pending: ["r-1"], seq: 3 });
    second.event("InteractionUpdated", { request_id: "r-1", deadline });
    expect(await second.next()).toMatchObject({ method: "touch", params: { request_id: "r-1" } });
  });

  test("a person who has begun, and whose time is gone, is not reported again", async () => {
    const { back } = await begunAndCut();
    const { line: second } = await back({ pending: ["r-1"] });
    await second.settled();
  });
});

describe("a prompt over reconnections (P-XCL-7)", () => {
  test("the events of a prompt continue over a reconnection without loss or repetition, its result comes from the newest connection", async () => {
    const { turn, params, back, numbers } = await cutInTurn(["StepBegin", { n: 1 }]);
    const { turn_id } = params;
    expect(params).toEqual({ user_input: "go", turn_id: expect.any(String) });
    const { line: second } = await back({ seq: 3, state: "running", turn_id });
    numbers.seq = 2;
    second.event("StepBegin", { n: 2 });
    const again = await second.next();
    expect(again).toMatchObject({ method: "prompt", params });
    second.event("TurnEnd", { turn_id, status: "finished" });
    second.reply(again.id, { status: "finished" });
    expect(await types(turn)).toEqual(["TurnBegin", "StepBegin", "StepBegin", "TurnEnd"]);
    expect(await turn.result).toEqual({ status: "finished" });
  });

  /** A turn whose result has overtaken its last events, on the second connection. */
  async function overtaken() {
    const server = await cutInTurn();
    const { line: second } = await server.back({ seq: 1 });
    second.reply((await second.next()).id, { status: "finished" });
    await second.settled();
    return { ...server, second };
  }

  test("a result that overtakes the last events waits for them", async () => {
    const { turn, params, numbers, second } = await overtaken();
    numbers.seq = 1;
    second.event("StepBegin", { n: 1 });
    second.event("TurnEnd", { turn_id: params.turn_id, status: "finished" });
    expect(await types(turn)).toEqual(["TurnBegin", "StepBegin", "TurnEnd"]);
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test("the end of a session reports a result that is there, also where its last events have not come", async () => {
    const { session, turn } = await overtaken();
    await session.close();
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test("a result whose events do not come is reported when the server has no more", async () => {
    const { session, line } = await extendedServer();
    const turn = session.prompt("go");
    line.reply((await line.next()).id, { status: "finished" });
    await line.settled();
    line.send({ method: "alive", params: { seq: 0 } });
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test("a prompt that is made while what was missed still comes is sent once", async () => {
    const { session, line, back } = await extendedServer();
    await line.cut();
    const { line: second } = await back({ seq: 2 });
    void session.prompt("go");
    expect(await second.next()).toMatchObject({ method: "prompt" });
    for (const seq of [1, 2]) second.event("StatusUpdate", { plan_mode: false }, seq);
    await second.settled();
  });

  test("a prompt made without a connection is sent on return", async () => {
    const { session, line, back } = await extendedServer();
    await line.cut();
    expect(() => session.prompt(7 as never)).toThrow(expect.objectContaining({ code: "BAD_MESSAGE" }));
    const turn = session.prompt("go");
    expect(() => session.prompt("two")).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
    const { line: second } = await back({ stream: "st-2", reset: true });
    const prompt = await second.next();
    expect(prompt.params).toMatchObject({ user_input: "go" });
    second.fail(prompt.id, -32001);
    await expect(turn.result).rejects.toMatchObject({ code: -32001 });
    const again = session.prompt("again");
    expect((await second.next()).params.turn_id).not.toBe(prompt.params.turn_id);
    second.event("TurnBegin", { user_input: "theirs", turn_id: "theirs" });
    await session.close();
    await expect(types(again)).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("a prompt after a restart of the server ends with an error, and another one can be made", async () => {
    const { session, line, back } = await extendedServer();
    const turn = session.prompt("go");
    await line.next();
    await line.cut();
    const { line: second } = await back({ stream: "st-2", reset: true });
    const message = "prompt: the server was restarted, nobody knows if the turn ran";
    const error = { name: "LocalError", code: "CLOSED", message };
    await expect(turn.result).rejects.toMatchObject(error);
    await expect(types(turn)).rejects.toMatchObject(error);
    await second.settled();
    const next = session.prompt("again");
    expect(await second.next()).toMatchObject({ method: "prompt" });
    await session.close();
    await expect(next.result).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("a prompt is sent again to a restarted server that resumes, and the events of its turn continue (P-XCL-7)", async () => {
    const { turn, params, back, numbers } = await cutInTurn();
    const { turn_id } = params;
    const { line: second } = await back({ stream: "st-2", reset: true, resumes: true, turn_id, seq: 0 });
    numbers.seq = 0;
    const again = await second.next();
    expect(again).toMatchObject({ method: "prompt", params });
    second.event("StepRetry", { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 0, error_type: "e" });
    second.event("TurnEnd", { turn_id, status: "finished" });
    second.reply(again.id, { status: "finished" });
    expect(await types(turn)).toEqual(["TurnBegin", expect.any(String), "TurnEnd"]);
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test("a prompt that a restarted server has not heard of begins there, where it resumes (P-XCL-7)", async () => {
    const { session, line, back, numbers } = await extendedServer();
    const turn = session.prompt("go");
    const { params } = await line.next();
    await line.cut();
    const { line: second } = await back({ stream: "st-2", reset: true, resumes: true, seq: 0 });
    numbers.seq = 0;
    const again = await second.next();
    expect(again).toMatchObject({ method: "prompt", params });
    second.event("TurnBegin", { user_input: "go", turn_id: params.turn_id });
    second.event("TurnEnd", { turn_id: params.turn_id, status: "finished" });
    second.reply(again.id, { status: "finished" });
    expect(await types(turn)).toEqual(["TurnBegin", "TurnEnd"]);
  });

  test("a prompt whose turn ended before the restart has its result, and its events end with an error (P-XCL-7)", async () => {
    const { turn, back } = await cutInTurn();
    const { line: second } = await back({ stream: "st-2", reset: true, resumes: true });
    second.reply((await second.next()).id, { status: "finished" });
    expect(await turn.result).toEqual({ status: "finished" });
    await expect(types(turn)).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("a prompt that missed too much has its events end with an error, and its result is asked for", async () => {
    const { turn, params, back } = await cutInTurn();
    const { line: second } = await back({ seq: 20_000, reset: true });
    const again = await second.next();
    expect(again).toMatchObject({ method: "prompt", params });
    second.reply(again.id, { status: "finished" });
    expect(await turn.result).toEqual({ status: "finished" });
    const seen: string[] = [];
    const read = async () => {
      for await (const { type } of turn) seen.push(type);
    };
    await expect(read()).rejects.toMatchObject({
      code: "CLOSED",
      message: "prompt: too much was missed to go on with the turn's events",
    });
    expect(seen).toEqual(["TurnBegin"]);
  });

  test("a turn that is under way at the attach can be joined (P-XTR-2)", async () => {
    const { session, line } = await extendedServer({}, { state: "running", turn_id: "t-1" });
    const turn = session.joinTurn();
    if (turn === undefined) throw new Error("expected a turn");
    expect(() => session.joinTurn()).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
    const { id, params } = await line.next();
    expect(params).toEqual({ user_input: "", turn_id: "t-1" });
    line.event("StepBegin", { n: 2 });
    line.event("TurnEnd", { turn_id: "t-1", status: "finished" });
    line.reply(id, { status: "finished" });
    expect(await types(turn)).toEqual(["StepBegin", "TurnEnd"]);
    expect(await turn.result).toEqual({ status: "finished" });
    expect(session.joinTurn()).toBeUndefined();
  });

  test("somebody else's events are not those of a prompt", async () => {
    const { session, line } = await extendedServer();
    line.event("TurnBegin", { user_input: "theirs", turn_id: "theirs" });
    const turn = session.prompt("mine");
    const { id, params } = await line.next();
    line.event("TurnEnd", { turn_id: "theirs", status: "finished" });
    line.event("TurnBegin", { user_input: "mine", turn_id: params.turn_id });
    line.event("TurnEnd", { turn_id: params.turn_id, status: "finished" });
    line.reply(id, { status: "finished" });
    expect(await types(turn)).toEqual(["TurnBegin", "TurnEnd"]);
  });
});

describe("a call while the connection is lost", () => {
  test("a call that has to be made now is refused while the connection is lost, and says why", async () => {
    const { session, line, back } = await extendedServer({}, { state: "running", turn_id: "t" });
    await line.cut();
    const lost = { code: "CLOSED", message: expect.stringContaining("is lost, and being opened again") };
    for (const call of [
      () => session.steer("faster"),
      () => session.cancel(),
      () => session.setPlanMode(true),
      () => session.replay(),
      () => session.listSessions(),
    ]) {
      await expect(call()).rejects.toMatchObject(lost);
    }
    const { line: second } = await back({ state: "running", turn_id: "t" });
    const steered = session.steer("faster");
    second.reply((await second.next()).id, { status: "steered" });
    await steered;
  });

  test("a call under way learns that its reply will not come when the connection is lost", async () => {
    const { session, line } = await extendedServer();
    const switched = session.setPlanMode(true);
    await line.next();
    await line.cut();
    await expect(switched).rejects.toMatchObject({ code: "CLOSED" });
  });
});
