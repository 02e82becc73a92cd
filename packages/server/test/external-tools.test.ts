import { describe, expect, test } from "vitest";
import type { RawClient } from "./raw-client.js";
import { payload } from "./raw-client.js";
import { approvedTool, callLine, scenario, toolResult } from "./scenario.js";

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = { name: "Weather", description: "Tells the weather.", parameters: city };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };

/** Registers tools of a client, and says what became of them. */
async function bring(client: RawClient, external_tools: unknown[] = [weather]) {
  const reply = await client.call("initialize", { protocol_version: "1.10", external_tools });
  client.story();
  return reply.result?.external_tools;
}

const asksWeather = (id = "tc-1", args: unknown = { city: "Rome" }) => callLine("Weather", args, id);

describe("registering", () => {
  test("registering accepts what fits and rejects the rest, each with its reason (P-EXT-1, P-EXT-2)", async () => {
    const { client } = scenario([], { tools: [approvedTool("Shell")] }).connect();
    const broken = { ...weather, name: "Broken", parameters: { properties: { at: { type: "banana" } } } };
    const odd = [
      { ...weather, name: "" },
      { ...weather, name: "two words" },
    ];
    expect(await bring(client, [weather, { ...weather, name: "Shell" }, broken, ...odd])).toEqual({
      accepted: ["Weather", "", "two words"],
      rejected: [
        { name: "Shell", reason: "conflicts with builtin tool" },
        {
          name: "Broken",
          reason:
            'parameters.properties.at.type: expected one of "array", "boolean", "integer", "null", "number", "object", "string", or a list of them',
        },
      ],
    });
  });

  test("registering again replaces what the client had, and the later of two tools with one name counts (P-EXT-1)", async () => {
    const { connect, model } = scenario(["text: a", "text: b"]);
    const { client } = connect();
    await bring(client, [weather, { ...weather, name: "Old" }]);
    const later = { ...weather, description: "Tells it better." };
    expect(await bring(client, [weather, later])).toEqual({ accepted: ["Weather", "Weather"], rejected: [] });
    await client.call("prompt", { user_input: "go" });
    const offered = model.requests[0]?.tools.filter(({ name }) => name !== "AskUserQuestion");
    expect(offered).toHaveLength(1);
    expect(offered?.[0]).toMatchObject({
      name: "Weather",
      description: "Tells it better.",
      parameters: city,
    });
    expect(await bring(client, [])).toBeUndefined();
    await client.call("prompt", { user_input: "go" });
    expect(model.requests[1]?.tools.map(({ name }) => name)).not.toContain("Weather");
  });

  test("registering keeps a name for the client that has it, until that one is gone (P-EXT-2)", async () => {
    const { connect, server } = scenario([]);
    const session = server.createSession();
    const [one, other, elsewhere] = [connect({ session }), connect({ session }), connect()];
    await bring(one.client);
    const taken = { accepted: [], rejected: [{ name: "Weather", reason: "provided by another client" }] };
    expect(await bring(other.client)).toEqual(taken);
    expect(await bring(elsewhere.client)).toEqual({ accepted: ["Weather"], rejected: [] });
    one.client.close();
    await one.closed;
    expect(await bring(other.client)).toEqual({ accepted: ["Weather"], rejected: [] });
  });

  test("registering stops at 128 tools of a client (P-EXT-2)", async () => {
    const { client } = scenario([]).connect();
    const many = Array.from({ length: 129 }, (_, index) => ({ ...weather, name: `t${index}` }));
    const { accepted, rejected } = (await bring(client, many)) as { accepted: string[]; rejected: unknown };
    expect(accepted).toHaveLength(128);
    expect(rejected).toEqual([{ name: "t128", reason: "a client may register at most 128 tools" }]);
    const again = [...many.slice(0, 128), many[0]];
    expect(await bring(client, again)).toMatchObject({ rejected: [] });
  });

  test("registering stops at 262,144 bytes of one initialize, and what is small enough still fits (P-EXT-2)", async () => {
    const { client } = scenario([]).connect();
    const long = (name: string, size: number) => ({ ...weather, name, description: "界".repeat(size / 3) });
    const many = [...["a", "b", "c", "d", "e"].map((name) => long(name, 60_000)), long("f", 9)];
    const reason = "the tools of a client may have at most 262144 bytes of JSON together";
    expect(await bring(client, many)).toEqual({
      accepted: ["a", "b", "c", "d", "f"],
      rejected: [{ name: "e", reason }],
    });
    expect(await bring(client, many.slice(3))).toEqual({ accepted: ["d", "e", "f"], rejected: [] });
  });

  test("registering does not read schemas without end: refused ones count, and those of one name too (P-EXT-2)", async () => {
    const { client } = scenario([]).connect();
    const parameters = { $comment: "x".repeat(60_000), type: "banana" };
    const same = Array.from({ length: 100 }, () => ({ ...weather, parameters }));
    const { rejected } = (await bring(client, same)) as { rejected: { reason: string }[] };
    expect(rejected.filter(({ reason }) => reason.startsWith("parameters.type"))).toHaveLength(4);
    expect(rejected.filter(({ reason }) => reason.includes("262144 bytes"))).toHaveLength(96);
  });
});

describe("a call", () => {
  test("a call reaches its client under the model's id with exactly the wire's fields, and its value reaches the model (P-EXT-4, P-EXT-7)", async () => {
    const { connect, model } = scenario([asksWeather(), "text: b"]);
    const { client } = connect();
    await bring(client);
    const { prompt, asked: request } = await client.begin("ToolCallRequest");
    expect(request.id).toBe("tc-1");
    expect(payload(request)).toEqual({ id: "tc-1", name: "Weather", arguments: '{"city":"Rome"}' });
    const parts = [
      { type: "text", text: "sunny" },
      { type: "image_url", image_url: { url: "data:,", id: null } },
    ];
    const chart = { type: "chart", points: [1] };
    const return_value = { ...sunny, output: parts, message: "m", display: [chart], extras: { at: 1 } };
    client.reply(request, { tool_call_id: "tc-1", return_value: { ...return_value, more: 1 } });
    expect(await toolResult(client)).toEqual({
      ...return_value,
      display: [{ type: "chart", data: { points: [1] } }],
    });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("sunny");
  });

  test.each([null, "", "  "])(
    "a call of a model without arguments (%j) has none, where the tool needs none",
    async (args) => {
      const call = { id: "tc-1", name: "Now", arguments: args };
      const { connect } = scenario([`tool_call: ${JSON.stringify(call)}`, "text: b"]);
      const { client } = connect();
      await bring(client, [{ ...weather, name: "Now", parameters: { type: "object", properties: {} } }]);
      const { prompt, asked: request } = await client.begin("ToolCallRequest");
      client.reply(request, { tool_call_id: "tc-1", return_value: sunny });
      expect(await toolResult(client)).toMatchObject({ output: "sunny" });
      await prompt;
    },
  );

  test.each<[string, object, string]>([
    ["an error", { error: { code: -32000, message: "no such city" } }, "no such city"],
    ["method not found", { error: { code: -32601, message: "what?" } }, "does not run this tool: what?"],
    ["null", { result: null }, "no valid result"],
    ["no return value", { result: { tool_call_id: "tc-1" } }, "return_value: expected object"],
    ["no id", { result: { return_value: sunny } }, "tool_call_id: expected string"],
    [
      "a part of an unknown type",
      { result: { tool_call_id: "tc-1", return_value: { ...sunny, output: [{ type: "smell" }] } } },
      "no valid result",
    ],
  ])("a call that is answered with %s fails, and the turn continues (P-EXT-8)", async (_, answer, told) => {
    const { client } = scenario([asksWeather(), "text: b"]).connect();
    await bring(client);
    const { prompt, asked: request } = await client.begin("ToolCallRequest");
    client.send({ jsonrpc: "2.0", id: request.id, ...answer });
    const result = await toolResult(client);
    expect(result).toMatchObject({ is_error: true, output: "" });
    expect(result.message).toContain(told);
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test.each<[string, string, string]>([
    ["a wrong value", '{"city":7}', 'city: Instance type "number" is invalid. Expected "string".'],
    ["a missing one", "", 'Instance does not have required property "city".'],
    ["broken JSON", "{", "not JSON"],
  ])("a call with %s is not sent, and its result says what is wrong (P-EXT-5)", async (_, args, told) => {
    const line = `tool_call: ${JSON.stringify({ id: "tc-1", name: "Weather", arguments: args })}`;
    const { client } = scenario([line, "text: b"]).connect();
    await bring(client);
    await client.call("prompt", { user_input: "go" });
    const result = await toolResult(client);
    expect(result).toMatchObject({ is_error: true });
    expect(result.message).toContain(`Invalid arguments: ${told}`);
    expect(client.story()).not.toContain("ask ToolCallRequest");
  });

  test("a call goes to the client that brought the tool and to no other, whatever another answers (P-EXT-4)", async () => {
    const { connect, server } = scenario([asksWeather(), "text: b"]);
    const session = server.createSession();
    const [owner, other] = [connect({ session }), connect({ session })];
    await bring(owner.client);
    await bring(other.client, []);
    const prompt = other.client.call("prompt", { user_input: "go" });
    const request = await owner.client.seen("ToolCallRequest");
    other.client.reply(request, { tool_call_id: "tc-1", return_value: { ...sunny, output: "stolen" } });
    await other.client.settled();
    owner.client.reply(request, { tool_call_id: "tc-1", return_value: sunny });
    expect(await toolResult(other.client)).toEqual(sunny);
    await prompt;
    expect(other.client.story()).not.toContain("ask ToolCallRequest");
  });

  test("a call that is cancelled gives no result, and its id is not used again while it is unanswered (P-EXT-7)", async () => {
    const { client } = scenario([asksWeather(), asksWeather(), "text: b"]).connect();
    await bring(client);
    const { prompt: first, asked: given } = await client.begin("ToolCallRequest");
    await client.call("cancel");
    expect((await first).result).toEqual({ status: "cancelled" });
    const second = client.call("prompt", { user_input: "again" });
    const request = await client.seen("ToolCallRequest", 2);
    client.reply(given, { tool_call_id: "tc-1", return_value: { ...sunny, output: "late" } });
    expect([request.id, payload(request).id]).toEqual(["tc-1#2", "tc-1#2"]);
    client.reply(request, { tool_call_id: "tc-1#2", return_value: sunny });
    await second;
    expect(await toolResult(client)).toEqual(sunny);
    expect(client.story().filter((word) => word === "ToolResult")).toHaveLength(1);
  });

  test("a call with an id that the model repeats gets it again once the first is answered (P-EXT-7)", async () => {
    const { client } = scenario([asksWeather(), asksWeather(), "text: b"]).connect();
    await bring(client);
    const prompt = client.call("prompt", { user_input: "go" });
    for (const n of [1, 2]) {
      const request = await client.seen("ToolCallRequest", n);
      expect([request.id, payload(request).id]).toEqual(["tc-1", "tc-1"]);
      client.reply(request, { tool_call_id: "tc-1", return_value: sunny });
    }
    await prompt;
  });

  test("two calls at once with one id are both answered, each by its own reply (P-EXT-7)", async () => {
    const both = `${asksWeather("tc-1", { city: "Rome" })}\n${asksWeather("tc-1", { city: "Oslo" })}`;
    const { client } = scenario([both, "text: b"]).connect();
    await bring(client);
    const prompt = client.call("prompt", { user_input: "go" });
    const [rome, oslo] = [await client.seen("ToolCallRequest"), await client.seen("ToolCallRequest", 2)];
    expect([rome.id, oslo.id]).toEqual(["tc-1", "tc-1#2"]);
    client.reply(oslo, { tool_call_id: oslo.id, return_value: { ...sunny, output: "rain" } });
    client.reply(rome, { tool_call_id: rome.id, return_value: sunny });
    await prompt;
    const outputs = [await toolResult(client, 1), await toolResult(client, 2)].map(({ output }) => output);
    expect(outputs.sort()).toEqual(["rain", "sunny"]);
  });

  test.each(["attended", "hold", "decline"] as const)(
    "a call of a lost client fails, under %s too (P-EXT-6)",
    async (attendance) => {
      const { connect, server } = scenario([asksWeather(), "text: b"], { attendance });
      const session = server.createSession();
      const [owner, other] = [connect({ session }), connect({ session })];
      await bring(owner.client);
      await bring(other.client, []);
      const prompt = other.client.call("prompt", { user_input: "go" });
      await owner.client.seen("ToolCallRequest");
      owner.client.close();
      const result = await toolResult(other.client);
      expect(result).toMatchObject({ is_error: true });
      expect(result.message).toContain("is gone");
      expect((await prompt).result).toEqual({ status: "finished" });
    },
  );
});
