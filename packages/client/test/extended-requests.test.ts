import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { ApprovalReply, QuestionReply } from "../src/index.js";
import { asked, askedPerson, declinedPerson } from "./asked-person.js";
import { type ExtendedLine, extendedServer, outcome, receipt } from "./extended-server.js";
import { person } from "./person.js";
import { approval, question } from "./raw-server.js";

const item = (...selected: string[]) => ({ items: [{ question_id: "q1", selected }] });

const options = [
  { id: "once", label: "Approve", kind: "allow" },
  {
    id: "git",
    label: "Approve git",
    kind: "allow",
    scope: { kind: "program", value: "git", text: "git too" },
  },
  { id: "no", label: "Reject", kind: "reject" },
];
const edit = { content: "git status", max_length: 100 };

describe("a request and its answer (P-XAN-1, P-XAN-2)", () => {
  test.each<[string, QuestionReply, object]>([
    ["items", item("q1_o2"), { outcome: { status: "answered" }, ...item("q1_o2") }],
    ["a map", { answers: { "Which?": "B" } }, { outcome: { status: "answered" }, ...item("q1_o2") }],
    ["an empty map", { answers: {} }, { outcome: { status: "declined", reason: "dismissed" } }],
    ["declined", "declined", { outcome: { status: "declined", reason: "dismissed" } }],
    [
      "to be discussed",
      { declined: "discuss", note: "why?" },
      { outcome: { status: "declined", reason: "discuss", note: "why?" } },
    ],
  ])(
    "a question is answered by a request, at once or after a receipt, with %s",
    async (_what, reply, words) => {
      for (const later of [false, true]) {
        const handler = later ? async () => reply : () => reply;
        const { line } = await extendedServer({ handlers: { question: handler } });
        line.ask("QuestionRequest", question);
        if (later) expect(await line.next()).toEqual(receipt("r-1"));
        const answer = await line.next();
        expect(answer).toMatchObject({ method: "answer", id: expect.any(String) });
        expect(answer.params).toEqual({ request_id: "r-1", answer_id: expect.any(String), ...words });
        line.reply(answer.id, { outcome });
        await line.settled();
      }
    },
  );

  test.each<[ApprovalReply, object]>([
    ["approve", { response: "approve" }],
    [
      { response: "reject", feedback: "use trash" },
      { response: "reject", feedback: "use trash" },
    ],
  ])("an approval is answered by a request, at once or after a receipt, with %j", async (reply, words) => {
    const { line } = await extendedServer({ handlers: { approval: () => reply } });
    line.ask("ApprovalRequest", approval);
    const { params } = await line.next();
    expect(params).toEqual({
      request_id: "a-1",
      answer_id: expect.any(String),
      outcome: { status: "answered" },
      ...words,
    });
  });

  test("an approval tells its handler its options; one that has them wrongly is released (P-XAO-1, P-XAN-9)", async () => {
    const seen: unknown[] = [];
    const { line } = await extendedServer({
      handlers: {
        approval({ options, edit }) {
          seen.push(options, edit);
          return { option: "git", edited: "git log" };
        },
      },
    });
    line.ask("ApprovalRequest", { ...approval, options, edit });
    expect(await line.next()).toEqual({
      jsonrpc: "2.0",
      id: expect.any(String),
      method: "answer",
      params: {
        request_id: "a-1",
        answer_id: expect.any(String),
        outcome: { status: "answered" },
        option: "git",
        edited: "git log",
      },
    });
    line.ask("ApprovalRequest", { ...approval, id: "a-2", options: [{ ...options[0], kind: 7 }] });
    expect(await line.next()).toMatchObject({
      method: "release",
      params: {
        request_id: "a-2",
        reason: "protocol_error",
        message: expect.stringContaining('options[0].kind: expected "allow" or "reject"'),
      },
    });
    expect(seen).toEqual([options, edit]);
  });

  test.each<[ApprovalReply, object]>([
    ["reject", { option: "no" }],
    [
      { response: "reject", feedback: "why" },
      { option: "no", feedback: "why" },
    ],
    ["approve", { option: "once" }],
  ])("an approval with options is answered by the one that %j means (P-XAO-1)", async (reply, said) => {
    const { line } = await extendedServer({ handlers: { approval: () => reply } });
    line.ask("ApprovalRequest", { ...approval, options });
    expect((await line.next()).params).toMatchObject(said);
  });

  test.each(["approve_for_session", "approve"] as const)(
    "a handler that answers %s where several options are meant is taken off it (P-XAO-1, P-XAN-9)",
    async (reply) => {
      const { line } = await extendedServer({ handlers: { approval: () => reply } });
      const more = { id: "too", label: "Too", kind: "allow" };
      line.ask("ApprovalRequest", { ...approval, options: [...options, more] });
      expect(await line.next()).toMatchObject({ method: "release" });
    },
  );

  const two = { ...question, questions: [...question.questions, { question: "And?", options: [] }] };

  test.each([
    [
      true,
      true,
      [
        { question_id: "q1", selected: ["q1_o1"] },
        { question_id: "q2", selected: [], skipped: true },
      ],
    ],
    [true, false, [{ question_id: "q1", selected: ["q1_o1"] }]],
    [false, true, [{ question_id: "q1", selected: ["q1_o1"] }]],
  ])(
    "a map that leaves a question out skips it where both sides can: %s, %s (P-XNG-2)",
    async (client, other, items) => {
      const handlers = { question: () => ({ answers: { "Which?": "A" } }) };
      const { line } = await extendedServer({ handlers, shows: { skip: client } }, {}, { skip: other });
      line.ask("QuestionRequest", two);
      expect((await line.next()).params).toMatchObject({ items });
    },
  );

  test.each([
    ["a question that is none", { ...question, questions: [{ question: 5 }] }],
    ["no list of questions", { ...question, questions: null }],
    ["an entry that is null", { ...question, questions: [null] }],
  ])("a request with %s is released, and reported (P-XAN-9)", async (_what, payload) => {
    const problems: string[] = [];
    const { shown, handlers } = person();
    const { line } = await extendedServer({ handlers, onProblem: (problem) => void problems.push(problem) });
    line.ask("QuestionRequest", payload);
    expect(await line.next()).toMatchObject({
      method: "release",
      params: { request_id: "r-1", reason: "protocol_error" },
    });
    expect([shown.length, problems]).toEqual([0, [expect.stringContaining("does not fit the protocol")]]);
  });

  test("a request that this client cannot show is refused at once", async () => {
    const { line } = await extendedServer();
    line.ask("QuestionRequest", question);
    line.ask("ApprovalRequest", approval);
    for (const request_id of ["r-1", "a-1"]) {
      const params = { request_id, reason: "unsupported" };
      expect(await line.next()).toMatchObject({ method: "release", params });
    }
  });

  test("a handler that fails takes the client off, at once or later, and is reported (P-XAN-9)", async () => {
    const problems: string[] = [];
    const { shown, handlers } = person();
    const fail = () => {
      throw new Error("no screen");
    };
    const { line } = await extendedServer({
      handlers: { question: handlers.question, approval: fail },
      onProblem: (problem) => void problems.push(problem),
    });
    line.ask("ApprovalRequest", approval);
    expect(await line.next()).toMatchObject({
      method: "release",
      params: { request_id: "a-1", reason: "protocol_error", message: "Error: no screen" },
    });
    await asked(line);
    shown[0]?.fail(new Error("the screen broke"));
    expect(await line.next()).toMatchObject({
      method: "release",
      params: { request_id: "r-1", reason: "protocol_error", message: "Error: the screen broke" },
    });
    expect(problems).toEqual([
      "ApprovalRequest a-1 is not answered by this client: Error: no screen",
      "QuestionRequest r-1 is not answered by this client: Error: the screen broke",
    ]);
  });

  test("a reply that does not fit is a failure of the handler", async () => {
    const problems: string[] = [];
    const { shown, line } = await askedPerson({ onProblem: (problem) => void problems.push(problem) });
    shown[0]?.answer("maybe" as never);
    expect(await line.next()).toMatchObject({ method: "release", params: { request_id: "r-1" } });
    expect(problems).toEqual([
      expect.stringContaining('question handler: expected "declined", {items} or {answers}'),
    ]);
  });
});

describe("the server's reply to an answer", () => {
  const issue = { question_id: "q1", code: "unknown_option", message: "there is no option q1_o9" };

  test("issues in the server's reply call the handler again, whose answer has another id (P-XAN-4, P-XCL-3)", async () => {
    const { shown, line } = await askedPerson();
    expect(shown[0]?.context.issues).toEqual([]);
    shown[0]?.answer(item("q1_o9"));
    const wrong = await line.next();
    line.fail(wrong.id, -32013, { issues: [issue] });
    await line.settled();
    expect(shown[1]?.context.issues).toEqual([issue]);
    expect(shown[1]?.view).toBe(shown[0]?.view);
    shown[1]?.answer(item("q1_o1"));
    const right = await line.next();
    expect(right.params).toMatchObject({ request_id: "r-1", ...item("q1_o1") });
    expect(right.params.answer_id).not.toBe(wrong.params.answer_id);
    line.reply(right.id, { outcome });
    await line.settled();
    expect([shown.length, shown[1]?.context.signal.aborted]).toEqual([2, false]);
  });

  test("a refusal without readable issues is reported by its message", async () => {
    const { shown, line, answer } = await declinedPerson();
    line.fail(answer.id, -32013, { issues: [7] });
    await line.settled();
    expect(shown[1]?.context.issues).toEqual([
      { question_id: null, code: "unexpected", message: "no -32013" },
    ]);
  });

  test("a handler that repeats its wrong answer is called less and less often, and at last given up (P-XCL-11)", async () => {
    const problems: string[] = [];
    let calls = 0;
    const { line, time } = await extendedServer({
      handlers: {
        question() {
          calls += 1;
          return item("q1_o9");
        },
      },
      onProblem: (problem) => void problems.push(problem),
    });
    line.ask("QuestionRequest", question);
    for (let refusals = 1; refusals <= 17; refusals++) {
      line.fail((await line.next()).id, -32013, { issues: [issue] });
      if (refusals === 1 || refusals === 17) continue;
      await line.settled();
      expect(calls).toBe(refusals);
      time.fire(Math.min(5_000, 100 * 2 ** (refusals - 2)));
    }
    expect(await line.next()).toMatchObject({ method: "release" });
    expect(problems[0]).toMatch(/^the answer to r-1 was refused 2 times: /);
    expect(problems).toHaveLength(16);
    expect(problems.at(-1)).toContain("refused 17 times");
  });

  test.each([
    [-32010, { outcome }, outcome],
    [-32010, { outcome: "?" }, undefined],
    [-32011, null, undefined],
    [-32012, null, undefined],
    [-32014, null, undefined],
  ])(
    "the error %i takes the request away with its outcome, if it is known (P-XAN-3)",
    async (code, data, known) => {
      const problems: string[] = [];
      const { shown, line, answer } = await declinedPerson({
        onProblem: (problem) => void problems.push(problem),
      });
      line.fail(answer.id, code, data);
      await line.settled();
      const reason = shown[0]?.context.signal.reason;
      expect(reason).toMatchObject({ name: "AbortError" });
      expect(reason.outcome).toEqual(known);
      expect(problems).toEqual([`the answer to r-1 did not count: no ${code}`]);
    },
  );

  test("any other error is reported, and the request can be shown again", async () => {
    const problems: string[] = [];
    const { shown, line, answer } = await declinedPerson({
      onProblem: (problem) => void problems.push(problem),
    });
    line.fail(answer.id, -32603);
    const release = await line.next();
    expect(release).toMatchObject({ method: "release", params: { request_id: "r-1" } });
    line.fail(release.id, -32010);
    await line.settled();
    await asked(line);
    expect([shown.length, problems.length]).toEqual([2, 1]);
  });

  /** A person whose answer is one too many, so that the client is to send it again after a while (P-XAN-8). */
  async function oneTooMany() {
    const there = await declinedPerson();
    there.line.fail(there.answer.id, -32020, { limit: "refusedAnswers" });
    await there.line.settled();
    return there;
  }

  test("an answer that is one too many is sent again after a while (P-XAN-8)", async () => {
    const { line, time, answer } = await oneTooMany();
    // The answer counts as not delivered meanwhile.
    expect(time.waits()).toEqual([5_000, 10_000, 15_000]);
    time.fire(15_000);
    expect((await line.next()).params).toEqual(answer.params);
  });

  test("an answer that is to be sent again after a while holds up no end", async () => {
    const { time, session } = await oneTooMany();
    await session.close();
    expect(time.waits()).toEqual([]);
  });

  test("an answer that is to be sent again after a while is sent by the next connection, and only once (P-XAN-8)", async () => {
    const { line, time, back, answer } = await oneTooMany();
    await line.cut();
    expect(time.waits()).not.toContain(15_000);
    const { line: second } = await back({ pending: ["r-1"] });
    expect((await second.next()).params).toEqual(answer.params);
    await second.settled();
  });

  test("an accepted answer is sent again if the request comes again, and nobody is asked (P-XAN-5)", async () => {
    const { shown, line, answer } = await declinedPerson();
    line.reply(answer.id, { outcome });
    await line.settled();
    line.askAgain("QuestionRequest", question);
    expect((await line.next()).params).toEqual(answer.params);
    expect(shown).toHaveLength(1);
  });

  const settled = (line: ExtendedLine) => line.settle("r-1", outcome);
  const again = (line: ExtendedLine) => line.askAgain("QuestionRequest", question);

  const otherwise = (line: ExtendedLine) =>
    line.askAgain("QuestionRequest", { ...question, tool_call_id: "c-2" });

  test.each<[string, ((line: ExtendedLine) => void)[], ((line: ExtendedLine) => void)[]]>([
    ["whose answer counted asks something else", [], [otherwise]],
    ["whose answer counted was settled, and is asked again", [], [settled, again]],
    ["was settled before the word on its answer came, and is asked again", [settled], [again]],
  ])("a person is asked where a request %s", async (_what, before, after) => {
    const { shown, line, answer } = await declinedPerson();
    for (const act of before) act(line);
    line.reply(answer.id, { outcome });
    await line.settled();
    for (const act of after) act(line);
    expect(await line.next()).toEqual(receipt("r-1"));
    expect(shown).toHaveLength(2);
  });
});

describe("a reply that stands for the event of the settlement (P-XAN-2)", () => {
  const settled = { outcome, kind: "question", response: { answers: {} } };
  const event = { type: "InteractionSettled", payload: { request_id: "r-1", ...settled } };

  /** A person who has declined, and everything that the client's user hears. */
  async function declined() {
    const heard: unknown[] = [];
    const handlers = { event: (event: unknown) => void heard.push(event) };
    return { ...(await declinedPerson({ handlers })), heard };
  }

  test("a reply with a number is heard as the event, and the next number, in the same breath, is no gap", async () => {
    const { line, numbers, session, answer, heard, shown } = await declined();
    const seq = numbers.seq + 1;
    line.reply(answer.id, { ...settled, seq, state: "running" });
    line.event("TurnEnd", {}, seq + 1);
    await line.settled();
    expect(heard).toEqual([event, { type: "TurnEnd", payload: {} }]);
    expect([session.connection, session.state]).toEqual(["connected", "running"]);
    expect(shown[0]?.context.signal.aborted).toBe(false);
    line.askAgain("QuestionRequest", question);
    expect(await line.next()).toEqual(receipt("r-1"));
  });

  test.each<[string, object]>([
    ["without a number", settled],
    ["with a number that is none", { ...settled, seq: "next" }],
    ["with a number that has been", { ...settled, seq: 1 }],
  ])("a reply %s says that the answer counts, and the event comes by itself", async (_what, reply) => {
    const { line, answer, heard } = await declined();
    line.reply(answer.id, reply);
    await line.settled();
    expect(heard).toEqual([]);
    line.event(event.type, event.payload);
    await line.settled();
    expect(heard).toEqual([event]);
  });

  test("a reply whose number leaves a gap has what is missing fetched, and the answer counts", async () => {
    const { line, numbers, back, answer, heard } = await declined();
    const { seq } = numbers;
    line.reply(answer.id, { ...settled, seq: seq + 2 });
    await line.closed;
    numbers.seq = seq + 2;
    const { line: second, initialize } = await back();
    expect(initialize.params.session).toMatchObject({ after_seq: seq });
    second.event("StepBegin", { n: 1 }, seq + 1);
    second.event(event.type, event.payload, seq + 2);
    await second.settled();
    expect(heard).toEqual([{ type: "StepBegin", payload: { n: 1 } }, event]);
  });
});

describe("answers that counted", () => {
  /** A client whose person has answered all of these questions, and the server has taken the answers. */
  async function answered(replies: readonly QuestionReply[], problems: string[] = []) {
    const { shown, handlers } = person();
    const onProblem = (problem: string) => void problems.push(problem);
    const { line } = await extendedServer({ handlers, onProblem });
    for (const [n, reply] of replies.entries()) {
      await asked(line, { ...question, id: `r-${n}` });
      shown[n]?.answer(reply);
      line.reply((await line.next()).id, { outcome });
      await line.settled();
    }
    return { shown, line };
  }
  const own_text = "x".repeat(9 * 1_048_576);
  const large: QuestionReply = { items: [{ question_id: "q1", selected: [], own_text }] };

  test.each<[string, QuestionReply[]]>([
    ["256", Array.from({ length: 257 }, () => "declined")],
    ["16 Mi characters", [large, large]],
  ])(
    "the last %s of answers that counted are kept: a question whose answer is gone is put to the person again",
    async (_most, replies) => {
      const { shown, line } = await answered(replies);
      line.askAgain("QuestionRequest", { ...question, id: "r-1" });
      expect(await line.next()).toMatchObject({ method: "answer", params: { request_id: "r-1" } });
      line.askAgain("QuestionRequest", { ...question, id: "r-0" });
      expect(await line.next()).toEqual(receipt("r-0"));
      expect(shown).toHaveLength(replies.length + 1);
    },
  );

  test("a session that has ended keeps no answer that counted", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const size = 9 * 1_048_576;
    const reply = () => ({ items: [{ question_id: "q1", selected: [], own_text: "x".repeat(size) }] });
    const { session, line } = await extendedServer({ handlers: { question: reply } });
    line.ask("QuestionRequest", question);
    line.reply((await line.next()).id, { outcome });
    await line.settled();
    const before = used();
    await session.close();
    expect(before - used()).toBeGreaterThan(0.8 * size);
  });

  test("an answer that cannot be sent again, since too many wait, is reported", async () => {
    const problems: string[] = [];
    const { shown, line } = await answered(["declined"], problems);
    for (let n = 1; n <= 1_000; n++) {
      await asked(line, { ...question, id: `r-${n}` });
      shown[n]?.answer("declined");
      await line.next();
    }
    line.askAgain("QuestionRequest", { ...question, id: "r-0" });
    await line.settled();
    expect(problems).toEqual([expect.stringMatching(/^the answer to r-0 is not sent again: /)]);
  });
});

test.each([
  ["a symbol", Symbol("no")],
  ["an object without a prototype", Object.create(null)],
])("a handler that throws %s releases its request nevertheless (P-XAN-9)", async (_what, thrown) => {
  const fails = () => {
    throw thrown;
  };
  const { line } = await extendedServer({ handlers: { question: fails } });
  line.ask("QuestionRequest", question);
  expect(await line.next()).toMatchObject({
    method: "release",
    params: { request_id: "r-1", reason: "protocol_error" },
  });
});

describe("a request settled elsewhere (P-XCL-8)", () => {
  test("a request settled elsewhere is taken from the person with its outcome; the others stay, and the answer goes nowhere", async () => {
    const { shown, line } = await askedPerson();
    await asked(line, { ...question, id: "r-2" });
    line.settle("r-1", outcome);
    await line.settled();
    expect(shown.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
    expect(shown[0]?.context.signal.reason).toMatchObject({ name: "AbortError", outcome });
    shown[0]?.answer("declined");
    await line.settled();
  });

  test("a client's own answer takes nothing from the person", async () => {
    const { shown, line, answer } = await declinedPerson();
    line.settle("r-1", outcome);
    line.reply(answer.id, { outcome });
    await line.settled();
    expect(shown[0]?.context.signal.aborted).toBe(false);
  });

  test("a settled request that comes again is not shown again, whatever its number", async () => {
    const { shown, line, session } = await askedPerson();
    line.askAgain("QuestionRequest", question);
    line.ask("QuestionRequest", question);
    await line.settled();
    expect([shown.length, session.connection]).toEqual([1, "connected"]);
  });

  test("the end of a turn or a tool's result takes nothing from the person: only the server's word does", async () => {
    const { shown, line } = await askedPerson();
    const return_value = { is_error: false, output: "", message: "", display: [] };
    line.event("ToolResult", { tool_call_id: "tc-1", return_value });
    line.event("TurnEnd");
    await line.settled();
    expect(shown[0]?.context.signal.aborted).toBe(false);
  });
});

describe("a deadline (P-XDL-3, P-XST-3)", () => {
  const deadline = { at: "2026-01-01T00:00:30Z", remaining_ms: 30_000, on_expiry: "cancel" };

  test("a deadline is shown, and taken away by the first touch", async () => {
    const { shown, line } = await askedPerson({ shows: { deadline: true } }, { ...question, deadline });
    expect(shown[0]?.view).toMatchObject({ deadline });
    shown[0]?.context.touch();
    shown[0]?.context.touch();
    const touch = await line.next();
    expect(touch).toMatchObject({ method: "touch", params: { request_id: "r-1" } });
    line.reply(touch.id);
    line.event("InteractionUpdated", { request_id: "r-1", deadline: null });
    await line.settled();
    shown[0]?.context.touch();
    await line.settled();
  });

  test("a touch is sent again for a deadline that runs once more", async () => {
    const { shown, line } = await askedPerson({ shows: { deadline: true } }, { ...question, deadline });
    for (const time of ["first", "second"]) {
      shown[0]?.context.touch();
      const touch = await line.next();
      expect(touch, time).toMatchObject({ method: "touch", params: { request_id: "r-1" } });
      line.reply(touch.id);
      line.event("InteractionUpdated", { request_id: "r-1", deadline: null });
      line.event("InteractionUpdated", { request_id: "r-1", deadline });
      await line.settled();
    }
  });

  test("a deadline that has started again can be touched again; without one nothing is sent", async () => {
    const { shown, line } = await askedPerson();
    shown[0]?.context.touch();
    await line.settled();
    line.event("InteractionUpdated", { request_id: "r-1", deadline });
    await line.settled();
    shown[0]?.context.touch();
    expect(await line.next()).toMatchObject({ method: "touch" });
  });
});
