import { describe, expect, test } from "vitest";
import { askedPerson, declinedPerson } from "./asked-person.js";
import { extendedServer, outcome, receipt } from "./extended-server.js";
import { person } from "./person.js";
import { approval, question, rawServer } from "./raw-server.js";

const field = (type: string) => ({
  ...question,
  questions: [{ question: "Which colour?", options: [], field: { type, bounds: ["red"] } }],
});

/** What the server is told of a request that is not shown. */
async function released(type: string, payload: { id: string }) {
  const { line } = await extendedServer({ handlers: person().handlers, onProblem() {} });
  line.ask(type, payload as never);
  return (await line.next()).params;
}

describe("words of a newer server (P-OUT-8)", () => {
  test.each<[string, object]>([
    ["one more reason", { ...outcome, status: "withdrawn", reason: "rate_limited", by: "system" }],
    ["one more status", { ...outcome, status: "delegated", reason: "to_a_colleague" }],
    ["one more actor", { ...outcome, by: "robot" }],
    ["a reason where there was none", { ...outcome, reason: "in_advance" }],
  ])("%s of a newer server is kept as text, and the card goes", async (_what, told) => {
    const { shown, line } = await askedPerson();
    line.settle("r-1", told);
    await line.settled();
    expect(shown[0]?.context.signal.reason).toMatchObject({ name: "AbortError", outcome: told });
  });

  test.each<[string, object]>([
    ["no fields", {}],
    ["no outcome", { kind: "question" }],
    ["an outcome without fields", { kind: "question", outcome: {} }],
    ["an outcome that is none", { kind: 7, outcome: "answered" }],
  ])("a settlement with %s ends its request, without an outcome", async (_what, rest) => {
    const { shown, handlers } = person();
    const seen: unknown[] = [];
    const { line } = await extendedServer({
      handlers: { ...handlers, event: (event) => seen.push(event.type) },
    });
    line.ask("ApprovalRequest", approval);
    await line.next();
    line.event("InteractionSettled", { request_id: "a-1", ...rest });
    await line.settled();
    expect(shown[0]?.context.signal.reason).toMatchObject({ name: "AbortError", outcome: undefined });
    expect(seen).toEqual(["InteractionSettled"]);
  });

  test("a newer server's further event, kind of request and state leave the conversation unchanged", async () => {
    const { shown, handlers } = person();
    const seen: unknown[] = [];
    const { line, session } = await extendedServer(
      { handlers: { ...handlers, event: (event) => seen.push(event) } },
      { state: "dreaming" },
    );
    line.ask("QuestionRequest", question);
    await line.next();
    line.event("MoodChanged", { mood: "good" });
    line.event("InteractionOpened", { request_id: "f-1", kind: "form" });
    await line.settled();
    expect(seen).toMatchObject([
      { type: "unrecognized", payload: { type: "MoodChanged", payload: { mood: "good" } } },
      { type: "InteractionOpened", payload: { kind: "form" } },
    ]);
    expect([session.connection, shown[0]?.context.signal.aborted]).toEqual(["connected", false]);
  });

  test("a newer server's further end of a deadline is shown, in a request and in a change of it", async () => {
    const deadline = { at: "2026-01-01T00:00:30Z", remaining_ms: 30_000, on_expiry: "ask_a_colleague" };
    const { shown } = await askedPerson({ shows: { deadline: true } }, { ...question, deadline });
    expect(shown[0]?.view).toMatchObject({ deadline });
  });

  test("a reply to an answer in other words is an acceptance: the answer is not released", async () => {
    const { line, answer } = await declinedPerson();
    line.reply(answer.id, { outcome: { status: "filed" } });
    await line.settled();
  });

  test("an answer that came too late is reported with the outcome, in whatever words", async () => {
    const { shown, line, answer } = await declinedPerson({ onProblem() {} });
    line.fail(answer.id, -32010, { outcome: { ...outcome, by: "robot" } });
    await line.settled();
    expect(shown[0]?.context.signal.reason).toMatchObject({ outcome: { by: "robot" } });
  });

  test("an ask ends with an outcome in other words", async () => {
    const { line, session } = await extendedServer({}, {}, { ask: true });
    const asked = session.ask({ questions: question.questions });
    const told = { ...outcome, reason: "in_advance", by: "robot" };
    line.reply((await line.next()).id, { request_id: "r-1", outcome: told });
    expect((await asked).outcome).toEqual(told);
  });

  test("a turn and the lists of sessions have a newer server's words unchanged", async () => {
    const { line, session } = await extendedServer({}, {}, { watch: true });
    const turn = session.prompt("go");
    line.reply((await line.next()).id, { status: "paused" });
    line.event("TurnEnd", { turn_id: turn.id, status: "paused" });
    line.send({ method: "alive", params: { seq: 1 } });
    expect((await turn.result).status).toBe("paused");
    const listed = session.listSessions();
    const oldest = { request_id: "r-1", kind: "form", text: "?", since: outcome.at };
    const told = { id: "s-2", state: "dreaming", connections: 0, open: 1, oldest };
    line.reply((await line.next()).id, { sessions: [told] });
    expect(await listed).toMatchObject([told]);
  });

  test("an approval of the base profile goes at its end, in whatever words (P-CLI-1)", async () => {
    for (const rest of [{ response: "approve_for_ever" }, {}]) {
      const { shown, handlers } = person();
      const server = await rawServer({ profile: "base", handlers });
      server.ask("ApprovalRequest", approval);
      await server.settled();
      server.event("ApprovalResponse", { request_id: "a-1", ...rest });
      await server.settled();
      expect(shown[0]?.context.signal.aborted).toBe(true);
    }
  });
});

describe("a request that this client cannot show is released as unsupported (P-XAN-9)", () => {
  test("a request with an unknown type of field is released as unsupported", async () => {
    expect(await released("QuestionRequest", field("colour"))).toEqual({
      request_id: "r-1",
      reason: "unsupported",
      message: 'questions[0].field.type: "colour" is not known here',
    });
  });

  test("a request with an unknown kind of option is released as unsupported", async () => {
    const options = [
      { id: "1", label: "Yes", kind: "allow" },
      { id: "2", label: "Later", kind: "defer" },
    ];
    expect(await released("ApprovalRequest", { ...approval, options } as never)).toMatchObject({
      reason: "unsupported",
      message: 'options[1].kind: "defer" is not known here',
    });
  });

  test("a request with a known type of field that does not fit is a mistake of the server's", async () => {
    expect(await released("QuestionRequest", field("text"))).toMatchObject({ reason: "protocol_error" });
  });
});

test("a client is told who else answers, and not of its own connection, whose person knows (P-XAT-4, P-XST-5)", async () => {
  const told: unknown[] = [];
  const { shown, handlers } = person();
  const { line } = await extendedServer(
    {
      handlers: {
        ...handlers,
        event: ({ payload }) => told.push((payload as { answering?: unknown }).answering),
      },
    },
    { connection: "c-1" },
  );
  line.ask("QuestionRequest", question);
  await line.next();
  const [own, other] = [
    { name: "x", connection: "c-1" },
    { name: "x", connection: "c-2" },
  ];
  for (const answering of [[own], [own, other], undefined])
    line.event("InteractionUpdated", { request_id: "r-1", deadline: null, ...(answering && { answering }) });
  await line.settled();
  expect(shown).toHaveLength(1);
  expect(told).toEqual([[], [other], undefined]);
});

describe("an answering person (P-XST-5)", () => {
  test.each([
    [true, true],
    [true, false],
    [false, true],
  ])(
    "a client is told that a person answers whatever the deadline, where both sides declare it: client %s, server %s",
    async (shows, may) => {
      const { shown, handlers } = person();
      const { line } = await extendedServer({ handlers, shows: { presence: shows } }, {}, { presence: may });
      for (const [type, payload] of [
        ["QuestionRequest", question],
        ["ApprovalRequest", approval],
      ] as const) {
        line.ask(type, payload);
        expect(await line.next()).toEqual(receipt(payload.id));
        const { context } = shown.pop() ?? {};
        context?.touch();
        context?.touch();
        if (shows && may) {
          const touch = await line.next();
          expect(touch).toMatchObject({ method: "touch", params: { request_id: payload.id } });
          line.reply(touch.id);
          const answering = [{ name: "x", connection: "c-1" }];
          line.event("InteractionUpdated", { request_id: payload.id, deadline: null, answering });
        }
        await line.settled();
        context?.touch();
        await line.settled();
      }
    },
  );
});
