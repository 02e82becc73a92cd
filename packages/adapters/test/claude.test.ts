import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApprovalView, ClientHandlers, QuestionView } from "../../client/src/index.js";
import { until } from "../../server/test/until.js";
import { type ClaudeToolDetails, claudeHandlers } from "../src/claude.js";
import { people, waiting } from "./people.js";

const call = (more: Partial<ClaudeToolDetails> = {}): ClaudeToolDetails => ({
  signal: new AbortController().signal,
  toolUseID: "toolu_1",
  ...more,
});

/** The handlers of an agent, and what its people were shown. */
async function agent(reply: { approval?: object; question?: object }) {
  const approvals: ApprovalView[] = [];
  const questions: QuestionView[] = [];
  const handlers: ClientHandlers = {
    approval: (view) => {
      approvals.push(view);
      return (reply.approval ?? { option: "once" }) as never;
    },
    question: (view) => {
      questions.push(view);
      return (reply.question ?? { items: [] }) as never;
    },
  };
  const { session, open } = await people(handlers);
  return { ...claudeHandlers(session, { run: "r1", folder: "/work/shop" }), approvals, questions, open };
}

const asked = {
  questions: [
    {
      question: "Which database?",
      header: "Database",
      options: [
        { label: "SQLite", description: "one file", preview: "# SQLite" },
        { label: "PostgreSQL", description: "a server" },
      ],
      multiSelect: false,
    },
    {
      question: "Which systems?",
      header: "Systems",
      options: [
        { label: "linux", description: "" },
        { label: "mac, arm", description: "" },
      ],
      multiSelect: true,
    },
    { question: "Which colour?", header: "", options: [{ label: "Red" }, { label: "Blue" }] },
  ],
};

describe("AskUserQuestion of Claude, put to people", () => {
  test("each answer stands under its question, in Claude's own form, with note, preview and what was skipped", async () => {
    const { canUseTool, questions } = await agent({
      question: {
        items: [
          { question_id: "q1", selected: ["q1_o1"], note: "for now" },
          { question_id: "q2", selected: ["q2_o1", "q2_o2"], own_text: "plan 9" },
          { question_id: "q3", selected: [], skipped: true },
        ],
      },
    });
    expect(await canUseTool("AskUserQuestion", asked, call())).toEqual({
      behavior: "allow",
      updatedInput: {
        ...asked,
        answers: { "Which database?": "SQLite", "Which systems?": 'linux, "mac, arm", plan 9' },
        annotations: {
          "Which database?": { notes: "for now", preview: "# SQLite" },
          "Which colour?": { unanswered: "skipped" },
        },
      },
    });
    expect(questions[0]?.questions[0]?.options[0]).toMatchObject({ description: "one file" });
    expect(questions[0]?.program?.origin).toEqual({
      host: "Claude",
      folder: "/work/shop",
      tool: "AskUserQuestion",
    });
  });

  test("questions that people closed are denied with the words for the model", async () => {
    const { canUseTool } = await agent({ question: { declined: "dismissed" } });
    expect(await canUseTool("AskUserQuestion", asked, call())).toEqual({
      behavior: "deny",
      message: expect.stringContaining("closed the question without an answer"),
    });
  });

  test.each([
    [{ questions: "Which?" }, "questions: expected a list"],
    [{ questions: [{ text: "Which?", options: [] }] }, "questions[0].question: expected a text"],
    [{ questions: [{ question: "Which?", choices: [] }] }, "questions[0].options: expected a list"],
    [
      { questions: [{ question: "Which?", options: ["A"] }] },
      "questions[0].options[0].label: expected a text",
    ],
  ])(
    "questions in a form that is not known are put to nobody, and the place is named: %j",
    async (input, why) => {
      const { canUseTool, questions } = await agent({});
      await expect(canUseTool("AskUserQuestion", input, call())).rejects.toThrow(`AskUserQuestion: ${why}`);
      expect(questions).toHaveLength(0);
    },
  );

  test("questions are withdrawn when Claude is interrupted, and denied", async () => {
    const { session, open } = await people(waiting);
    const { canUseTool } = claudeHandlers(session);
    const stop = new AbortController();
    const decision = canUseTool("AskUserQuestion", asked, call({ signal: stop.signal }));
    await until(() => open() === 1);
    stop.abort();
    expect(await decision).toMatchObject({ behavior: "deny" });
    expect(open()).toBe(0);
  });
});

describe("a call of Claude's tools, put to people", () => {
  const suggestions = [
    {
      type: "addRules",
      behavior: "allow",
      rules: [{ toolName: "Bash", ruleContent: "npm test *" }],
      destination: "localSettings",
    },
    { type: "setMode", mode: "acceptEdits", destination: "session" },
  ];

  test("a command is shown whole, and 'always' says what it allows, where it is kept, and gives it to Claude", async () => {
    const { canUseTool, approvals } = await agent({ approval: { option: "always" } });
    const input = { command: "npm test -- a", description: "Runs the tests" };
    expect(await canUseTool("Bash", input, call({ suggestions }))).toEqual({
      behavior: "allow",
      updatedInput: input,
      updatedPermissions: suggestions,
    });
    expect(approvals[0]).toMatchObject({ action: "Bash", description: "Runs the tests" });
    expect(approvals[0]?.display).toEqual([{ type: "shell", language: "bash", command: "npm test -- a" }]);
    expect(approvals[0]?.options?.map(({ label }) => label)[1]).toBe(
      "Approve, and from now on allow Bash(npm test *) in this project, for you; accept all edits in this session",
    );
  });

  test("no lasting choice is offered where Claude wants none, and no policy answers what wants a person", async () => {
    const { canUseTool, approvals } = await agent({});
    await canUseTool("Bash", { command: "ls" }, call({ suggestions, suppressAlwaysAllowRule: true }));
    await canUseTool("Bash", { command: "ls" }, call({ toolUseID: "toolu_2", defaultToNo: true }));
    expect(approvals.map(({ options = [] }) => options.length)).toEqual([3, 3]);
    expect(approvals.map(({ person_only }) => person_only === true)).toEqual([false, true]);
  });

  test("a file is shown as the difference to what is there, and what the person changed is what is written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "askwire-claude-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file_path = join(folder, "a.txt");
    await writeFile(file_path, "one\n");
    const { canUseTool, approvals } = await agent({ approval: { option: "once", edited: "three\n" } });
    expect(await canUseTool("Write", { file_path, content: "two\n" }, call())).toEqual({
      behavior: "allow",
      updatedInput: { file_path, content: "three\n" },
    });
    expect(approvals[0]?.display).toMatchObject([{ path: file_path, old_text: "one\n", new_text: "two\n" }]);
  });

  test("an edit is shown as its difference, a plan as its text, and another tool by all its arguments", async () => {
    const { canUseTool, approvals } = await agent({});
    const edit = { file_path: "/a", old_string: "x", new_string: "y", replace_all: true };
    await canUseTool("Edit", edit, call());
    await canUseTool("ExitPlanMode", { plan: "# Steps" }, call({ toolUseID: "toolu_2" }));
    await canUseTool("mcp__shop__sell", { price: 3 }, call({ toolUseID: "toolu_3" }));
    const [edits, plan, other] = approvals;
    expect(edits).toMatchObject({ description: "Change /a, wherever it is" });
    expect(edits?.display).toMatchObject([{ path: "/a", old_text: "x", new_text: "y" }]);
    expect(plan).toMatchObject({ person_only: true, display: [{ type: "brief", text: "# Steps" }] });
    await canUseTool("ExitPlanMode", {}, call({ toolUseID: "toolu_4" }));
    expect(approvals[3]?.description).toContain("no plan to show");
    expect(other?.display).toEqual([
      { type: "shell", language: "json", command: JSON.stringify({ price: 3 }, null, 2) },
    ]);
  });

  test("a rejection that ends the turn says so to Claude", async () => {
    const { canUseTool } = await agent({ approval: { option: "stop" } });
    expect(await canUseTool("Bash", { command: "rm -r build" }, call())).toMatchObject({
      behavior: "deny",
      interrupt: true,
    });
  });

  test("a rejection in words is a denial with them, and so is a call that nobody is there to see", async () => {
    const { canUseTool } = await agent({ approval: { response: "reject", feedback: "use pnpm" } });
    expect(await canUseTool("Bash", { command: "npm i" }, call())).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("use pnpm"),
    });
    const alone = claudeHandlers((await people()).session);
    expect(await alone.canUseTool("Bash", { command: "npm i" }, call())).toMatchObject({
      behavior: "deny",
      message: expect.stringMatching(/no client|nobody/i),
    });
  });
});

describe("a request for input of an MCP server of Claude, put to people", () => {
  const details = { signal: new AbortController().signal, requestId: "e1" };
  const form = {
    serverName: "shop",
    message: "How many?",
    requestedSchema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
  };

  test("a form is filled in, a no is declined, and without a person it is cancelled", async () => {
    const answered = await agent({
      question: { items: [{ question_id: "q1", selected: [], own_text: "3" }] },
    });
    expect(await answered.onElicitation(form, details)).toEqual({ action: "accept", content: { count: 3 } });
    const declined = await agent({ question: { declined: "dismissed" } });
    expect(await declined.onElicitation(form, details)).toEqual({ action: "decline" });
    const alone = claudeHandlers((await people()).session);
    expect(await alone.onElicitation(form, details)).toEqual({ action: "cancel" });
  });

  test("an address is shown, never opened, and one of another kind is cancelled", async () => {
    const { onElicitation, questions } = await agent({
      question: { items: [{ question_id: "q1", selected: ["q1_o1"] }] },
    });
    const asked = { serverName: "shop", message: "Sign in", mode: "url" as const };
    expect(await onElicitation({ ...asked, url: "https://shop.example/in" }, details)).toEqual({
      action: "accept",
    });
    expect(questions[0]?.questions[0]?.body).toContain("`https://shop.example/in`");
    for (const url of ["file:///etc/passwd", "http://shop.example/in", "https://a:b@shop.example/in"])
      expect(await onElicitation({ ...asked, url }, details)).toEqual({ action: "cancel" });
    expect(questions).toHaveLength(1);
  });
});
