import { defineTool, QuestionRequest, requireApproval, wireSend } from "@askwire/server";
import { userInteractionSources, userInteractions } from "@askwire/server/user-interactions";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { payload } from "../../server/test/raw-client.js";
import { asks, callLine, delegating } from "../../server/test/scenario.js";
import { kimi } from "../src/index.js";
import { approval, asked, cancelled, chose, joined, selected, submitted } from "./joined-session.js";
import { klaudeAsks, resultsRead, say, storage } from "./klaude-scenario.js";

/** A tool that does its work only when it is approved. */
const run = defineTool({
  name: "Run",
  description: "runs",
  parameters: z.looseObject({}),
  async run() {
    const display = [{ type: "shell" as const, language: "sh", command: "rm -r build" }];
    await requireApproval({ action: "run command", description: "Removes the build", display });
    return "done";
  },
});

const runs = (...ids: string[]) => ids.map((id) => callLine("Run", { id }, id)).join("\n");

describe("a response that is refused", () => {
  test.each<[string, unknown, number, string]>([
    [
      "submitted without a payload",
      { status: "submitted", payload: null },
      -32013,
      "Submitted response must include payload",
    ],
    [
      "cancelled with one",
      { ...chose("q1_o1"), status: "cancelled" },
      -32013,
      "Cancelled response must not include payload",
    ],
    [
      "an unknown status",
      { status: "done", payload: null },
      -32602,
      'status: expected "submitted" or "cancelled"',
    ],
    ["no object", "yes", -32602, "response: expected object"],
    ["no status", {}, -32602, "response: status: expected"],
    ["of the other kind", selected("approve"), -32013, 'payload.kind: expected "ask_user_question"'],
    ["an unknown option", chose("q1_o9"), -32013, 'found "q1_o9"'],
    ["an option's label", chose("SQLite"), -32013, 'found "SQLite"'],
    ["an unknown question", chose("q1_o1", "q7"), -32013, 'found "q7"'],
    [
      "two choices of one",
      submitted({ question_id: "q1", selected_option_ids: ["q1_o1", "q1_o2"] }),
      -32013,
      "expected one choice",
    ],
    [
      "a choice and own text",
      submitted({ question_id: "q1", selected_option_ids: ["q1_o1"], other_text: "x" }),
      -32013,
      "expected one choice",
    ],
    [
      "blank own text",
      submitted({ question_id: "q1", selected_option_ids: ["__other__"], other_text: " " }),
      -32013,
      "expected one of the options or own text",
    ],
    ["nothing at all", submitted(), -32013, "every question is skipped"],
    [
      "two rows for a question",
      submitted(
        { question_id: "q1", selected_option_ids: ["q1_o1"] },
        { question_id: "q1", selected_option_ids: ["q1_o2"] },
      ),
      -32013,
      "found 2",
    ],
  ])(
    "a response that does not fit is refused and leaves the request unchanged: %s (P-KLA-9)",
    async (_, response, code, why) => {
      const { session, next, respond, channel, model } = joined();
      const turn = session.prompt("go");
      const request = await next();
      const refused = () => respond(request, response);
      expect(refused).toThrow(why);
      expect(refused).toThrow(expect.objectContaining({ code }));
      expect(channel.pending).toBe(1);
      respond(request, chose("q1_o2"));
      await turn;
      expect(resultsRead(model)[0]?.output).toBe("Question: Which storage?\nAnswer: PostgreSQL:");
    },
  );

  test("a refused response is reported to programs with what is wrong at each question (P-KLA-9)", async () => {
    const { session, next, respond } = joined();
    void session.prompt("go");
    const request = await next();
    expect(() => respond(request, chose("q1_o9"))).toThrow(
      expect.objectContaining({
        data: { issues: [expect.objectContaining({ question_id: "q1", code: "unknown_option" })] },
      }),
    );
    await session.close();
  });

  test("a response to nothing, to an unknown request, to another session's or to a settled one is refused, each in its own words (P-KLA-9)", async () => {
    const { session, server, next, respond, channel } = joined();
    const answer = (id: string, of: string) => () => channel.respond(id, of, chose("q1_o1"));
    expect(answer("x", session.id)).toThrow("No pending user interaction");
    void session.prompt("go");
    const request = await next();
    expect(answer("x", session.id)).toThrow("Unknown user interaction request id");
    const other = userInteractions(server.createSession());
    expect(answer(request.request_id, "other")).toThrow("Session mismatch for pending user interaction");
    expect(() => other.respond(request.request_id, session.id, chose("q1_o1"))).toThrow(
      "No pending user interaction",
    );
    expect(channel.pending).toBe(1);
    respond(request, chose("q1_o1"));
    expect(answer(request.request_id, session.id)).toThrow(
      expect.objectContaining({ code: -32010, data: { outcome: expect.objectContaining({ by: "human" }) } }),
    );
    expect(answer(request.request_id, "other")).toThrow("Session mismatch for pending user interaction");
  });
});

describe("an approval", () => {
  test("an approval of a tool comes out as a choice of three, with what is shown beside it (P-KLA-7)", async () => {
    const { session, next, respond, model } = joined([runs("a"), runs("b"), say], { tools: [run] });
    const turn = session.prompt("go");
    const request = await next();
    expect(request).toEqual({
      session_id: session.id,
      request_id: session.pending[0]?.id,
      source: "approval",
      tool_call_id: "a",
      payload: {
        kind: "operation_select",
        header: "Run",
        question: "Removes the build",
        options: [
          { id: "approve", label: "Approve", description: "" },
          { id: "approve_for_session", label: "Approve for this session", description: "run command" },
          { id: "reject", label: "Reject", description: "" },
        ],
        display: [{ type: "shell", language: "sh", command: "rm -r build" }],
      },
    });
    respond(request, selected("approve_for_session"));
    expect(await turn).toEqual({ status: "finished" });
    expect(resultsRead(model, 3)).toMatchObject([{ output: "done" }, { output: "done" }]);
  });

  test("an approval that is rejected with words lets the turn continue, without words ends it, and cannot be cancelled (P-KLA-9)", async () => {
    const { session, next, respond, model } = joined([runs("a"), runs("b"), runs("c"), say], {
      tools: [run],
    });
    const turn = session.prompt("go");
    const first = await next();
    expect(() => respond(first, selected("maybe"))).toThrow("selected_option_id: expected approve or");
    expect(() => respond(first, chose("q1_o1"))).toThrow('payload.kind: expected "operation_select"');
    expect(() => respond(first, { status: "submitted", payload: null })).toThrow("must include payload");
    respond(first, selected("reject", { note: "use the bin" }));
    respond(await next(), cancelled);
    respond(await next(), selected("reject"));
    expect(await turn).toEqual({ status: "finished" });
    expect(model.requests).toHaveLength(3);
    expect(resultsRead(model, 3)).toMatchObject([
      { message: expect.stringContaining("use the bin") },
      { message: expect.stringContaining("closed this approval without an answer") },
    ]);
  });

  test("an approval and a question wait beside each other, whichever came first (P-KLA-8)", async () => {
    const step = `${runs("a")}\n${klaudeAsks([storage], "b")}\n${runs("c")}`;
    const { session, next, respond } = joined([step, say], { tools: [run] });
    const turn = session.prompt("go");
    const requests = [await next(), await next(), await next()];
    expect(requests.map(({ source }) => source)).toEqual(["approval", "tool", "approval"]);
    respond(requests[1] as never, chose("q1_o1"));
    for (const n of [2, 0]) respond(requests[n] as never, selected("approve"));
    expect(await turn).toEqual({ status: "finished" });
  });

  test("an approval that a program asks belongs to the session, and a client may give it (P-KLA-8)", async () => {
    const { session, channel, meet } = joined();
    const { client } = await meet({ session });
    const answer = channel.request(approval("Deploy"));
    const seen = await client.seen("ApprovalRequest");
    expect(payload(seen)).toMatchObject({ sender: "Deploy", action: "Deploy", description: "ls" });
    client.reply(seen, { request_id: seen.id, response: "approve_for_session", feedback: "go" });
    expect(await answer).toEqual(selected("approve_for_session", { note: "go" }));
    expect(await channel.request(approval("Deploy"))).toEqual(selected("approve"));
  });
});

describe("a program asks", () => {
  test("a program asks outside a turn, and gets what was answered (P-KLA-8)", async () => {
    const { channel, next, respond } = joined();
    const answer = channel.request({ ...asked, request_id: "mine" });
    const request = await next();
    expect(request).toMatchObject({ request_id: "mine", source: "tool", tool_call_id: null });
    respond(request, submitted({ question_id: "q1", selected_option_ids: ["q1_o1"], note: "fast" }));
    expect(await answer).toEqual(
      submitted({
        question_id: "q1",
        selected_option_ids: ["q1_o1"],
        note: "fast",
        annotation: { markdown: "| file |\n| --- |" },
      }),
    );
    expect(() => respond(request, cancelled)).toThrow("already resolved");
  });

  test("a program asks in a tool, under the model's call, and its answer is the tool's to render (P-KLA-8)", async () => {
    const { session, channel, next, respond, model } = joined([callLine("Ask", {}, "tc-5"), say], {
      tools: [
        defineTool({
          name: "Ask",
          description: "asks",
          parameters: z.looseObject({}),
          run: async () => JSON.stringify(await channel.request(asked)),
        }),
      ],
    });
    const turn = session.prompt("go");
    const request = await next();
    expect(request.tool_call_id).toBe("tc-5");
    respond(request, submitted({ question_id: "q1", selected_option_ids: [], other_text: "a file" }));
    await turn;
    const own = { question_id: "q1", selected_option_ids: ["__other__"], other_text: "a file" };
    expect(JSON.parse(String(resultsRead(model)[0]?.output))).toEqual(submitted(own));
  });

  test("a program asks one question at a time: a second is refused at once and the first one stays (P-KLA-8)", async () => {
    const { channel, next, respond } = joined();
    const first = channel.request({ ...asked, request_id: "a" });
    await expect(channel.request(asked)).rejects.toThrow(
      "Only one user interaction can be pending at a time",
    );
    await expect(channel.request({ ...asked, request_id: "a" })).rejects.toThrow(
      "Duplicate user interaction request id: a",
    );
    expect(channel.pending).toBe(1);
    respond(await next(), cancelled);
    expect(await first).toEqual(cancelled);
    await expect(channel.request({ ...asked, request_id: "a" })).rejects.toThrow("Duplicate");
  });

  test("a program asks from the sources that there are, each with its own payload", async () => {
    const { channel } = joined();
    expect(userInteractionSources).toEqual(["tool", "approval"]);
    const ask = (init: object) => channel.request(init as never);
    await expect(ask({ ...asked, source: "operation_model" })).rejects.toThrow(
      "Unsupported user interaction source: operation_model",
    );
    await expect(ask({ ...asked, source: "approval" })).rejects.toThrow(
      'payload: kind: expected "operation_select"',
    );
    await expect(ask({ ...approval("x"), source: "tool" })).rejects.toThrow('expected "ask_user_question"');
    await expect(
      ask({ source: "tool", payload: { kind: "ask_user_question", questions: [{}] } }),
    ).rejects.toThrow("payload: questions[0].question: expected string");
    expect(channel.pending).toBe(0);
  });

  test("a program that asks from a sub-agent is refused", async () => {
    const refused: unknown[] = [];
    const agent = {
      run: async () => {
        await channel.request(asked).catch((error) => refused.push(error.message));
      },
    };
    const task = delegating({ agent, type: "coder", input: "go" });
    const { session, channel } = joined([callLine("Task", {}), say], { tools: [task] });
    await session.prompt("go");
    expect(refused).toEqual(["User interaction is available only for the main agent"]);
  });
});

describe("cancelling", () => {
  test("cancelling ends every wait, says whether there was any, and leaves other sessions alone (P-KLA-9)", async () => {
    const { session, server, channel, next } = joined();
    const other = userInteractions(server.createSession());
    const theirs = other.request(asked);
    expect(channel.cancelPending()).toBe(false);
    const [question, action] = [channel.request(asked), channel.request(approval("Run"))];
    await next();
    expect([channel.cancelPending("other"), channel.pending]).toEqual([false, 2]);
    expect(channel.cancelPending(session.id)).toBe(true);
    expect(await Promise.all([question, action])).toEqual([cancelled, cancelled]);
    expect([channel.pending, other.pending]).toEqual([0, 1]);
    expect(other.cancelPending()).toBe(true);
    await theirs;
  });

  test.each<[string, "interrupted" | "session_closed" | "shutdown"]>([
    ["an interrupt", "interrupted"],
    ["the end of the session", "session_closed"],
    ["a shutdown", "shutdown"],
  ])(
    "cancelling by %s ends what is open, also of a sub-agent, and says why (P-KLA-10)",
    async (_, reason) => {
      const agent = modelAgent({ model: scriptedModel([runs("a")]), tools: [run] });
      const task = delegating({ agent, type: "coder", input: "go" });
      const step = `${klaudeAsks()}\n${callLine("Task", {}, "b")}`;
      const { session, server, channel, next } = joined([step, say], { tools: [task] });
      const turn = session.prompt("go");
      const requests = [await next(), await next()];
      const outcomes = Promise.all(requests.map(({ request_id }) => channel.outcome(request_id)));
      const asking = channel.request(approval("Deploy"));
      const ended = expect(asking).rejects.toMatchObject({ name: "AbortError", outcome: { reason } });
      expect(channel.pending).toBe(3);
      if (reason === "interrupted") session.cancel();
      else await (reason === "shutdown" ? server.close() : session.close());
      await ended;
      expect(await outcomes).toMatchObject([{ status: "withdrawn", reason }, { reason }]);
      expect([channel.pending, session.pending.length]).toEqual([0, 0]);
      expect(await turn).toEqual({ status: "cancelled" });
    },
  );
});

test("the question of another dialect comes out of the channel too, and is answered in it (P-KLA-7)", async () => {
  const { session, next, respond, model } = joined([asks(), say], { dialects: [kimi()] });
  const turn = session.prompt("go");
  const request = await next();
  expect(request.payload).toMatchObject({ questions: [{ id: "q1", question: "Which colour?" }] });
  respond(request, chose("q1_o2"));
  await turn;
  expect(resultsRead(model)).toMatchObject([{ output: '{"answers": {"Which colour?": "Blue"}}' }]);
});

test("a question has all that a person has to see, also what klaude-code's questions never have (P-KLA-7)", async () => {
  const rich = {
    question: "Go on?",
    header: "Plan",
    options: [{ id: "yes", label: "Yes", recommended: true }],
    own_text: false,
    placeholder: "because …",
    default: ["yes"],
    body: "# The plan",
    other_label: "Revise",
    other_description: "says how",
  };
  const { session, next } = joined([], {
    run: async () => wireSend(new QuestionRequest({ tool_call_id: "tc-1", questions: [rich] })),
  });
  const turn = session.prompt("go");
  const { placeholder, options, ...rest } = rich;
  expect((await next()).payload).toEqual({
    kind: "ask_user_question",
    questions: [
      {
        ...rest,
        id: "q1",
        options: [{ ...options[0], description: "" }],
        multi_select: false,
        input_placeholder: placeholder,
      },
    ],
  });
  await turn;
});
