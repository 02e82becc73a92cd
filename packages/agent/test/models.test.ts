import type { ServerResponse } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ModelError, type ModelPart, type ModelRequest } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { retryable } from "../../server/src/agent/model.js";
import { aiModel } from "../src/ai.js";
import {
  calls,
  fails,
  type ModelAnswer,
  modelEndpoint,
  more,
  says,
  sends,
  stops,
  streams,
  streamsThen,
  thinks,
  urlOfNobody,
} from "./model-endpoint.js";

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content: "hello" }],
  tools: [],
  signal: new AbortController().signal,
  ...change,
});

function modelAt(baseURL: string) {
  const provider = createOpenAICompatible({ name: "test", baseURL, apiKey: "key-1", includeUsage: true });
  return aiModel(provider("small"));
}

/** The parts of a model's answer, and its end. */
async function answer(model: ReturnType<typeof modelAt>, change: Partial<ModelRequest> = {}) {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request(change))) parts.push(part);
    return { parts, error: undefined };
  } catch (error) {
    return { parts, error: error as ModelError };
  }
}

async function answered(...answers: ModelAnswer[]) {
  const endpoint = await modelEndpoint(answers);
  return { ...(await answer(modelAt(endpoint.url))), endpoint };
}

const text = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });
const call = (id: string, name: string): ModelPart => ({
  type: "tool_call",
  call: { type: "function", id, function: { name, arguments: null }, extras: null },
});
const piece = (arguments_part: string): ModelPart => ({ type: "tool_call_part", arguments_part });
const id: ModelPart = { type: "message_id", id: "chat-1" };
const spoken = (parts: readonly ModelPart[]) =>
  parts.filter(({ type }) => type !== "message_id" && type !== "usage");

describe("an answer arrives as it is streamed", () => {
  test("an answer arrives as text, then what it cost", async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 60 },
    };
    const { parts, error } = await answered(streams(says("Hel"), says("lo"), stops("stop", usage)));
    expect(error).toBeUndefined();
    expect(parts).toEqual([
      text("Hel"),
      text("lo"),
      id,
      {
        type: "usage",
        usage: { input_other: 40, output: 7, input_cache_read: 60, input_cache_creation: 0 },
      },
    ]);
  });

  test("an answer arrives with thoughts before it, and without a cost where none is reported", async () => {
    const { parts } = await answered(streams(thinks("hm, "), thinks("yes"), says("Yes."), stops()));
    const thought = (think: string) => ({ type: "content", part: { type: "think", think, encrypted: null } });
    expect(parts).toEqual([thought("hm, "), thought("yes"), text("Yes."), id]);
  });

  test("an answer may have a call whose arguments come in many pieces", async () => {
    const { parts } = await answered(
      streams(
        says("One moment."),
        calls(0, "c1", "Read"),
        more(0, '{"pa'),
        more(0, 'th":'),
        more(0, '"a"}'),
        stops("tool_calls"),
      ),
    );
    expect(spoken(parts)).toEqual([
      text("One moment."),
      call("c1", "Read"),
      piece('{"pa'),
      piece('th":'),
      piece('"a"}'),
    ]);
  });

  test.each([
    [
      "of an answer come one after the other",
      [calls(0, "c1", "Read", "{}"), calls(1, "c2", "Write", '{"a"'), more(1, ":1}")],
      [call("c1", "Read"), piece("{}"), call("c2", "Write"), piece('{"a"'), piece(":1}")],
    ],
    [
      "that stream beside each other arrive one after the other (P-MOD-1)",
      [
        ...[calls(0, "c1", "Read", '{"a"'), calls(1, "c2", "Write", '{"b"'), says("Two at once.")],
        ...[more(0, ":1}"), more(1, ":2}")],
      ],
      [
        ...[call("c1", "Read"), piece('{"a"'), piece(":1}")],
        ...[call("c2", "Write"), piece('{"b"'), piece(":2}"), text("Two at once.")],
      ],
    ],
  ])("two calls %s", async (_what, pieces, expected) => {
    const { parts } = await answered(streams(...pieces, stops("tool_calls")));
    expect(spoken(parts)).toEqual(expected);
  });

  test("arguments that are no JSON arrive as the model wrote them (P-MOD-2)", async () => {
    const { parts, error } = await answered(
      streams(calls(0, "c1", "Read", '{"path": '), calls(1, "c2", "Read", "nonsense"), stops("tool_calls")),
    );
    expect(error).toBeUndefined();
    expect(spoken(parts)).toEqual([
      call("c1", "Read"),
      piece('{"path": '),
      call("c2", "Read"),
      piece("nonsense"),
    ]);
  });

  test("an answer may call a tool that was not offered, without arguments", async () => {
    const { parts } = await answered(streams(calls(0, "c1", "constructor"), stops("tool_calls")));
    expect(spoken(parts)).toEqual([call("c1", "constructor")]);
  });

  test("an answer may end without [DONE], and have lines that say nothing", async () => {
    const ended = await answered(streamsThen("ends", says("Yes."), stops()));
    expect(spoken(ended.parts)).toEqual([text("Yes.")]);
    expect(ended.error).toBeUndefined();
    const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
    const noisy = await answered(
      sends(`: comment\n\nnonsense\nfield: value\n\n${event(says("Yes."))}event: ping\n\n${event(stops())}`),
    );
    expect(spoken(noisy.parts)).toEqual([text("Yes.")]);
    expect(noisy.error).toBeUndefined();
  });
});

describe("a provider's failure (P-MOD-4)", () => {
  test.each<[number, string, Record<string, string>, number | undefined, boolean]>([
    [400, "no such parameter", {}, undefined, false],
    [401, "wrong key", {}, undefined, false],
    [404, "no such model", {}, undefined, false],
    [408, "too slow", {}, undefined, true],
    [429, "slow down", { "retry-after": "2" }, 2_000, true],
    [429, "slow down", { "retry-after-ms": "150", "retry-after": "2" }, 150, true],
    [429, "slow down", { "retry-after": "soon" }, undefined, true],
    [500, "it broke", {}, undefined, true],
    [503, "it is full", { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0, true],
  ])(
    "a provider's failure is reported by its kind, in one line: HTTP status %i: %s %j",
    async (status, message, headers, retryAfterMs, again) => {
      const { error, endpoint } = await answered(fails(status, message, headers));
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({
        kind: "status",
        status,
        retryAfterMs,
        message: `HTTP status ${status}: ${message}`,
      });
      expect(retryable(error)).toBe(again);
      expect(endpoint.calls).toHaveLength(1);
    },
  );

  test("a provider's failure is reported by its kind where its status has no message of the usual form", async () => {
    const page = (name: string) => (response: ServerResponse) =>
      void response.writeHead(502, name).end("<html>\n</html>");
    const named = await answered(page("Bad Gateway"));
    expect(named.error).toMatchObject({
      kind: "status",
      status: 502,
      message: "HTTP status 502: Bad Gateway",
    });
    expect((await answered(page(""))).error?.message).toBe("HTTP status 502");
  });

  test("a provider's failure is reported by its kind where nobody listens", async () => {
    const { error } = await answer(modelAt(await urlOfNobody()));
    expect(error).toMatchObject({
      kind: "connection",
      message: expect.stringMatching(/^the connection to http:\/\/127\.0\.0\.1:\d+ failed \(ECONNREFUSED\)$/),
    });
    expect(retryable(error)).toBe(true);
  });

  test.each<[string, ModelAnswer, ModelPart[]]>([
    ["before the answer", (response) => void response.destroy(), []],
    ["in the middle of it", streamsThen("breaks", says("Hel")), [text("Hel")]],
  ])(
    "a provider's failure is reported by its kind where the connection breaks %s",
    async (_when, breaks, said) => {
      const { parts, error } = await answered(breaks);
      expect(parts).toEqual(said);
      expect(error).toMatchObject({ kind: "connection", message: expect.stringContaining("failed (") });
      expect(retryable(error)).toBe(true);
    },
  );

  test("a provider's failure is reported by its kind where the answer ends before it is finished", async () => {
    const { error } = await answered(streamsThen("ends", says("Hel")));
    expect(error).toMatchObject({
      kind: "connection",
      message: expect.stringContaining("without a finish reason"),
    });
    expect(retryable(error)).toBe(true);
  });

  test.each([
    ["no chunk", streams()],
    ["only an end", streams(stops())],
    ["an empty text", streams(says(""), stops())],
  ])("a provider's failure is reported by its kind where an answer is empty: %s", async (_what, answer) => {
    const { error } = await answered(answer);
    expect(error).toBeInstanceOf(ModelError);
    expect(retryable(error)).toBe(true);
  });

  test("an answer that is kept back is not asked for again", async () => {
    const { error } = await answered(streams(stops("content_filter")));
    expect(error?.message).toContain("content filter");
    expect(retryable(error)).toBe(false);
  });

  test.each([
    ["no JSON", "data: {no\n\n", "connection"],
    ["no chunk", 'data: {"a": 1}\n\n', "connection"],
    ["an error", 'data: {"error": {"message": "overloaded", "code": null}}\n\n', "status"],
  ])("a provider's failure is reported by its kind where an event is %s", async (_what, event, kind) => {
    const { error } = await answered(sends(`data: ${JSON.stringify(says("Hel"))}\n\n${event}`));
    expect(error).toMatchObject({ name: "ModelError", kind });
    expect(error?.message).not.toContain("\n");
    expect(retryable(error)).toBe(true);
  });

  test("a provider's failure is reported by its kind where its stream has an error with a status", async () => {
    const { error } = await answered(streams({ error: { message: "wrong key", code: 401 } }));
    expect(error).toMatchObject({ kind: "status", status: 401, message: "HTTP status 401: wrong key" });
    expect(retryable(error)).toBe(false);
  });
});

describe("an answer that nobody waits for", () => {
  test("an answer is dropped when the turn is cancelled while the provider is silent", async () => {
    const endpoint = await modelEndpoint([streamsThen("stalls", says("Hel"))]);
    const controller = new AbortController();
    const said: ModelPart[] = [];
    const reading = (async () => {
      for await (const part of modelAt(endpoint.url).stream(request({ signal: controller.signal }))) {
        said.push(part);
        controller.abort(new Error("enough"));
      }
    })();
    await expect(reading).rejects.toThrow("enough");
    expect(said).toEqual([text("Hel")]);
    await endpoint.dropped(1);
  });

  test("an answer is dropped when the turn is cancelled before a word is said, or before the model is asked", async () => {
    const endpoint = await modelEndpoint([() => controller.abort(new Error("enough"))]);
    const controller = new AbortController();
    const { signal } = controller;
    expect((await answer(modelAt(endpoint.url), { signal })).error?.message).toBe("enough");
    await endpoint.dropped(1);
    expect((await answer(modelAt(endpoint.url), { signal })).error?.message).toBe("enough");
    expect(endpoint.calls).toHaveLength(1);
  });

  test("an answer is dropped when its reader leaves", async () => {
    const endpoint = await modelEndpoint([streamsThen("stalls", says("Hel"))]);
    for await (const part of modelAt(endpoint.url).stream(request())) {
      expect(part).toEqual(text("Hel"));
      break;
    }
    await endpoint.dropped(1);
  });
});
