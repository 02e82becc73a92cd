import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";
import { aiModel } from "../../agent/src/ai.js";
import { modelAgent } from "../../agent/src/index.js";
import { modelEndpoint, says, stops, streams } from "../../agent/test/model-endpoint.js";
import { extended } from "../../server/test/extended/extended-client.js";
import { payload } from "../../server/test/raw-client.js";
import { callLine, scenario, toolResult } from "../../server/test/scenario.js";
import { kilo } from "../src/index.js";
import {
  done,
  element,
  kiloScenario,
  option,
  overBase,
  overExtended,
  own,
  picture,
  saidToModel,
  suggests,
} from "./kilo-scene.js";

const settings = { form: "xml" as const };
const result = (text: string, question = "Which colour?") => ({
  role: "user",
  content: [
    { type: "text", text: `[ask_followup_question for '${question}'] Result:` },
    { type: "text", text },
  ],
});

describe("a call as an element in the model's text", () => {
  test("a call as an element is shown as a call, asked, and answered with two blocks of text (P-KIL-5, P-KIL-6, P-DIA-6)", async () => {
    const script = ["text: Let me ask.", element(), "usage: input_other=1 output=2"].join("\n");
    const { client, model, prompt } = await overExtended([script, done], { settings });
    const asked = await client.asked("QuestionRequest");
    expect(payload(asked).questions).toMatchObject([
      {
        question: "Which colour?",
        options: [{ label: "Red" }, { label: "Blue, like the sea", description: "Mode: code" }],
      },
    ]);
    const [call] = client.events("ToolCall");
    expect(call?.payload).toMatchObject({
      id: payload(asked).tool_call_id,
      function: { name: "ask_followup_question", arguments: null },
    });
    const parts = client.events("ToolCallPart").map((event) => event.payload.arguments_part);
    expect(JSON.parse(parts.join(""))).toEqual({ question: "Which colour?", follow_up: suggests });
    expect(client.events("ContentPart").map((event) => event.payload.text)).toEqual(["Let me ask."]);
    await client.answer(asked, option(1));
    await prompt;
    const { messages = [] } = model.requests[1] ?? {};
    expect(messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [{ type: "text", text: `Let me ask.${element().slice("text: ".length)}` }],
        tool_calls: [],
      },
      result("<answer>\nRed\n</answer>"),
    ]);
  });

  test("the answer to a call as an element has images after its two blocks (P-KIL-5)", async () => {
    const { client, model, prompt } = await overExtended([element(), done], { settings });
    await client.answer(await client.asked("QuestionRequest"), own("this", { attachments: [picture()] }));
    await prompt;
    const { role, content } = result("<answer>\nthis\n</answer>");
    expect(saidToModel(model.requests)).toEqual({ role, content: [...content, picture()] });
  });

  test("a call as an element is written as the instructions say, and is no tool of the provider's (P-KIL-6)", async () => {
    const { model, prompt } = await overBase([done], { settings });
    await prompt;
    const [request] = model.requests;
    expect(request?.tools).toEqual([]);
    expect(request?.system).toContain('<suggest mode="code">');
    expect(request?.system).toMatch(/without placeholders/);
    expect(request?.system).toMatch(/every question holds up the work/);
  });

  test("a call as an element needs no suggestions (P-KIL-3)", async () => {
    const script = "text: <ask_followup_question><question>Which?</question></ask_followup_question>";
    const { client, prompt } = await overBase([script, done], { settings });
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).questions).toMatchObject([{ question: "Which?", options: [] }]);
    client.reply(asked, { request_id: asked.id, answers: { "Which?": "own" } });
    expect(await toolResult(client)).toMatchObject({
      output: "<answer>\nown\n</answer>",
      display: [{ text: "User answered" }],
    });
    await prompt;
  });

  test.each<[string, string, string[]]>([
    ["entities, markup and space", "<suggest> a &lt; b &amp; <b>c</b> </suggest>", ["a < b & <b>c</b>"]],
    ["a < of its own and a mistyped close tag", "<suggest>a < b</sugest> <suggest>c", ["a < b", "c"]],
    ["modes in any quotes", "<suggest mode='code'>a</suggest><suggest mode=ask>b</suggest>", ["a", "b"]],
    ["JSON", '["a", {"text": "b"}]', ["a", "b"]],
    ["no text", '<suggest mode="code"></suggest>', []],
  ])("a call as an element has suggestions with %s (P-KIL-3)", async (_, follow_up, labels) => {
    const { client, prompt } = await overBase([element("Which?", follow_up), done], { settings });
    const asked = await client.seen("QuestionRequest");
    const [item] = payload(asked).questions as { options: { label: string }[] }[];
    expect(item?.options.map(({ label }) => label)).toEqual(labels);
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test.each<[string, string, string, string]>([
    [
      "has no question",
      "text: <ask_followup_question><follow_up><suggest>a</suggest></follow_up></ask_followup_question>",
      "",
      "Missing value for required parameter 'question'",
    ],
    ["has an empty question", element(" "), "", "Missing value for required parameter 'question'"],
    [
      "has suggestions that are none",
      element("Which?", "- a - b"),
      "Which?",
      "Invalid operations xml format",
    ],
  ])(
    "a call as an element that %s is told so, and nobody is asked (P-KIL-2)",
    async (_, script, question, why) => {
      const { client, model, prompt } = await overBase([script, done], { settings });
      await prompt;
      expect(client.story()).not.toContain("ask QuestionRequest");
      const said = saidToModel(model.requests);
      expect(said?.content[0]).toEqual(result("", question).content[0]);
      expect(JSON.stringify(said)).toContain(
        `The tool execution failed with the following error:\\n<error>\\n${why}`,
      );
    },
  );

  test("a call as an element with a mistyped close tag in its question asks without that tag", async () => {
    const script =
      "text: <ask_followup_question><question>Which </b>?</questoin> <follow_up></follow_up></ask_followup_question>";
    const { client, prompt } = await overBase([script, done], { settings });
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).questions).toMatchObject([{ question: "Which </b>?", options: [] }]);
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test("a call as an element is the only one of its message: a second one is told that it was not asked (P-KIL-7)", async () => {
    const script = [element(), "text:  and ", element("Which size?", "<suggest>S</suggest>"), "text: ."].join(
      "\n",
    );
    const { client, model, prompt } = await overExtended([script, done], { settings });
    await client.answer(await client.asked("QuestionRequest"), option(1));
    await prompt;
    expect(client.events("QuestionRequest")).toHaveLength(1);
    expect(client.events("ContentPart").map((event) => event.payload.text)).toEqual(["and", ".", "done"]);
    const why =
      "The tool execution failed with the following error:\n<error>\nOne message may ask one question: this one was not asked.\n</error>";
    expect(saidToModel(model.requests)?.content).toEqual([
      ...result("<answer>\nRed\n</answer>").content,
      ...result(why, "Which size?").content,
    ]);
  });

  test("a call as an element that is written twice is asked once, and both have the answer (P-KIL-7, P-STP-3)", async () => {
    const { client, model, prompt } = await overExtended([`${element()}\n${element()}`, done], { settings });
    await client.answer(await client.asked("QuestionRequest"), option(1));
    await prompt;
    const { content } = result("<answer>\nRed\n</answer>");
    expect(saidToModel(model.requests).content).toEqual([...content, ...content]);
  });

  test("a call as an element in which the message ends is asked as far as it came (P-KIL-6)", async () => {
    const script =
      "text: <ask_followup_question><question>Which colour?</question><follow_up><suggest>Red</sug";
    const { client, prompt } = await overBase([script, done], { settings });
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).questions).toMatchObject([
      { question: "Which colour?", options: [{ label: "Red" }] },
    ]);
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test("a call as an element does not offer the suggestion that the end of the message cut (P-KIL-6)", async () => {
    const script =
      "text: <ask_followup_question><question>Delete them?</question><follow_up><suggest>Keep all</suggest><suggest>Delete all but";
    const { client, prompt } = await overBase([script, done], { settings });
    const asked = await client.seen("QuestionRequest");
    expect(payload(asked).questions).toMatchObject([
      { question: "Delete them?", options: [{ label: "Keep all" }] },
    ]);
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test("a call as an element goes beside a provider's calls, each answered in its own way (P-DIA-6)", async () => {
    const script = [element(), callLine("nothing", {}, "tc-9")].join("\n");
    const { client, model, prompt } = await overExtended([script, done], { settings });
    await client.answer(await client.asked("QuestionRequest"), option(1));
    await prompt;
    const roles = model.requests[1]?.messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "user"]);
  });

  test("a call as an element in a thought is not one (P-KIL-6)", async () => {
    const { client, model, prompt } = await overBase([`${element().replace("text:", "think:")}\ntext: so`], {
      settings,
    });
    await prompt;
    expect(client.story()).not.toContain("ToolCall");
    expect(model.requests).toHaveLength(1);
  });

  test("a call as an element is read also where the tool is not offered: nobody can be asked (P-DIA-5)", async () => {
    const { meet, model } = kiloScenario([element(), done], { settings });
    const { client } = await meet({}, { supports_question: false });
    await client.call("prompt", { user_input: "go" });
    expect(model.requests[0]?.system).toBeUndefined();
    expect(JSON.stringify(saidToModel(model.requests))).toContain("not available in yolo mode");
  });
});

describe("a person's picture in an answer", () => {
  /** What the provider is sent with the answer, after the model has asked like this. */
  async function sentWith(...asking: object[]) {
    const endpoint = await modelEndpoint([streams(...asking), streams(says("Yes."), stops())]);
    const provider = createOpenAICompatible({ name: "test", baseURL: endpoint.url, apiKey: "key-1" });
    const agent = () => modelAgent({ model: aiModel(provider("small")) });
    const { connect, server } = scenario([], { dialects: [kilo({ form: "xml" })], agent });
    const client = extended(connect({ session: server.createSession() }).client);
    await client.introduce();
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(
      await client.asked("QuestionRequest"),
      own("like this", { attachments: [picture()] }),
    );
    expect((await prompt).result).toEqual({ status: "finished" });
    return endpoint.calls[1]?.body.messages.slice(-2);
  }
  const image_url = { url: picture().image_url.url };

  test("a person's picture in an answer reaches an OpenAI-compatible provider after the text, in the message with the answer (P-KIL-5)", async () => {
    const text = element().slice("text: ".length);
    const pieces = [text.slice(0, 30), text.slice(30, 60), text.slice(60)].map(says);
    expect(await sentWith(...pieces, stops())).toEqual([
      { role: "assistant", content: text },
      {
        role: "user",
        content: [...result("<answer>\nlike this\n</answer>").content, { type: "image_url", image_url }],
      },
    ]);
  });
});
