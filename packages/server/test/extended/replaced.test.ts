import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { servedSession } from "../../src/session/served-session.js";
import type { Message } from "../raw-client.js";
import { callLine, scenario } from "../scenario.js";
import { asking, everything, items, meetExtended, question } from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };
const hook = { id: "h", event: "PreToolUse" };
const submit = { id: "h", event: "UserPromptSubmit" };

const configured = (result: Message["result"]) =>
  (result?.hooks as { configured?: object } | undefined)?.configured;

/** A client that keeps its id over connections. */
function sameClient() {
  const client_id = randomUUID();
  return { shows: { ...everything, client_id } };
}

describe("the same client on another connection (P-XAT-1)", () => {
  test("the older of two connections of one client is closed with 4409", async () => {
    const set = await listeningExtended([]);
    const session = set.server.createSession();
    const same = sameClient();
    const one = await set.joinExtended(`/wire/${session.id}`, same);
    const two = await set.joinExtended(`/wire/${session.id}`, same);
    expect(await one.ended).toMatch(/^4409/);
    expect([two.isClosed, session.connections]).toEqual([false, 1]);
  });

  test("a client replaces its older connection also where it writes its id in capitals", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const { shows } = sameClient();
    const one = await meetExtended(set, { session }, { shows });
    const capitals = { ...shows, client_id: shows.client_id.toUpperCase() };
    await meetExtended(set, { session }, { shows: capitals });
    expect([one.client.isClosed, session.connections]).toEqual([true, 1]);
  });

  test("a client of another session, or without a session, replaces nobody", async () => {
    const set = await listeningExtended([]);
    const [here, there] = [set.server.createSession(), set.server.createSession()];
    const same = sameClient();
    const clients = [
      await set.joinExtended(`/wire/${here.id}`, same),
      await set.joinExtended(`/wire/${there.id}`, same),
      await set.joinExtended(`/wire/${here.id}`, sameClient()),
      await set.joinExtended(`/wire/${here.id}`),
      await set.joinExtended(`/wire/${here.id}`),
    ];
    for (const client of clients) await client.settled();
    expect(clients.map(({ isClosed }) => isClosed)).toEqual([false, false, false, false, false]);
    expect([here.connections, there.connections]).toEqual([4, 1]);
  });

  test("an open question moves to the new connection, which answers it; nobody is asked twice", async () => {
    const set = asking(() => [question()]);
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one } = await meetExtended(set, { session }, same);
    const { client: watcher } = await meetExtended(set, { session });
    void one.call("prompt", { user_input: "go", turn_id: "t" });
    const asked = await one.asked("QuestionRequest");
    const { client: two } = await meetExtended(set, { session }, same);
    const again = await two.asked("QuestionRequest");
    expect([again.id, again.params?.payload]).toEqual([asked.id, asked.params?.payload]);
    expect(again.params).not.toHaveProperty("seq");
    expect(one.isClosed).toBe(true);
    const prompt = two.call("prompt", { user_input: "go", turn_id: "t" });
    expect((await two.answer(again, { items })).error).toBeUndefined();
    expect((await prompt).result).toEqual({ status: "finished" });
    await watcher.settled();
    expect(watcher.events("TurnBegin")).toHaveLength(1);
    expect(watcher.requests()).toHaveLength(1);
  });

  test("the new connection is told nothing of the question that the client was taken off before (P-XAN-1)", async () => {
    const set = asking(() => [question()]);
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one } = await meetExtended(set, { session }, same);
    const { client: other } = await meetExtended(set, { session });
    void one.call("prompt", { user_input: "go" });
    await one.cannot(await one.seen("QuestionRequest"));
    await one.settled();
    const asked = await other.asked("QuestionRequest");
    await meetExtended(set, { session }, same);
    expect((await other.answer(asked, { items })).error).toBeUndefined();
    expect(set.opened[0]?.outcome).toMatchObject({ status: "answered" });
  });

  test("a tool call moves to the new connection with its request_id, and tools stay registered where nothing is said of them (P-XTH-1)", async () => {
    const set = scenario([callLine("Weather", {}), callLine("Weather", {}, "tc-2"), "text: b"]);
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one } = await meetExtended(set, { session }, { ...same, external_tools: [weather] });
    const { client: watcher } = await meetExtended(set, { session });
    const { asked: call } = await one.begin("ToolCallRequest");
    const { client: two } = await meetExtended(set, { session }, same);
    const again = await two.seen("ToolCallRequest");
    expect(again.params?.payload).toEqual(call.params?.payload);
    two.reply(again, { tool_call_id: again.id, return_value: sunny });
    const next = await two.seen("ToolCallRequest", 2);
    expect(next.params?.payload.request_id).not.toBe(call.params?.payload.request_id);
    two.reply(next, { tool_call_id: next.id, return_value: sunny });
    await watcher.seen("TurnEnd");
    expect(watcher.events("ToolResult").map(({ payload }) => payload.return_value)).toMatchObject([
      sunny,
      sunny,
    ]);
    expect(watcher.events("InteractionSettled")).toHaveLength(2);
  });

  test("tools and hooks of the new connection take the place of the client's earlier ones, and of nobody else's", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const same = sameClient();
    const old = { ...weather, name: "Old" };
    await meetExtended(set, { session }, { ...same, external_tools: [old, weather], hooks: [hook] });
    await meetExtended(
      set,
      { session },
      { external_tools: [{ ...weather, name: "Other" }], hooks: [{ id: "x", event: "Stop" }] },
    );
    const { client: two } = set.connect({ session });
    const capabilities = { supports_question: true, askwire: { revision: 3, ...same.shows } };
    const { result } = await two.call("initialize", {
      protocol_version: "1.10",
      capabilities,
      external_tools: [weather, { ...weather, name: "Other" }],
      hooks: [],
    });
    expect(result?.external_tools).toEqual({
      accepted: ["Weather"],
      rejected: [{ name: "Other", reason: "provided by another client" }],
    });
    expect(configured(result)).toEqual({});
    expect(
      servedSession(session)
        .externalTools.map(({ name }) => name)
        .sort(),
    ).toEqual(["Other", "Weather"]);
    expect([
      servedSession(session).hooks.has("PreToolUse"),
      servedSession(session).hooks.has("Stop"),
    ]).toEqual([false, true]);
  });

  test("hooks of a client stay in force where the new connection does not name them, and are asked there", async () => {
    const set = scenario(["text: b"]);
    const session = set.server.createSession();
    const same = sameClient();
    await meetExtended(set, { session }, { ...same, hooks: [submit] });
    const { client: two } = set.connect({ session });
    const capabilities = { supports_question: true, askwire: { revision: 3, ...same.shows } };
    const { result } = await two.call("initialize", { protocol_version: "1.10", capabilities });
    expect(configured(result)).toEqual({ UserPromptSubmit: 1 });
    const { prompt, asked } = await two.begin("HookRequest");
    two.reply(asked, { request_id: asked.id, action: "allow" });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a hook that is being asked moves to the new connection with its request_id", async () => {
    const set = scenario(["text: b"]);
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one } = await meetExtended(set, { session }, { ...same, hooks: [submit] });
    void one.call("prompt", { user_input: "go", turn_id: "t" });
    const asked = await one.seen("HookRequest");
    const { client: two } = await meetExtended(set, { session }, same);
    const again = await two.seen("HookRequest");
    expect(again.params?.payload).toEqual(asked.params?.payload);
    two.reply(again, { request_id: again.id, action: "allow" });
    expect((await two.call("prompt", { user_input: "go", turn_id: "t" })).result).toEqual({
      status: "finished",
    });
  });

  test("the old connection's end takes nothing with it, however late it comes", async () => {
    const set = await listeningExtended([callLine("Weather", {}), "text: b"]);
    const session = set.server.createSession();
    const same = sameClient();
    const one = await set.joinExtended(`/wire/${session.id}`, { ...same, external_tools: [weather] });
    one.socket.pause();
    const two = await set.joinExtended(`/wire/${session.id}`, { ...same, external_tools: [weather] });
    const { prompt, asked: call } = await two.begin("ToolCallRequest");
    one.socket.terminate();
    await one.ended;
    await two.settled();
    expect(session.pending.length).toBe(1);
    two.reply(call, { tool_call_id: call.id, return_value: sunny });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a base client that declares no id is never taken for another connection's client", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one } = await meetExtended(set, { session }, same);
    const { client: base } = set.connect({ session });
    await base.call("set_plan_mode", { enabled: false });
    const capabilities = { askwire: { revision: 3, ...same.shows } };
    await base.call("initialize", { protocol_version: "1.10", capabilities });
    await one.settled();
    expect([one.isClosed, session.connections]).toEqual([false, 2]);
  });
});
