import type { Message, ModelPart } from "@askwire/server";
import type { LanguageModel } from "ai";
import { describe, expect, test } from "vitest";
import { retryable } from "../../server/src/agent/model.js";
import { type AiModelOptions, aiModel } from "../src/ai.js";

type Model = Extract<LanguageModel, { specificationVersion: "v3" }>;
type CallOptions = Parameters<Model["doStream"]>[0];
type StreamPart =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

const noTokens = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const finish: StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: noTokens,
};

/** A language model of the SDK that streams these parts in each call, and keeps what it was given. */
function languageModel(parts: StreamPart[]): Model & { readonly asked: CallOptions[] } {
  const asked: CallOptions[] = [];
  return {
    specificationVersion: "v3",
    provider: "test",
    modelId: "own",
    supportedUrls: {},
    asked,
    doGenerate: () => Promise.reject(new Error("only streams")),
    async doStream(options) {
      asked.push(options);
      return {
        stream: new ReadableStream<StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
}

async function said(
  model: LanguageModel,
  messages: Message[] = [{ role: "user", content: "hello" }],
  options: AiModelOptions = {},
) {
  const parts: ModelPart[] = [];
  const request = { messages, tools: [], signal: new AbortController().signal };
  for await (const part of aiModel(model, options).stream(request)) parts.push(part);
  return parts.filter(({ type }) => type !== "message_id");
}

const spoken = (delta: string): StreamPart[] => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta },
  { type: "text-end", id: "t" },
];

test("a model has the name and the facts that it is given, else the SDK's name of it", () => {
  expect(aiModel(languageModel([])).name).toBe("own");
  const facts = { name: "mine", maxContextTokens: 1_000, inputs: ["image_url"], login: true } as const;
  expect(aiModel(languageModel([]), facts)).toMatchObject(facts);
});

describe("any language model of the SDK", () => {
  test("a model of the SDK may give a call whole, without having run its own", async () => {
    const call = { type: "tool-call", toolName: "Read" } as const;
    const parts = await said(
      languageModel([
        { ...call, toolCallId: "c1", input: '{"path":"a"}' },
        { ...call, toolCallId: "c2", input: "", providerExecuted: true },
        { ...call, toolCallId: "c3", input: "nonsense" },
        finish,
      ]),
    );
    const begins = (id: string) => ({
      type: "tool_call",
      call: { type: "function", id, function: { name: "Read", arguments: null }, extras: null },
    });
    expect(parts).toEqual([
      begins("c1"),
      { type: "tool_call_part", arguments_part: '{"path":"a"}' },
      begins("c3"),
      { type: "tool_call_part", arguments_part: "nonsense" },
    ]);
  });

  test("a model of the SDK may draw a picture", async () => {
    const parts = await said(
      languageModel([
        { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" },
        { type: "file", mediaType: "application/pdf", data: "JVBERg==" },
        finish,
      ]),
    );
    const url = "data:image/png;base64,iVBORw0KGgo=";
    expect(parts).toEqual([{ type: "content", part: { type: "image_url", image_url: { url, id: null } } }]);
  });

  test("a model of the SDK gets back what its provider signed, with the thoughts and calls that it belongs to (P-MOD-3)", async () => {
    const signed = { anthropic: { signature: "abc" } };
    const first = languageModel([
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "hm" },
      { type: "reasoning-delta", id: "r", delta: "", providerMetadata: signed },
      { type: "reasoning-end", id: "r" },
      {
        type: "tool-input-start",
        id: "c1",
        toolName: "Read",
        providerMetadata: { google: { thoughtSignature: "x" } },
      },
      { type: "tool-input-delta", id: "c1", delta: "{}" },
      { type: "tool-input-end", id: "c1" },
      { type: "tool-call", toolCallId: "c1", toolName: "Read", input: "{}" },
      finish,
    ]);
    const parts = await said(first);
    const content = parts.flatMap((part) => (part.type === "content" ? [part.part] : []));
    const tool_calls = parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
    const second = languageModel([...spoken("Yes."), finish]);
    const result = { is_error: false, output: "text", message: "", display: [], extras: null };
    await said(second, [
      { role: "user", content: "hello" },
      { role: "assistant", content, tool_calls },
      { role: "tool", tool_call_id: "c1", result },
    ]);
    expect(second.asked[0]?.prompt[1]).toMatchObject({
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "reasoning", text: "", providerOptions: signed },
        { type: "tool-call", toolCallId: "c1", providerOptions: { google: { thoughtSignature: "x" } } },
      ],
    });
  });

  test("a model of the SDK is shown a tool's picture, and a tool's error as an error", async () => {
    const model = languageModel([...spoken("Yes."), finish]);
    const image_url = { url: "data:image/png;base64,iVBORw0KGgo=", id: null };
    const call = (id: string) => ({
      type: "function" as const,
      id,
      function: { name: "Read", arguments: "{}" },
      extras: null,
    });
    const result = { is_error: false, output: "", message: "", display: [], extras: null };
    await said(model, [
      { role: "user", content: "hello" },
      { role: "assistant", content: [], tool_calls: [call("c1"), call("c2")] },
      { role: "tool", tool_call_id: "c1", result: { ...result, output: [{ type: "image_url", image_url }] } },
      { role: "tool", tool_call_id: "c2", result: { ...result, is_error: true, message: "no such file" } },
    ]);
    const outputs = model.asked[0]?.prompt.at(-1)?.content as { output: object }[];
    expect(outputs.map(({ output }) => output)).toMatchObject([
      { type: "content", value: [{ type: "image-data", data: "iVBORw0KGgo=", mediaType: "image/png" }] },
      { type: "error-text", value: "<system>ERROR: no such file</system>" },
    ]);
  });

  test("a model of the SDK that takes no pictures has them described, in results and in what was said (P-MOD-5)", async () => {
    const model = languageModel([...spoken("Yes."), finish]);
    const picture = {
      type: "image_url" as const,
      image_url: { url: "data:image/png;base64,iVBORw0KGgo=", id: null },
    };
    const call = {
      type: "function" as const,
      id: "c1",
      function: { name: "Read", arguments: "{}" },
      extras: null,
    };
    const result = { is_error: false, output: [picture], message: "", display: [], extras: null };
    await said(
      model,
      [
        { role: "user", content: [{ type: "text", text: "like this" }, picture] },
        { role: "assistant", content: [], tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", result },
      ],
      { inputs: [] },
    );
    const told = "<system>There is image_url content here, which this model does not take.</system>";
    const prompt = model.asked[0]?.prompt;
    expect(prompt?.[0]).toMatchObject({ content: [{ text: "like this" }, { type: "text", text: told }] });
    expect(prompt?.at(-1)).toMatchObject({ content: [{ output: { type: "text", value: told } }] });
  });

  test("a model of the SDK may warn without a word on the console, which carries the wire", async () => {
    const warnings = [{ type: "other" as const, message: "old model" }];
    const model = languageModel([{ type: "stream-start", warnings }, ...spoken("Yes."), finish]);
    expect(await said(model)).toHaveLength(1);
  });

  test.each([
    ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
    ["ETIMEDOUT", "timeout"],
    ["ENOTFOUND", "connection"],
    ["UND_ERR_SOCKET", "connection"],
  ])("a model of the SDK may fail at the network with %s, a %s", async (code, kind) => {
    const cause = Object.assign(new Error("below"), { code });
    const failed = new TypeError("fetch failed", { cause: new AggregateError([cause]) });
    const error = await said({ ...languageModel([]), doStream: () => Promise.reject(failed) }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: "ModelError", kind, message: `the connection failed (${code})` });
    expect(retryable(error)).toBe(true);
  });

  test("a model of the SDK may fail in its own way, which is not taken for its provider's", async () => {
    const own = new RangeError("a bug");
    const model = { ...languageModel([]), doStream: () => Promise.reject(own) };
    const error = await said(model).catch((reason: unknown) => reason);
    expect(error).toBe(own);
    expect(retryable(error)).toBe(false);
  });
});
