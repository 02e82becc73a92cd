import { describe, expect, test } from "vitest";
import { type DrivenClock, drivenClock } from "./driven-clock.js";
import { payload, type RawClient } from "./raw-client.js";
import { approvedTool, callLine, scenario, toolResult } from "./scenario.js";

const before = (matcher = "", more: object = {}) => ({ id: "h1", event: "PreToolUse", matcher, ...more });
const shell = callLine("Shell", { command: "ls" });
const options = { tools: [approvedTool("Shell")], yolo: true, workDir: "/work folder" };

/** Subscribes the hooks of a client, and says what is in force. */
async function subscribe(client: RawClient, hooks: unknown[], protocol_version = "1.10"): Promise<unknown> {
  const { result } = await client.call("initialize", { protocol_version, hooks });
  client.story();
  return (result as { hooks: { configured: unknown } }).hooks.configured;
}

const scripts = [shell, "text: done"];

describe("subscribing", () => {
  test("subscribing counts what is in force, and drops unknown events, broken and too long matchers (P-HOK-1)", async () => {
    const { connect, warnings } = scenario([], options);
    const { client } = connect();
    const hooks = [
      before("Shell"),
      before("", { id: "h2" }),
      { id: "h3", event: "Stop" },
      { id: "h4", event: "PreToolUsed" },
      before("(", { id: "h5" }),
      before("x".repeat(257), { id: "h6" }),
    ];
    expect(await subscribe(client, hooks)).toEqual({ PreToolUse: 2, Stop: 1 });
    expect(warnings).toEqual(["a hook is not in force", "a hook is not in force"]);
  });

  test("subscribing again replaces what the client had, and of two hooks with one id the later counts (P-HOK-1)", async () => {
    const { client } = scenario(scripts, options).connect();
    expect(await subscribe(client, [before(), before("Shell")])).toEqual({ PreToolUse: 1 });
    expect(await subscribe(client, [before(), before("(")])).toEqual({});
    expect(await subscribe(client, [{ id: "h1", event: "Stop" }])).toEqual({ Stop: 1 });
    const { prompt, asked: request } = await client.begin("HookRequest");
    client.reply(request, { request_id: request.id });
    await prompt;
    expect(client.story().filter((word) => word === "ask HookRequest")).toHaveLength(1);
    expect(await subscribe(client, [])).toEqual({});
    await client.call("prompt", { user_input: "go" });
    expect(client.story()).not.toContain("ask HookRequest");
  });

  test("subscribing stops at 128 hooks of a client (P-HOK-1)", async () => {
    const { client } = scenario([], options).connect();
    const many = Array.from({ length: 130 }, (_, index) => before("", { id: `h${index}` }));
    expect(await subscribe(client, many)).toEqual({ PreToolUse: 128 });
  });
});

describe("a hook before a tool", () => {
  test("a hook before a tool is asked with exactly the wire's fields, between HookTriggered and HookResolved, and lets it run (P-HOK-2, P-HOK-4, P-HOK-5)", async () => {
    const { client, session } = scenario(scripts, options).connect();
    await subscribe(client, [before("Sh.*l")]);
    const { prompt, asked: request } = await client.begin("HookRequest");
    expect(request.id).toMatch(/^[0-9a-f]{8}-/);
    expect(payload(request)).toEqual({
      id: request.id,
      subscription_id: "h1",
      event: "PreToolUse",
      target: "Shell",
      input_data: {
        hook_event_name: "PreToolUse",
        session_id: session.id,
        cwd: "/work folder",
        tool_name: "Shell",
        tool_input: { command: "ls" },
        tool_call_id: "tc-1",
      },
    });
    client.reply(request, { request_id: request.id });
    expect(await toolResult(client)).toMatchObject({ is_error: false, output: "done" });
    await prompt;
    const about = { event: "PreToolUse", target: "Shell" };
    expect(payload(await client.seen("HookTriggered"))).toEqual({ ...about, hook_count: 1 });
    const duration_ms = expect.any(Number);
    const resolved = payload(await client.seen("HookResolved"));
    expect(resolved).toEqual({ ...about, action: "allow", reason: "", duration_ms });
    const story = client.story().filter((word) => /Hook|ToolResult/.test(word));
    expect(story).toEqual(["HookTriggered", "ask HookRequest", "HookResolved", "ToolResult"]);
  });

  test("a hook that blocks keeps the tool from running, and the model reads why (P-HOK-3)", async () => {
    const { connect, model } = scenario(scripts, options);
    const { client } = connect();
    await subscribe(client, [before("Shell"), { id: "h2", event: "PostToolUseFailure" }]);
    const { prompt, asked: request } = await client.begin("HookRequest");
    client.reply(request, { request_id: request.id, action: "block", reason: "not on Fridays" });
    const result = await toolResult(client);
    expect(result).toMatchObject({ is_error: true, display: [{ type: "brief", text: "Hook blocked" }] });
    expect(result.message).toContain("not on Fridays");
    expect(payload(await client.seen("HookResolved"))).toMatchObject({
      action: "block",
      reason: "not on Fridays",
    });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.story().filter((word) => word === "HookTriggered")).toHaveLength(1);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("not on Fridays");
  });

  test("a hook without a matching matcher is not asked, and nobody is told of it (P-HOK-1)", async () => {
    const { client } = scenario(scripts, options).connect();
    await subscribe(client, [before("^Write"), { id: "h2", event: "PostCompact" }]);
    await client.call("prompt", { user_input: "go" });
    expect(client.story().filter((word) => word.includes("Hook"))).toEqual([]);
  });

  test.each<[string, object]>([
    ["an error", { error: { code: -32000, message: "no" } }],
    ["method not found", { error: { code: -32601, message: "no" } }],
    ["null", { result: null }],
    ["an unknown action", { result: { request_id: "x", action: "perhaps" } }],
    ["no request_id", { result: { action: "block" } }],
  ])(
    "a hook that answers %s allows, or blocks where it was subscribed to block (P-HOK-4)",
    async (_, answer) => {
      for (const on_failure of ["allow", "block"]) {
        const { client } = scenario(scripts, options).connect();
        await subscribe(client, [before("", { on_failure })]);
        const prompt = client.call("prompt", { user_input: "go" });
        client.send({ jsonrpc: "2.0", id: (await client.seen("HookRequest")).id, ...answer });
        const result = await toolResult(client);
        expect(result.is_error).toBe(on_failure === "block");
        if (on_failure === "block") expect(result.message).toContain("the hook h1 failed");
        await prompt;
      }
    },
  );
});

/** True if time must pass before the tool's result comes. */
async function resultAfter(clock: DrivenClock, client: RawClient, ms: number): Promise<boolean> {
  clock.advance(ms);
  await client.settled();
  return client.story().includes("ToolResult");
}

describe("a hook that gives no answer", () => {
  test.each<[unknown, number]>([
    [undefined, 30_000],
    [5, 5_000],
    [-1, 1_000],
    [1e12, 86_400_000],
  ])(
    "a hook that gives no answer in time allows: a timeout of %s is %i ms (P-HOK-4)",
    async (timeout, ms) => {
      const clock = drivenClock();
      const { client } = scenario(scripts, { ...options, clock }).connect();
      await subscribe(client, [before("", timeout === undefined ? {} : { timeout })]);
      const { prompt, asked: late } = await client.begin("HookRequest");
      expect(await resultAfter(clock, client, ms - 1)).toBe(false);
      expect(await resultAfter(clock, client, 1)).toBe(true);
      client.reply(late, { request_id: late.id, action: "block" });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect(await toolResult(client)).toMatchObject({ output: "done" });
    },
  );

  test("a hook is not waited for once it has answered: no timer is left (P-HOK-4)", async () => {
    const clock = drivenClock();
    const { client } = scenario(scripts, { ...options, clock }).connect();
    await subscribe(client, [before()]);
    const idle = clock.waiting;
    const { prompt, asked: request } = await client.begin("HookRequest");
    expect(clock.waiting).toBe(idle + 1);
    client.reply(request, { request_id: request.id });
    await prompt;
    expect(clock.waiting).toBe(idle);
  });

  test("a hook that gives no answer and was subscribed to block, blocks (P-HOK-4)", async () => {
    const clock = drivenClock();
    const { client } = scenario(scripts, { ...options, clock }).connect();
    await subscribe(client, [before("", { on_failure: "block" })]);
    const { prompt } = await client.begin("HookRequest");
    clock.advance(30_000);
    expect((await toolResult(client)).message).toContain("the hook h1 failed: it gave no answer in time");
    await prompt;
  });

  test("a hook is not waited for when its client is gone, nor when the turn is cancelled (P-HOK-8, P-EXT-6)", async () => {
    const { connect, server } = scenario([...scripts, shell], { ...options, attendance: "hold" });
    const session = server.createSession();
    const [owner, other] = [connect({ session }), connect({ session })];
    await subscribe(owner.client, [before()]);
    await subscribe(other.client, []);
    const first = other.client.call("prompt", { user_input: "go" });
    await owner.client.seen("HookRequest");
    owner.client.close();
    expect((await first).result).toEqual({ status: "finished" });
    expect(await toolResult(other.client)).toMatchObject({ output: "done" });

    await subscribe(other.client, [before()]);
    const second = other.client.call("prompt", { user_input: "again" });
    await other.client.seen("HookRequest");
    await other.client.call("cancel");
    expect((await second).result).toEqual({ status: "cancelled" });
    await other.client.settled();
    const story = other.client.story();
    expect(story.slice(story.indexOf("TurnEnd")).filter((word) => /Hook|ToolResult/.test(word))).toEqual([]);
  });
});

test("all hooks that match are asked at once, also of several clients, and the first reason counts in the order of subscription (P-HOK-2)", async () => {
  const { connect, server } = scenario(scripts, options);
  const session = server.createSession();
  const [one, other] = [connect({ session }), connect({ session })];
  await subscribe(one.client, [before("Shell"), before("Shell", { id: "h2" })]);
  await subscribe(other.client, [before("", { id: "h1" })]);
  const prompt = one.client.call("prompt", { user_input: "go" });
  const asked = [
    [other.client, await other.client.seen("HookRequest")],
    [one.client, await one.client.seen("HookRequest", 2)],
    [one.client, await one.client.seen("HookRequest")],
  ] as const;
  const answers = [
    { action: "block", reason: "third" },
    { action: "block", reason: "second" },
    { action: "allow", reason: "first" },
  ];
  for (const [index, [client, request]] of asked.entries()) {
    client.reply(request, { request_id: request.id, ...answers[index] });
  }
  await prompt;
  expect((await toolResult(one.client)).message).toContain("second");
  expect(payload(await other.client.seen("HookTriggered"))).toMatchObject({ hook_count: 3 });
  expect(payload(await other.client.seen("HookResolved"))).toMatchObject({
    action: "block",
    reason: "second",
  });
});

test("a client of an older version that subscribed a hook hears of it, another of that version does not (P-HOK-8)", async () => {
  const { connect, server } = scenario(scripts, options);
  const session = server.createSession();
  const [one, other] = [connect({ session }), connect({ session })];
  await subscribe(one.client, [before()], "1.6");
  await subscribe(other.client, [], "1.6");
  const prompt = one.client.call("prompt", { user_input: "go" });
  const request = await one.client.seen("HookRequest");
  one.client.reply(request, { request_id: request.id });
  await prompt;
  const heard = ({ client }: typeof one) => client.story().filter((word) => word.startsWith("Hook"));
  expect([heard(one), heard(other)]).toEqual([["HookTriggered", "HookResolved"], []]);
});

describe("a hook of the prompt", () => {
  test("a hook of the prompt that blocks keeps it from the agent, and says why (P-HOK-6)", async () => {
    const { connect, model } = scenario(scripts, options);
    const { client } = connect();
    await subscribe(client, [{ id: "h1", event: "UserPromptSubmit", matcher: "pass.*word" }]);
    const prompt = client.call("prompt", { user_input: "my passing word" });
    const request = await client.seen("HookRequest");
    expect(payload(request)).toMatchObject({
      target: "my passing word",
      input_data: { prompt: "my passing word" },
    });
    client.reply(request, { request_id: request.id, action: "block", reason: "no secrets" });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect([model.requests.length, client.story().includes("StepBegin")]).toEqual([0, false]);
    expect(JSON.stringify(payload(await client.seen("ContentPart")))).toContain("no secrets");
  });

  test.each([
    ["lets the agent continue once, with the reason as input", "write the tests too", 2],
    ["without a reason changes nothing: there is nothing to continue", " ", 1],
  ])("a hook at the end that blocks %s (P-HOK-6)", async (_what, reason, calls) => {
    const { connect, model } = scenario(["text: a", "text: b", "text: c"], options);
    const { client } = connect();
    await subscribe(client, [{ id: "h1", event: "Stop" }]);
    const { prompt, asked: request } = await client.begin("HookRequest");
    expect(payload(request)).toMatchObject({ target: "", input_data: { stop_hook_active: false } });
    client.reply(request, { request_id: request.id, action: "block", reason });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(model.requests).toHaveLength(calls);
    if (calls === 2) expect(JSON.stringify(model.requests[1]?.messages)).toContain(reason);
  });
});
