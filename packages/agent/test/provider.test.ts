import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ContentPart, ToolReturnValue, UserInput } from "@askwire/protocol";
import type { Message, ModelError, ModelRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { aiModel } from "../src/ai.js";
import { modelEndpoint, says, stops, streams } from "./model-endpoint.js";

/** The request for a provider of the chat completions protocol. */
async function sent(messages: Message[], change: Partial<ModelRequest> = {}) {
  const endpoint = await modelEndpoint([streams(says("Yes."), stops())]);
  const provider = createOpenAICompatible({
    name: "test",
    baseURL: endpoint.url,
    apiKey: "key-1",
    supportedUrls: () => ({ "*/*": [/./] }),
  });
  const { signal } = new AbortController();
  const model = aiModel(provider("small"));
  for await (const _ of model.stream({ messages, tools: [], signal, ...change }));
  const [call] = endpoint.calls;
  if (call === undefined) throw new Error("nothing was sent");
  return call;
}

const asked = (content: UserInput): Message => ({ role: "user", content });
const said = (
  content: ContentPart[],
  ...calls: [id: string, name: string, args: string | null][]
): Message => ({
  role: "assistant",
  content,
  tool_calls: calls.map(([id, name, args]) => ({
    type: "function",
    id,
    function: { name, arguments: args },
    extras: null,
  })),
});
const gave = (tool_call_id: string, result: Partial<ToolReturnValue>): Message => ({
  role: "tool",
  tool_call_id,
  result: { is_error: false, output: "", message: "", display: [], extras: null, ...result },
});
const text = (text: string): ContentPart => ({ type: "text", text });
const image = (url: string): ContentPart => ({ type: "image_url", image_url: { url, id: null } });

describe("a provider is sent", () => {
  test("a provider is sent its model's name, the key and what the person said, word for word", async () => {
    const { path, headers, body } = await sent([asked("hello  中文 🎨\n")], { system: "Be brief." });
    expect(path).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe("Bearer key-1");
    expect(body).toMatchObject({ model: "small", stream: true });
    expect(body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "hello  中文 🎨\n" },
    ]);
    expect(body.tools).toBeUndefined();
  });

  test("a provider is sent the tools as they are described, whatever their names", async () => {
    const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = ["Read", "__proto__", "toString"].map((name) => ({
      name,
      description: `${name}s`,
      parameters,
    }));
    const { body } = await sent([asked("hello")], { tools });
    expect(body.tools).toEqual(tools.map((tool) => ({ type: "function", function: tool })));
  });

  test("a provider is sent thoughts and calls unchanged, and the results by their ids", async () => {
    const think: ContentPart = { type: "think", think: "hm", encrypted: null };
    const { body } = await sent([
      asked("hello"),
      said([think, text("One moment.")], ["c1", "Read", '{"path": "a"}'], ["c2", "Read", null]),
      gave("c1", { output: "text of a" }),
      gave("c2", { is_error: true, message: "path: expected string", output: "" }),
      said([text("Done.")]),
      asked("thanks"),
    ]);
    const call = (id: string, args: string) => ({
      id,
      type: "function",
      function: { name: "Read", arguments: args },
    });
    expect(body.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: "One moment.",
        reasoning_content: "hm",
        tool_calls: [call("c1", '{"path":"a"}'), call("c2", "{}")],
      },
      { role: "tool", tool_call_id: "c1", content: "text of a" },
      { role: "tool", tool_call_id: "c2", content: "<system>ERROR: path: expected string</system>" },
      { role: "assistant", content: "Done." },
      { role: "user", content: "thanks" },
    ]);
  });

  test.each<[string, Partial<ToolReturnValue>, string]>([
    [
      "an explanation before the output",
      { message: "2 lines", output: "a\nb" },
      "<system>2 lines</system>\na\nb",
    ],
    ["parts of text", { output: [text("a"), text(""), text("b")] }, "a\nb"],
    ["no output", {}, "<system>The tool gave no output.</system>"],
    [
      "an error with an output",
      { is_error: true, message: "exit 1", output: "boom" },
      "<system>ERROR: exit 1</system>\nboom",
    ],
  ])("a provider is sent a result with %s", async (_what, result, content) => {
    const { body } = await sent([asked("hello"), said([], ["c1", "Read", "{}"]), gave("c1", result)]);
    expect(body.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "c1", content });
  });

  test.each(['{"path": ', "nonsense", "[1]", "12"])(
    "a provider is sent arguments that are no object, %s, in one",
    async (args) => {
      const { body } = await sent([
        asked("hello"),
        said([], ["c1", "Read", args]),
        gave("c1", { is_error: true }),
      ]);
      const [call] = body.messages[1].tool_calls;
      expect(JSON.parse(call.function.arguments)).toEqual({ invalid_arguments: args });
    },
  );

  test("a provider is sent pictures by their data or their address, between the words", async () => {
    const png = "data:image/png;base64,iVBORw0KGgo=";
    const { body } = await sent([
      asked([text("What is"), image(png), text(""), image("https://x.test/a.png?b=c")]),
    ]);
    expect(body.messages[0].content).toEqual([
      { type: "text", text: "What is" },
      { type: "image_url", image_url: { url: png } },
      { type: "image_url", image_url: { url: "https://x.test/a.png?b=c" } },
    ]);
  });

  test("a provider is sent no message where nothing was said, and an empty one where the person said nothing", async () => {
    const { body } = await sent([asked([text("")]), said([]), asked("")]);
    expect(body.messages).toEqual([
      { role: "user", content: "" },
      { role: "user", content: "" },
    ]);
  });
});

test("a picture without an address is refused before anything is sent", async () => {
  const error: ModelError = await sent([asked([image("nonsense")])]).then(
    () => expect.unreachable(),
    (reason) => reason,
  );
  expect(error).toMatchObject({
    kind: "request",
    message: 'image_url: expected an address or a data: URL, found "nonsense"',
  });
});
