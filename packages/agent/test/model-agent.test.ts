import { defineTool, type History, type Message, ModelError, type ModelPart } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { drivenClock } from "../../server/test/driven-clock.js";
import { payload } from "../../server/test/raw-client.js";
import { asks, callLine, colour, scenario } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { readScript } from "../src/models/script.js";

const red = (id: unknown) => ({ request_id: id, answers: { "Which colour?": "Red" } });

function counted() {
  let runs = 0;
  const tool = defineTool({
    name: "Count",
    description: "counts",
    parameters: z.looseObject({}),
    run: () => String(++runs),
  });
  return { tool, runs: () => runs };
}

describe("a provider that fails for the moment", () => {
  async function failing(scripts: string[], maxAttemptsPerStep = 3) {
    const clock = drivenClock();
    const wire = scenario(scripts, { agentOptions: { clock, maxAttemptsPerStep } });
    const { client } = await wire.meet();
    return { wire, client, clock };
  }

  test("a provider that fails for the moment is tried again after a wait that grows, and clients are told of each (P-STP-4)", async () => {
    const { client, clock } = await failing([
      "error: 503 busy",
      "text: par\nerror: connection lost",
      "text: whole",
    ]);
    const turn = client.call("prompt", { user_input: "go" });
    expect(payload(await client.seen("StepRetry"))).toEqual({
      n: 1,
      next_attempt: 2,
      max_attempts: 3,
      wait_s: 0.3,
      error_type: "APIStatusError",
      status_code: 503,
    });
    clock.advance(300);
    expect(payload(await client.seen("StepRetry", 2))).toEqual({
      n: 1,
      next_attempt: 3,
      max_attempts: 3,
      wait_s: 0.6,
      error_type: "APIConnectionError",
      status_code: null,
    });
    clock.advance(600);
    expect((await turn).result).toEqual({ status: "finished" });
    expect(client.story().filter((word) => word === "StepBegin")).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  test("a provider that was tried often enough ends the turn, with its own words (P-STP-4)", async () => {
    const { client, clock } = await failing(["error: 503 a", "error: 429 b", "text: c"], 2);
    const { prompt: turn } = await client.begin("StepRetry");
    clock.advance(300);
    expect((await turn).error).toMatchObject({ code: -32003, message: "b" });
    expect(client.story().slice(-3)).toEqual(["StepInterrupted", "TurnEnd", "prompt: -32003"]);
  });

  test.each([
    ["says nothing", "id: m-1", "empty"],
    ["only thinks", "think: hm\nusage: input_other=5 output=9", "no words"],
  ])("a provider that %s is tried again, and then fails (P-STP-4)", async (_, script, message) => {
    const { client, clock } = await failing([script, script], 2);
    const turn = client.call("prompt", { user_input: "go" });
    expect(payload(await client.seen("StepRetry"))).toMatchObject({
      error_type: "APIEmptyResponseError",
      status_code: null,
    });
    clock.advance(300);
    expect((await turn).error).toMatchObject({ code: -32003, message: expect.stringContaining(message) });
    expect(client.story()).not.toContain("StatusUpdate");
  });

  test("a provider is not tried again for good errors, nor after a tool has run (P-STP-4)", async () => {
    const { tool, runs } = counted();
    const bad = await failing(["error: 400 no", "text: c"]);
    expect((await bad.client.call("prompt", { user_input: "go" })).error).toMatchObject({ message: "no" });
    async function* stream() {
      yield* readScript(`${callLine("Count", {})}\ntext: x`) as ModelPart[];
      await until(() => runs() === 1);
      throw new ModelError("status", "late", 503);
    }
    const { client } = await scenario([], { tools: [tool], model: { stream } }).meet();
    expect((await client.call("prompt", { user_input: "go" })).error).toMatchObject({ message: "late" });
    expect(runs()).toBe(1);
  });

  test("a cancel ends the wait for a provider (P-TRN-6)", async () => {
    const { client, clock } = await failing(["error: 503 busy", "text: b"]);
    const { prompt: turn } = await client.begin("StepRetry");
    await client.call("cancel");
    expect((await turn).result).toEqual({ status: "cancelled" });
    expect(clock.waiting).toBe(0);
  });

  test("a provider that wants a new login is reported by a code of its own (P-TRN-4)", async () => {
    const { client } = await scenario(["error: 401 expired"], { model: { login: true } }).meet();
    expect((await client.call("prompt", { user_input: "x" })).error).toMatchObject({ code: -32004 });
    const other = await scenario(["error: 401 wrong key"]).meet();
    expect((await other.client.call("prompt", { user_input: "x" })).error).toMatchObject({ code: -32003 });
  });
});

describe("equal calls in one step", () => {
  test("equal calls in one step are run once and reported twice, whatever the order of their keys (P-STP-3)", async () => {
    const { tool, runs } = counted();
    const first = `tool_call: ${JSON.stringify({ id: "a", name: "Count", arguments: '{"x":1,"y":[2]}' })}`;
    const second = `tool_call: ${JSON.stringify({ id: "b", name: "Count", arguments: '{ "y": [2], "x": 1 }' })}`;
    const third = callLine("Count", { x: 2 }, "c");
    const { client } = await scenario([`${first}\n${second}\n${third}`, "text: b"], { tools: [tool] }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(runs()).toBe(2);
    const results = client.received.filter(({ params }) => params?.type === "ToolResult").map(payload);
    const outputs = Object.fromEntries(
      results.map((result) => [result.tool_call_id, (result.return_value as { output: string }).output]),
    );
    expect(outputs).toEqual({ a: "1", b: "1", c: "2" });
  });

  test("calls in one step are not equal when one has an object where the other has a list (P-STP-3)", async () => {
    const { tool, runs } = counted();
    const calls = [callLine("Count", { x: { a: 1 } }, "a"), callLine("Count", { x: [["a", 1]] }, "b")];
    const { client } = await scenario([calls.join("\n"), "text: b"], { tools: [tool] }).meet();
    await client.call("prompt", { user_input: "go" });
    expect(runs()).toBe(2);
  });

  test("equal calls in one step ask the person once (P-STP-3)", async () => {
    const { client } = await scenario([`${asks([colour], "a")}\n${asks([colour], "b")}`, "text: b"]).meet();
    const { prompt: turn, asked: question } = await client.begin("QuestionRequest");
    client.reply(question, red(question.id));
    await turn;
    expect(client.story().filter((word) => word.startsWith("ask"))).toHaveLength(1);
    expect(client.received.filter(({ params }) => params?.type === "ToolResult")).toHaveLength(2);
  });
});

describe("a turn that is cut short", () => {
  test("the model learns of calls that were finished and of those that were not in a turn that is cut short (P-STP-5)", async () => {
    const { tool } = counted();
    const never = defineTool({
      name: "Never",
      description: "never ends",
      parameters: z.looseObject({}),
      run: () => new Promise<string>(() => {}),
    });
    const script = `text: hm\n${callLine("Count", {}, "a")}\n${callLine("Never", {}, "b")}`;
    const wire = scenario([script, "text: b"], { tools: [tool, never] });
    const { client } = await wire.meet();
    const { prompt: turn } = await client.begin("ToolResult");
    await client.call("cancel");
    await turn;
    await client.call("prompt", { user_input: "and now?" });
    expect(wire.model.requests[1]?.messages).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "text", text: "hm" }], tool_calls: [{ id: "a" }, { id: "b" }] },
      { role: "tool", tool_call_id: "a", result: { is_error: false, output: "1" } },
      { role: "tool", tool_call_id: "b", result: { is_error: true } },
      { role: "user", content: "and now?" },
    ]);
  });
});

describe("compaction", () => {
  const full = "text: a\nusage: input_other=90 output=5";

  test("compaction happens by itself before a step that might not fit (P-CMP-1)", async () => {
    const wire = scenario([full, "text: the summary", "text: c"], { model: { maxContextTokens: 100 } });
    const { client } = await wire.meet();
    await client.call("prompt", { user_input: "one" });
    client.story();
    await client.call("prompt", { user_input: "two" });
    const story = client.story();
    expect(story.slice(0, 4)).toEqual(["TurnBegin", "StepBegin", "CompactionBegin", "CompactionEnd"]);
    const [, summarizing, after] = wire.model.requests;
    expect(summarizing?.tools).toEqual([]);
    expect(summarizing?.messages.at(-1)?.role).toBe("user");
    expect(after?.messages).toHaveLength(2);
    expect(JSON.stringify(after?.messages[0])).toContain("the summary");
    expect(after?.messages[1]).toEqual({ role: "user", content: "two" });
  });

  test("compaction that the provider fails at leaves the conversation unchanged (P-CMP-2)", async () => {
    const commands = ({ compact }: { compact(turn: never): Promise<void> }) => [
      { name: "compact", description: "Compacts", run: (turn: unknown) => compact(turn as never) },
    ];
    const wire = scenario(["text: a", "error: 400 no", "text: c"], {
      agentOptions: { commands: commands as never },
    });
    const { client } = await wire.meet();
    await client.call("prompt", { user_input: "one" });
    expect((await client.call("prompt", { user_input: "/compact" })).error).toMatchObject({ code: -32003 });
    const story = client.story();
    expect(story.slice(story.indexOf("CompactionBegin"))).toEqual([
      "CompactionBegin",
      "CompactionEnd",
      "TurnEnd",
      "prompt: -32003",
    ]);
    await client.call("prompt", { user_input: "two" });
    expect(wire.model.requests[2]?.messages).toHaveLength(3);
  });
});

test("a history is loaded, and everything that is said goes there (P-JRN-9)", async () => {
  let kept: readonly Message[] = [{ role: "user", content: "long ago" }];
  const history: History = {
    load: () => kept,
    append(messages) {
      kept = [...kept, ...messages];
    },
    replace(messages) {
      kept = [...messages];
    },
  };
  const wire = scenario([callLine("Count", {}), "text: b"], {
    tools: [counted().tool],
    agentOptions: { history },
  });
  const { client } = await wire.meet();
  await client.call("prompt", { user_input: "go" });
  expect(wire.model.requests[0]?.messages).toHaveLength(2);
  expect(kept.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool", "assistant"]);
});

test("the model is told that nobody is there, and once that somebody is back", async () => {
  const wire = scenario(["text: a", "text: b", "text: c"], { attendance: "decline" });
  const { client, session } = await wire.meet();
  await client.call("prompt", { user_input: "1" });
  session.attendance = "attended";
  await client.call("prompt", { user_input: "2" });
  await client.call("prompt", { user_input: "3" });
  const [away, back, later] = wire.model.requests.map(({ system }) => system);
  expect(away).toMatch(/^Nobody is there to answer/);
  expect(back).toMatch(/^Somebody is there again/);
  expect(later).toBeUndefined();
});

test("a kept conversation that fills the model is compacted before its first step (P-CMP-1)", async () => {
  const long: Message = { role: "user", content: "x".repeat(1_000) };
  const history: History = { load: () => [long], append() {}, replace() {} };
  const wire = scenario(["text: short", "text: b"], {
    model: { maxContextTokens: 100 },
    agentOptions: { history },
  });
  const { client } = await wire.meet();
  await client.call("prompt", { user_input: "go" });
  expect(client.story().slice(0, 4)).toEqual(["TurnBegin", "StepBegin", "CompactionBegin", "CompactionEnd"]);
});
