import { ModelError } from "@askwire/server";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scenario } from "../../server/test/scenario.js";
import { readScripts, scriptedModel } from "../src/index.js";
import { readScript, ScriptError } from "../src/models/script.js";

const text = (text: string) => ({ type: "content", part: { type: "text", text } });
const call = (name: string, args: string | null, id = "1", extras: unknown = null) => ({
  type: "tool_call",
  call: { type: "function", id, function: { name, arguments: args }, extras },
});
const piece = (arguments_part: string | null) => ({ type: "tool_call_part", arguments_part });
const usage = (input_other: number, output: number, input_cache_read = 0, input_cache_creation = 0) => ({
  type: "usage",
  usage: { input_other, output, input_cache_read, input_cache_creation },
});
const image = (url: string, id: string | null = null) => ({
  type: "content",
  part: { type: "image_url", image_url: { url, id } },
});

describe("a line of a script", () => {
  test.each<[string, object]>([
    ["text: hello", text("hello")],
    ["  text :  hello: you  ", text("hello: you")],
    ['text: " spaces "', text(" spaces ")],
    ["text: ' spaces '", text(" spaces ")],
    ['text: "', text('"')],
    ["text: \"it's'", text("\"it's'")],
    ["text:", text("")],
    ["text: 中文 🎨", text("中文 🎨")],
    ['think: "hm"', { type: "content", part: { type: "think", think: "hm", encrypted: null } }],
    ["image_url: https://x.test/a.png?b=c", image("https://x.test/a.png?b=c")],
    ['image_url: {"url": "u", "id": "i"}', image("u", "i")],
    ["image_url: url=u id=i", image("u", "i")],
    ["audio_url: u", { type: "content", part: { type: "audio_url", audio_url: { url: "u", id: null } } }],
    ["video_url: u", { type: "content", part: { type: "video_url", video_url: { url: "u", id: null } } }],
    ['tool_call: {"id": "1", "name": "N", "arguments": "{}"}', call("N", "{}")],
    [
      'tool_call: {"id": "1", "name": "N", "arguments": null, "extras": {"a": 1}}',
      call("N", null, "1", { a: 1 }),
    ],
    ['tool_call: {"id": "1", "function": {"name": "N", "arguments": "{}"}}', call("N", "{}")],
    ["tool_call: id=1 name=N", call("N", null)],
    ['tool_call: id=1 name="N M" arguments="{\\"a\\": 1}"', call("N M", '{"a": 1}')],
    ["tool_call: id=1 name=N arguments='{\"a\": 1}'", call("N", '{"a": 1}')],
    ["tool_call: id=1 name=N arguments=null", call("N", null)],
    ['tool_call_part: {"arguments_part": "{\\"a\\""}', piece('{"a"')],
    ['tool_call_part: {"arguments_part": {"a": 1}}', piece('{"a":1}')],
    ['tool_call_part: {"arguments_part": null}', piece(null)],
    ['tool_call_part: {"a": [1, 2]}', piece('{"a":[1,2]}')],
    ['tool_call_part: {"a": ', piece('{"a":')],
    ["tool_call_part: plain", piece("plain")],
    ['tool_call_part: "quoted"', piece("quoted")],
    ["tool_call_part: 12", piece("12")],
    ["tool_call_part: null", piece(null)],
    ["tool_call_part:", piece(null)],
    ['tool_call_part: {"arguments_part": ""}', piece(null)],
    ["tool_call_part: arguments_part=x", piece("x")],
    ['id: "m1"', { type: "message_id", id: "m1" }],
    [
      'usage: {"input_other": 1, "output": 2, "input_cache_read": 3, "input_cache_creation": 4}',
      usage(1, 2, 3, 4),
    ],
    ["usage: input_other=1 output=2", usage(1, 2)],
    ["usage: {}", usage(0, 0)],
  ])("a line of a script is read: %s", (line, step) => {
    expect(readScript(line)).toEqual([step]);
  });

  test.each<[string, string, string, number | undefined]>([
    ["error: 429 slow down", "status", "slow down", 429],
    ["error: 500", "status", "HTTP status 500", 500],
    ["error: connection no route", "connection", "no route", undefined],
    ["error: timeout", "timeout", "timeout error", undefined],
  ])("a line of a script is read as a failure: %s", (line, kind, message, status) => {
    expect(readScript(line)).toMatchObject([{ type: "error", error: { kind, message, status } }]);
  });

  test.each([[""], ["   "], ["# text: no"], ["```"], ["```json"], ["echo"], [" echo "]])(
    "the line %j of a script is skipped",
    (line) => {
      expect(readScript(`${line}\ntext: a\r\n${line}`)).toEqual([text("a")]);
    },
  );

  test.each<[string, string]>([
    ["hello", 'expected "kind: payload", found "hello"'],
    ["shout: a", 'unknown kind "shout": expected one of text, think, image_url'],
    ["toString: a", 'unknown kind "toString"'],
    [": a", 'unknown kind ""'],
    ["tool_call: {", "tool_call: expected JSON ("],
    ["tool_call: []", "tool_call: expected a JSON object or key=value tokens"],
    ["tool_call: nothing", "tool_call: expected a JSON object or key=value tokens"],
    ["tool_call: please id=1 name=N", "tool_call: expected key=value tokens"],
    ["tool_call: name=N", "tool_call: id: expected string"],
    ["tool_call: id=1", "tool_call: function.name: expected string"],
    ['tool_call: id=1 name="N', "tool_call: expected"],
    ["usage: output=many", "usage: output: expected"],
    ["usage: output=1.5", "usage: output: expected"],
    ["usage: 3", "usage: expected a JSON object or key=value tokens"],
    ["error: soon", 'error: expected "<status> [message]"'],
    ["error:", 'error: expected "<status> [message]"'],
  ])("the line %s of a script is refused with its number and with what was expected", (line, message) => {
    const wrong = () => readScript(`text: a\n# b\n${line}`);
    expect(wrong).toThrow(ScriptError);
    expect(wrong).toThrow(message);
    expect(wrong).toThrow(expect.objectContaining({ line: 3 }));
  });

  test("any line of a script is read or refused by its number", () => {
    const kinds = ["text", "tool_call", "tool_call_part", "usage", "error", "image_url", "id", "nothing"];
    const payload = fc.oneof(fc.string(), fc.json(), fc.constantFrom("a=1", 'a="', "{", "id=1 name='", "="));
    void fc.assert(
      fc.property(fc.constantFrom(...kinds), payload, (kind, value) => {
        try {
          expect(readScript(`${kind}: ${value}`.replace(/[\r\n]/g, " ")).length).toBe(1);
        } catch (error) {
          expect(error).toMatchObject({ name: "ScriptError", line: 1 });
        }
      }),
      { numRuns: 100 },
    );
  });

  test("a quoted text of any signs in a script comes out unchanged", () => {
    const plain = fc.string({ unit: "binary" }).filter((value) => !/[\r\n]/.test(value));
    void fc.assert(
      fc.property(plain, (value) => {
        expect(readScript(`text: "${value}"`)).toEqual([text(value)]);
      }),
    );
  });
});

describe("a file of scripts", () => {
  test("a file of scripts is a JSON array of strings", () => {
    expect(readScripts('["text: a", ""]', "s.json")).toEqual(["text: a", ""]);
  });

  test.each<[string, string]>([
    ["{", "s.json: expected a JSON array of scripts ("],
    ["{}", "s.json: expected a JSON array of scripts, one string for each model call"],
    ['["text: a", 3]', "s.json: script 2: expected a string of lines"],
    ['["text: a", "text: b\\nshout: c"]', 's.json: script 2, line 2: unknown kind "shout"'],
  ])("the file of scripts %s is refused in one line", (file, message) => {
    let told = "";
    try {
      readScripts(file, "s.json");
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toContain(message);
    expect(told).not.toContain("\n");
  });
});

test("a call beyond the scripts is a provider's error that says so", async () => {
  const { client } = await scenario(["text: a"]).meet();
  await client.call("prompt", { user_input: "1" });
  expect((await client.call("prompt", { user_input: "2" })).error).toEqual({
    code: -32003,
    message: "the script list is exhausted: call 2, 1 scripts",
    data: null,
  });
  expect(client.story().slice(-3)).toEqual(["StepInterrupted", "TurnEnd", "prompt: -32003"]);
});

test("a wrong line is a provider's error that names the script and the line", async () => {
  const { client } = await scenario(["text: a\nnonsense"]).meet();
  const { error } = await client.call("prompt", { user_input: "1" });
  expect(error).toMatchObject({
    code: -32003,
    message: expect.stringContaining("script 1, line 2: expected"),
  });
});

test("an error in the middle comes after what was said before it", async () => {
  const { client } = await scenario(["text: a\nerror: 403 later\ntext: b"]).meet();
  expect((await client.call("prompt", { user_input: "1" })).error).toMatchObject({
    code: -32003,
    message: "later",
  });
  expect(client.story().filter((word) => word === "ContentPart")).toHaveLength(1);
});

test("models of the same scripts do not share their place", async () => {
  const said = async (model: ReturnType<typeof scriptedModel>) => {
    const parts: unknown[] = [];
    const request = { messages: [], tools: [], signal: new AbortController().signal };
    for await (const part of model.stream(request)) parts.push(part);
    return parts;
  };
  const [one, two] = [scriptedModel(["text: a", "text: b"]), scriptedModel(["text: a"])];
  expect([await said(one), await said(two), await said(one)]).toEqual([
    [text("a")],
    [text("a")],
    [text("b")],
  ]);
  await expect(said(two)).rejects.toBeInstanceOf(ModelError);
});
