import type { ContentPart } from "@askwire/protocol";
import type { Message } from "@askwire/server";
import { expect, test } from "vitest";
import { modelEndpoint, says, stops, streams } from "../../../../packages/agent/test/model-endpoint.js";
import { openAiCompatibleModel } from "../../src/agents/openai-compatible.js";

const png = "data:image/png;base64,iVBORw0KGgo=";
const image = (url: string): ContentPart => ({ type: "image_url", image_url: { url, id: null } });
const audio = (url: string): ContentPart => ({ type: "audio_url", audio_url: { url, id: null } });
const video = (url: string): ContentPart => ({ type: "video_url", video_url: { url, id: null } });
const text = (text: string): ContentPart => ({ type: "text", text });

/** The messages that a provider is sent for these. */
async function sent(...messages: Message[]) {
  const endpoint = await modelEndpoint([streams(says("Yes."), stops())]);
  const key = { apiKey: "", keyPlace: "" };
  const model = openAiCompatibleModel({ name: "m", baseUrl: endpoint.url, ...key, headers: {} });
  const { signal } = new AbortController();
  for await (const _ of model.stream({ messages, tools: [], signal }));
  expect(endpoint.calls[0]?.headers.authorization).toBeUndefined();
  return endpoint.calls[0]?.body.messages;
}

test.each<[string, ContentPart, object]>([
  ["a picture by its data", image(png), { type: "image_url", image_url: { url: png } }],
  [
    "a picture by its address, which only the provider loads",
    image("http://127.0.0.1:1/a.png?b=c"),
    { type: "image_url", image_url: { url: "http://127.0.0.1:1/a.png?b=c" } },
  ],
  [
    "a sound of a format that the protocol has",
    audio("data:audio/wav;base64,UklGRg=="),
    { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
  ],
  [
    "a sound of another",
    audio("data:audio/ogg;base64,T2dnUw=="),
    { type: "audio_url", audio_url: { url: "data:audio/ogg;base64,T2dnUw==" } },
  ],
  ["a film", video("ms://film-1"), { type: "video_url", video_url: { url: "ms://film-1" } }],
])("a provider is sent %s, alone and beside words", async (_what, part, content) => {
  expect(await sent({ role: "user", content: [part] })).toEqual([{ role: "user", content: [content] }]);
  expect(await sent({ role: "user", content: [text("Look:"), part] })).toEqual([
    { role: "user", content: [{ type: "text", text: "Look:" }, content] },
  ]);
});

test("media that tools return come after all tool results", async () => {
  const calls = ["c1", "c2"].map((id) => ({
    type: "function" as const,
    id,
    function: { name: "ReadFile", arguments: "{}" },
    extras: null,
  }));
  const result = { is_error: false, output: "", message: "", display: [], extras: null };
  const messages = await sent(
    { role: "user", content: "Look" },
    { role: "assistant", content: [], tool_calls: calls },
    { role: "tool", tool_call_id: "c1", result: { ...result, output: [text("a.png"), image(png)] } },
    { role: "tool", tool_call_id: "c2", result: { ...result, output: "text" } },
    { role: "user", content: "Well?" },
  );
  expect(messages.slice(2)).toEqual([
    { role: "tool", tool_call_id: "c1", content: "a.png\n(see below)" },
    { role: "tool", tool_call_id: "c2", content: "text" },
    {
      role: "user",
      content: [
        { type: "text", text: "What the tools gave beside text:" },
        { type: "image_url", image_url: { url: png } },
      ],
    },
    { role: "user", content: "Well?" },
  ]);
});
