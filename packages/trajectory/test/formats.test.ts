import { readFileSync, writeFileSync } from "node:fs";
import { kilo, kimi } from "@askwire/dialects";
import { describe, expect, test } from "vitest";
import { asks, callLine } from "../../server/test/scenario.js";
import { checkTrajectories, trainingFormats } from "../src/index.js";
import { examplesIn } from "./examples.js";
import { fill, id, keptSession, nativeCall, query, said, trajectoryIn, written } from "./kept-session.js";

const system = "Be brief.";
const agentOptions = { system };
/** The tool that the provider was told of, by its name. */
const toolOf = (name: string) => ({
  type: "function",
  function: {
    name,
    description: expect.any(String),
    parameters: expect.objectContaining({ type: "object" }),
  },
});
const tools = [toolOf("param_query"), toolOf("run_code")];
const call = { id: "c-1", type: "function", function: { name: "run_code", arguments: { code: "1" } } };
const callInText = { ...call, function: { name: "run_code", arguments: '{"code":"1"}' } };
const result = { role: "tool", tool_call_id: "c-1", name: "run_code", content: "ran 1" };

/** The journal of a session with a call in its first turn and words in its second. */
async function twoTurns(scripts = [`think: Code.\n${nativeCall}`, "text: Done.", "text: Bye."]) {
  const { meet, server, file } = keptSession(scripts, { agentOptions, dialects: [] });
  const { client } = await meet({ sessionId: id });
  for (const user_input of ["go", "thanks"]) await client.call("prompt", { user_input });
  await server.close();
  return file;
}

describe("an export for a training program", () => {
  test("an export for TRL has each turn as the completion of all before it, arguments as objects, and tools as text (P-TRJ-10)", async () => {
    const { lines } = await examplesIn(await twoTurns(), "trl");
    const first = [
      { role: "assistant", content: "<think>Code.</think>\n", tool_calls: [call] },
      result,
      { role: "assistant", content: "Done." },
    ];
    const prompt = [
      { role: "system", content: system },
      { role: "user", content: "go" },
    ];
    expect(lines.map(({ prompt, completion }) => ({ prompt, completion }))).toEqual([
      { prompt, completion: first },
      {
        prompt: [...prompt, ...first, { role: "user", content: "thanks" }],
        completion: [{ role: "assistant", content: "Bye." }],
      },
    ]);
    expect(lines.map((line) => JSON.parse(line.tools))).toEqual([tools, tools]);
  });

  test("an export for OpenAI has arguments as text, and weights only on what the model wrote in the turn (P-TRJ-10)", async () => {
    const [first, second] = (await examplesIn(await twoTurns(), "openai")).lines;
    expect(first.messages[2]).toEqual({
      role: "assistant",
      content: "<think>Code.</think>\n",
      tool_calls: [callInText],
      weight: 1,
    });
    const weights = second.messages.map(({ role, weight }: Record<string, unknown>) => `${role} ${weight}`);
    expect(weights).toEqual([
      "system undefined",
      "user undefined",
      "assistant 0",
      "tool undefined",
      "assistant 0",
      "user undefined",
      "assistant 1",
    ]);
    expect(first.messages[3]).toEqual({ role: "tool", tool_call_id: "c-1", content: "ran 1" });
    expect(first.tools).toEqual(tools);
  });

  test("an export for Axolotl says of each message whether it is trained, and has arguments as objects (P-TRJ-10)", async () => {
    const [first, second] = (await examplesIn(await twoTurns(), "axolotl")).lines;
    expect(first.messages[2].tool_calls).toEqual([call]);
    expect(JSON.parse(first.tools)).toEqual(tools);
    const trained = [first, second].map(({ messages }) =>
      messages.map(({ train }: { train: boolean }) => (train ? "x" : ".")).join(""),
    );
    expect(trained).toEqual(["..x.x", "......x"]);
  });

  test("an export for LLaMA-Factory has an example for each step, whose last message is learned, with tools and calls as text (P-TRJ-10)", async () => {
    const { lines } = await examplesIn(await twoTurns(), "llamafactory");
    expect(lines.map(({ conversations }) => conversations.length)).toEqual([2, 4, 6]);
    const [, step] = lines;
    expect(step).toEqual({
      system,
      tools: expect.any(String),
      conversations: [
        { from: "human", value: "go" },
        {
          from: "function_call",
          value: '<think>\nCode.\n</think>\n\n{"name":"run_code","arguments":{"code":"1"}}',
        },
        { from: "observation", value: "ran 1" },
        { from: "gpt", value: "Done." },
      ],
    });
    expect(JSON.parse(step.tools)).toEqual(tools.map((tool) => tool.function));
  });

  test("an export for LLaMA-Factory leaves out a step with text beside a call, which has no place there (P-TRJ-10)", async () => {
    const { lines } = await examplesIn(
      await twoTurns([`text: I run it.\n${nativeCall}`, "text: Done.", "text: Bye."]),
      "llamafactory",
    );
    expect(lines).toEqual([undefined, undefined, undefined]);
  });

  test("an export as ShareGPT has tools and calls in the text, as Hermes models write them (P-TRJ-10)", async () => {
    const [, step] = (await examplesIn(await twoTurns(), "sharegpt")).lines;
    expect(step.conversations).toEqual([
      { from: "system", value: expect.stringMatching(/^Be brief\.\n\n[\s\S]*<tools>\n\{"type":"function"/) },
      { from: "human", value: "go" },
      {
        from: "gpt",
        value:
          '<think>Code.</think>\n\n<tool_call>\n{"name":"run_code","arguments":{"code":"1"}}\n</tool_call>',
      },
      { from: "tool", value: "<tool_response>\nran 1\n</tool_response>" },
      { from: "gpt", value: "Done." },
    ]);
    expect(JSON.parse(step.tools)).toEqual(tools);
  });

  test("an export of a session with a cancelled question has the turns before and after it (P-TRJ-10)", async () => {
    const scripts = ["text: One.", asks(), "text: Three."];
    const { meet, server, file } = keptSession(scripts, { agentOptions, dialects: [kimi()] });
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: "first" });
    const second = client.call("prompt", { user_input: "second" });
    await client.seen("QuestionRequest");
    await client.call("cancel", {});
    await second;
    await client.call("prompt", { user_input: "third" });
    await server.close();
    const { lines, without } = await examplesIn(file, "openai");
    expect(lines.map(({ messages }) => messages.at(-1))).toEqual([
      { role: "assistant", content: "One.", weight: 1 },
      { role: "assistant", content: "Three.", weight: 1 },
    ]);
    expect(without).toEqual([expect.arrayContaining(["dropped_calls"])]);
    const roles = lines[1].messages.map(({ role }: { role: string }) => role).join(" ");
    expect(roles).toBe("system user assistant user assistant tool user assistant");
  });

  test("an export of a turn in which the instructions changed has an example for each part (P-TRJ-10)", async () => {
    const { meet, server, file } = keptSession([asks(), "text: Done."], { agentOptions, dialects: [kimi()] });
    const { client } = await meet({ sessionId: id });
    const prompt = client.call("prompt", { user_input: "go" });
    const asked = await client.seen("QuestionRequest");
    await client.call("set_plan_mode", { enabled: true });
    client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
    await prompt;
    await server.close();
    const { lines } = await examplesIn(file, "trl");
    expect(lines.map(({ prompt: [first] }) => first.content)).toEqual([
      system,
      expect.stringMatching(/^Be brief\.\n\nPlan mode is on\./),
    ]);
    expect(lines.map(({ completion }) => completion.length)).toEqual([1, 1]);
  });

  test("an export of calls in the text has them as the model wrote them, and their results as the person's words (P-TRJ-10)", async () => {
    const { meet, server, file } = keptSession([query(), fill(), "text: It ran."], { dialects: [] });
    const { client } = await meet({ sessionId: id });
    await client.call("prompt", { user_input: "go" });
    await server.close();
    const [{ completion }] = (await examplesIn(file, "trl")).lines;
    expect(completion).toEqual([
      { role: "assistant", content: written.query },
      { role: "user", content: expect.stringMatching(/^<result>\n\{"status":"success"/) },
      { role: "assistant", content: written.call },
      { role: "user", content: "<result>\nran 1\n</result>" },
      { role: "assistant", content: "It ran." },
    ]);
  });

  test("an export of a question of Kilo in the text has it as the model wrote it, in every format (P-TRJ-4, P-TRJ-10)", async () => {
    const call =
      "<ask_followup_question><question>Which &amp; why?</question><follow_up><suggest>Red</suggest></follow_up></ask_followup_question>";
    const { meet, server, file } = keptSession([`think: Hm.\ntext: Well: ${call}`, "text: Red."], {
      dialects: [kilo({ form: "xml" })],
    });
    const { client } = await meet({ sessionId: id });
    const prompt = client.call("prompt", { user_input: "paint" });
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Which & why?": "Red" } });
    await prompt;
    await server.close();
    const told = "[ask_followup_question for 'Which & why?'] Result:\n<answer>\nRed\n</answer>";
    const read = await trajectoryIn(file);
    expect(said(read)).toEqual([
      "user: paint",
      `assistant: <think>Hm.</think>\nWell: ${call}`,
      `tool: ${told}`,
      "assistant: Red.",
    ]);
    writeFileSync(`${file}.jsonl`, JSON.stringify(read));
    const problems: unknown[] = [];
    await checkTrajectories(`${file}.jsonl`, (problem) => problems.push(problem));
    expect(problems).toEqual([]);
    for (const format of trainingFormats) {
      const { lines } = await examplesIn(file, format);
      const text = JSON.stringify(lines.at(-1));
      expect(text).toContain(JSON.stringify(`Well: ${call}`).slice(1, -1));
      expect(text).not.toContain("tool_calls");
    }
  });

  test("an export of a journal of before has no instructions and tools, and says of how many examples (P-TRJ-10)", async () => {
    const file = await twoTurns();
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, lines.filter((line) => !/"type": "Model/.test(line)).join("\n"));
    const { lines: examples, bare } = await examplesIn(file, "openai");
    expect(bare).toBe(2);
    expect(examples.map(({ tools }) => tools)).toEqual([undefined, undefined]);
    expect(examples[0].messages[0]).toEqual({ role: "user", content: "go" });
    expect((await trajectoryIn(file)).flags.success).toBe(true);
  });

  test("an export has arguments that are no object as the model is shown them (P-TRJ-10)", async () => {
    const torn = `tool_call: ${JSON.stringify({ id: "c-1", name: "run_code", arguments: '{"code": ' })}`;
    const file = await twoTurns([torn, "text: Sorry.", callLine("run_code", { code: "1" }), "text: Done."]);
    const [{ completion }] = (await examplesIn(file, "trl")).lines;
    expect(completion[0].tool_calls[0].function.arguments).toEqual({ invalid_arguments: '{"code": ' });
  });
});
