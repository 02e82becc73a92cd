import type { Outcome, OutcomeReason } from "@askwire/protocol";
import { type AnyInteraction, type QuestionRequest, ToolError, type ToolRun } from "@askwire/server";
import { expect, test } from "vitest";
import { runInContext } from "../../server/src/agent/context.js";
import { askByDialect } from "../../server/src/dialects/question-tool.js";
import { outcomeNow } from "../../server/src/requests/interaction.js";
import { payload } from "../../server/test/raw-client.js";
import { asks, callLine, colour, scenario, toolResult } from "../../server/test/scenario.js";
import { askUserQuestion, kimi } from "../src/index.js";

const say = "text: done";
const option = (label: string) => ({ label });
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...colour, question: `Question ${index}?` }));

/** Asks, answers as told, and gives what the model was told. */
async function answered(asked: unknown[], answers: Record<string, unknown>) {
  const { client } = await scenario([asks(asked), say]).meet();
  const { prompt, asked: request } = await client.begin("QuestionRequest");
  client.reply(request, { request_id: request.id, answers });
  const result = await toolResult(client);
  expect((await prompt).result).toEqual({ status: "finished" });
  return { request, result };
}

test("the model sees one tool of that name, with its limits", () => {
  expect(askUserQuestion.name).toBe("AskUserQuestion");
  expect(askUserQuestion.description).toContain("You can ask 1-4 questions at a time");
  expect(askUserQuestion.description).toContain('list it first and append "(Recommended)"');
  expect(askUserQuestion.description).toContain('Users always have an "Other" option');
  expect(askUserQuestion.parameters).toMatchObject({
    type: "object",
    required: ["questions"],
    properties: { questions: { minItems: 1, maxItems: 4, items: { required: ["question", "options"] } } },
  });
});

test.each<[string, unknown, string]>([
  ["no question", [], "questions: expected at least 1 entry"],
  ["five questions", questions(5), "questions: expected at most 4 entries"],
  [
    "one option",
    [{ ...colour, options: [option("A")] }],
    "questions[0].options: expected at least 2 entries",
  ],
  [
    "five options",
    [{ ...colour, options: [..."ABCDE"].map(option) }],
    "questions[0].options: expected at most 4 entries",
  ],
  ["no text", [{ options: colour.options }], "questions[0].question: expected string"],
  ["equal texts", [colour, colour], "questions: expected question texts that differ"],
  [
    "equal labels",
    [colour, { question: "Other?", options: [option("A"), option("A")] }],
    "questions[1].options: expected labels that differ within a question",
  ],
  ["no list", 7, "questions: expected array"],
  ["a text that is no list", "Which colour?", "questions: expected array"],
])("a call with %s is told what is wrong and asks nobody", async (_, asked, problem) => {
  const { client } = await scenario([asks(asked as unknown[]), say]).meet();
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  expect(client.received.filter(({ method }) => method === "request")).toEqual([]);
  expect(await toolResult(client)).toEqual({
    is_error: true,
    output: "",
    message: `Invalid arguments: ${problem}. Correct them and call again.`,
    display: [{ type: "brief", text: "Invalid arguments" }],
    extras: null,
  });
});

test("arguments that are no JSON are told to the model", async () => {
  const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: "AskUserQuestion", arguments: '{"questions": [' })}`;
  const { client } = await scenario([line, say]).meet();
  await client.call("prompt", { user_input: "go" });
  expect((await toolResult(client)).message).toMatch(/^Invalid arguments: not JSON \(/);
});

test("a field left out has its default, and the request has exactly the fields of the wire", async () => {
  const { client } = await scenario([asks(questions(4)), say]).meet();
  const { asked: request } = await client.begin("QuestionRequest");
  const rest = { header: "", multi_select: false, body: "", other_label: "", other_description: "" };
  const options = [
    { label: "Red", description: "" },
    { label: "Blue", description: "like the sea" },
  ];
  expect(payload(request)).toEqual({
    id: request.id,
    tool_call_id: "tc-1",
    questions: questions(4).map(({ question }) => ({ question, options, ...rest })),
  });
  expect(request.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
  await client.settled();
  expect(client.received.filter(({ method }) => method === "request")).toHaveLength(1);
});

test("long headers and labels, no question mark and an option Other are asked nevertheless", async () => {
  const question = "Name it";
  const long = "x".repeat(300);
  const { request } = await answered(
    [{ question, header: long, options: [option(long), option("Other")], unknown: 1 }],
    {},
  );
  expect(payload(request).questions).toMatchObject([
    { question, header: long, options: [{ label: long }, { label: "Other" }] },
  ]);
});

test("a newer model's further fields of a question harm nothing, and do not go out", async () => {
  const newer = { required: true, default: "Blue", labels: { de: "Farbe" } };
  const options = colour.options.map((one) => ({ ...one, preview: "#f00" }));
  const { request, result } = await answered([{ ...colour, ...newer, options }], { "Which colour?": "Red" });
  const { request: plain } = await answered([colour], {});
  expect(payload(request).questions).toEqual(payload(plain).questions);
  expect(result).toMatchObject({ is_error: false, output: '{"answers": {"Which colour?": "Red"}}' });
});

const several = { ...colour, multi_select: true };

test.each<[string, unknown]>([
  ["multiSelect", [{ ...colour, multiSelect: true }]],
  ["true as a text", [{ ...colour, multi_select: "true" }]],
  ["the questions as their JSON text", JSON.stringify([several])],
  ["one question in the place of a list", several],
  ["the options as their JSON text", [{ ...several, options: JSON.stringify(colour.options) }]],
  ["null for what may be missing", [{ ...several, header: null, multiSelect: null }]],
])("%s is understood and goes out as the schema has it (P-DIA-10)", async (_, written) => {
  const { request } = await answered(written as unknown[], {});
  const { request: asWritten } = await answered([several], {});
  expect(payload(request).questions).toEqual(payload(asWritten).questions);
});

test("options as labels alone are options without a description (P-DIA-10)", async () => {
  const { request } = await answered([{ ...colour, options: ["Red", 7, true] }], {});
  const [item] = payload(request).questions as Record<string, unknown>[];
  expect(item?.options).toEqual(
    ["Red", "7", "true"].map((label) => expect.objectContaining({ label, description: "" })),
  );
});

test.each<[string, Record<string, string>, string]>([
  ["a label", { "Which colour?": "Red" }, '{"answers": {"Which colour?": "Red"}}'],
  [
    "several",
    { "Which colour?": "Red, Blue", b: "c" },
    '{"answers": {"Which colour?": "Red, Blue", "b": "c"}}',
  ],
  [
    "other words",
    { "Which colour?": "絶対に青 – é 🎨" },
    '{"answers": {"Which colour?": "絶対に青 – é 🎨"}}',
  ],
  ["space around it", { "Which colour?": "  Red\n" }, '{"answers": {"Which colour?": "  Red\\n"}}'],
  ["signs", { "Which colour?": 'a "b"\n\\ c' }, '{"answers": {"Which colour?": "a \\"b\\"\\n\\\\ c"}}'],
])("an answer reaches the model to the letter: %s", async (_, answers, output) => {
  const { result } = await answered([{ ...colour, multi_select: true }], answers);
  expect(result).toEqual({
    is_error: false,
    output,
    message: "User has answered.",
    display: [{ type: "brief", text: "User answered" }],
    extras: null,
  });
});

test("a dismissed question is no error, and the model continues", async () => {
  const { result } = await answered([colour], {});
  expect(result).toEqual({
    is_error: false,
    output: '{"answers": {}, "note": "User dismissed the question without answering."}',
    message: "User dismissed the question without answering.",
    display: [{ type: "brief", text: "User dismissed" }],
    extras: null,
  });
});

const toolCall = {
  type: "function" as const,
  id: "tc-9",
  function: { name: "AskUserQuestion", arguments: JSON.stringify({ questions: [colour] }) },
  extras: null,
};
/** The tool's work, without what runs it. */
const work = (unattended: boolean, { signal } = new AbortController()) => {
  const dialect = kimi();
  const run = { unattended, toolCall, signal } as unknown as ToolRun;
  return askByDialect(dialect, dialect.begin(), toolCall, run);
};

test("a call outside a turn is told first that nobody is there, then that there is no wire, then no tool call", async () => {
  expect(await work(true)).toMatchObject({ message: "Afk mode, auto-dismissed." });
  const noWire = await work(false);
  expect(noWire).toBeInstanceOf(ToolError);
  expect(noWire).toMatchObject({
    message: "Cannot ask user questions: Wire is not available.",
    brief: "Wire unavailable",
  });
  const noCall = await runInContext({ wire: { send() {} } }, () => work(false));
  expect(noCall).toBeInstanceOf(ToolError);
  expect(noCall).toMatchObject({
    message: "AskUserQuestion must be called from a tool call context.",
    brief: "Invalid context",
  });
});

/** The tool's result for a request that the wire settles in this way. */
const rendered = (settle: (request: QuestionRequest) => void, turn = new AbortController()) => {
  const wire = { send: (request: AnyInteraction) => settle(request as QuestionRequest) };
  return runInContext({ wire, toolCall }, () => work(false, turn));
};

const unavailable = (reason: OutcomeReason<"unavailable">, by: "system" | "policy" = "system") =>
  outcomeNow("unavailable", { reason, by });

test.each<[string, Outcome, string]>([
  ["expired", outcomeNow("expired", { reason: "deadline", by: "timer" }), "Question expired"],
  ["client lost", unavailable("client_lost"), "Question failed"],
  ["broken client", unavailable("protocol_error"), "Question failed"],
  ["too many", unavailable("limit"), "Question failed"],
  ["unsupported", unavailable("unsupported"), "Client unsupported"],
  ["nobody, by policy", unavailable("unattended", "policy"), "Auto-dismissed (afk)"],
])("an ending that is no dismissal is not called one; %s has its own words", async (_, outcome, brief) => {
  const result = await rendered((request) => request.settle({ outcome }));
  const [shown] = result instanceof ToolError ? [{ text: result.brief }] : (result.display ?? []);
  expect(shown).toMatchObject({ text: brief });
  expect(`${(result as ToolError).message} ${result.output}`).not.toContain("User dismissed");
});

test("a question that its turn gave up ends the tool (P-KIM-8)", async () => {
  const turn = new AbortController();
  const giveUp = (request: QuestionRequest) => {
    request.settle({ outcome: outcomeNow("withdrawn", { reason: "interrupted", by: "human" }) });
    turn.abort();
  };
  await expect(rendered(giveUp, turn)).rejects.toMatchObject({ name: "AbortError" });
});

test("a question that was given up while its turn continues is a failure (P-KIM-8)", async () => {
  expect(await rendered((request) => request.reject(new Error("not now")))).toMatchObject({
    message: "Failed to get user response.",
    brief: "Question failed",
  });
});

test("a person who wants to talk first is quoted to the model", async () => {
  const result = await rendered((request) =>
    request.settle({
      outcome: outcomeNow("declined", { reason: "discuss", by: "human", note: "why now?" }),
    }),
  );
  expect(result).toMatchObject({
    output: expect.stringContaining("They said: why now?"),
    display: [{ text: "User wants to discuss" }],
  });
  expect(result).not.toBeInstanceOf(ToolError);
});

test("a client that cannot show questions is offered no tool, and a call nevertheless asks nobody", async () => {
  const { meet, model } = scenario([asks(), say]);
  const { client } = await meet({}, {});
  await client.call("prompt", { user_input: "go" });
  expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([[], []]);
  expect(client.received.filter(({ method }) => method === "request")).toEqual([]);
  expect(await toolResult(client)).toEqual({
    is_error: true,
    output: "",
    message:
      "The connected client does not support interactive questions. Do NOT call this tool again. Ask the user directly in your text response instead.",
    display: [{ type: "brief", text: "Client unsupported" }],
    extras: null,
  });
});

test("the tool is offered again once a client that can show questions introduces itself", async () => {
  const connected = scenario([say, say, say]);
  const { client } = await connected.meet({}, {});
  await client.call("prompt", { user_input: "1" });
  await client.call("initialize", { protocol_version: "1.10", capabilities: { supports_question: true } });
  await client.call("prompt", { user_input: "2" });
  await client.call("initialize", { protocol_version: "1.10" });
  await client.call("prompt", { user_input: "3" });
  const offered = connected.model.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(offered).toEqual([[], ["AskUserQuestion"], ["AskUserQuestion"]]);
  const descriptions = connected.model.requests.flatMap(({ tools }) =>
    tools.map(({ description }) => description),
  );
  expect(new Set(descriptions)).toEqual(new Set([askUserQuestion.description]));
});

test("every server says that it can ask", async () => {
  const { client } = scenario([]).connect();
  const { result } = await client.call("initialize", { protocol_version: "99.0" });
  expect(result).toMatchObject({ protocol_version: "1.10", capabilities: { supports_question: true } });
  expect(result).not.toHaveProperty("external_tools");
});

test("with nobody there the model is told to decide, from the very next call", async () => {
  const connected = scenario([asks(), asks([colour], "tc-2"), say]);
  const { client, session } = await connected.meet();
  const { asked: request } = await client.begin("QuestionRequest");
  session.attendance = "decline";
  client.reply(request, { request_id: request.id, answers: { "Which colour?": "Red" } });
  expect(await toolResult(client, 2)).toEqual({
    is_error: false,
    output: '{"answers": {}, "note": "Running in afk mode. No user is present. Make your own decision."}',
    message: "Afk mode, auto-dismissed.",
    display: [{ type: "brief", text: "Auto-dismissed (afk)" }],
    extras: null,
  });
  expect(client.received.filter(({ method }) => method === "request")).toHaveLength(1);
});

test("approving everything does not answer questions", async () => {
  const { client } = await scenario([asks(), say], { yolo: true }).meet();
  void client.call("prompt", { user_input: "go" });
  expect(await client.seen("QuestionRequest")).toBeDefined();
  client.close();
});

test("an unknown tool is reported to the model, and the turn continues", async () => {
  const { client } = await scenario([callLine("Nothing", {}), say]).meet();
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  expect(await toolResult(client)).toMatchObject({ is_error: true, message: 'There is no tool "Nothing".' });
});
