import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";
import { aiModel } from "../../../agent/src/ai.js";
import { modelAgent } from "../../../agent/src/index.js";
import {
  calls as callChunk,
  type ModelAnswer,
  modelEndpoint,
  says,
  stops,
  streams,
  streamsThen,
} from "../../../agent/test/model-endpoint.js";
import { scenario } from "../../../server/test/scenario.js";
import { type AdpForm, adp } from "../../src/index.js";
import { asks, calls, codeParameters, execute, json, twoServices } from "./adp-scene.js";

const args = '{"code": "print(1)"}';

/** Runs one turn with a provider that answers like this, and returns what it was sent. */
async function turn(form: AdpForm, ...answers: ModelAnswer[]) {
  const endpoint = await modelEndpoint(answers);
  const provider = createOpenAICompatible({ name: "test", baseURL: endpoint.url, apiKey: "key-1" });
  const { services, ran } = twoServices();
  const dialects = [adp({ services: () => services, form })];
  const { meet } = scenario([], {
    dialects,
    agent: () => modelAgent({ model: aiModel(provider("small")) }),
  });
  const { client } = await meet();
  const { result } = await client.call("prompt", { user_input: "go" });
  const sent = (n: number) => endpoint.calls[n - 1]?.body;
  return { endpoint, result, sent, ran };
}

describe("a provider", () => {
  test("a provider is left as soon as what follows a query is clear, and after the tag that executes (P-ADP-6)", async () => {
    const { endpoint, result, sent, ran } = await turn(
      "text",
      streamsThen(
        "stalls",
        says(`See: ${asks()}`),
        says("\n<microsandbox><microsand"),
        says('box_execute>{"code'),
      ),
      streamsThen("stalls", says(calls(args)), says(`${execute}\n<res`)),
      streams(says("It prints 1."), stops()),
    );
    await endpoint.dropped(1);
    await endpoint.dropped(2);
    expect(result).toEqual({ status: "finished" });
    expect(ran).toHaveLength(1);
    const [, asked, answered, called, done] = sent(3).messages as { role: string; content: unknown }[];
    const text = (content: unknown) =>
      typeof content === "string"
        ? content
        : (content as { text: string }[]).map((part) => part.text).join("");
    expect(asked).toMatchObject({ role: "user", content: "go" });
    expect(answered).toEqual({ role: "assistant", content: `See: ${asks()}` });
    expect(json(text(called?.content))).toMatchObject({
      parameters: codeParameters,
      not_executed: ["microsandbox.microsandbox_execute"],
    });
    expect(done).toEqual({ role: "assistant", content: `${calls(args)}${execute}` });
    expect(sent(3).tools).toBeUndefined();
  });

  test("a provider's tools carry both queries and calls in the other form (P-ADP-11)", async () => {
    const query = JSON.stringify({ tool_id: "sandbox", action: "run_code" });
    const { result, sent, ran } = await turn(
      "native",
      streams(callChunk(0, "q", "param_query", query), stops("tool_calls")),
      streams(callChunk(0, "c", "microsandbox_execute", args), stops("tool_calls")),
      streams(says("It prints 1."), stops()),
    );
    expect(result).toEqual({ status: "finished" });
    expect(ran).toHaveLength(1);
    const tools = sent(1).tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(tools).toEqual(["param_query", "microsandbox_execute", "list_sessions", "browser_click"]);
    const told = sent(2).messages.at(-1);
    expect(told).toMatchObject({ role: "tool", tool_call_id: "q" });
    expect(JSON.parse(told.content)).toMatchObject({ status: "success", parameters: codeParameters });
  });
});
