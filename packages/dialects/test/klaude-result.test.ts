import { type Model, questionTool, type Session, ToolError, type ToolRun } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { runInContext } from "../../server/src/agent/context.js";
import { askByDialect } from "../../server/src/dialects/question-tool.js";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { payload, type RawClient } from "../../server/test/raw-client.js";
import { approvedTool, callLine, delegating, toolResult } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { klaude } from "../src/index.js";
import { extras, klaudeAsks, klaudeScenario, resultsRead, say, storage } from "./klaude-scenario.js";
import { delegate as subagent } from "./matrix-stage.js";

/** The model's view of an extended client's answer. */
async function answered(questions: unknown[], said: object) {
  const set = klaudeScenario([klaudeAsks(questions), say]);
  const { client } = await meetExtended(set);
  const prompt = client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  const reply = await client.answer(asked, said);
  expect(reply.error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  return { result: await toolResult(client), read: resultsRead(set.model)[0], model: set.model, client };
}

const one = (item: object) => ({ items: [{ question_id: "q1", selected: [], ...item }] });

describe("an answer is told", () => {
  test.each<[string, object, object, string]>([
    [
      "a choice, with its description and its preview",
      storage,
      { selected: ["q1_o1"] },
      " SQLite: one file\nSelected markdown:\n| file |\n| --- |",
    ],
    ["an empty description, with its colon", storage, { selected: ["q1_o2"] }, " PostgreSQL:"],
    ["own text alone", storage, { own_text: "a text\nfile" }, " Other: a text\nfile"],
    [
      "several, in the order of the options, own text last",
      extras,
      { selected: ["q1_o3", "q1_o2"], own_text: "Rack" },
      "\n- Light, bright: shines\n- Lock:\n- Other: Rack",
    ],
    ["own text alone where several are possible", extras, { own_text: "Rack" }, "\n- Other: Rack"],
    [
      "the note beside a choice, before its preview",
      storage,
      { selected: ["q1_o1"], note: "for now" },
      " SQLite: one file\nNote: for now\nSelected markdown:\n| file |\n| --- |",
    ],
    [
      "once what serves as own text and as a note",
      storage,
      { own_text: "a file", note: "a file" },
      " Other: a file",
    ],
  ])("the model reads an answer with its parts: %s (P-KLA-4)", async (_, question, item, answer) => {
    const { read, result } = await answered([question], one(item));
    const { question: text } = question as { question: string };
    expect(read?.output).toBe(`Question: ${text}\nAnswer:${answer}`);
    expect(read).toMatchObject({ is_error: false, message: "" });
    expect(result).toMatchObject({ display: [{ type: "brief", text: "User answered" }] });
  });

  test("the model reads an answer with what was skipped, also with a note on it, and with a note on the whole (P-KLA-4)", async () => {
    const items = [
      { question_id: "q1", selected: ["q1_o2"] },
      { question_id: "q2", selected: [], skipped: true, note: "ask later" },
      { question_id: "q3", selected: [], skipped: true },
    ];
    const questions = [storage, extras, { ...extras, question: "Which more?" }];
    const { result } = await answered(questions, {
      outcome: { status: "answered", note: "in a hurry" },
      items,
    });
    expect(result.output).toBe(
      [
        "Question: Which storage?\nAnswer: PostgreSQL:",
        "Question: Which extras?\nAnswer: (No answer provided)\nNote: ask later",
        "Question: Which more?\nAnswer: (No answer provided)",
        "Note: in a hurry",
      ].join("\n---\n"),
    );
  });

  test("the model reads an answer with images after the text", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", id: null } };
    const { read } = await answered([storage], one({ selected: ["q1_o2"], attachments: [image] }));
    expect(read?.output).toEqual([
      { type: "text", text: "Question: Which storage?\nAnswer: PostgreSQL:" },
      image,
    ]);
  });

  test("programs get an answer as a summary that is not shortened (P-KLA-6)", async () => {
    const long = "x".repeat(20_000);
    const items = [
      { question_id: "q1", selected: ["q1_o1"] },
      { question_id: "q2", selected: ["q2_o1", "q2_o3"], own_text: long },
      { question_id: "q3", selected: [], skipped: true },
    ];
    const { result } = await answered([storage, extras, { ...storage, question: "More?" }], { items });
    expect(result.output).toContain(`- Other: ${long}\n---\n`);
    expect(result.extras).toEqual({
      status: "success",
      ui_extra: {
        type: "ask_user_question_summary",
        items: [
          { question: "Which storage?", summary: "SQLite · one file", answered: true },
          { question: "Which extras?", summary: `Bell · rings\nLock\n${long}`, answered: true },
          { question: "More?", summary: "(No answer provided)", answered: false },
        ],
      },
    });
  });

  test("the model reads an answer by a base client's text as one by ids, and what the client was not shown is named (P-KLA-4)", async () => {
    const { client } = await klaudeScenario([klaudeAsks([storage, extras]), say]).meet();
    const { asked: request } = await client.begin("QuestionRequest");
    const answers = { "Which storage?": "use SQLite", "Which extras?": "Lock, Light, bright, Rack" };
    client.reply(request, { request_id: request.id, answers });
    expect(await toolResult(client)).toMatchObject({
      output:
        "Question: Which storage?\nAnswer: Other: use SQLite\n---\nQuestion: Which extras?\nAnswer:\n- Light, bright: shines\n- Lock:\n- Other: Rack",
      extras: {
        status: "success",
        degraded: [
          { question_id: "q1", feature: "preview" },
          { question_id: "q2", feature: "multi_label" },
        ],
      },
    });
  });
});

const declinedText =
  "Question: Which storage?\nAnswer: (User declined to answer questions)\n---\nQuestion: Which extras?\nAnswer: (User declined to answer questions)";

describe("a person who declines", () => {
  test.each(["base", "extended"])(
    "a person who declines ends the turn after the result, which is a success; outcome and dismissal stay unchanged (%s) (P-KLA-5, P-KLA-6)",
    async (profile) => {
      const set = klaudeScenario([klaudeAsks([storage, extras]), say]);
      const session = set.server.createSession();
      const watching = (await meetExtended(set, { session }, { name: "watching", question: false })).client;
      const byId = profile === "extended" ? (await meetExtended(set, { session })).client : undefined;
      const client = byId ?? (await set.meet({ session })).client;
      const { prompt, asked } = await client.begin("QuestionRequest");
      if (byId !== undefined) await byId.answer(asked, { outcome: { status: "declined" } });
      else client.reply(asked, { request_id: asked.id, answers: {} });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect(set.model.requests).toHaveLength(1);
      const result = await toolResult(client);
      expect(result).toMatchObject({ is_error: false, output: declinedText, message: "" });
      expect(result.extras).toMatchObject({
        status: "success",
        continue_agent: false,
        ui_extra: { items: [{ answered: false }, { summary: "(User declined to answer questions)" }] },
      });
      expect(watching.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({
        status: "declined",
        reason: "dismissed",
        by: "human",
      });
    },
  );

  test("the model is told at the next prompt that the person declined (P-KLA-5)", async () => {
    const set = klaudeScenario([klaudeAsks([storage, extras]), say]);
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
    await client.call("prompt", { user_input: "go on" });
    expect(resultsRead(set.model)[0]?.output).toBe(declinedText);
  });

  test("a person who declines is not an interrupt, which leaves no result and nothing open", async () => {
    const set = klaudeScenario();
    const { client, session } = await set.meet();
    const { prompt } = await client.begin("QuestionRequest");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(session.pending.length).toBe(0);
    expect(client.story()).not.toContain("ToolResult");
  });

  test.each([
    ["by a client", async (client: RawClient) => void (await client.call("cancel"))],
    ["by the agent's own program", async (_: RawClient, session: Session) => session.cancel()],
  ])(
    "an interrupt %s is reported to the model at the next prompt as aborted, for each call (P-KLA-5, P-STP-5)",
    async (_, interrupt) => {
      const step = `${klaudeAsks([storage], "tc-1")}\n${klaudeAsks([storage], "tc-2")}\n${callLine("Run", {}, "tc-3")}`;
      const set = klaudeScenario([step, say], { tools: [approvedTool("Run")] });
      const { client, session } = await set.meet();
      const { prompt } = await client.begin("QuestionRequest");
      await client.seen("ApprovalRequest");
      await interrupt(client, session);
      expect((await prompt).result).toEqual({ status: "cancelled" });
      await client.call("prompt", { user_input: "go on" });
      const aborted = {
        is_error: true,
        output: "The turn was interrupted before the user answered",
        message: "",
        display: [],
        extras: { status: "aborted" },
      };
      expect(resultsRead(set.model)).toEqual([
        aborted,
        aborted,
        expect.objectContaining({ is_error: true, extras: null }),
      ]);
    },
  );
});

describe("where nobody can be asked", () => {
  const NOBODY =
    "Other: No human is available to answer (unattended run). Proceed with your best judgment and state the assumption in your final report.";

  test("where a rule of the session says that nobody is there, the model is told to decide, and approvals are refused (P-KLA-5)", async () => {
    const step = `${klaudeAsks([storage, extras])}\n${callLine("Run", {}, "tc-2")}`;
    const tools = [approvedTool("Run")];
    const set = klaudeScenario([step, say], { attendance: "decline", tools });
    const { client } = await set.meet();
    await client.call("prompt", { user_input: "go" });
    expect(resultsRead(set.model)).toMatchObject([
      {
        is_error: false,
        output: `Question: Which storage?\nAnswer: ${NOBODY}\n---\nQuestion: Which extras?\nAnswer:\n- ${NOBODY}`,
        extras: { status: "success", ui_extra: { items: [{ answered: false }, { answered: false }] } },
      },
      { is_error: true, message: expect.stringContaining("Rejected") },
    ]);
    expect(client.story().filter((word) => word.startsWith("ask"))).toEqual([]);
  });

  test("a session that holds keeps the question until somebody comes", async () => {
    const set = klaudeScenario(undefined, { attendance: "hold" });
    const session = set.server.createSession();
    const turn = session.prompt("go");
    await until(() => session.state === "waiting");
    const { client } = await set.meet({ session });
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Which storage?": "PostgreSQL" } });
    expect(await turn).toEqual({ status: "finished" });
  });

  test("approving everything lets actions pass, also a sub-agent's, and still asks", async () => {
    const inner = scriptedModel([callLine("Run", {}, "inner"), "text: did it"]);
    const agent = modelAgent({ model: inner, tools: [approvedTool("Run")] });
    const task = delegating({ agent, type: "coder", input: "do it" });
    const step = `${callLine("Task", {}, "tc-2")}\n${klaudeAsks()}`;
    const set = klaudeScenario([step, say], { yolo: true, tools: [task] });
    const { client } = await set.meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Which storage?": "PostgreSQL" } });
    await prompt;
    expect(resultsRead(set.model)[0]).toMatchObject({ output: "did it" });
    expect(client.story()).not.toContain("ask ApprovalRequest");
  });

  test("a client that shows no questions is offered no tool, and a call says that it is not available (P-KLA-5)", async () => {
    const set = klaudeScenario();
    const { client } = await set.meet({}, {});
    await client.call("prompt", { user_input: "go" });
    expect(set.model.requests.map(({ tools }) => tools)).toEqual([[], []]);
    expect(resultsRead(set.model)).toMatchObject([
      {
        is_error: true,
        output: "AskUserQuestion is not available in this context",
        message: "",
        extras: { status: "error" },
      },
    ]);
  });

  test.each(["wire", "tool call"])("outside a turn there is no %s, and it says so", async (missing) => {
    const dialect = klaude();
    const args = JSON.stringify({ questions: [storage] });
    const toolCall = {
      type: "function" as const,
      id: "tc-9",
      function: { name: "AskUserQuestion", arguments: args },
      extras: null,
    };
    const run = { unattended: false, toolCall, signal: new AbortController().signal } as unknown as ToolRun;
    const work = () => askByDialect(dialect, dialect.begin(), toolCall, run);
    const told = await (missing === "wire" ? work() : runInContext({ wire: { send() {} } }, work));
    expect(told).toBeInstanceOf(ToolError);
    expect(told).toMatchObject({ message: "", output: "AskUserQuestion is not available in this context" });
  });
});

describe("a sub-agent", () => {
  /** A tool whose sub-agent asks, with what its model read. */
  function delegate() {
    const read: unknown[] = [];
    const inner = scriptedModel([klaudeAsks([storage], "inner"), "text: decided"]);
    const watched: Model = {
      ...inner,
      stream(request) {
        read.push(...resultsRead({ requests: [{ ...request, messages: [...request.messages] }] }, 1));
        return inner.stream(request);
      },
    };
    const agent = modelAgent({ model: watched, tools: [questionTool(klaude())] });
    const tool = delegating({ agent, type: "coder", input: "do it" });
    return { tool, read };
  }

  test("a sub-agent's question is refused with an error of its own (P-KLA-5)", async () => {
    const { tool, read } = delegate();
    const { client } = await klaudeScenario([callLine("Task", {}), say], {
      tools: [tool],
      dialects: [],
    }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(read).toMatchObject([
      { is_error: true, output: "User interaction is available only for the main agent" },
    ]);
    expect(client.story()).not.toContain("ask QuestionRequest");
  });

  test.each([
    [false, []],
    [true, ["AskUserQuestion"]],
  ])(
    "a sub-agent has the tool of its session only where it may ask: %s",
    async (subagentQuestions, offered) => {
      const { tool, model } = subagent("Task", [say]);
      const set = klaudeScenario([callLine("Task", {}), say], { tools: [tool], subagentQuestions });
      const { client } = await set.meet();
      await client.call("prompt", { user_input: "go" });
      expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([offered]);
    },
  );

  test("a sub-agent is told to decide where nobody is there by a rule of the session, also if it may ask", async () => {
    const { tool, model } = subagent("Task", [klaudeAsks([storage], "inner"), say]);
    const options = { tools: [tool], subagentQuestions: true, attendance: "decline" as const };
    const set = klaudeScenario([callLine("Task", {}), say], options);
    const { client } = await set.meet();
    await client.call("prompt", { user_input: "go" });
    expect(resultsRead(model)).toMatchObject([
      {
        is_error: false,
        output: expect.stringMatching(/^Question: Which storage\?\nAnswer: Other: No human is/),
      },
    ]);
    expect(client.story()).not.toContain("ask QuestionRequest");
  });

  test("a sub-agent may ask the clients of its session where that is set", async () => {
    const { tool, read } = delegate();
    const options = { tools: [tool], dialects: [], subagentQuestions: true };
    const { client } = await klaudeScenario([callLine("Task", {}), say], options).meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    expect(payload(asked)).toMatchObject({ tool_call_id: "inner" });
    client.reply(asked, { request_id: asked.id, answers: { "Which storage?": "PostgreSQL" } });
    await prompt;
    expect(read).toMatchObject([{ output: "Question: Which storage?\nAnswer: PostgreSQL:" }]);
  });
});

test("a second question while one is open is refused at once, and the first one counts", async () => {
  const set = klaudeScenario([`${klaudeAsks()}\n${klaudeAsks([extras], "tc-2")}`, say]);
  const { client } = await set.meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  expect(await toolResult(client)).toMatchObject({
    is_error: true,
    output: "Only one user interaction can be pending at a time",
  });
  client.reply(asked, { request_id: asked.id, answers: { "Which storage?": "PostgreSQL" } });
  await prompt;
  expect(resultsRead(set.model)).toMatchObject([
    { output: "Question: Which storage?\nAnswer: PostgreSQL:" },
    { is_error: true },
  ]);
});
