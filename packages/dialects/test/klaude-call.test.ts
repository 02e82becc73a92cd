import { expect, test } from "vitest";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { payload, questionsOf } from "../../server/test/raw-client.js";
import { toolResult } from "../../server/test/scenario.js";
import { klaude } from "../src/index.js";
import { extras, klaudeAsks, klaudeScenario, resultsRead, say, storage } from "./klaude-scenario.js";

const options = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ label: `Option ${n}`, description: "" }));

test("the model is told of one tool, with its limits and no other keys (P-KLA-1)", () => {
  const { tool } = klaude();
  expect(tool.name).toBe("AskUserQuestion");
  expect(tool.description).toContain("1-4 questions");
  const object = { type: "object", additionalProperties: false };
  const { properties, ...rest } = tool.parameters as {
    properties: { questions: { items: Record<string, never> } };
  };
  expect(rest).toEqual({ ...object, required: ["questions"] });
  expect(properties.questions).toMatchObject({ minItems: 1, maxItems: 4 });
  const { items } = properties.questions;
  expect(items).toMatchObject({
    ...object,
    required: ["question", "header", "options"],
    properties: {
      multiSelect: { type: "boolean", default: false },
      options: { minItems: 2, maxItems: 4, items: { ...object, required: ["label"] } },
    },
  });
  expect(Object.keys(items.properties ?? {})).toEqual(["question", "header", "options", "multiSelect"]);
  expect(Object.keys(properties)).toEqual(["questions"]);
});

const { header: _, ...headless } = storage;

test.each<[string, unknown, string]>([
  ["no question", { questions: [] }, "questions: expected at least 1 entry"],
  ["five questions", { questions: Array(5).fill(storage) }, "questions: expected at most 4 entries"],
  ["no header", { questions: [headless] }, "questions[0].header: expected string"],
  [
    "one option",
    { questions: [{ ...storage, options: options(1) }] },
    "questions[0].options: expected at least 2 entries",
  ],
  [
    "five options",
    { questions: [{ ...storage, options: options(5) }] },
    "questions[0].options: expected at most 4 entries",
  ],
  [
    "equal labels",
    { questions: [extras, { ...storage, options: [options(1)[0], options(1)[0]] }] },
    "questions[1].options: expected labels that differ within a question",
  ],
  ["answers of its own", { questions: [storage], answers: {} }, 'expected no "answers"'],
  [
    "answers in a question",
    { questions: [{ ...storage, answer: "x" }] },
    'questions[0]: expected no "answer"',
  ],
  [
    "an id of an option",
    { questions: [{ ...storage, options: options(2).map((one) => ({ ...one, id: "__other__" })) }] },
    'questions[0].options[0]: expected no "id"; questions[0].options[1]: expected no "id"',
  ],
  [
    "both spellings that differ",
    { questions: [{ ...storage, multi_select: true, multiSelect: false }] },
    'questions[0]: expected no "multi_select"',
  ],
  [
    "a text that is no key",
    { questions: [{ ...storage, question: "__proto__" }] },
    'questions[0].question: expected another text than "__proto__"',
  ],
])("a call with %s is told what is wrong, and asks nobody (P-KLA-1)", async (_, args, problem) => {
  const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: "AskUserQuestion", arguments: JSON.stringify(args) })}`;
  const { meet, model } = klaudeScenario([line, say]);
  const { client } = await meet();
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  expect(client.received.filter(({ method }) => method === "request")).toEqual([]);
  const result = {
    is_error: true,
    output: `Invalid arguments: ${problem}. Correct them and call again.`,
    message: "",
    display: [{ type: "brief", text: "Invalid arguments" }],
    extras: { status: "error" },
  };
  expect(await toolResult(client)).toEqual(result);
  expect(resultsRead(model)).toEqual([result]);
});

test("arguments that are no JSON are told so (P-KLA-1)", async () => {
  const call = { id: "tc-1", name: "AskUserQuestion", arguments: '{"questions": [' };
  const { client } = await klaudeScenario([`tool_call: ${JSON.stringify(call)}`, say]).meet();
  await client.call("prompt", { user_input: "go" });
  expect((await toolResult(client)).output).toMatch(/^Invalid arguments: not JSON \(/);
});

test("a call goes to a client as one question with ids by position, under the model's call (P-KLA-2)", async () => {
  const set = klaudeScenario([klaudeAsks([storage, extras], "tc-7"), say]);
  const { client } = await meetExtended(set);
  void client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  expect({ ...payload(asked), questions: questionsOf(asked) }).toMatchObject({
    tool_call_id: "tc-7",
    questions: [
      {
        id: "q1",
        question: "Which storage?",
        header: "Storage",
        multi_select: false,
        options: [
          { id: "q1_o1", label: "SQLite", description: "one file", preview: "| file |\n| --- |" },
          { id: "q1_o2", label: "PostgreSQL", description: "" },
        ],
      },
      { id: "q2", multi_select: true, options: [{ id: "q2_o1" }, { id: "q2_o2" }, { id: "q2_o3" }] },
    ],
  });
});

test("a call is seen as the call, one request and one result with one line to show: it draws nothing", async () => {
  const { client } = await klaudeScenario().meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { "Which storage?": "SQLite" } });
  await prompt;
  const words = client.story().filter((word) => word !== "StatusUpdate");
  expect(words.slice(0, 6).sort()).toEqual(
    ["TurnBegin", "StepBegin", "ToolCall", "ask QuestionRequest", "ToolResult", "StepBegin"].sort(),
  );
  expect((await toolResult(client)).display).toEqual([{ type: "brief", text: "User answered" }]);
});

test("the row for own text is the client's: no option is made for it, and own text counts", async () => {
  const set = klaudeScenario();
  const { client } = await meetExtended(set);
  void client.call("prompt", { user_input: "go" });
  expect(questionsOf(await client.asked("QuestionRequest"))).toMatchObject([
    { own_text: true, options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
  ]);
});

const { multiSelect: __, ...rest } = extras;

test.each<[string, unknown]>([
  ["multi_select (P-KLA-2)", [{ ...rest, multi_select: true }]],
  ["the questions as their JSON text", JSON.stringify([extras])],
  ["the options as their JSON text", [{ ...extras, options: JSON.stringify(extras.options) }]],
  ["options as labels alone", [{ ...extras, options: extras.options.map(({ label }) => label) }]],
  ["null for what may be missing", [{ ...extras, multi_select: null }]],
])("%s is read as the schema has it (P-DIA-10)", async (_, written) => {
  const { client } = await klaudeScenario([klaudeAsks(written as object[]), say]).meet();
  void client.call("prompt", { user_input: "go" });
  expect(payload(await client.seen("QuestionRequest")).questions).toMatchObject([
    { multi_select: true, options: extras.options.map(({ label }) => ({ label })) },
  ]);
});

test("where several may be chosen, previews are left out and the question is asked (P-KLA-2)", async () => {
  const set = klaudeScenario([klaudeAsks([{ ...storage, multiSelect: true }]), say]);
  const { client } = await meetExtended(set);
  void client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  const [item] = payload(asked).questions as { options: object[] }[];
  expect(item?.options.some((option) => "preview" in option)).toBe(false);
  await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
  expect((await toolResult(client)).output).toBe("Question: Which storage?\nAnswer:\n- SQLite: one file");
});

test("equal question texts reach a base client as different ones, and the model reads its own (P-KLA-3)", async () => {
  const again = { ...storage, header: "Cache", options: options(2) };
  const numbered = { ...again, question: "Which storage? (2)" };
  const set = klaudeScenario([klaudeAsks([storage, again, numbered, again]), say]);
  const { client } = await set.meet();
  const { prompt, asked: request } = await client.begin("QuestionRequest");
  const texts = (payload(request).questions as { question: string }[]).map(({ question }) => question);
  expect(texts).toEqual(["Which storage?", "Which storage? (3)", "Which storage? (2)", "Which storage? (4)"]);
  const answers = {
    "Which storage?": "PostgreSQL",
    "Which storage? (3)": "Option 1",
    "Which storage? (2)": "Option 0",
    "Which storage? (4)": "none",
  };
  client.reply(request, { request_id: request.id, answers });
  await prompt;
  expect(resultsRead(set.model)[0]?.output).toBe(
    [
      "Question: Which storage?\nAnswer: PostgreSQL:",
      "Question: Which storage?\nAnswer: Option 1:",
      "Question: Which storage? (2)\nAnswer: Option 0:",
      "Question: Which storage?\nAnswer: Other: none",
    ].join("\n---\n"),
  );
});
