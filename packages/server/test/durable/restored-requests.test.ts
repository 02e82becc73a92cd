import { describe, expect, test } from "vitest";
import { ApprovalRequest, QuestionRequest, wireSend } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { meetExtended } from "../extended/extended-client.js";
import { payload } from "../raw-client.js";
import { approvedTool, asks, callLine, colour } from "../scenario.js";
import { stores } from "../stores.js";
import { id, keptSession } from "./crashing.js";

type Kept = ReturnType<typeof keptSession>;

/** The next process, with a program that shows no questions, and a person. */
async function programAndPerson(kept: Kept) {
  const next = kept.start([]);
  const deployer = { name: "deployer", question: false };
  const { client: program, session } = await meetExtended(next, { sessionId: id }, deployer);
  const { client: person } = await meetExtended(next, { session });
  return { ...next, session, program, person };
}

/** An agent that asks for one approval, again in each process, and what it was told. */
function approvalAgent(init: Partial<ConstructorParameters<typeof ApprovalRequest>[0]>) {
  const told: unknown[] = [];
  const run = async () => {
    const base = { tool_call_id: "", sender: "Shell", action: "run", description: "ls" };
    const request = new ApprovalRequest({ ...base, ...init });
    wireSend(request);
    told.push(await request.wait());
  };
  return { agent: { resumes: true, run }, told };
}

const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };

describe.each(stores)("a session that is kept %s", (_, store) => {
  describe("the deadline of a question whose process crashes (P-RES-11)", () => {
    const HOUR = 3_600_000;
    test.each([
      ["goes on with what was left of it", HOUR, 10 * 60_000, false, HOUR - 10 * 60_000],
      ["has a minute at least", HOUR, 2 * HOUR, false, 60_000],
      ["has all of its time where that was shorter than a minute", 5_000, HOUR, false, 5_000],
      ["has no more than all of it on a clock that was set back", HOUR, -2 * HOUR, false, HOUR],
      ["runs anew where somebody had begun to answer", HOUR, 2 * HOUR, true, HOUR],
    ])("the deadline of a question whose process crashes %s", async (_, ms, passed, touched, left) => {
      const agent = {
        resumes: true,
        async run() {
          const deadline = { ms, on_expiry: "cancel" as const };
          const request = new QuestionRequest({ tool_call_id: "", questions: [colour], deadline });
          wireSend(request);
          await request.wait();
        },
      };
      const kept = keptSession(store(), { agent });
      const first = drivenClock();
      const { before, asked } = await kept.crashAtExtended("QuestionRequest", {}, [], { clock: first });
      if (touched) {
        await before.call("touch", { request_id: asked.id });
        // A record that nobody waits for is written a little later.
        first.advance(1_000);
        await expect
          .poll(async () => (await kept.records()).map(({ type }) => type))
          .toContain("InteractionTouched");
      }

      const clock = drivenClock();
      const now = clock.now() + passed;
      const { client } = await kept.meetExtended([], { clock: { ...clock, now: () => now } });
      const again = await client.asked("QuestionRequest");
      expect(again.params?.payload.deadline).toMatchObject({ remaining_ms: left });
      await client.answer(again, byRed);
    });
  });

  test("programs that do not come back have those of their questions withdrawn that were asked with that wish (P-XAK-6, P-XAK-8)", async () => {
    const kept = keptSession(store());
    const { program, person: before } = await programAndPerson(kept);
    void program.call("ask", { key: "stays", questions: [colour] });
    void program.call("ask", { key: "goes", questions: [colour], on_lost: "withdraw" });
    const stays = await before.asked("QuestionRequest");
    const goes = await before.asked("QuestionRequest", 2);
    await expect.poll(kept.open).toMatchObject([{ program: "deployer" }, { program: "deployer" }]);

    const clock = drivenClock();
    const { client, found } = await kept.meetExtended([], { clock });
    expect(found.pending).toEqual([stays.id, goes.id]);
    clock.advance(3_600_000);
    await client.settled();
    expect(client.events("InteractionSettled").map(({ payload }) => payload)).toMatchObject([
      { request_id: goes.id, outcome: { status: "withdrawn" } },
    ]);
  });

  test("a question that was answered is not open again where its opening stands in the journal twice", async () => {
    const kept = keptSession(store(), {
      tools: [{ ...approvedTool("Slow"), call: () => new Promise(() => {}) }],
    });
    const first = kept.start([`${asks()}\n${callLine("Slow", {}, "tc-2")}`]);
    const { client: before } = await meetExtended(first, { sessionId: id });
    void before.call("prompt", { user_input: "go" });
    await before.answer(await before.asked("QuestionRequest"), byRed);
    const opening = (await kept.lines()).filter((line) => line.includes('"InteractionOpened"'));
    await kept.change([...(await kept.lines()), ...opening]);
    const { client, found } = await kept.meetExtended(["text: Red it is."]);
    expect(found.pending).toEqual([]);
    await client.settled();
    expect(client.requests()).toEqual([]);
  });

  test("questions of a program that ended with their session are asked anew in the next process", async () => {
    const kept = keptSession(store());
    async function asking() {
      const next = await programAndPerson(kept);
      const reply = next.program.call("ask", { key: "k", questions: [colour] });
      return { ...next, reply, asked: await next.person.asked("QuestionRequest") };
    }
    const { session } = await asking();
    await session.close();
    const { person, asked, reply, server } = await asking();
    await person.answer(asked, byRed);
    expect((await reply).result).toMatchObject({ outcome: { status: "answered" } });
    await server.close();
  });

  test("questions of a program are withdrawn at the end of a server whose sessions no process continues", async () => {
    const kept = keptSession(store(), { resume: false });
    const { server, program, person } = await programAndPerson(kept);
    const reply = program.call("ask", { key: "k", questions: [colour] });
    await person.asked("QuestionRequest");
    await server.close();
    expect((await reply).result).toMatchObject({ outcome: { status: "withdrawn", reason: "shutdown" } });
  });

  test("an answer that is sent again to the next process under its id has its reply again (P-RES-13)", async () => {
    const client_id = "22222222-2222-4222-8222-222222222222";
    const said = { shows: { client_id } };
    const kept = keptSession(store());
    const first = kept.start([`${asks()}\n${callLine("Shell", {}, "tc-2")}`], {
      tools: [approvedTool("Shell")],
    });
    const { client: before } = await meetExtended(first, { sessionId: id }, said);
    const { asked } = await before.begun("QuestionRequest");
    const { result } = await before.answer(asked, { ...byRed, answer_id: "a-1" });

    const next = kept.start(["text: ok"]);
    const { client } = await meetExtended(next, { sessionId: id }, said);
    const again = await client.answer(asked, { ...byRed, answer_id: "a-1" });
    expect(again.result).toEqual({ outcome: result?.outcome });
    expect((await client.answer(asked, { ...byRed, answer_id: "a-2" })).error).toMatchObject({
      code: -32010,
    });
    await next.server.close();
  });

  test("a question whose second record was torn off has it again, for replays and Kimi's readers (P-DUR-4)", async () => {
    const kept = keptSession(store());
    const { asked } = await kept.crashAt("QuestionRequest", [asks()]);
    const lines = await kept.lines();
    await kept.change(
      lines.slice(
        0,
        lines.findIndex((line) => line.includes('"QuestionRequest"')),
      ),
    );

    const { client, server } = await kept.meet(["text: ok"]);
    const again = await client.seen("QuestionRequest");
    client.reply(again, { request_id: again.id, answers: {} });
    await client.seen("TurnEnd");
    await server.close();
    expect((await kept.records()).filter(({ type }) => type === "QuestionRequest")).toMatchObject([
      { payload: { id: asked.id } },
    ]);
  });

  test("an approval comes again as it was, and a later one of its turn has its source_id (P-RES-3, P-APR-1)", async () => {
    const tools = ["Shell", "Other"].map(
      (name) => ({ ...approvedTool(name, name), restart: "asks-first" }) as const,
    );
    const kept = keptSession(store());
    const { asked } = await kept.crashAt("ApprovalRequest", [callLine("Shell", {})], { tools });

    const { client } = await kept.meet([callLine("Other", {}, "tc-2"), "text: ok"], { tools });
    const again = await client.seen("ApprovalRequest");
    expect(payload(again)).toEqual(payload(asked));
    client.reply(again, { request_id: again.id, response: "approve" });
    const later = await client.seen("ApprovalRequest", 2);
    expect(payload(later).source_id).toBe(payload(asked).source_id);
  });

  test("a restored approval has the options that it had, also where none of them lasts (P-RES-3)", async () => {
    const options = [
      { id: "yes", kind: "allow" as const, label: "Send it" },
      { id: "no", kind: "reject" as const, label: "Do not" },
    ];
    const { agent, told } = approvalAgent({ options });
    const kept = keptSession(store(), { agent });
    const { asked } = await kept.crashAtExtended("ApprovalRequest", {}, []);
    const { client } = await kept.meetExtended([]);
    const again = await client.asked("ApprovalRequest");
    expect(payload(again)).toEqual(payload(asked));
    await client.answer(again, { option: "yes" });
    await client.seen("TurnEnd");
    expect(told).toMatchObject([{ response: "approve", option: "yes" }]);
  });

  test.each([
    ["that the agent does not take after all is asked for anew", "rm -r", true],
    ["that the agent takes counts", "ls -a", false],
  ])("a changed text %s (P-RES-6)", async (_what, edited, isAskedAnew) => {
    const check = (text: string) => (text.startsWith("ls") ? undefined : "expected ls");
    const { agent, told } = approvalAgent({ edit: { content: "ls", check } });
    const kept = keptSession(store(), { agent });
    await kept.crashAtExtended("ApprovalRequest", {}, []);
    // Nobody goes on with the turn before the answer, so nobody looks at the text.
    const waiting = kept.start([], { attendance: "hold" });
    const session = await waiting.server.openSession({ id });
    session.pending[0]?.settle({
      outcome: { status: "answered", by: "human", at: "2026-01-02T03:04:05.000Z" },
      answer: { response: "approve", edited },
    } as never);
    await expect.poll(async () => (await kept.records()).at(-1)?.type).toBe("InteractionSettled");
    const { client } = await kept.meetExtended([]);
    if (isAskedAnew)
      await client.answer(await client.asked("ApprovalRequest"), { response: "approve", edited: "ls -l" });
    await client.seen("TurnEnd");
    expect(told).toMatchObject([{ response: "approve", edited: isAskedAnew ? "ls -l" : edited }]);
  });

  test("a restored approval that is for a person alone is still so, also where the next process approves all (P-XAO-10)", async () => {
    const { agent } = approvalAgent({ person_only: true });
    const kept = keptSession(store(), { agent });
    const { client: before } = await meetExtended(kept.start([]), { sessionId: id });
    void before.call("prompt", { user_input: "go" });
    expect(payload(await before.asked("ApprovalRequest"))).toMatchObject({ person_only: true });
    const { client } = await kept.meetExtended([], { yolo: true });
    const again = await client.asked("ApprovalRequest");
    expect(payload(again)).toMatchObject({ person_only: true });
    await client.answer(again, { response: "approve" });
    await client.seen("TurnEnd");
  });

  test("a restored question waits for a client that shows it, for a time (P-RES-12)", async () => {
    const kept = keptSession(store());
    await kept.crashAt("QuestionRequest", [asks()]);

    const clock = drivenClock();
    const next = kept.start(["text: ok"], { clock, restartGraceMs: 5_000 });
    const session = await next.server.openSession({ id });
    expect(session.offer.canAsk).toBe(true);
    const { client } = await next.meet({ session }, { supports_question: false });
    await client.settled();
    expect(session.pending.length).toBe(1);
    clock.advance(5_000);
    await client.seen("TurnEnd");
    expect((await kept.records()).find(({ type }) => type === "InteractionSettled")?.payload).toMatchObject({
      outcome: { status: "unavailable", reason: "client_lost" },
    });
    await next.server.close();
  });

  test("an approval for the session holds on in the turn that is left (P-RES-14)", async () => {
    const tool = { ...approvedTool("Shell"), restart: "asks-first" } as const;
    const kept = keptSession(store(), { tools: [tool] });
    const { before, asked } = await kept.crashAt("ApprovalRequest", [
      `${callLine("Shell", { n: 1 })}`,
      asks(undefined, "tc-2"),
    ]);
    before.reply(asked, { request_id: asked.id, response: "approve_for_session", feedback: "" });
    await before.seen("QuestionRequest");

    const { client } = await kept.meet([callLine("Shell", { n: 2 }, "tc-3"), "text: ok"]);
    const again = await client.seen("QuestionRequest");
    client.reply(again, { request_id: again.id, answers: { "Which colour?": "Red" } });
    await client.seen("TurnEnd");
    expect(client.story()).not.toContain("ask ApprovalRequest");
    expect(
      (await kept.records()).findLast(({ type }) => type === "InteractionClaimed")?.payload,
    ).toMatchObject({
      call_id: "tc-3",
      nth: 1,
    });
  });
});
