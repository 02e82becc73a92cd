import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { adp, kimi } from "@askwire/dialects";
import { defineTool, type Message, type Tool } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { toModelMessages } from "../../agent/src/models/ai-sdk-messages.js";
import { linesOf, temporaryFolder } from "../../server/test/journal-folder.js";
import { payload } from "../../server/test/raw-client.js";
import { asks, callLine } from "../../server/test/scenario.js";
import { checkTrajectories } from "../src/check-trajectories.js";
import { faultsOf } from "../src/faults.js";
import type { Trajectory } from "../src/trajectory.js";
import { id, keptSession, said, trajectoryIn } from "./kept-session.js";

const sandbox = {
  id: "sandbox",
  description: "Runs code.",
  actions: [
    {
      tool: defineTool({
        name: "execute",
        description: "Runs code.",
        parameters: z.object({ code: z.string() }),
        run: ({ code }) => `ran ${code}`,
      }),
      aliases: ["run_code"],
    },
  ],
};

const query = (action = "execute", tag = "tool_param") =>
  `<${tag}> <tool_id>sandbox</tool_id> <action>${action}</action> </${tag}>`;
const call = (args = '{"code": "6*7"}') => `<sandbox><execute>${args}</execute></sandbox> <execute_tools />`;

/** A session of the dialect, in which a question is answered with Red. */
async function sessionOf(scripts: readonly string[], form: "text" | "native" = "text") {
  const dialects = [kimi(), adp({ services: () => [sandbox], form })];
  const { meet, server, file } = keptSession(scripts, { dialects, tools: [] });
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "compute" });
  if (scripts.some((script) => script.includes("AskUserQuestion"))) {
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  }
  expect((await prompt).result).toEqual({ status: "finished" });
  await server.close();
  const history = linesOf(dirname(file), "context.jsonl") as unknown as Message[];
  return { read: await trajectoryIn(file), history };
}

const toolValue = (output: string) => ({ is_error: false, output, message: "", display: [], extras: null });

/** Checks a file with one trajectory, and returns its problems. */
async function problemsOf(trajectory: Trajectory): Promise<string[]> {
  const file = join(temporaryFolder(), "one.jsonl");
  writeFileSync(file, `${JSON.stringify(trajectory)}\n`);
  const problems: string[] = [];
  await checkTrajectories(file, ({ problem }) => problems.push(problem));
  return problems;
}

const whole = [
  `think: What does it need?\ntext: I look it up. ${query()}`,
  `think: Code.\ntext: ${call()}`,
  `think: Which colour?\n${asks()}`,
  "text: Red, and 42.",
];

describe("a session of the parameter query", () => {
  test("a query in the text is exported as the model remembers it, and the check accepts it (P-TRJ-4)", async () => {
    const { read, history } = await sessionOf(whole);
    expect(said(read)).toEqual([
      "user: compute",
      `assistant: <think>What does it need?</think>\nI look it up. ${query()}`,
      expect.stringMatching(/^tool: <result>\n\{\n {2}"status": "success",[\s\S]*"code"[\s\S]*<\/result>$/),
      `assistant: <think>Code.</think>\n${call()}`,
      "tool: <result>\nran 6*7\n</result>",
      "assistant: <think>Which colour?</think>\n",
      expect.stringMatching(/^tool: [\s\S]*"Which colour\?": "Red"/),
      "assistant: Red, and 42.",
    ]);
    const remembered = toModelMessages(history).map(({ role, content }) =>
      typeof content === "string" ? content : content.map((part) => textIn(part, role)).join(""),
    );
    expect(read.messages.map(({ content }) => content)).toEqual(remembered);
    expect(read.flags).toMatchObject({ queries: 1, filled_after_query: 1, success: true });
    expect(faultsOf(read.flags)).toEqual([]);
    expect(await problemsOf(read)).toEqual([]);
  });

  test("a query by a provider's calls is exported as those, and the check accepts it (P-TRJ-4)", async () => {
    const asked = callLine("param_query", { tool_id: "sandbox", action: "run_code" }, "q-1");
    const scripts = [`think: Hm.\n${asked}`, callLine("execute", { code: "1" }, "c-1"), "text: Done."];
    const { read } = await sessionOf(scripts, "native");
    expect(read.messages.map(({ role }) => role).join()).toBe("user,assistant,tool,assistant,tool,assistant");
    expect(read.flags).toMatchObject({ queries: 1, filled_after_query: 1, success: true });
    expect(await problemsOf(read)).toEqual([]);
  });

  test("a session has each query's result, whichever tag and however many (P-TRJ-4)", async () => {
    const { read } = await sessionOf([`text: ${query()} ${query("run_code", "param_query")}`, "text: Done."]);
    expect(read.messages.map(({ role }) => role).join()).toBe("user,assistant,tool,tool,assistant");
    expect(read.flags.queries).toBe(2);
    expect(await problemsOf(read)).toEqual([]);
  });

  test("a session has nothing of what only the person gave to a call (P-TRJ-4)", async () => {
    const secret = { type: "string", askUser: true };
    const [action] = sandbox.actions;
    if (action === undefined) throw new Error("the service has no action");
    const quiet: Tool = {
      ...action.tool,
      parameters: { type: "object", properties: { code: secret }, required: ["code"] },
      call: async () => toolValue("logged in"),
    };
    const dialects = [adp({ services: () => [{ ...sandbox, actions: [{ tool: quiet }] }] })];
    const { meet, server, file } = keptSession([`text: ${call("{}")}`, "text: Done."], {
      dialects,
      tools: [],
    });
    const { client } = await meet({ sessionId: id });
    const prompt = client.call("prompt", { user_input: "log in" });
    const asked = await client.seen("QuestionRequest");
    const [{ question }] = payload(asked).questions as [{ question: string }];
    client.reply(asked, { request_id: asked.id, answers: { [question]: "hunter2" } });
    await prompt;
    await server.close();
    expect(readFileSync(file, "utf8")).toContain("hunter2");
    const read = await trajectoryIn(file);
    expect(said(read)[2]).toBe("tool: <result>\nlogged in\n</result>");
    expect(JSON.stringify(read)).not.toContain("hunter2");
  });

  test("a session counts what was cut, stripped and corrected, and not the tags in a correction (P-TRJ-5)", async () => {
    const cut = await sessionOf([`text: ${query()} ${call()}`, `text: ${call()}`, "text: Done."]);
    expect(faultsOf(cut.read.flags)).toEqual(["dropped_calls"]);
    const invented = await sessionOf([`text: ${query()} <result>42</result>`, "text: Done."]);
    expect(faultsOf(invented.read.flags)).toEqual(["hallucinated_result"]);
    const wrong = await sessionOf([`text: ${call('{"kode": 1}')}`, `text: ${call()}`, "text: Done."]);
    expect(said(wrong.read)[2]).toContain("<tool_param><tool_id>sandbox</tool_id>");
    expect(wrong.read.flags).toMatchObject({ queries: 0, validation_errors: 1, dropped_calls: 0 });
    const unknown = await sessionOf([`text: ${query("fly")}`, "text: I cannot."]);
    expect(unknown.read.flags).toMatchObject({ queries: 1, filled_after_query: 0, unanswered_queries: 0 });
    for (const { read } of [cut, invented, wrong, unknown]) expect(await problemsOf(read)).toEqual([]);
  });
});

/** A part of a message as this format writes it. */
function textIn(part: { type: string; text?: string; output?: unknown }, role: string): string {
  if (part.type === "reasoning") return `<think>${part.text}</think>\n`;
  if (part.type === "tool-result") return (part.output as { value: string }).value;
  return role === "assistant" && part.type !== "text" ? "" : (part.text ?? "");
}
