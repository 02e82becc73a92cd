import { describe, expect, test } from "vitest";
import { kimi } from "../../../dialects/src/index.js";
import { QuestionRequest, systemClock, type Tool } from "../../src/index.js";
import { meetExtended } from "../extended/extended-client.js";
import { payload, type RawClient } from "../raw-client.js";
import { approvedTool, asks, callLine, colour, toolResult } from "../scenario.js";
import { stores } from "../stores.js";
import { id, keptSession } from "./crashing.js";

const red = { answers: { "Which colour?": "Red" } };
const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
const roles = (messages: readonly { role: string }[] | undefined) => messages?.map(({ role }) => role);
const words = (client: RawClient) => client.story().filter((word) => word !== "StatusUpdate");
const approving = { ...approvedTool("Shell"), restart: "asks-first" } as const;

/** The tool, whose call never ends once its approval is answered. */
const stuckAfterItsAnswer = (effect = () => {}): typeof approving => ({
  ...approving,
  async call(...given) {
    await approving.call(...given);
    effect();
    return new Promise<never>(() => {});
  },
});

/** The messages of the model's last call. */
const lastCall = (model: { requests: readonly { messages: readonly { role: string }[] }[] }) =>
  model.requests.at(-1)?.messages;

describe.each(stores)("a session that is kept %s", (_, store) => {
  describe("a question whose process crashes", () => {
    test("a question whose process crashes is shown to the next base client under its id, is answered once, and the model continues (P-RES-1)", async () => {
      const kept = keptSession(store());
      const { before, asked } = await kept.crashAt("QuestionRequest", [asks()]);
      await before.seen("StatusUpdate");

      const { client, session, model, server } = await kept.meet(["text: Red it is."]);
      const again = await client.seen("QuestionRequest");
      expect([again.id, payload(again)]).toEqual([asked.id, payload(asked)]);
      client.reply(again, { request_id: again.id, ...red });
      await client.seen("TurnEnd");
      expect(words(client)).toEqual(["ToolResult", "StepBegin", "ContentPart", "TurnEnd"]);
      expect(payload(await client.seen("StepBegin"))).toEqual({ n: 2 });
      expect(roles(lastCall(model))).toEqual(["user", "assistant", "tool"]);
      expect(session.running).toBe(false);
      expect(model.requests).toHaveLength(1);
      await server.close();

      const settled = (await kept.records()).filter(({ type }) => type === "InteractionSettled");
      expect(settled).toMatchObject([{ payload: { request_id: asked.id, outcome: { status: "answered" } } }]);
    });

    test("a question whose process crashes is shown to an extended client at its attach, and its prompt has the result by its id (P-RES-1)", async () => {
      const kept = keptSession(store());
      const { asked } = await kept.crashAtExtended("QuestionRequest", { turn_id: "t-1" }, [asks()]);

      const { client, found, server } = await kept.meetExtended(["text: Red it is."]);
      expect(found).toMatchObject({ pending: [asked.id], state: "waiting", turn_id: "t-1", resumes: true });
      const again = await client.asked("QuestionRequest");
      expect([again.id, payload(again)]).toEqual([asked.id, payload(asked)]);
      const prompt = client.call("prompt", { user_input: "go", turn_id: "t-1" });
      const { result } = await client.answer(again, byRed);
      expect(result).toMatchObject({ outcome: { status: "answered" } });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect(client.events("TurnEnd")[0]?.payload).toMatchObject({ turn_id: "t-1", by: { name: "raw" } });
      expect((await client.answer(again, byRed)).error).toMatchObject({ code: -32010 });
      await server.close();

      // A turn that has ended in an earlier process is known too.
      const { client: late } = await kept.meetExtended([]);
      const known = await late.call("prompt", { user_input: "go", turn_id: "t-1" });
      expect(known.result).toEqual({ status: "finished" });
      expect((await late.answer(again, byRed)).error).toMatchObject({ code: -32010 });
    });

    test("a question that was answered before its process crashed keeps its answer, and is asked nobody again (P-RES-6)", async () => {
      const kept = keptSession(store());
      const { before, asked } = await kept.crashAt(
        "QuestionRequest",
        [`${asks()}\n${callLine("Slow", {}, "tc-2")}`],
        {
          tools: [{ ...approvedTool("Slow"), restart: "again", call: () => new Promise(() => {}) }],
        },
      );
      before.reply(asked, { request_id: asked.id, ...red });
      await toolResult(before);

      const { client, model } = await kept.meet(["text: Red it is."], {
        tools: [{ ...approvedTool("Slow"), restart: "interrupt" }],
      });
      await client.seen("TurnEnd");
      expect(words(client)).toEqual(["ToolResult", "StepBegin", "ContentPart", "TurnEnd"]);
      expect(await toolResult(client)).toMatchObject({
        is_error: true,
        message: expect.stringMatching(/look before/),
      });
      expect(roles(lastCall(model))).toEqual(["user", "assistant", "tool", "tool"]);
    });
  });

  describe("an approval whose process crashes", () => {
    test.each([
      ["approve", { is_error: false, output: "done" }],
      ["reject", { is_error: true, message: "Rejected: no" }],
    ])(
      "an approval whose process crashes is shown to the next client under its id, and %s counts once (P-RES-5)",
      async (response, result) => {
        const kept = keptSession(store(), { tools: [approving] });
        const { asked } = await kept.crashAt("ApprovalRequest", [callLine("Shell", {})]);

        const { client } = await kept.meet(["text: ok"]);
        const again = await client.seen("ApprovalRequest");
        expect(again.id).toBe(asked.id);
        client.reply(again, { request_id: again.id, response, feedback: response === "reject" ? "no" : "" });
        expect(await toolResult(client)).toMatchObject(result);
        await client.seen("TurnEnd");
      },
    );

    test("a call whose approval was given does not run again, and the model is told to look (P-RES-5)", async () => {
      let runs = 0;
      const kept = keptSession(store());
      const stuck = stuckAfterItsAnswer(() => {
        runs += 1;
      });
      const { before, asked } = await kept.crashAt("ApprovalRequest", [callLine("Shell", {})], {
        tools: [stuck],
      });
      before.reply(asked, { request_id: asked.id, response: "approve", feedback: "" });
      await before.seen("ApprovalResponse");
      await expect.poll(() => runs).toBe(1);

      const { client } = await kept.meet(["text: ok"], { tools: [stuck] });
      expect(await toolResult(client)).toMatchObject({
        is_error: true,
        message: expect.stringMatching(/^The person approved this call, then the process ended/),
      });
      await client.seen("TurnEnd");
      expect(runs).toBe(1);
      // The result says it: the approval is not told a second time, in words that cover nothing.
      expect(words(client)).toEqual(["ToolResult", "StepBegin", "ContentPart", "TurnEnd"]);
    });

    test("a call whose approval was rejected runs again, and is rejected as before (P-RES-5)", async () => {
      const kept = keptSession(store());
      const { before, asked } = await kept.crashAt("ApprovalRequest", [callLine("Shell", {})], {
        tools: [stuckAfterItsAnswer()],
      });
      before.reply(asked, { request_id: asked.id, response: "reject", feedback: "no" });
      await before.seen("ApprovalResponse");

      const { client } = await kept.meet(["text: ok"], { tools: [approving] });
      expect(await toolResult(client)).toMatchObject({ is_error: true, message: "Rejected: no" });
      await client.seen("TurnEnd");
    });

    test("an approval is withdrawn with a tool that must not run again, which the model is told (P-RES-5)", async () => {
      const kept = keptSession(store(), { tools: [approvedTool("Shell")] });
      const { asked } = await kept.crashAt("ApprovalRequest", [callLine("Shell", {})]);

      const { client, server } = await kept.meet(["text: ok"]);
      expect(await toolResult(client)).toMatchObject({
        message: expect.stringMatching(/waited for the person's approval/),
      });
      await client.seen("TurnEnd");
      await server.close();
      expect((await kept.records()).find(({ type }) => type === "InteractionSettled")?.payload).toMatchObject(
        {
          request_id: asked.id,
          outcome: { status: "withdrawn", reason: "agent" },
        },
      );
    });
  });

  describe("a turn that is left", () => {
    test("a turn that is left ends as failed, its request withdrawn, where the agent does not resume (P-RES-2)", async () => {
      const run = async () => new Promise<void>(() => {});
      const kept = keptSession(store());
      const { asked } = await kept.crashAt("QuestionRequest", [asks()]);

      for (const more of [{ run }, { resume: false }] as const) {
        const { client, session } = await kept.meet([], more);
        await client.settled();
        expect([client.story(), session.running, session.pending.length]).toEqual([[], false, 0]);
        const ends = (await kept.records()).filter(
          ({ type }) => type === "InteractionSettled" || type === "TurnEnded",
        );
        expect(ends).toMatchObject([
          { payload: { request_id: asked.id, outcome: { status: "withdrawn", reason: "shutdown" } } },
          { payload: { status: "failed" } },
        ]);
      }
    });

    test("a turn that is left waits for a client, and resumes at once where an answer was given and it is told so (P-RES-1)", async () => {
      const kept = keptSession(store());
      const { asked } = await kept.crashAt("QuestionRequest", [asks()], { attendance: "hold" });

      const waits = kept.start(["text: Red it is."], { resume: "now", attendance: "hold" });
      const session = await waits.server.openSession({ id });
      expect([session.state, waits.model.requests.length]).toEqual(["waiting", 0]);
      session.pending[0]?.settle({
        outcome: { status: "answered", by: "human", at: "2026-01-02T03:04:05.000Z" },
        answer: { ...red, items: [{ question_id: "q1", selected: ["q1_o1"] }] },
      } as never);
      const settled = async () =>
        (await kept.records()).findLast(({ type }) => type === "InteractionSettled")?.payload;
      await expect.poll(settled).toMatchObject({ request_id: asked.id, held: true });

      const waiting = kept.start(["text: Red it is."], { attendance: "hold" });
      await waiting.server.openSession({ id });
      const now = kept.start(["text: Red it is."], { resume: "now", attendance: "hold" });
      const resumed = await now.server.openSession({ id });
      await expect.poll(() => resumed.running).toBe(false);
      // The process that was told nothing had more time, and waits.
      expect(waiting.model.requests).toHaveLength(0);
      expect(roles(lastCall(now.model))).toEqual(["user", "assistant", "tool"]);
      expect((await kept.records()).filter(({ type }) => type === "InteractionClaimed")).toMatchObject([
        { payload: { request_id: asked.id } },
      ]);
      await now.server.close();
    });

    test("a turn that is left in the middle of the model's words is tried again, and the words no longer count (P-RES-10)", async () => {
      const kept = keptSession(store());
      const first = kept.start([], {
        model: {
          async *stream() {
            yield { type: "content" as const, part: { type: "text" as const, text: "I thi" } };
            await new Promise(() => {});
          },
        },
      });
      const { client: before } = await first.meet({ sessionId: id });
      await before.begin("ContentPart");
      await before.call("set_plan_mode", { enabled: false });
      // Words wait a moment for others before they are written.
      await expect.poll(async () => (await kept.records()).map(({ type }) => type)).toContain("StatusUpdate");

      const { client, model } = await kept.meet(["text: I think so."]);
      await client.seen("TurnEnd");
      expect(words(client)).toEqual(["StepRetry", "ContentPart", "TurnEnd"]);
      expect(lastCall(model)).toEqual([{ role: "user", content: "go" }]);
    });

    const DAY = 24 * 60 * 60 * 1_000;
    test.each([
      ["goes on after less than seven days", 7 * DAY - 60_000, "text", 1],
      ["ends as failed after more than seven days", 7 * DAY + 60_000, "text", 0],
      ["goes on after any time with the answer to what is open", 70 * DAY, "question", 1],
    ])("a turn that is left %s (P-RES-2)", async (_what, passed, at, calls) => {
      const kept = keptSession(store());
      const stuck = async function* () {
        await new Promise(() => {});
      } as never;
      const first = kept.start([asks()], at === "text" ? { model: { stream: stuck } } : {});
      const { client: before } = await first.meet({ sessionId: id });
      await before.begin(at === "text" ? "StepBegin" : "QuestionRequest");

      const now = Date.now() + passed;
      const clock = { ...systemClock, now: () => now };
      const { client, model } = await kept.meetExtended(["text: Red it is."], { clock });
      if (at === "question") await client.answer(await client.asked("QuestionRequest"), byRed);
      await client.settled();
      await expect.poll(async () => (await kept.records()).at(-1)?.type).toBe("TurnEnded");
      expect(model.requests).toHaveLength(calls);
    });

    test("a turn that ends its process each time ends as failed at the third attempt (P-RES-2)", async () => {
      const kept = keptSession(store());
      const stuck = { agent: { resumes: true, run: () => new Promise<void>(() => {}) } };
      await kept.crashAt("TurnBegin", [], stuck);
      for (const attempt of [1, 2]) {
        await kept.start([], stuck).meet({ sessionId: id });
        await expect
          .poll(async () => (await kept.records()).filter(({ type }) => type === "TurnResumed").length)
          .toBe(attempt);
      }
      const { session } = await kept.meet([], stuck);
      await expect.poll(() => session.running).toBe(false);
      expect((await kept.records()).at(-1)).toMatchObject({
        type: "TurnEnded",
        payload: { status: "failed" },
      });
    });
  });

  describe("a question whose process ends each time right after a client attached", () => {
    /** An agent that comes to nothing before its process ends. */
    const stuck = { agent: { resumes: true, run: () => new Promise<void>(() => {}) } };

    /** The process after three that ended so, and the question that the first one asked. */
    async function fourthProcess() {
      const kept = keptSession(store());
      const { asked } = await kept.crashAt("QuestionRequest", [asks()]);
      const resumed = async () => (await kept.records()).filter(({ type }) => type === "TurnResumed").length;
      for (const attempt of [1, 2]) {
        await kept.start([], stuck).meet({ sessionId: id });
        await expect.poll(resumed).toBe(attempt);
      }
      const next = kept.start(["text: Red it is.", "text: Something else, then."]);
      const { client, found, session } = await meetExtended(next, { sessionId: id });
      expect(found).toMatchObject({ pending: [asked.id], state: "waiting" });
      await client.settled();
      expect([await resumed(), next.model.requests.length, session.running]).toEqual([2, 0, true]);
      expect(next.warnings.join()).toContain("its agent waits for the answer to what is open");
      return { kept, next, client, session, asked: await client.asked("QuestionRequest") };
    }

    test("a question whose process ends at each attach stays open, and its agent resumes with the answer (P-RES-2)", async () => {
      const { next, client, session, asked } = await fourthProcess();
      const { result } = await client.answer(asked, byRed);
      expect(result).toMatchObject({ outcome: { status: "answered" } });
      await client.seen("TurnEnd");
      expect([next.model.requests.length, session.running]).toEqual([1, false]);
      expect(roles(lastCall(next.model))).toEqual(["user", "assistant", "tool"]);
      await next.server.close();
    });

    test("a question whose process ends at each attach stays open over further ends, and is taken away by a person who cancels", async () => {
      const { kept, client: before, asked } = await fourthProcess();
      expect(before.isClosed).toBe(false);
      const { client, session, model } = await kept.meetExtended([]);
      await client.asked("QuestionRequest");
      expect((await client.call("cancel")).error).toBeUndefined();
      await client.seen("TurnEnd");
      expect(session.running).toBe(false);
      expect((await client.answer(asked, byRed)).error).toMatchObject({ code: -32010 });
      expect(model.requests).toHaveLength(0);
    });

    test("a question whose process ends at each attach lets its agent resume with what a person says meanwhile", async () => {
      const { kept, next, client, asked } = await fourthProcess();
      expect((await client.call("steer", { user_input: "Anything but red" })).result).toEqual({
        status: "steered",
      });
      // The agent runs again, and asks the question that is open.
      await expect
        .poll(async () => (await kept.records()).filter(({ type }) => type === "InteractionRejoined"))
        .toHaveLength(1);
      await client.answer(asked, byRed);
      await client.seen("TurnEnd");
      expect(JSON.stringify(lastCall(next.model))).toContain("Anything but red");
      await next.server.close();
    });
  });

  test("a turn that does not resume is known: its prompt and a late answer are told how it ended (P-RES-2, P-XTR-2)", async () => {
    const kept = keptSession(store());
    const { asked } = await kept.crashAtExtended("QuestionRequest", { turn_id: "t-1" }, [asks()]);

    const { client, model } = await kept.meetExtended([], { resume: false });
    const again = await client.call("prompt", { user_input: "go", turn_id: "t-1" });
    expect(again.error).toMatchObject({ code: -32603, message: expect.stringMatching(/not resumed here/) });
    expect((await client.answer(asked, byRed)).error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "withdrawn", reason: "shutdown" } },
    });
    expect(model.requests).toHaveLength(0);
  });

  test("a turn that does not resume leaves the outcome of its answers unchanged (P-RES-2)", async () => {
    const kept = keptSession(store(), {
      tools: [{ ...approvedTool("Slow"), call: () => new Promise(() => {}) }],
    });
    const { before, asked } = await kept.crashAtExtended("QuestionRequest", { turn_id: "t-1" }, [
      `${asks()}\n${callLine("Slow", {}, "tc-2")}`,
    ]);
    await before.answer(asked, byRed);

    const { client, server } = await kept.meetExtended([], { resume: false });
    expect((await client.answer(asked, byRed)).error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "answered" } },
    });
    await server.close();
    const settled = (await kept.records()).filter(({ type }) => type === "InteractionSettled");
    expect(settled).toMatchObject([{ payload: { request_id: asked.id, outcome: { status: "answered" } } }]);
  });

  test("an answer whose tool no longer exists reaches the model in words (P-RES-8)", async () => {
    const kept = keptSession(store());
    await kept.crashAt("QuestionRequest", [asks()]);

    const next = kept.start(["text: So red."], { dialects: [] });
    const session = await next.server.openSession({ id });
    session.pending[0]?.settle({
      outcome: { status: "answered", by: "human", at: "2026-01-02T03:04:05.000Z" },
      answer: { ...red, items: [{ question_id: "q1", selected: ["q1_o1"] }] },
    } as never);
    const { client } = await next.meet({ session });
    await client.seen("TurnEnd");
    expect(words(client)).toEqual(["ToolResult", "SteerInput", "StepBegin", "ContentPart", "TurnEnd"]);
    expect(lastCall(next.model)?.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringMatching(/Which colour\?\nAnswer: Red/),
    });
    await next.server.close();
  });

  test("an answer whose call was cut off behind it reaches the model in words (P-RES-8)", async () => {
    const stuckAfterAsking: Tool = {
      ...approving,
      restart: "interrupt",
      async call(call, _, wire) {
        const request = new QuestionRequest({ tool_call_id: call.id, questions: [colour] });
        wire.send(request);
        await request.wait();
        return new Promise<never>(() => {});
      },
    };
    const kept = keptSession(store(), { tools: [stuckAfterAsking] });
    const { before, asked } = await kept.crashAt("QuestionRequest", [callLine("Shell", {})]);
    before.reply(asked, { request_id: asked.id, ...red });
    await expect
      .poll(async () => (await kept.records()).map(({ type }) => type))
      .toContain("InteractionSettled");

    const { client } = await kept.meet(["text: So red."]);
    await client.seen("TurnEnd");
    expect(words(client)).toEqual(["ToolResult", "SteerInput", "StepBegin", "ContentPart", "TurnEnd"]);
    expect(payload(await client.seen("SteerInput"))).toMatchObject({
      user_input: expect.stringMatching(/Which colour\?\nAnswer: Red/),
    });
  });

  test("an answer that was reported in words is reported once, also where the next process ends too (P-RES-8)", async () => {
    const kept = keptSession(store(), { tools: [approving] });
    await kept.crashAt("ApprovalRequest", [callLine("Shell", {})]);

    // An approval that was given while no agent ran, of a tool that the next process does not have.
    const waiting = kept.start([asks()], { tools: [] });
    const session = await waiting.server.openSession({ id });
    session.pending[0]?.settle({
      outcome: { status: "answered", by: "human", at: "2026-01-02T03:04:05.000Z" },
      answer: { response: "approve", feedback: "" },
    } as never);
    const { client } = await waiting.meet({ session });
    expect(payload(await client.seen("SteerInput"))).toMatchObject({
      user_input: expect.stringMatching(
        /was asked to approve this.*\nThe answer was: approve\nIt covers nothing/,
      ),
    });
    await client.seen("QuestionRequest");

    const { client: late, model } = await kept.meet(["text: ok"], { tools: [] });
    const again = await late.seen("QuestionRequest");
    late.reply(again, { request_id: again.id, ...red });
    await late.seen("TurnEnd");
    expect(words(late)).toEqual(["ToolResult", "StepBegin", "ContentPart", "TurnEnd"]);
    expect(JSON.stringify(lastCall(model)).split("The answer was: approve")).toHaveLength(2);
  });

  test.each(["before", "after"])(
    "a question in the background that is answered %s the restart reaches the model (P-RES-8)",
    async (when) => {
      const kept = keptSession(store(), { dialects: [kimi({ background: true })], tools: [approving] });
      const inBackground = callLine("AskUserQuestion", { questions: [colour], background: true });
      const { before, asked } = await kept.crashAt("QuestionRequest", [
        inBackground,
        callLine("Shell", {}, "tc-2"),
      ]);
      const approval = await before.seen("ApprovalRequest");
      if (when === "before") {
        before.reply(asked, { request_id: asked.id, ...red });
        await expect
          .poll(async () => (await kept.records()).map(({ type }) => type))
          .toContain("InteractionSettled");
      }

      const { client, model } = await kept.meet(["text: I wait.", "text: Red it is."]);
      const again = await client.seen("ApprovalRequest");
      expect(again.id).toBe(approval.id);
      client.reply(again, { request_id: again.id, response: "approve", feedback: "" });
      if (when === "after") {
        await client.seen("ContentPart");
        const question = await client.seen("QuestionRequest");
        expect(question.id).toBe(asked.id);
        client.reply(question, { request_id: question.id, ...red });
      }
      await client.seen("TurnEnd");
      expect(lastCall(model)?.filter(({ role }) => role === "user")).toMatchObject([
        { content: "go" },
        { content: expect.stringMatching(/call tc-1 asked in the background has ended:\n.*Red/) },
      ]);
    },
  );

  test("a question that is another one after a restart is asked anew, and the old one is superseded (P-RES-6)", async () => {
    const kept = keptSession(store());
    const other = { ...colour, question: "Which hue?" };
    const changed = (text: string) => ({
      async *stream() {
        yield {
          type: "tool_call" as const,
          call: {
            type: "function" as const,
            id: "tc-1",
            function: { name: "Ask", arguments: "{}" },
            extras: null,
          },
        };
        void text;
      },
    });
    const tool = (question: typeof colour) => ({
      ...approvedTool("Ask"),
      restart: "again" as const,
      async call(...[call, run, wire]: Parameters<typeof approving.call>) {
        const request = new QuestionRequest({ tool_call_id: call.id, questions: [question] });
        wire.send(request);
        const output = Object.values(await request.wait()).join();
        void run;
        return { is_error: false, output, message: "", display: [], extras: null };
      },
    });
    const { asked } = await kept.crashAt("QuestionRequest", [], {
      tools: [tool(colour)],
      model: changed("a"),
    });

    const { client, server } = await kept.meet(["text: ok"], { tools: [tool(other)] });
    const old = await client.seen("QuestionRequest", 1);
    const anew = await client.seen("QuestionRequest", 2);
    expect(old.id).toBe(asked.id);
    expect(anew.id).not.toBe(asked.id);
    client.reply(anew, { request_id: anew.id, answers: { "Which hue?": "Blue" } });
    expect(await toolResult(client)).toMatchObject({ output: "Blue" });
    await client.seen("TurnEnd");
    await server.close();
    expect((await kept.records()).find(({ type }) => type === "InteractionSettled")?.payload).toMatchObject({
      request_id: asked.id,
      outcome: { status: "withdrawn", reason: "superseded" },
    });
  });
});
