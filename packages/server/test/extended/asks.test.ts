import { describe, expect, test } from "vitest";
import { drivenClock } from "../driven-clock.js";
import { asks, scenario } from "../scenario.js";
import { until } from "../until.js";
import { type Introduction, meetExtended, order, items as orderItems } from "./extended-client.js";

const colour = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
const red = [{ question_id: "q1", selected: ["q1_o1"] }];

type Set = ReturnType<typeof scenario>;

const join = async (set: Set, session: ReturnType<Set["server"]["createSession"]>, said: Introduction = {}) =>
  (await meetExtended(set, { session }, said)).client;

/** A session with a program that shows no questions, and a person. */
async function programAndPerson(options: Parameters<typeof scenario>[1] = {}, scripts: string[] = []) {
  const set = scenario(scripts, options);
  const session = set.server.createSession();
  const program = await join(set, session, { name: "deployer", question: false });
  const person = await join(set, session, { name: "person" });
  return { ...set, session, program, person };
}

const outcomeOf = (message: { result?: Record<string, unknown> }) =>
  message.result?.outcome as Record<string, unknown> | undefined;

describe("a connected program asks the people of a session (P-XAK-1)", () => {
  test("a program that asks waits, and has the outcome with the answers after everybody was told", async () => {
    const { program, person, session } = await programAndPerson();
    const asked = program.call("ask", { key: "k", questions: order });
    const request = await person.asked("QuestionRequest");
    expect([session.state, session.running]).toEqual(["waiting", false]);
    expect(request.params?.payload).toMatchObject({
      tool_call_id: "ask:k",
      program: { key: "k", name: "deployer", connection: expect.any(String) },
    });
    await person.answer(request, { items: orderItems });
    expect((await asked).result).toEqual({
      request_id: request.id,
      outcome: expect.objectContaining({
        status: "answered",
        by: "human",
        client: expect.objectContaining({ name: "person" }),
      }),
      answers: { "Which colour?": "Red", "Which extras?": "Bell, Light, bright" },
      items: [orderItems[0], orderItems[1]],
    });
    expect(program.story()).toEqual(["InteractionOpened", "InteractionSettled", "ask: ok"]);
    expect([session.state, session.idle]).toEqual(["idle", false]);
  });

  test("a program that asks has typed fields checked for it, as an agent has", async () => {
    const { program, person } = await programAndPerson();
    const field = { type: "integer", bounds: { min: 1, max: 5 } };
    const asked = program.call("ask", { key: "k", questions: [{ question: "How many?", field }] });
    const request = await person.asked("QuestionRequest");
    const said = (own_text: string) => [{ question_id: "q1", selected: [], own_text }];
    expect((await person.answer(request, { items: said("9") })).error?.code).toBe(-32013);
    await person.answer(request, { items: said("3") });
    expect((await asked).result).toMatchObject({ answers: { "How many?": "3" } });
    const against = { type: "integer", bounds: { min: 5, max: 1 } };
    const { error } = await program.call("ask", {
      key: "x",
      questions: [{ question: "How many?", field: against }],
    });
    expect(error?.code).toBe(-32602);
  });

  test("a program that asks is told of a person who declines, and of a deadline that passes", async () => {
    const clock = drivenClock();
    const { program, person } = await programAndPerson({ clock });
    const declined = program.call("ask", { key: "a", questions: colour });
    await person.answer(await person.asked("QuestionRequest"), { outcome: { status: "declined" } });
    expect(outcomeOf(await declined)).toMatchObject({ status: "declined", reason: "dismissed" });
    const late = program.call("ask", {
      key: "b",
      questions: colour,
      deadline: { ms: 5_000, on_expiry: "cancel", of_a_later_version: true },
    });
    expect((await person.asked("QuestionRequest", 2)).params?.payload).toHaveProperty("deadline");
    clock.advance(5_000);
    expect(outcomeOf(await late)).toMatchObject({ status: "expired", by: "timer" });
  });

  test("a program's question is asked beside the agent's turn, whose end and whose cancel leave it open (P-XAK-3)", async () => {
    const { program, person, session } = await programAndPerson({}, [
      asks(),
      "text: done",
      asks(),
      "text: x",
    ]);
    const { prompt: first, asked: ofAgent } = await person.begun("QuestionRequest");
    const one = program.call("ask", { key: "one", questions: colour });
    const two = program.call("ask", { key: "two", questions: colour });
    const [ofOne, ofTwo] = [
      await person.asked("QuestionRequest", 2),
      await person.asked("QuestionRequest", 3),
    ];
    await person.answer(ofAgent, { items: red });
    expect((await first).result).toEqual({ status: "finished" });
    expect(session.pending.map(({ id }) => id)).toEqual([ofOne.id, ofTwo.id]);
    const second = person.call("prompt", { user_input: "again" });
    await person.asked("QuestionRequest", 4);
    await person.call("cancel");
    expect((await second).result).toEqual({ status: "cancelled" });
    await person.answer(ofTwo, { items: red });
    await person.answer(ofOne, { items: red });
    expect(outcomeOf(await one)).toMatchObject({ status: "answered" });
    expect(outcomeOf(await two)).toMatchObject({ status: "answered" });
  });

  test("a program's question ends with the session, and the program hears it", async () => {
    const { program, person, session } = await programAndPerson();
    const asked = program.call("ask", { key: "k", questions: colour });
    await person.asked("QuestionRequest");
    void session.close();
    expect(outcomeOf(await asked)).toMatchObject({ status: "withdrawn", reason: "session_closed" });
  });

  test("a program's question ends at once where nobody is there, and where nobody can show it, and may be asked anew then (P-XAK-4, P-ATT-1)", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const program = await join(set, session, { question: false });
    const alone = await program.call("ask", { key: "k", questions: colour });
    expect(outcomeOf(alone)).toMatchObject({ status: "unavailable", reason: "unattended" });
    await join(set, session, { question: false });
    const blind = await program.call("ask", { key: "k", questions: colour });
    expect(outcomeOf(blind)).toMatchObject({ status: "unavailable", reason: "unsupported" });
    const person = await join(set, session);
    const asked = program.call("ask", { key: "k", questions: colour });
    await person.answer(await person.asked("QuestionRequest"), { items: red });
    expect(outcomeOf(await asked)).toMatchObject({ status: "answered" });
  });

  test("a program's question waits for somebody where the session holds (P-ATT-2), and a client that comes is asked", async () => {
    const set = scenario([], { attendance: "hold" });
    const session = set.server.createSession();
    const program = await join(set, session, { question: false });
    const asked = program.call("ask", { key: "k", questions: colour });
    await program.settled();
    const person = await join(set, session);
    await person.answer(await person.asked("QuestionRequest"), { items: red });
    expect(outcomeOf(await asked)).toMatchObject({ status: "answered" });
  });

  test("a program's question counts among the open requests of the session (P-INT-8)", async () => {
    const { program, person } = await programAndPerson({ maxOpenRequests: 1 });
    void program.call("ask", { key: "a", questions: colour });
    await person.asked("QuestionRequest");
    const over = await program.call("ask", { key: "b", questions: colour });
    expect(outcomeOf(over)).toMatchObject({ status: "unavailable", reason: "limit" });
  });
});

describe("the client that asks (P-XAK-7)", () => {
  test("the client that asks is not asked itself, though it shows questions, unless it says so", async () => {
    const set = scenario([], { attendance: "hold" });
    const session = set.server.createSession();
    const both = await join(set, session);
    void both.call("ask", { key: "a", questions: colour });
    await both.seen("InteractionOpened");
    expect(both.requests()).toEqual([]);
    const { id } = session.pending[0] ?? { id: "" };
    expect((await both.answer({ id }, { items: red })).error?.code).toBe(-32014);
    const here = both.call("ask", { key: "b", questions: colour, here: true });
    await both.answer(await both.asked("QuestionRequest"), { items: red });
    expect(outcomeOf(await here)).toMatchObject({ status: "answered" });
  });

  test("the client that asks alone is told that no client can show the question", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const both = await join(set, session);
    const { result } = await both.call("ask", { key: "a", questions: colour });
    expect(result?.outcome).toMatchObject({ status: "unavailable", reason: "unattended" });
  });

  test("a client of the base profile is not asked, since the end of a turn would take the question away there", async () => {
    const set = scenario(["text: hello"], { attendance: "hold" });
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const program = await join(set, session, { question: false });
    const asked = program.call("ask", { key: "k", questions: colour });
    await program.seen("InteractionOpened");
    await base.call("prompt", { user_input: "go" });
    expect(base.received.filter(({ method }) => method === "request")).toEqual([]);
    expect((await base.call("ask", { key: "x", questions: colour })).error?.code).toBe(-32601);
    const person = await join(set, session);
    await person.answer(await person.asked("QuestionRequest"), { items: red });
    expect(outcomeOf(await asked)).toMatchObject({ status: "answered" });
  });
});

describe("a key (P-XAK-4)", () => {
  test("a key with the same questions continues to wait, and has the outcome again, for whoever asks", async () => {
    const { program, person, session, ...set } = await programAndPerson();
    const other = await join(set as never, session, { name: "other", question: false });
    const one = program.call("ask", { key: "k", questions: colour });
    const request = await person.asked("QuestionRequest");
    const two = other.call("ask", { key: "k", questions: colour });
    const three = other.call("ask", { key: "k" });
    await other.settled();
    expect(session.pending).toHaveLength(1);
    await person.answer(request, { items: red });
    const replies = [
      await one,
      await two,
      await three,
      await other.call("ask", { key: "k", questions: colour }),
    ];
    const first = replies[0]?.result;
    expect(replies.map(({ result }) => result)).toEqual([first, first, first, first]);
    expect((await program.call("ask", { key: "k", wait: false })).result).toEqual(first);
  });

  test("a key names its questions however much of them is left out", async () => {
    const { program, person, session } = await programAndPerson();
    void program.call("ask", { key: "k", questions: colour });
    await person.asked("QuestionRequest");
    const whole = [
      {
        id: "q1",
        question: "Which colour?",
        header: "",
        multi_select: false,
        options: [
          { id: "q1_o1", label: "Red", description: "" },
          { id: "q1_o2", label: "Blue" },
        ],
      },
    ];
    expect((await program.call("ask", { key: "k", questions: whole, wait: false })).error).toBeUndefined();
    expect(session.pending).toHaveLength(1);
  });

  test("a key without waiting is replied to at once, and brings the outcome later", async () => {
    const { program, person } = await programAndPerson();
    const { result } = await program.call("ask", { key: "k", questions: colour, wait: false });
    const request = await person.asked("QuestionRequest");
    expect(result).toEqual({ request_id: request.id });
    expect((await program.call("ask", { key: "k", wait: false })).result).toEqual(result);
    await person.answer(request, { items: red });
    expect(outcomeOf(await program.call("ask", { key: "k" }))).toMatchObject({ status: "answered" });
  });

  test.each([true, false])(
    "a key with other questions is refused, and the first questions stay unchanged (settled: %j)",
    async (settled) => {
      const { program, person, session } = await programAndPerson();
      const first = program.call("ask", { key: "k", questions: colour });
      const request = await person.asked("QuestionRequest");
      if (settled) await person.answer(request, { items: red });
      const { error } = await program.call("ask", { key: "k", questions: order });
      expect(error).toEqual({
        code: -32602,
        message:
          "Invalid parameters for method `ask`: key: other questions were asked under it: expected the same ones, or another key",
        data: null,
      });
      expect(session.pending).toHaveLength(settled ? 0 : 1);
      if (!settled) await person.answer(request, { items: red });
      expect(outcomeOf(await first)).toMatchObject({ status: "answered" });
    },
  );

  test("a key under which nothing was asked is unknown", async () => {
    const { program } = await programAndPerson();
    expect((await program.call("ask", { key: "nothing" })).error?.code).toBe(-32011);
  });

  test("a key is forgotten once 256 others were settled after it, and not before; what nobody has fetched stays", async () => {
    const { program, person } = await programAndPerson();
    const settle = async (n: number, wait = true) => {
      const asked = program.call("ask", { key: `k${n}`, questions: colour, wait });
      await person.answer(await person.asked("QuestionRequest", n), { outcome: { status: "declined" } });
      await asked;
    };
    await settle(1, false);
    for (let n = 2; n <= 256; n += 1) await settle(n);
    await settle(257);
    expect((await program.call("ask", { key: "k2" })).error?.code).toBe(-32011);
    expect((await program.call("ask", { key: "k3" })).error).toBeUndefined();
    expect((await program.call("ask", { key: "k1" })).result).toMatchObject({
      outcome: { status: "declined" },
    });
    await settle(258);
    expect((await program.call("ask", { key: "k1" })).error?.code).toBe(-32011);
  });

  test("a key is forgotten after 24 hours, and then free: an old yes answers no new question", async () => {
    const clock = drivenClock();
    const { program, person } = await programAndPerson({ clock });
    const asked = program.call("ask", { key: "k", questions: colour });
    await person.answer(await person.asked("QuestionRequest"), { items: red });
    const { outcome } = (await asked).result as { outcome: { at: string } };
    clock.advance(Date.parse(outcome.at) - clock.now() + 24 * 60 * 60 * 1_000);
    expect(outcomeOf(await program.call("ask", { key: "k", questions: colour }))).toEqual(outcome);
    clock.advance(1);
    expect((await program.call("ask", { key: "k" })).error?.code).toBe(-32011);
    void program.call("ask", { key: "k", questions: colour });
    await person.asked("QuestionRequest", 2);
  });
});

test("two programs that use one key in the same tick have one question, and both its outcome (P-XAK-4)", async () => {
  const set = await programAndPerson();
  const other = await join(set, set.session, { name: "other", question: false });
  const asked = [set.program, other].map((each) => each.call("ask", { key: "k", questions: colour }));
  const strange = other.call("ask", { key: "k", questions: [{ question: "Another?", options: [] }] });
  expect((await strange).error?.code).toBe(-32602);
  await set.person.answer(await set.person.asked("QuestionRequest"), { items: red });
  const [one, two] = await Promise.all(asked);
  expect(one?.result).toMatchObject({ answers: { "Which colour?": "Red" } });
  expect(two?.result).toEqual(one?.result);
  expect(set.person.requests()).toHaveLength(1);
});

describe("how many calls wait for one ask (P-XAK-10)", () => {
  const counts = (client: Awaited<ReturnType<typeof join>>) =>
    client.events("InteractionUpdated").map(({ payload }) => (payload as { calls?: number }).calls);

  test("the number of calls that wait for one ask is told once there are several, with each change, and to whoever comes later", async () => {
    const set = await programAndPerson();
    const { program, person, session } = set;
    void program.call("ask", { key: "k", questions: colour });
    await person.asked("QuestionRequest");
    await program.call("ask", { key: "k", wait: false });
    expect(counts(person)).toEqual([]);
    await program.call("ask", { key: "k", wait: false, calls: 2 });
    const other = await join(set, session, { name: "other", question: false });
    void other.call("ask", { key: "k", questions: colour });
    await until(() => counts(person).length === 2);
    const late = await join(set, session, { name: "late" });
    await late.asked("QuestionRequest");
    await until(() => counts(late).length === 1);
    other.close();
    await until(() => counts(person).length === 3);
    await program.call("ask", { key: "k", wait: false, calls: 0 });
    await until(() => counts(person).at(-1) === 0);
    expect(counts(person)).toEqual([2, 3, 2, 0]);
    expect(counts(late)).toEqual([3, 2, 0]);
  });
});

describe("an ask that does not fit", () => {
  const ask = (more: object) => ({ key: "k", questions: colour, ...more });
  test.each<[string, unknown, string]>([
    ["no key", { questions: colour }, "key"],
    ["an empty key", ask({ key: "" }), "key"],
    ["a key of 129 characters", ask({ key: "x".repeat(129) }), "key"],
    ["no question", ask({ questions: [] }), "questions"],
    ["a blank question", ask({ questions: [{ question: " ", options: [] }] }), "[0].question"],
    ["__proto__ as a question", ask({ questions: [{ question: "__proto__", options: [] }] }), "__proto__"],
    ["a question that is none", ask({ questions: [7] }), "questions[0]"],
    [
      "two ids that are one",
      ask({
        questions: [
          { ...colour[0], id: "a" },
          { ...colour[0], id: "a" },
        ],
      }),
      "id",
    ],
    ["a deadline of no time", ask({ deadline: { ms: 0, on_expiry: "cancel" } }), "deadline.ms"],
    ["a deadline without an end", ask({ deadline: { ms: 5 } }), "deadline.on_expiry"],
    ["a loss of another kind", ask({ on_lost: "forget" }), "on_lost"],
    ["a wait that is a text", ask({ wait: "no" }), "wait"],
    ["no params", undefined, ""],
  ])(
    "an ask that does not fit is refused with its place, and nobody is asked: %s",
    async (_what, params, place) => {
      const { program, person, session } = await programAndPerson();
      const { error } = await program.call("ask", params);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain(place);
      await person.settled();
      expect([session.pending, person.requests()]).toEqual([[], []]);
    },
  );
});

describe("withdrawn (P-XAK-5, P-XAK-6)", () => {
  test("a question is withdrawn by $/cancelRequest: everybody hears it, and the ask is replied to with that outcome", async () => {
    const { program, person, session } = await programAndPerson();
    const asked = program.call("ask", { key: "k", questions: colour });
    await person.asked("QuestionRequest");
    program.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "c2" } });
    const reply = await asked;
    expect(outcomeOf(reply)).toMatchObject({
      status: "withdrawn",
      reason: "agent",
      note: "the program withdrew it",
    });
    await person.seen("InteractionSettled");
    expect(session.pending).toEqual([]);
    expect((await program.call("ask", { key: "k" })).result).toEqual(reply.result);
  });

  test("a question that its program withdrew is asked anew when it is sent again, whatever it is then (P-XAK-4)", async () => {
    const { program, person } = await programAndPerson();
    void program.call("ask", { key: "k", questions: colour });
    await person.asked("QuestionRequest");
    program.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "c2" } });
    await person.seen("InteractionSettled");
    const again = program.call("ask", { key: "k", questions: [{ ...colour[0], header: "Again" }] });
    await person.answer(await person.asked("QuestionRequest", 2), { items: red });
    expect(outcomeOf(await again)).toMatchObject({ status: "answered" });
  });

  test("a question is not withdrawn by a lost connection: it stays, and the key has its outcome", async () => {
    const { program, person, session, ...set } = await programAndPerson();
    void program.call("ask", { key: "k", questions: colour });
    const request = await person.asked("QuestionRequest");
    program.close();
    await until(() => session.connections === 1);
    expect(session.pending).toHaveLength(1);
    await person.answer(request, { items: red });
    const again = await join(set as never, session, { question: false });
    expect(outcomeOf(await again.call("ask", { key: "k", questions: colour }))).toMatchObject({
      status: "answered",
    });
  });

  test("a question is withdrawn by the loss of its program where that says so, once it is gone for longer than the grace", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const session = set.server.createSession();
    const person = await join(set, session);
    const shows = { client_id: "0f4c2f9e-6a57-4c39-9a0e-5b1ad2f0a111" };
    const program = await meetExtended(set, { session, graceMs: 1_000 }, { question: false, shows });
    void program.client.call("ask", { key: "k", questions: colour, on_lost: "withdraw" });
    await person.asked("QuestionRequest");
    program.client.close();
    await program.closed;
    clock.advance(999);
    const back = await meetExtended(set, { session, graceMs: 1_000 }, { question: false, shows });
    clock.advance(5_000);
    expect(session.pending).toHaveLength(1);
    back.client.close();
    await back.closed;
    clock.advance(1_000);
    const [settled] = [await person.seen("InteractionSettled")];
    expect(settled?.params?.payload.outcome).toMatchObject({
      status: "withdrawn",
      reason: "agent",
      note: "the program that asked is gone",
    });
  });

  test("an open question keeps nothing of a lost connection", async () => {
    const { person, session, ...set } = await programAndPerson();
    for (let n = 0; n < 20; n += 1) {
      const program = await join(set as never, session, { question: false });
      void program.call("ask", { key: "k", questions: colour });
      await program.settled();
      program.close();
    }
    await until(() => session.connections === 2);
    expect(session.pending).toHaveLength(1);
    await person.answer(await person.asked("QuestionRequest"), { items: red });
    expect(session.pending).toEqual([]);
  });
});

describe("an approval of a connected program (P-XAK-11)", () => {
  const deploy = { action: "deploy", description: "Deploy build 42 to production" };
  const npm = { id: "npm", kind: "allow", scope: { kind: "program", value: "npm" } };
  const run = {
    ...{ action: "run", description: "npm publish", edit: { content: "npm publish", language: "bash" } },
    options: [
      { id: "once", label: "Run", kind: "allow" },
      npm,
      { id: "no", label: "Not now", kind: "reject" },
    ],
  };

  test("a program that asks for an approval has the decision, and people see which program asks", async () => {
    const { program, person, session } = await programAndPerson();
    const asked = program.call("ask", { key: "k", approval: { ...deploy, of_a_later_version: true } });
    const request = await person.asked("ApprovalRequest");
    expect([session.state, session.running]).toEqual(["waiting", false]);
    expect(request.params?.payload).toMatchObject({
      ...{ ...deploy, tool_call_id: "ask:k", sender: "deployer" },
      program: { key: "k", name: "deployer", connection: expect.any(String) },
    });
    await person.answer(request, { response: "approve" });
    expect((await asked).result).toEqual({
      request_id: request.id,
      outcome: expect.objectContaining({ status: "answered", by: "human" }),
      response: "approve",
    });
    expect(program.story()).toEqual([
      "InteractionOpened",
      "InteractionSettled",
      "ApprovalResponse",
      "ask: ok",
    ]);
  });

  test("a rejection reaches the program with the person's words", async () => {
    const { program, person } = await programAndPerson();
    const asked = program.call("ask", { key: "k", approval: { ...deploy, sender: "Release job" } });
    const request = await person.asked("ApprovalRequest");
    expect(request.params?.payload).toMatchObject({ sender: "Release job", program: { name: "deployer" } });
    await person.answer(request, { response: "reject", feedback: "Friday" });
    expect((await asked).result).toMatchObject({ response: "reject", feedback: "Friday" });
  });

  test("the reply has the chosen option, and the text as the person changed it", async () => {
    const { program, person } = await programAndPerson();
    const asked = program.call("ask", { key: "k", approval: run });
    const request = await person.asked("ApprovalRequest");
    expect(request.params?.payload).toMatchObject({ edit: { content: "npm publish", language: "bash" } });
    await person.answer(request, { option: "once", edited: "npm publish --dry-run" });
    const { result } = await asked;
    expect(result).toMatchObject({ response: "approve", option: "once", edited: "npm publish --dry-run" });
    expect(result).not.toHaveProperty("answers");
    expect(result).not.toHaveProperty("feedback");
  });

  test("an approval for the session answers the next one with an equal scope of that program, and of no other", async () => {
    const set = await programAndPerson();
    const { program, person, session } = set;
    const first = program.call("ask", { key: "a", approval: run });
    await person.answer(await person.asked("ApprovalRequest"), { option: "npm" });
    expect((await first).result).toMatchObject({ response: "approve_for_session", option: "npm" });
    const second = await program.call("ask", { key: "b", approval: run });
    expect(second.result).toMatchObject({ outcome: { by: "policy" }, response: "approve", option: "npm" });
    const yarn = { ...run, options: [{ ...npm, id: "yarn", scope: { kind: "program", value: "yarn" } }] };
    void program.call("ask", { key: "c", approval: yarn });
    await person.asked("ApprovalRequest", 2);
    const other = await join(set, session, { name: "other", question: false });
    void other.call("ask", { key: "d", approval: run });
    await person.asked("ApprovalRequest", 3);
  });

  test("a session that approves everything answers a program at once, but not where only a person may", async () => {
    const { program, person } = await programAndPerson({ yolo: true });
    const { result } = await program.call("ask", { key: "a", approval: deploy });
    expect(result).toMatchObject({ outcome: { status: "answered", by: "policy" }, response: "approve" });
    expect(person.events("PolicyDecided")[0]?.payload).toMatchObject({ tool_call_id: "ask:a" });
    expect((await program.call("ask", { key: "a" })).result).toEqual(result);
    void program.call("ask", { key: "b", approval: { ...deploy, person_only: true } });
    expect((await person.asked("ApprovalRequest")).params?.payload).toMatchObject({ person_only: true });
  });

  test("a client of the base profile is not asked for the approval of a program, and hears how it ended", async () => {
    const set = scenario(["text: hello"], { attendance: "hold" });
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const program = await join(set, session, { question: false });
    const asked = program.call("ask", { key: "k", approval: deploy });
    await program.seen("InteractionOpened");
    await base.call("prompt", { user_input: "go" });
    expect(base.received.filter(({ method }) => method === "request")).toEqual([]);
    const person = await join(set, session);
    await person.answer(await person.asked("ApprovalRequest"), { response: "approve" });
    expect((await asked).result).toMatchObject({ response: "approve" });
  });

  test("a rejection without words ends no turn of the agent, which did not ask", async () => {
    const { program, person } = await programAndPerson({}, [asks(), "text: done"]);
    const { prompt, asked: ofAgent } = await person.begun("QuestionRequest");
    const asked = program.call("ask", { key: "k", approval: deploy });
    await person.answer(await person.asked("ApprovalRequest"), { response: "reject" });
    expect((await asked).result).toMatchObject({ response: "reject" });
    await person.answer(ofAgent, { items: red });
    await prompt;
    expect(person.events("ContentPart").map(({ payload }) => payload.text)).toEqual(["done"]);
  });

  test("a key names its approval whatever was left out of it and whoever sends it, and is refused with another", async () => {
    const set = await programAndPerson();
    const { program, person, session } = set;
    const asked = program.call("ask", { key: "k", approval: deploy });
    const request = await person.asked("ApprovalRequest");
    const other = await join(set, session, { name: "other", question: false });
    const same = { description: deploy.description, action: "deploy", display: [], person_only: false };
    const again = other.call("ask", { key: "k", approval: same });
    for (const more of [
      { approval: { ...deploy, description: "Deploy build 43" } },
      { approval: { ...deploy, person_only: true } },
      { approval: { ...deploy, edit: { content: "x" } } },
      { questions: colour },
    ]) {
      const { error } = await other.call("ask", { key: "k", ...more });
      expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining("key: ")]);
    }
    expect(session.pending).toHaveLength(1);
    await person.answer(request, { response: "approve" });
    const { result } = await asked;
    expect((await again).result).toEqual(result);
    expect((await other.call("ask", { key: "k" })).result).toEqual(result);
  });

  test("an approval is withdrawn by $/cancelRequest, and the reply says so", async () => {
    const { program, person, session } = await programAndPerson();
    const asked = program.call("ask", { key: "k", approval: deploy });
    await person.asked("ApprovalRequest");
    program.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "c2" } });
    const { result } = await asked;
    expect(result).toEqual({
      request_id: expect.any(String),
      outcome: expect.objectContaining({ status: "withdrawn", reason: "agent" }),
    });
    await person.seen("InteractionSettled");
    expect(session.pending).toEqual([]);
  });

  test("the client that asks for an approval is not asked itself, unless it says so, and cannot answer", async () => {
    const set = scenario([], { attendance: "hold" });
    const session = set.server.createSession();
    const both = await join(set, session);
    void both.call("ask", { key: "a", approval: deploy });
    await both.seen("InteractionOpened");
    expect(both.requests()).toEqual([]);
    const { id } = session.pending[0] ?? { id: "" };
    expect((await both.answer({ id }, { response: "approve" })).error?.code).toBe(-32014);
    const here = both.call("ask", { key: "b", approval: deploy, here: true });
    await both.answer(await both.asked("ApprovalRequest"), { response: "approve" });
    expect((await here).result).toMatchObject({ response: "approve" });
  });

  test("people are told how many calls wait for one approval", async () => {
    const { program, person } = await programAndPerson();
    void program.call("ask", { key: "k", approval: deploy, calls: 3 });
    await person.asked("ApprovalRequest");
    await until(() => person.events("InteractionUpdated").length === 1);
    expect(person.events("InteractionUpdated")[0]?.payload).toMatchObject({ calls: 3 });
  });

  test.each<[string, object, string]>([
    ["questions beside it", { questions: colour, approval: deploy }, "approval"],
    ["a deadline", { approval: deploy, deadline: { ms: 5_000, on_expiry: "cancel" } }, "deadline"],
    ["no action", { approval: { description: "x" } }, "approval.action"],
    ["an empty action", { approval: { ...deploy, action: "" } }, "approval.action"],
    ["no description", { approval: { action: "x" } }, "approval.description"],
    ["an empty sender", { approval: { ...deploy, sender: "" } }, "approval.sender"],
    ["a block that is none", { approval: { ...deploy, display: [7] } }, "approval.display[0]"],
    ["two options of one id", { approval: { ...run, options: [npm, npm] } }, "approval.options"],
    ["an option for the session that is none", { approval: { ...run, for_session: "x" } }, "for_session"],
    [
      "a text longer than it may be",
      { approval: { ...deploy, edit: { content: "long", max_length: 3 } } },
      "approval.edit.content",
    ],
  ])(
    "an approval that does not fit is refused with its place, and nobody is asked: %s",
    async (_what, more, place) => {
      const { program, person, session } = await programAndPerson();
      const { error } = await program.call("ask", { key: "k", ...more });
      expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining(place)]);
      await person.settled();
      expect([session.pending, person.requests()]).toEqual([[], []]);
    },
  );
});
