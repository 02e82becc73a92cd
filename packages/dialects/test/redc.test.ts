import { defineTool, type ToolRun } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { runInContext } from "../../server/src/agent/context.js";
import { askByDialect } from "../../server/src/dialects/question-tool.js";
import { payload, type RawClient } from "../../server/test/raw-client.js";
import { scenario, toolResult } from "../../server/test/scenario.js";
import { dialects } from "../src/index.js";
import { askedOverBase, asksUser, done, readByModel, redcScenario, region } from "./redc-scene.js";

const { redc } = dialects;

const questionRequests = (client: RawClient) => client.received.filter(({ method }) => method === "request");

/** The client's view of this call. */
async function shown(args: object) {
  const { client, asked } = await askedOverBase([asksUser(args), done]);
  client.close();
  return (payload(asked).questions as { question: string; options: { label: string }[] }[]).map(
    ({ question, options }) => ({ question, labels: options.map(({ label }) => label) }),
  );
}

describe("the tool", () => {
  test("the tool is called ask_user, with one question that is required, and a list says what its members are", () => {
    const { tool } = redc();
    expect(tool.name).toBe("ask_user");
    expect(tool.parameters).toMatchObject({
      type: "object",
      properties: {
        question: { type: "string" },
        choices: { type: "array", items: { type: "string" } },
        allow_freeform: { type: "boolean" },
      },
      required: ["question"],
    });
    const { question } = tool.parameters.properties as Record<string, object>;
    expect(question).not.toHaveProperty("items");
  });

  test("the tool tells the model, while it has it, to ask where it cannot decide and not for routine", async () => {
    const { meet, model } = redcScenario([done, done]);
    const { client } = await meet();
    await client.call("prompt", { user_input: "1" });
    await client.call("initialize", { protocol_version: "1.10", capabilities: {} });
    await client.call("prompt", { user_input: "2" });
    const [offered, hidden] = model.requests;
    expect(offered?.tools.map(({ name }) => name)).toEqual(["ask_user"]);
    expect(offered?.tools[0]?.description).toContain("Do not use it for routine confirmations");
    for (const said of ["cannot decide alone", "clear choices", "Do not ask for simple confirmations"]) {
      expect(offered?.system).toContain(said);
    }
    expect(hidden).toMatchObject({ tools: [] });
    expect(hidden?.system).toBeUndefined();
  });

  test("the tool is not one of the agent's, and none of those can take its place (P-DIA-1)", () => {
    const own = defineTool({
      name: "ask_user",
      description: "asks",
      parameters: z.object({}),
      run: () => "mine",
    });
    const set = scenario([], { dialects: [redc()], tools: [own] });
    expect(() => set.server.createSession()).toThrow('two are called "ask_user"');
  });
});

describe("the question comes from the call", () => {
  test("a question comes from the call and from nothing else (P-QST-1)", async () => {
    const { asked, client } = await askedOverBase();
    client.close();
    expect(payload(asked)).toEqual({
      id: asked.id,
      tool_call_id: "tc-1",
      questions: [
        {
          question: "Which region?",
          header: "",
          options: [
            { label: "Hong Kong", description: "" },
            { label: "Singapore", description: "" },
          ],
          multi_select: false,
          body: "",
          other_label: "",
          other_description: "",
        },
      ],
    });
  });

  test.each<[string, object, string[]]>([
    ["are left out", {}, []],
    ["are null", { choices: null }, []],
    ["are an empty text", { choices: "" }, []],
    ["are the JSON text of a list", { choices: '["a", "b"]' }, ["a", "b"]],
    ["are objects with a text", { choices: [{ label: "a" }, { text: "b" }, { value: 3 }] }, ["a", "b", "3"]],
    ["are numbers and truth values", { choices: ["a", 1, true] }, ["a", "1", "true"]],
    ["have equal members", { choices: ["a", "b", "a"] }, ["a", "b"]],
  ])("a question has the choices of its call where they %s (P-RED-1)", async (_, more, labels) => {
    expect(await shown({ question: "Which?", ...more })).toEqual([{ question: "Which?", labels }]);
  });

  test.each<[string, unknown, string]>([
    ["are no list", "a, b", '应为文本列表，例如 ["是", "否"]'],
    ["are a number", 7, '应为文本列表，例如 ["是", "否"]'],
    ["have a list among them", ["a", ["b"]], "第 2 项应为非空文本"],
    ["have null among them", [null, "a"], "第 1 项应为非空文本"],
    ["have an object without a text", ["a", "b", { c: 1 }], "第 3 项应为非空文本"],
    ["have a blank one", ["", "a"], "第 1 项应为非空文本"],
  ])("a call whose choices %s loses none of them: the model is told (P-RED-1)", async (_, choices, why) => {
    const { meet, model } = redcScenario([asksUser({ question: "Which?", choices }), done]);
    const { client } = await meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(questionRequests(client)).toEqual([]);
    expect(readByModel(model.requests)).toMatchObject({
      is_error: true,
      output: `工具参数 choices 无效: ${why}`,
    });
  });

  test.each<[string, object | undefined]>([
    ["no question", {}],
    ["a blank one", { question: " \n" }],
    ["one that is no text", { question: 7 }],
  ])("a call with %s shows nothing, and the model is told (P-RED-2)", async (_, args) => {
    const { meet, model } = redcScenario([asksUser({ ...args, choices: ["a"] }), done]);
    const { client } = await meet();
    expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(questionRequests(client)).toEqual([]);
    expect(readByModel(model.requests)).toMatchObject({
      is_error: true,
      output: "工具参数缺少 question，请写明要询问用户的问题",
      extras: { success: false },
    });
  });

  test.each([
    ['{"question": ', /^工具参数 JSON 解析失败: .*JSON.*\n原始参数: \{"question": $/],
    ['["Which?"]', /^工具参数 JSON 解析失败: 应为 JSON 对象\n原始参数: \["Which\?"\]$/],
    ["null", /^工具参数 JSON 解析失败: 应为 JSON 对象\n原始参数: null$/],
    ["", /^工具参数 JSON 解析失败: .*\n原始参数: $/],
  ])("a call with the arguments %j is told that they are wrong (P-RED-2)", async (raw, told) => {
    const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: "ask_user", arguments: raw })}`;
    const { meet, model } = redcScenario([line, done]);
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(questionRequests(client)).toEqual([]);
    const { output, is_error } = readByModel(model.requests);
    expect(output).toMatch(told);
    expect(is_error).toBe(true);
  });
});

describe("an answer", () => {
  test.each([
    ["a choice", "Singapore"],
    ["own words", '  两个都要,\n then ask me "again"  '],
    ["own words with a comma", "Hong Kong, Singapore"],
    ["own words that look like JSON", '{"answer": 1}'],
  ])("an answer is the result word for word, and the turn continues: %s (P-RED-4)", async (_, said) => {
    const { client, prompt, asked, model } = await askedOverBase();
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": said } });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(readByModel(model.requests)).toMatchObject({
      is_error: false,
      output: said,
      message: "",
      extras: { success: true },
    });
  });

  test("an answer to something that was not asked does not count (P-RED-4)", async () => {
    const { client, prompt, asked, model } = await askedOverBase();
    client.reply(asked, { request_id: asked.id, answers: { "Which planet?": "Mars" } });
    await prompt;
    expect(readByModel(model.requests)).toMatchObject({
      is_error: true,
      output: "用户未回答，操作已取消",
      extras: { success: false },
    });
  });

  test("an answer is shown again beside its call, in one line", async () => {
    const { client, prompt, asked } = await askedOverBase();
    const said = `Osaka\nand ${"长".repeat(200)}`;
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": said } });
    await prompt;
    const call = payload(await client.seen("ToolCall")) as { function: { arguments: string } };
    expect(JSON.parse(call.function.arguments)).toEqual(region);
    expect(await toolResult(client)).toMatchObject({
      output: said,
      display: [{ type: "brief", text: `↩ Osaka and ${"长".repeat(90)}…` }],
    });
  });
});

describe("own words", () => {
  const closed = { ...region, allow_freeform: false };

  test.each<[string, unknown]>([
    ["is left out", undefined],
    ["is true", true],
    ["is no truth value", "no"],
    ["is null", null],
    ["is 0", 0],
  ])("own words count where allow_freeform %s (P-RED-1)", async (_, allow_freeform) => {
    const { client, prompt, asked, model } = await askedOverBase([
      asksUser({ ...region, allow_freeform }),
      done,
    ]);
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": "Osaka" } });
    await prompt;
    expect(readByModel(model.requests)).toMatchObject({ output: "Osaka", is_error: false });
  });

  test.each([
    ["there are none", []],
    ["they are null", null],
  ])("own words count where only choices would, but %s (P-RED-1)", async (_, choices) => {
    const { client, prompt, asked, model } = await askedOverBase([asksUser({ ...closed, choices }), done]);
    client.reply(asked, { request_id: asked.id, answers: { "Which region?": "Osaka" } });
    await prompt;
    expect(readByModel(model.requests)).toMatchObject({ output: "Osaka", is_error: false });
  });

  test.each([
    ["Yes, proceed", ["Yes, proceed", "No, cancel"], "don't proceed"],
    ["继续等待", ["继续等待", "终止命令"], "不继续等待"],
    ["yes", ["yes", "no"], "YES"],
  ])(
    "own words are no choice where only %j and the like count: the model reads them as what the person said (P-ANS-4)",
    async (_, choices, said) => {
      const { client, prompt, asked, model } = await askedOverBase([
        asksUser({ question: "Go on?", choices, allow_freeform: false }),
        done,
      ]);
      client.reply(asked, { request_id: asked.id, answers: { "Go on?": said } });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect(readByModel(model.requests)).toMatchObject({
        is_error: true,
        output: `用户想先讨论这个问题：${said}`,
        extras: { success: false },
      });
    },
  );
});

test("outside a turn and outside a tool call the model is told so, and nothing is thrown", async () => {
  const dialect = redc();
  const toolCall = {
    type: "function" as const,
    id: "tc-1",
    function: { name: "ask_user", arguments: JSON.stringify(region) },
    extras: null,
  };
  const run = { unattended: false, toolCall, signal: new AbortController().signal } as unknown as ToolRun;
  const call = () => askByDialect(dialect, dialect.begin(), toolCall, run);
  expect(await call()).toMatchObject({ output: "当前没有连接用户，无法提问，请自行判断并继续" });
  expect(await runInContext({ wire: { send() {} } }, call)).toMatchObject({ brief: "Invalid context" });
});
