import { QuestionNotSupportedReply } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import type { ApprovalReply, QuestionReply, QuestionView } from "../src/index.js";
import { approval, question, rawServer } from "./raw-server.js";

/** Dialogs that the test answers one by one. */
function dialogs() {
  const open: { view: { id: string }; signal: AbortSignal; answer(reply: never): void }[] = [];
  const show = (view: { id: string }, { signal }: { signal: AbortSignal }) =>
    new Promise<never>((answer) => void open.push({ view, signal, answer }));
  return { open, handlers: { question: show, approval: show } };
}

const answering = (reply: QuestionReply) => ({ handlers: { question: () => reply } });

describe("a request that cannot be answered", () => {
  test.each([
    ["of an unknown type", "Later", {}, -32601],
    ["without its fields", "QuestionRequest", { id: "r-1" }, -32602],
    ["with fields of another kind", "ApprovalRequest", { ...approval, sender: 7 }, -32602],
    ["without a payload", "ToolCallRequest", null, -32602],
  ])("a request %s gets an error, so that nobody waits (P-MSG-8)", async (_what, type, payload, code) => {
    const { handlers } = dialogs();
    const { send, next } = await rawServer({ handlers });
    send({ method: "request", id: "r-1", params: { type, payload } });
    const data = code === -32601 ? { type, reason: "unknown" } : null;
    expect(await next()).toMatchObject({ id: "r-1", error: { code, data } });
  });

  test("a question and an approval get an error from a client that shows neither (P-CLI-2)", async () => {
    const { ask, next, initialize } = await rawServer();
    expect(initialize).toMatchObject({ params: { capabilities: { supports_question: false } } });
    ask("QuestionRequest", question);
    const { id, error } = await next();
    expect(id).toBe("r-1");
    expect(QuestionNotSupportedReply.parse(error)).toEqual({
      code: -32601,
      message: "this client cannot show questions",
      data: { type: "QuestionRequest", reason: "unsupported" },
    });
    ask("ApprovalRequest", approval);
    const data = { type: "ApprovalRequest", reason: "unsupported" };
    expect(await next()).toMatchObject({ id: "a-1", error: { code: -32601, data } });
  });

  test("a notification of an unknown method is reported, and has no other effect", async () => {
    const problems: string[] = [];
    const { send, settled } = await rawServer({ onProblem: (problem) => void problems.push(problem) });
    send({ method: "session_status", params: { state: "idle" } });
    await settled();
    expect(problems).toEqual(["ignored: notification session_status"]);
  });
});

describe("a question", () => {
  const rich = {
    id: "r-1",
    tool_call_id: "tc-1",
    questions: [
      {
        question: "Approve this plan?",
        header: "Plan",
        options: [{ label: "Yes", description: "Go" }, { label: "No" }],
        body: "# Plan",
        other_label: "Revise",
        other_description: "Say how",
      },
    ],
  };

  test("a question is shown with all its fields", async () => {
    const seen: QuestionView[] = [];
    const { ask, next } = await rawServer({
      handlers: {
        question(view) {
          seen.push(view);
          return "declined";
        },
      },
    });
    ask("QuestionRequest", rich);
    await next();
    expect(seen).toMatchObject([
      { ...rich, questions: [{ ...rich.questions[0], options: [{ label: "Yes" }, {}] }] },
    ]);
  });

  test("a question is answered under the id of its message, naming that of its payload", async () => {
    const { send, next } = await rawServer(answering({ answers: { "Which?": "A" } }));
    send({ method: "request", id: "rpc-7", params: { type: "QuestionRequest", payload: question } });
    expect(await next()).toEqual({
      jsonrpc: "2.0",
      id: "rpc-7",
      result: { request_id: "r-1", answers: { "Which?": "A" } },
    });
  });

  test("a question with fields that nobody knows yet is shown and answered like any other (P-ENV-10)", async () => {
    const { ask, next } = await rawServer(answering({ answers: { "Which?": "A" } }));
    const [item] = question.questions;
    const newer = { required: true, default: "B", options: [{ label: "A", preview: "a" }, { label: "B" }] };
    ask("QuestionRequest", { ...question, deadline: { at: 1 }, questions: [{ ...item, ...newer }] });
    expect(await next()).toMatchObject({ id: "r-1", result: { answers: { "Which?": "A" } } });
  });

  test("a question is dismissed by an empty map", async () => {
    const { ask, next } = await rawServer(answering("declined"));
    ask("QuestionRequest", question);
    expect(await next()).toMatchObject({ result: { request_id: "r-1", answers: {} } });
  });

  test("a question with several choices is answered in the order of the options, own words last (P-ANS-6)", async () => {
    const options = ["A", "B", "C"].map((label) => ({ label }));
    const payload = { ...question, questions: [{ question: "Which?", options, multi_select: true }] };
    const selected = ["q1_o3", "q1_o1"];
    const { ask, next } = await rawServer(
      answering({ items: [{ question_id: "q1", selected, own_text: "and more" }] }),
    );
    ask("QuestionRequest", payload);
    expect(await next()).toMatchObject({ result: { answers: { "Which?": "A, C, and more" } } });
  });

  test("two questions of the same text get one answer", async () => {
    const { ask, next } = await rawServer(
      answering({
        items: [
          { question_id: "q1", selected: ["q1_o1"] },
          { question_id: "q2", selected: ["q2_o2"] },
        ],
      }),
    );
    ask("QuestionRequest", { ...question, questions: [...question.questions, ...question.questions] });
    expect(await next()).toMatchObject({
      result: { answers: { "Which?": expect.stringMatching(/^[AB]$/) } },
    });
  });

  test("a request of several questions is shown with all of them, and every answer is sent", async () => {
    const second = { question: "And?", options: [{ label: "X" }, { label: "Y" }], multi_select: true };
    const shown: string[] = [];
    const { ask, next } = await rawServer({
      handlers: {
        question({ questions }) {
          shown.push(...questions.map((item) => item.question));
          const items = questions.map(({ id, options }) => ({
            question_id: id,
            selected: [options[1]?.id ?? ""],
          }));
          return { items };
        },
      },
    });
    ask("QuestionRequest", { ...question, questions: [...question.questions, second] });
    expect(await next()).toMatchObject({ result: { answers: { "Which?": "B", "And?": "Y" } } });
    expect(shown).toEqual(["Which?", "And?"]);
  });

  test("a request of several questions sends those answers that there are", async () => {
    const second = { question: "And?", options: [{ label: "X" }, { label: "Y" }] };
    const { ask, next } = await rawServer(answering({ items: [{ question_id: "q2", selected: ["q2_o1"] }] }));
    ask("QuestionRequest", { ...question, questions: [...question.questions, second] });
    expect(await next()).toMatchObject({ result: { answers: { "And?": "X" } } });
  });

  test("a question is answered once, whatever the dialog does then", async () => {
    const { open, handlers } = dialogs();
    const { ask, next, settled } = await rawServer({ handlers });
    ask("QuestionRequest", question);
    await settled();
    open[0]?.answer({ answers: { "Which?": "A" } } as never);
    open[0]?.answer({ answers: { "Which?": "B" } } as never);
    expect(await next()).toMatchObject({ result: { answers: { "Which?": "A" } } });
    await settled();
  });

  test("several open questions are each answered by themselves, in any order", async () => {
    const { open, handlers } = dialogs();
    const { ask, next, settled } = await rawServer({ handlers });
    ask("QuestionRequest", question);
    ask("ApprovalRequest", approval);
    ask("QuestionRequest", { ...question, id: "r-2", tool_call_id: "tc-2" });
    await settled();
    for (const [index, reply] of [
      [2, "declined"],
      [1, "approve"],
      [0, "declined"],
    ] as const) {
      open[index]?.answer(reply as never);
      expect((await next()).id).toBe(["r-1", "a-1", "r-2"][index]);
    }
  });

  test("a question is taken away by the result of its tool call, and the others stay (P-CLI-1)", async () => {
    const { open, handlers } = dialogs();
    const { ask, event, settled } = await rawServer({ handlers });
    ask("QuestionRequest", question);
    ask("QuestionRequest", { ...question, id: "r-2", tool_call_id: "tc-2" });
    const return_value = { is_error: false, output: "", message: "", display: [] };
    event("ToolResult", { tool_call_id: "tc-1", return_value });
    await settled();
    expect(open.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });
});

test("a cancelled request is taken away, and a later answer is not sent (P-CLI-1)", async () => {
  const { open, handlers } = dialogs();
  const { session, ask, next, reply, event } = await rawServer({ handlers });
  const turn = session.prompt("go");
  const prompt = await next();
  ask("QuestionRequest", question);
  const cancelled = session.cancel();
  reply((await next()).id, {});
  event("TurnEnd");
  reply(prompt.id, { status: "cancelled" });
  await cancelled;
  expect(await turn.result).toEqual({ status: "cancelled" });
  expect(open[0]?.signal.aborted).toBe(true);
  open[0]?.answer("declined" as never);
  expect(await next()).toMatchObject({ id: "r-1", error: { code: -32603 } });
});

describe("an approval", () => {
  test.each<[ApprovalReply, object]>([
    ["approve", { response: "approve", feedback: "" }],
    ["approve_for_session", { response: "approve_for_session", feedback: "" }],
    ["reject", { response: "reject", feedback: "" }],
    [
      { response: "reject", feedback: "use trash" },
      { response: "reject", feedback: "use trash" },
    ],
  ])("an approval is answered %j (P-APR-1)", async (reply, result) => {
    const { ask, next } = await rawServer({ handlers: { approval: () => reply } });
    ask("ApprovalRequest", approval);
    expect(await next()).toEqual({ jsonrpc: "2.0", id: "a-1", result: { request_id: "a-1", ...result } });
  });

  test("an approval is shown between turns too, and stays until it is answered", async () => {
    const { open, handlers } = dialogs();
    const { session, ask, next, reply, event, settled } = await rawServer({ handlers });
    const turn = session.prompt("go");
    const { id } = await next();
    event("TurnEnd");
    reply(id, { status: "finished" });
    await turn.result;
    ask("ApprovalRequest", { ...approval, source_kind: "background_agent" });
    await settled();
    expect(open[0]?.signal.aborted).toBe(false);
    open[0]?.answer("approve" as never);
    expect(await next()).toMatchObject({ id: "a-1", result: { response: "approve" } });
  });

  test("an approval is taken away when it was settled elsewhere (P-CLI-1)", async () => {
    const { open, handlers } = dialogs();
    const { ask, event, settled } = await rawServer({ handlers });
    ask("ApprovalRequest", approval);
    event("ApprovalResponse", { request_id: "another", response: "approve" });
    await settled();
    expect(open[0]?.signal.aborted).toBe(false);
    event("ApprovalResponse", { request_id: "a-1", response: "reject", feedback: "" });
    await settled();
    expect(open[0]?.signal.aborted).toBe(true);
  });
});
