import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { servedSession } from "../../src/session/served-session.js";
import { type DrivenClock, drivenClock } from "../driven-clock.js";
import { callLine, scenario, toolResult } from "../scenario.js";
import { until } from "../until.js";
import { asking, everything, items, meetExtended, question } from "./extended-client.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };
const graceMs = 30_000;

const sameClient = () => ({ shows: { ...everything, client_id: randomUUID() } });

/** A session with a client that brings a tool, and one that watches. */
async function withTool(scripts: readonly string[], clock: DrivenClock = drivenClock()) {
  const set = scenario(scripts, { clock });
  const session = set.server.createSession();
  const same = sameClient();
  const first = await meetExtended(set, { session, graceMs }, { ...same, external_tools: [weather] });
  const { client: watcher } = await meetExtended(set, { session, graceMs }, { question: false });
  /** The first client is lost. */
  async function lose() {
    first.client.close();
    await first.closed;
    await until(() => session.connections === 1);
  }
  const back = () => meetExtended(set, { session, graceMs }, same);
  return { ...set, clock, session, same, one: first.client, watcher, lose, back };
}

describe("while a client with a client_id is lost for no longer than the grace (P-XAT-8)", () => {
  test("a call of a client that is lost within the grace waits for it, and comes to it again under the same request_id (P-XTH-1)", async () => {
    const { one, watcher, lose, back, clock, session } = await withTool([callLine("Weather", {}), "text: b"]);
    void watcher.call("prompt", { user_input: "go" });
    const call = await one.seen("ToolCallRequest");
    await lose();
    clock.advance(29_999);
    expect(session.pending.length).toBe(1);
    const { client } = await back();
    const again = await client.seen("ToolCallRequest");
    expect(again.params?.payload).toEqual(call.params?.payload);
    clock.advance(100_000);
    expect([session.pending.length, servedSession(session).externalTools.length]).toEqual([1, 1]);
    client.reply(again, { tool_call_id: again.id, return_value: sunny });
    expect(await toolResult(watcher)).toMatchObject(sunny);
    await watcher.seen("TurnEnd");
  });

  test("at most 64 lost clients are waited for at once: with one more, the one that is away longest is given up", async () => {
    const { session, lose, clock, ...set } = await withTool([]);
    await lose();
    for (let n = 0; n < 64; n += 1) {
      expect(servedSession(session).externalTools).toHaveLength(1);
      const { client, closed } = await meetExtended(set, { session, graceMs }, sameClient());
      client.close();
      await closed;
    }
    expect(servedSession(session).externalTools).toEqual([]);
    clock.advance(graceMs);
    expect(session.offer.canAsk).toBe(false);
  });

  test("a call that is made within the grace waits for its lost client", async () => {
    const { watcher, lose, back, session } = await withTool([callLine("Weather", {}), "text: b"]);
    await lose();
    void watcher.call("prompt", { user_input: "go" });
    await until(() => session.pending.length === 1);
    expect(watcher.events("InteractionOpened")).toMatchObject([{ payload: { kind: "tool_call" } }]);
    const { client, found } = await back();
    expect(found.pending).toHaveLength(1);
    const call = await client.seen("ToolCallRequest");
    expect(call.params?.payload.request_id).toBe(found.pending[0]);
    client.reply(call, { tool_call_id: call.id, return_value: sunny });
    expect(await toolResult(watcher)).toMatchObject(sunny);
    await watcher.seen("TurnEnd");
  });

  test("tools of a lost client are offered to the model within the grace, and nobody else may take their names", async () => {
    const { model, watcher, lose, server, session, meet } = await withTool(["text: b"]);
    await lose();
    await watcher.call("prompt", { user_input: "go" });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("Weather");
    const { client } = await meet({ session });
    const { result } = await client.call("initialize", {
      protocol_version: "1.10",
      external_tools: [weather],
    });
    expect(result?.external_tools).toMatchObject({ accepted: [] });
    await server.close();
  });

  test("a hook of a lost client waits for it within the grace, and one that is asked meanwhile too", async () => {
    const set = scenario(["text: b", "text: c"], { clock: drivenClock() });
    const session = set.server.createSession();
    const same = sameClient();
    const hooks = [{ id: "h", event: "UserPromptSubmit", timeout: 600 }];
    const { client: one, closed } = await meetExtended(set, { session, graceMs }, { ...same, hooks });
    const { client: watcher } = await meetExtended(set, { session, graceMs });
    const prompt = watcher.call("prompt", { user_input: "go" });
    const asked = await one.seen("HookRequest");
    one.close();
    await closed;
    const second = await meetExtended(set, { session, graceMs }, same);
    const again = await second.client.seen("HookRequest");
    expect(again.params?.payload).toEqual(asked.params?.payload);
    second.client.reply(again, { request_id: again.id, action: "allow" });
    expect((await prompt).result).toEqual({ status: "finished" });

    second.client.close();
    await second.closed;
    const next = watcher.call("prompt", { user_input: "go" });
    await until(() => session.pending.length === 1);
    const { client: third } = await meetExtended(set, { session, graceMs }, same);
    const later = await third.seen("HookRequest");
    third.reply(later, { request_id: later.id, action: "block", reason: "not now" });
    expect((await next).result).toEqual({ status: "finished" });
    expect(watcher.events("HookResolved").at(-1)?.payload).toMatchObject({
      action: "block",
      reason: "not now",
    });
  });

  test("a question that only a lost client can show waits for it within the grace, and the tool that asks is offered", async () => {
    const set = asking(() => [question()], { clock: drivenClock() });
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one, closed } = await meetExtended(set, { session, graceMs }, same);
    void one.call("prompt", { user_input: "go", turn_id: "t" });
    await one.asked("QuestionRequest");
    one.close();
    await closed;
    expect([session.offer.canAsk, session.pending.length]).toEqual([true, 1]);
    const { client: two } = await meetExtended(set, { session, graceMs }, same);
    await two.answer(await two.asked("QuestionRequest"), { items });
    expect((await two.call("prompt", { user_input: "go", turn_id: "t" })).result).toEqual({
      status: "finished",
    });
  });

  test("a client that is back is no longer waited for: what it cannot show ends at once (P-INT-5)", async () => {
    const set = asking(() => [question()], { clock: drivenClock() });
    const session = set.server.createSession();
    const same = sameClient();
    const { client: one, closed } = await meetExtended(set, { session, graceMs }, same);
    one.close();
    await closed;
    const { client: two } = await meetExtended(set, { session, graceMs }, same);
    const prompt = two.call("prompt", { user_input: "go" });
    await two.cannot(await two.seen("QuestionRequest"));
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(set.opened[0]?.outcome).toMatchObject({ status: "unavailable", reason: "unsupported" });
  });

  test("a lost client may come back and be lost again, each time with the whole grace", async () => {
    const { one, watcher, lose, back, clock, session } = await withTool([callLine("Weather", {}), "text: b"]);
    void watcher.call("prompt", { user_input: "go" });
    await one.seen("ToolCallRequest");
    await lose();
    clock.advance(29_999);
    const { client, closed } = await back();
    await client.seen("ToolCallRequest");
    client.close();
    await closed;
    clock.advance(29_999);
    expect(session.pending.length).toBe(1);
    clock.advance(1);
    expect(session.pending.length).toBe(0);
    await watcher.seen("TurnEnd");
  });
});

describe("after the grace (P-XAT-8, P-EXT-6)", () => {
  test("a call of a client that is lost for longer than the grace ends client_lost, and says so", async () => {
    const { one, watcher, lose, clock, session, server } = await withTool([
      callLine("Weather", {}),
      "text: b",
    ]);
    void watcher.call("prompt", { user_input: "go" });
    await one.seen("ToolCallRequest");
    await lose();
    clock.advance(graceMs);
    expect(session.pending.length).toBe(0);
    expect(await toolResult(watcher)).toMatchObject({ is_error: true });
    expect(watcher.events("InteractionSettled").map(({ payload }) => payload)).toMatchObject([
      { kind: "tool_call", outcome: { status: "unavailable", reason: "client_lost" } },
    ]);
    await watcher.seen("TurnEnd");
    await server.close();
    expect(clock.waiting).toBe(0);
  });

  test("tools and hooks of a client are gone after the grace, also when it comes back and does not name them", async () => {
    const { model, watcher, lose, back, clock, session } = await withTool(["text: b", "text: c"]);
    await lose();
    clock.advance(graceMs);
    expect(servedSession(session).externalTools).toEqual([]);
    await back();
    await watcher.call("prompt", { user_input: "go" });
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain("Weather");
  });

  test("another client may bring a tool of the same name after the grace, and keeps it when the first comes back", async () => {
    const { lose, clock, session, same, connect, meet } = await withTool([]);
    await lose();
    clock.advance(graceMs);
    const { client: other } = await meet({ session });
    const params = { protocol_version: "1.10", external_tools: [weather] };
    expect((await other.call("initialize", params)).result?.external_tools).toMatchObject({
      accepted: ["Weather"],
    });
    const { client } = connect({ session });
    const capabilities = { askwire: { revision: 3, ...same.shows } };
    const { result } = await client.call("initialize", { ...params, capabilities });
    expect(result?.external_tools).toMatchObject({ rejected: [{ reason: "provided by another client" }] });
  });
});

test("when a session closes nothing waits for its clients, though they might come back (P-CLO-2, P-XAT-8)", async () => {
  const { one, watcher, session, clock } = await withTool([]);
  await session.close();
  await until(() => one.isClosed && watcher.isClosed);
  await new Promise((resolve) => setImmediate(resolve));
  expect([clock.waiting, servedSession(session).externalTools]).toEqual([0, []]);
});

describe("a client without a client_id (P-EXT-6, P-INI-5)", () => {
  test("a client without a client_id takes its tools with it at once, and a call of them ends", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"], { clock: drivenClock() });
    const session = set.server.createSession();
    const { client: one, closed } = await meetExtended(
      set,
      { session, graceMs },
      { external_tools: [weather] },
    );
    const { client: watcher } = await meetExtended(set, { session, graceMs });
    void watcher.call("prompt", { user_input: "go" });
    await one.seen("ToolCallRequest");
    one.close();
    await closed;
    expect(servedSession(session).externalTools).toEqual([]);
    await session.close();
  });
});

describe("alive (P-XAT-9)", () => {
  const alive = ({ received }: { received: readonly { method?: string; params?: unknown }[] }) =>
    received.filter(({ method }) => method === "alive").map(({ params }) => params);

  test("alive is sent after 15 s without a word, with the number of the last event, and again after each 15 s", async () => {
    const clock = drivenClock();
    const set = asking(() => [], { clock });
    const { client, session } = await meetExtended(set);
    clock.advance(14_999);
    await client.settled();
    expect(alive(client)).toEqual([]);
    clock.advance(1);
    await client.settled();
    expect(alive(client)).toEqual([{ seq: 0 }]);
    session.planMode = true;
    for (let n = 0; n < 3; n += 1) clock.advance(15_000);
    await client.settled();
    expect(alive(client)).toEqual([{ seq: 0 }, { seq: 1 }, { seq: 1 }, { seq: 1 }]);
  });

  test("alive waits anew with each event", async () => {
    const clock = drivenClock();
    const { client, session } = await meetExtended(asking(() => [], { clock }));
    for (let n = 0; n < 10; n += 1) {
      clock.advance(10_000);
      session.planMode = n % 2 === 0;
    }
    await client.settled();
    expect(alive(client)).toEqual([]);
    clock.advance(15_000);
    await client.settled();
    expect(alive(client)).toEqual([{ seq: 10 }]);
  });

  test("alive is no event: it has no number and is not sent to a client that comes back", async () => {
    const clock = drivenClock();
    const set = asking(() => [], { clock });
    const { client, session, found } = await meetExtended(set);
    clock.advance(15_000);
    await client.settled();
    const named = { id: session.id, stream: found.stream, after_seq: 0 };
    const { client: other, found: again } = await meetExtended(set, { session }, { session: named });
    await other.settled();
    expect([again.seq, other.events(), alive(other)]).toEqual([0, [], []]);
  });

  test("alive is not sent to base clients, and nothing of it is left when the connection ends", async () => {
    const clock = drivenClock();
    const set = asking(() => [], { clock });
    const { client: base, session } = await set.meet();
    const { client, closed } = await meetExtended(set, { session });
    clock.advance(15_000);
    await base.settled();
    await client.settled();
    expect([alive(base), alive(client)]).toEqual([[], [{ seq: 0 }]]);
    client.close();
    await closed;
    expect(clock.waiting).toBe(0);
  });
});

describe("signs of life in both directions (P-XAT-11, P-XAT-12)", () => {
  const both = { ...everything, alive: true };
  const alive = ({ received }: { received: readonly { method?: string; params?: unknown }[] }) =>
    received.filter(({ method }) => method === "alive").map(({ params }) => params);

  test("a sign of life is replied to at once with the number of messages in both directions", async () => {
    const { client } = await meetExtended(
      asking(() => []),
      {},
      { shows: both },
    );
    for (let n = 1; n <= 3; n += 1) client.send({ jsonrpc: "2.0", method: "alive", params: { received: n } });
    await client.settled();
    // Before the first sign of life each side has sent its introduction.
    expect(alive(client)).toEqual([1, 2, 3].map((count) => ({ seq: 0, sent: count, received: count })));
  });

  test.each([
    ["a question is open", 5_000, 10_000],
    ["nothing is awaited", 15_000, 20_000],
  ])("a silent client is asked, while %s, after %d ms, and lost after %d", async (what, asked, lost) => {
    const clock = drivenClock();
    const set = asking(() => [question()], { clock });
    const session = set.server.createSession();
    const { client, closed } = await meetExtended(set, { session, graceMs }, { shows: both });
    if (what === "a question is open") {
      const { client: other } = await meetExtended(set, { session, graceMs });
      void other.call("prompt", { user_input: "go" });
      await client.asked("QuestionRequest");
    }
    clock.advance(asked - 1);
    await client.settled();
    expect(alive(client)).toEqual([]);
    clock.advance(1);
    await client.settled();
    expect(alive(client)).toHaveLength(1);
    clock.advance(lost - asked - 1);
    await client.settled();
    expect(session.connections).toBeGreaterThan(0);
    const before = session.connections;
    clock.advance(1);
    clock.advance(0);
    await closed;
    expect(session.connections).toBe(before - 1);
  });

  test("a word that comes just in time keeps the connection, and so does none where the session ends with it", async () => {
    const clock = drivenClock();
    const set = asking(() => [], { clock });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session }, { shows: both });
    for (let n = 0; n < 4; n += 1) {
      clock.advance(15_000);
      clock.advance(5_000);
      client.send({ jsonrpc: "2.0", method: "alive", params: { received: 0 } });
      await client.settled();
      clock.advance(0);
    }
    expect(session.connections).toBe(1);
    const { client: own, session: ends } = await meetExtended(set, {}, { shows: both });
    for (let n = 0; n < 10; n += 1) clock.advance(10_000);
    await own.settled();
    expect(ends.connections).toBe(1);
    // The client still hears the signs of life of the server.
    expect(alive(own).length).toBeGreaterThan(4);
  });
});
