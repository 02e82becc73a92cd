import { describe, expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import type { ModelPart } from "../src/index.js";
import { payload } from "./raw-client.js";
import { approvedTool, asks, callLine, scenario } from "./scenario.js";

const size = { maxContextTokens: 1_000 };
const usage = "usage: input_other=100 input_cache_read=40 input_cache_creation=10 output=50";
const figures = { context_usage: null, context_tokens: null, max_context_tokens: null };

describe("the status of a step", () => {
  test("the status of a step counts the input of the step and not its output (P-STP-7)", async () => {
    const { client } = await scenario([`text: a\n${usage}`], { model: size }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(payload(await client.seen("StatusUpdate"))).toMatchObject({
      context_usage: 0.15,
      context_tokens: 150,
      max_context_tokens: 1_000,
    });
  });

  test("the status of a step has no figure of the context where the provider counted nothing (P-STP-7)", async () => {
    const scripts = [`${callLine("Nothing", {})}\n${usage}`, "text: b"];
    const { client } = await scenario(scripts, { model: size }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(payload(await client.seen("StatusUpdate", 2))).toMatchObject({ ...figures, token_usage: null });
  });

  test("the status of a step says whether plan mode is on, as a boolean (P-STP-7)", async () => {
    const { client } = await scenario(["text: a", "text: b"]).meet();
    await client.call("prompt", { user_input: "go" });
    await client.call("set_plan_mode", { enabled: true });
    await client.call("prompt", { user_input: "go" });
    const told = await Promise.all([1, 2, 3].map((n) => client.seen("StatusUpdate", n)));
    expect(told.map((update) => payload(update).plan_mode)).toEqual([false, true, true]);
  });
});

describe("a call that is complete when the model ends", () => {
  test.each<[string, string, string]>([
    ["an approval", callLine("Shell", {}), "ask ApprovalRequest"],
    ["a question", asks(), "ask QuestionRequest"],
    ["a call of no tool", callLine("Nothing", {}), "ToolResult"],
    ["a call before the last word", `${callLine("Shell", {})}\ntext: done`, "ask ApprovalRequest"],
  ])(
    "a call that is complete when the model ends comes after the status of its step: %s (P-STP-1)",
    async (_what, script, word) => {
      const { client } = await scenario([script, "text: b"], { tools: [approvedTool("Shell")] }).meet();
      void client.call("prompt", { user_input: "go" });
      await client.seen(word.replace("ask ", ""));
      const story = client.story();
      expect(story.indexOf("StatusUpdate")).toBeLessThan(story.indexOf(word));
      expect(story.indexOf("StatusUpdate")).toBeGreaterThan(story.indexOf("ToolCall"));
    },
  );

  test("a complete call starts while the model continues to speak (P-STP-2)", async () => {
    const { promise: held, resolve: goOn } = deferred();
    let asked = 0;
    async function* stream(): AsyncGenerator<ModelPart> {
      asked += 1;
      if (asked === 1) {
        const call = { type: "function" as const, id: "tc-1", extras: null };
        yield { type: "tool_call", call: { ...call, function: { name: "Shell", arguments: "{}" } } };
      }
      yield { type: "content", part: { type: "text", text: "and" } };
      await held;
      yield { type: "content", part: { type: "text", text: "so on" } };
    }
    const { client } = await scenario([], { tools: [approvedTool("Shell")], model: { stream } }).meet();
    const { prompt, asked: request } = await client.begin("ApprovalRequest");
    expect(client.story()).not.toContain("StatusUpdate");
    goOn();
    await client.seen("StatusUpdate");
    client.reply(request, { request_id: request.id, response: "approve" });
    expect((await prompt).result).toEqual({ status: "finished" });
  });
});
