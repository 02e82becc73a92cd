import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { askUserQuestion, dialects, kilo, kimi, klaude, redc } from "../../dialects/src/index.js";
import {
  createServer,
  currentToolCall,
  type Dialect,
  defineTool,
  QuestionRequest,
  wireSend,
} from "../src/index.js";
import { meetExtended } from "./extended/extended-client.js";
import { type Message, payload, type RawClient } from "./raw-client.js";
import { approvedTool, asks, callLine, colour, keptLog, scenario, toolResult } from "./scenario.js";
import { until } from "./until.js";

const run = async () => {};
const done = "text: done";
/** A tool that asks by itself, in no dialect. */
const confirm = defineTool({
  name: "Confirm",
  description: "asks whether to go on",
  parameters: z.object({}),
  async run() {
    const question = { question: "Sure?", options: [{ label: "Yes" }, { label: "No" }] };
    const request = new QuestionRequest({ tool_call_id: currentToolCall().id, questions: [question] });
    wireSend(request);
    return String((await request.wait())["Sure?"]);
  },
});
const external = { name: "Weather", description: "tells the weather", parameters: { type: "object" } };
const introduction = {
  protocol_version: "1.10",
  capabilities: { supports_question: true },
  external_tools: [external],
  hooks: [{ id: "h", event: "Notification" }],
};
const notice = { category: "task", type: "done", source_kind: "task", source_id: "1" };

/** kimi's way of asking, under other names and with another rule for what is open. */
function other(name: string, pending: Dialect["pending"]): Dialect {
  const dialect = kimi();
  return { ...dialect, name, pending, tool: { ...dialect.tool, name: `Ask${name}` } };
}
const asksAs = (name: string, text: string, id: string) =>
  callLine(`Ask${name}`, { questions: [{ ...colour, question: text }] }, id);

const questionOf = (message: Message) =>
  (payload(message).questions as { question: string }[])[0]?.question ?? "";
/** Answers the question of this text, as a base client does. */
function answer(client: RawClient, text: string, value: string) {
  const asked = client.received.find(
    (one) => one.params?.type === "QuestionRequest" && questionOf(one) === text,
  );
  client.reply(asked as Message, { request_id: asked?.id, answers: { [text]: value } });
}
/** What each call was given back, in the order of the results. */
const results = (client: RawClient) =>
  client.received
    .filter(({ params }) => params?.type === "ToolResult")
    .map((message) => {
      const { tool_call_id, return_value } = payload(message) as {
        tool_call_id: string;
        return_value: { output: string; message: string };
      };
      return [tool_call_id, return_value.output || return_value.message];
    });
const answers = (text: string, value: string) => `{"answers": {"${text}": "${value}"}}`;
const failed = "Failed to get user response.";

describe("a tool's name is there once (P-DIA-1)", () => {
  test.each<[string, Dialect[]]>([
    ["AskUserQuestion", [kimi(), redc(), klaude()]],
    ["ask_followup_question", [kilo(), dialects["kilo-xml"]()]],
    ["ask_user", [redc(), redc()]],
  ])("two dialects that both have %s make no server, and the error says the name", (name, both) => {
    const make = () => createServer({ agent: { run }, log: keptLog(), dialects: both });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`"${name}"`);
  });

  test("a dialect and a tool of the agent make no session, however it is asked for", () => {
    const { server, connect } = scenario([], { tools: [askUserQuestion], dialects: [kimi()] });
    expect(() => server.createSession()).toThrow(/AskUserQuestion/);
    expect(() => connect()).toThrow(TypeError);
    expect(server.sessions.size).toBe(0);
  });

  test.each(["base", "extended"])(
    "no client brings a tool under the name of a dialect's: %s wire",
    async (wire) => {
      const { connect, model } = scenario([done], { dialects: [kimi(), redc()] });
      const { client } = connect();
      const external_tools = [
        { ...external, name: "AskUserQuestion" },
        external,
        { ...external, name: "ask_user" },
      ];
      const askwire = wire === "extended" ? { askwire: { revision: 3 } } : {};
      const capabilities = { supports_question: true, ...askwire };
      const { result } = await client.call("initialize", { ...introduction, capabilities, external_tools });
      expect(result?.external_tools).toEqual({
        accepted: ["Weather"],
        rejected: [
          { name: "AskUserQuestion", reason: "conflicts with builtin tool" },
          { name: "ask_user", reason: "conflicts with builtin tool" },
        ],
      });
      await client.call("prompt", { user_input: "go" });
      const offered = model.requests[0]?.tools.map(({ name }) => name);
      expect(offered?.sort()).toEqual(["AskUserQuestion", "Weather", "ask_user"]);
    },
  );
});

describe("a question of a dialect (P-DIA-2)", () => {
  const written = `{ "questions" : [ {"options":[{"label":"Red"},{"label":"Blue"}], "question": "Which\\u0020one?", "unknown": [1.0] } ] }`;

  test("a question of a dialect carries who asks and the arguments to the letter, and clients are not told of either", async () => {
    const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: "AskUserQuestion", arguments: written })}`;
    const set = scenario([line, done]);
    const session = set.server.createSession();
    const { client } = await set.meet({ session });
    const { client: beside } = await meetExtended(set, { session });
    void client.call("prompt", { user_input: "go" });
    const asked = await client.seen("QuestionRequest");
    const [open] = session.pending as QuestionRequest[];
    expect(open).toBeInstanceOf(QuestionRequest);
    expect(open?.native?.dialect.name).toBe("kimi");
    expect(open?.native?.input).toBe(written);
    expect(Object.keys(payload(asked)).sort()).toEqual(["id", "questions", "tool_call_id"]);
    const { payload: sent } = (await beside.seen("QuestionRequest")).params ?? {};
    expect(Object.keys(sent ?? {}).sort()).toEqual(["id", "questions", "tool_call_id"]);
    await set.server.close();
  });

  test("a question of no dialect carries neither who asks nor the arguments", async () => {
    const { meet, server } = scenario([callLine("Confirm", {}), done], { tools: [confirm] });
    const { client, session } = await meet();
    void client.call("prompt", { user_input: "go" });
    await client.seen("QuestionRequest");
    expect((session.pending[0] as QuestionRequest).native).toBeUndefined();
    await server.close();
  });
});

describe("while a question is open, the next one of its dialect (P-DIA-3)", () => {
  const twice = (name: string) => `${asksAs(name, "First?", "q-1")}\n${asksAs(name, "Second?", "q-2")}`;

  test("a second question of a dialect is open beside the first under `queue`, and either may be answered first", async () => {
    const { meet } = scenario([twice("Q"), done], { dialects: [other("Q", "queue")] });
    const { client } = await meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await client.seen("QuestionRequest", 2);
    answer(client, "Second?", "Blue");
    answer(client, "First?", "Red");
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(results(client)).toEqual([
      ["q-2", answers("Second?", "Blue")],
      ["q-1", answers("First?", "Red")],
    ]);
  });

  test("a second question of a dialect is refused under `reject` and never sent, and the first one stays open", async () => {
    const { meet } = scenario([twice("R"), done], { dialects: [other("R", "reject")] });
    const { client, session } = await meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await toolResult(client);
    expect(results(client)).toEqual([["q-2", failed]]);
    expect(session.pending.length).toBe(1);
    answer(client, "First?", "Red");
    await prompt;
    expect(results(client)[1]).toEqual(["q-1", answers("First?", "Red")]);
    expect(client.received.filter(({ method }) => method === "request")).toHaveLength(1);
  });

  test("a second question of a dialect ends the first under `supersede`, and a late answer to the first one settles nothing", async () => {
    const { meet } = scenario([twice("S"), done], { dialects: [other("S", "supersede")] });
    const { client, session } = await meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await client.seen("QuestionRequest", 2);
    expect(session.pending.length).toBe(1);
    answer(client, "First?", "Red");
    await client.settled();
    expect(session.pending.length).toBe(1);
    answer(client, "Second?", "Blue");
    await prompt;
    expect(results(client)).toEqual([
      ["q-1", failed],
      ["q-2", answers("Second?", "Blue")],
    ]);
  });

  test("a question may be asked again under `reject` once the first has ended", async () => {
    const scripts = [asksAs("R", "First?", "q-1"), asksAs("R", "Second?", "q-2"), done];
    const { meet } = scenario(scripts, { dialects: [other("R", "reject")] });
    const { client } = await meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await client.seen("QuestionRequest", 1);
    answer(client, "First?", "Red");
    await client.seen("QuestionRequest", 2);
    answer(client, "Second?", "Blue");
    await prompt;
    expect(results(client).map(([, told]) => told)).not.toContain(failed);
  });

  test.each(["reject", "supersede"] as const)(
    "a question in another session does not count under `%s`",
    async (pending) => {
      const scripts = [asksAs("P", "First?", "q-1"), asksAs("P", "Second?", "q-2"), done, done];
      const { meet } = scenario(scripts, { dialects: [other("P", pending)] });
      const [one, two] = [await meet(), await meet()];
      const turns = [one.client.call("prompt", { user_input: "go" })];
      await one.client.seen("QuestionRequest");
      turns.push(two.client.call("prompt", { user_input: "go" }));
      await two.client.seen("QuestionRequest");
      expect([one.session.pending.length, two.session.pending.length]).toEqual([1, 1]);
      answer(one.client, "First?", "Red");
      answer(two.client, "Second?", "Blue");
      for (const turn of turns) expect((await turn).result).toEqual({ status: "finished" });
    },
  );
});

describe("approvals, hooks, tools of clients, questions of no dialect and of another one (P-DIA-3)", () => {
  const others = [
    callLine("Shell", {}, "approval"),
    callLine("Weather", {}, "external"),
    callLine("Confirm", {}, "own"),
    asksAs("Q", "Another?", "other"),
  ];

  test.each([
    ["reject", "before"],
    ["reject", "after"],
    ["supersede", "before"],
    ["supersede", "after"],
  ] as const)(
    "other requests neither count nor are ended under `%s`: open %s the question",
    async (pending, when) => {
      const ask = asksAs("P", "Which?", "q-1");
      const step = when === "before" ? [...others, ask] : [ask, ...others];
      const tools = [approvedTool("Shell"), confirm];
      const { connect } = scenario([step.join("\n"), done], {
        tools,
        dialects: [other("P", pending), other("Q", "queue")],
      });
      const { client, session } = connect();
      await client.call("initialize", introduction);
      const told = session.notify({ ...notice, title: "done", body: "", severity: "info" });
      const hook = await client.seen("HookRequest");
      const prompt = client.call("prompt", { user_input: "go" });
      await until(() => session.pending.length === 6);
      expect(client.story().filter((word) => word.startsWith("ask "))).toHaveLength(6);
      expect(results(client)).toEqual([]);

      answer(client, "Which?", "Red");
      answer(client, "Another?", "Blue");
      answer(client, "Sure?", "Yes");
      const approval = await client.seen("ApprovalRequest");
      client.reply(approval, { request_id: approval.id, response: "approve", feedback: "" });
      const call = await client.seen("ToolCallRequest");
      const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };
      client.reply(call, { tool_call_id: call.id, return_value: sunny });
      client.reply(hook, { request_id: hook.id, action: "allow", reason: "" });
      expect((await prompt).result).toEqual({ status: "finished" });
      await told;
      expect(Object.fromEntries(results(client))).toEqual({
        "q-1": answers("Which?", "Red"),
        other: answers("Another?", "Blue"),
        own: "Yes",
        approval: "done",
        external: "sunny",
      });
    },
  );
});

describe("the tools that the model is offered (P-DIA-5)", () => {
  const names = (offered: { readonly name: string }[] | undefined) => offered?.map(({ name }) => name);
  const both = () => [kimi(), redc()];

  test("the model is offered the tools of all dialects where a client shows questions, anew at each step", async () => {
    const wait = defineTool({
      name: "Wait",
      description: "waits for a client that shows questions",
      parameters: z.object({}),
      run: () => until(() => session.connections === 2).then(() => "here"),
    });
    const set = scenario([callLine("Wait", {}), done], { dialects: both(), tools: [wait] });
    const session = set.server.createSession();
    const { client } = await set.meet({ session }, {});
    const prompt = client.call("prompt", { user_input: "go" });
    await client.seen("ToolCall");
    await set.meet({ session });
    await prompt;
    expect(set.model.requests.map(({ tools }) => names([...tools]))).toEqual([
      ["Wait"],
      ["AskUserQuestion", "ask_user", "Wait"],
    ]);
  });

  test.each<["attended" | "hold", string[]]>([
    ["attended", []],
    ["hold", ["AskUserQuestion", "ask_user"]],
  ])(
    "the model is offered tools with nobody connected where somebody is waited for: %s",
    async (attendance, expected) => {
      const { server, model } = scenario([done], { dialects: both(), attendance });
      await server.createSession().prompt("go");
      expect(names([...(model.requests[0]?.tools ?? [])])).toEqual(expected);
    },
  );

  test("a call of a tool that is not offered runs nevertheless, and is told why nobody is asked", async () => {
    const scripts = [`${asks()}\n${callLine("ask_user", { question: "Why?" }, "tc-2")}`, done];
    const { meet } = scenario(scripts, { dialects: both() });
    const { client } = await meet({}, {});
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(results(client)).toEqual([
      ["tc-1", expect.stringContaining("does not support interactive questions")],
      ["tc-2", "当前客户端无法显示问题，请直接在回复中询问用户"],
    ]);
  });

  test("the model is offered no tool where no dialect is chosen", async () => {
    const { meet, model } = scenario([asks(), done], { dialects: [] });
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(model.requests[0]?.tools).toEqual([]);
    expect(results(client)).toEqual([["tc-1", 'There is no tool "AskUserQuestion".']]);
  });
});

test.each<[string, unknown, string]>([
  ["one that was not made", [klaude], "dialects[0]: expected a dialect, such as kimi()"],
  ["one that is not in a list", klaude(), "dialects: expected an array, such as [kimi()]"],
  ["a name", [kimi(), "redc"], "dialects[1]: expected a dialect, such as kimi()"],
  ["nothing", [undefined], "dialects[0]: expected a dialect, such as kimi()"],
  [
    "a policy that there is not",
    [{ ...kimi(), pending: "foo" }],
    "dialects[0].pending: expected queue, reject",
  ],
  [
    "a deadline that is none",
    [redc({ deadline: { ms: -5, on_expiry: "cancel" } })],
    "deadline.ms: expected 1 to",
  ],
])("a server is not made of %s, and the error says what was expected (P-DIA-1)", (_, wrong, why) => {
  expect(() => createServer({ agent: { run }, dialects: wrong as Dialect[] })).toThrow(why);
});

test.each(["kimi", "klaude"] as const)("%s refuses an option that nobody could choose", async (name) => {
  const questions = [{ ...colour, header: "Colour", options: [{ label: "Red" }, { label: " " }] }];
  const { client } = await scenario([callLine("AskUserQuestion", { questions }), done], {
    dialects: [dialects[name]()],
  }).meet();
  await client.call("prompt", { user_input: "go" });
  expect(JSON.stringify(await toolResult(client))).toContain("expected a label that is not blank");
});
