import { describe, expect, test } from "vitest";
import { drivenClock } from "../driven-clock.js";
import { asks, scenario } from "../scenario.js";
import { until } from "../until.js";
import { openQuestion } from "../websocket/gateway.js";
import { extended, lastState, meetExtended } from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

interface Listed {
  id: string;
  state: string;
  connections: number;
}

const red = [{ question_id: "q1", selected: ["q1_o1"] }];

describe("list_sessions (P-XSE-1)", () => {
  test("list_sessions says of each session in memory what it does and how many clients are attached", async () => {
    const set = await listeningExtended([asks(), "text: b"]);
    const [idle, busy] = [set.server.createSession(), set.server.createSession()];
    const client = await set.joinExtended(`/wire/${busy.id}`);
    await set.join(busy);
    const { prompt, asked } = await client.begun("QuestionRequest");
    const { result } = await client.call("list_sessions");
    const { sessions } = result as { sessions: Listed[] };
    expect(Object.keys(result ?? {})).toEqual(["sessions"]);
    expect(sessions.map(({ id }) => id).sort()).toEqual([...set.server.sessions.keys()].sort());
    expect(sessions).toContainEqual(expect.objectContaining({ id: idle.id, state: "idle", connections: 0 }));
    expect(sessions).toContainEqual(
      expect.objectContaining({ id: busy.id, state: "waiting", connections: 2 }),
    );
    await client.answer(asked, { items: red });
    await prompt;
    const after = (await client.call("list_sessions", {})).result as { sessions: Listed[] };
    expect(after.sessions).toContainEqual(
      expect.objectContaining({ id: busy.id, state: "idle", connections: 2 }),
    );
  });
});

describe("pages of list_sessions (P-XSE-8)", () => {
  /** Sessions that begin a minute after each other, and a client outside of them, whose own is the oldest. */
  async function sessions(count: number) {
    const clock = drivenClock();
    const set = scenario([], { clock, maxSessions: count + 1 });
    const { client } = await meetExtended(set, { sessionMethods: true });
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) {
      clock.advance(60_000);
      made.unshift(set.server.createSession({ stay: true }).id);
    }
    const list = async (method: string, wanted?: object) =>
      (await client.call(method, wanted)).result as { sessions: Listed[]; next?: string };
    return { set, clock, client, made, list };
  }
  const idsOf = ({ sessions }: { sessions: Listed[] }) => sessions.map(({ id }) => id);

  test("sessions come by pages, the newest first, each behind the last row of the one before", async () => {
    const { set, clock, made, list } = await sessions(4);
    const first = await list("list_sessions", { limit: 2 });
    expect(idsOf(first)).toEqual(made.slice(0, 2));
    await set.server.sessions.get(made[1] as string)?.close();
    clock.advance(60_000);
    const later = set.server.createSession({ stay: true });
    const second = await list("list_sessions", { limit: 2, after: first.next });
    expect(idsOf(second)).toEqual(made.slice(2));
    const third = await list("list_sessions", { after: second.next });
    expect([third.sessions.length, third.next]).toEqual([1, undefined]);
    expect(idsOf(await list("list_sessions", { limit: 1 }))).toEqual([later.id]);
  });

  test("an older client gets up to a thousand sessions at once, and the place of the next one", async () => {
    const { made, list, client, clock } = await sessions(1_001);
    const all = await list("list_sessions");
    expect(idsOf(all)).toEqual(made.slice(0, 1_000));
    const rest = await list("list_sessions", { after: all.next });
    expect([rest.sessions.length, rest.next]).toEqual([2, undefined]);
    const watched = new Set(idsOf(await list("watch_sessions")));
    expect(watched.size).toBe(1_000);
    clock.advance(100);
    await client.settled();
    for (const { method, params } of client.received)
      if (method === "sessions_changed") for (const id of idsOf(params as never)) watched.add(id);
    expect(watched.size).toBe(1_002);
  });

  test.each([{ after: "next" }, { after: "[1]" }, { limit: 0 }, { limit: 201 }])(
    "a page of sessions %j that no page leads to is refused",
    async (wanted) => {
      const { client } = await sessions(0);
      expect((await client.call("list_sessions", wanted)).error?.code).toBe(-32602);
    },
  );
});

describe("create_session (P-XSE-2)", () => {
  test("create_session makes one that others attach to, and the connection stays where it is", async () => {
    const set = await listeningExtended(["text: hello"]);
    const client = await set.joinExtended();
    const { result } = await client.call("create_session");
    const { session } = result as { session: Listed };
    expect(session).toMatchObject({ id: expect.any(String), state: "idle", connections: 0 });
    expect(session.id).not.toBe(client.found.id);
    expect(set.server.sessions.has(session.id)).toBe(true);
    const other = await set.joinExtended(`/wire/${session.id}`);
    await client.call("prompt", { user_input: "go" });
    await other.settled();
    expect([client.events("TurnBegin").length, other.events()]).toEqual([1, []]);
    const third = await set.joinExtended("/wire", { session: { id: session.id } });
    expect(third.found.stream).toBe(other.found.stream);
  });

  test("create_session is refused as overloaded at the limit of sessions, and everything continues", async () => {
    const set = await openQuestion({ maxSessions: 3 });
    const client = extended(await set.open(`/wire/${set.session.id}`));
    await client.introduce();
    expect((await client.call("create_session")).error).toBeUndefined();
    const { error } = await client.call("create_session");
    expect(error).toMatchObject({ code: -32020, data: { limit: "maxSessions" } });
    expect([client.isClosed, set.server.sessions.size]).toEqual([false, 3]);
    await set.unharmed();
  });

  test("a created session that nobody visits leaves memory as any other (P-SES-3)", async () => {
    const clock = drivenClock();
    const set = await listeningExtended([], { clock, listen: { heartbeatMs: 1e9 } });
    const client = await set.joinExtended();
    const { result } = await client.call("create_session");
    const { id } = (result as { session: Listed }).session;
    clock.advance(29_999);
    expect(set.server.sessions.has(id)).toBe(true);
    clock.advance(1);
    await until(() => !set.server.sessions.has(id));
    expect(set.server.sessions.has(client.found.id)).toBe(true);
  });
});

describe("close_session (P-XSE-3, P-CLO-2)", () => {
  test("close_session is replied to, then the session ends: its question is withdrawn and its clients' connections end", async () => {
    const set = await openQuestion();
    const inside = extended(await set.open(`/wire/${set.session.id}`));
    await inside.introduce();
    await inside.asked("QuestionRequest");
    const outside = extended(await set.open());
    await outside.introduce();
    expect((await outside.call("close_session", { session_id: set.session.id })).result).toEqual({});
    expect(await Promise.all([set.one.ended, set.two.ended, inside.ended])).toEqual(["1000", "1000", "1000"]);
    expect(inside.events("InteractionSettled").map(({ payload }) => payload.outcome)).toMatchObject([
      { status: "withdrawn", reason: "session_closed" },
    ]);
    expect(lastState(inside)).toEqual({ state: "idle", pending: [] });
    expect((await set.prompt).result).toEqual({ status: "cancelled" });
    await until(() => !set.server.sessions.has(set.session.id));
    await outside.settled();
    expect(outside.isClosed).toBe(false);
    const again = await outside.call("close_session", { session_id: set.session.id });
    expect(again.error?.code).toBe(-32011);
  });

  test("close_session of the own session sends the reply first, then the end of all that is open in it, then of the connection", async () => {
    const set = await listeningExtended([asks(), "text: b"]);
    const client = await set.joinExtended();
    await client.begun("QuestionRequest");
    client.story();
    expect((await client.call("close_session", { session_id: client.found.id })).result).toEqual({});
    expect(await client.ended).toBe("1000");
    expect(client.story()).toEqual([
      "close_session: ok",
      "InteractionSettled",
      "TurnEnd",
      "prompt: cancelled",
    ]);
    expect(set.server.sessions.has(client.found.id)).toBe(false);
  });

  test.each(["nothing", "", "__proto__"])(
    "close_session of %j, which is not there, is -32011",
    async (session_id) => {
      const set = await openQuestion();
      const client = extended(await set.open());
      await client.introduce();
      expect((await client.call("close_session", { session_id })).error?.code).toBe(-32011);
      await set.unharmed();
    },
  );

  test.each([undefined, {}, { session_id: 1 }, []])(
    "close_session with params %j is -32602",
    async (params) => {
      const { joinExtended } = await listeningExtended([]);
      const client = await joinExtended();
      expect((await client.call("close_session", params)).error?.code).toBe(-32602);
    },
  );
});

describe("over WebSocket too (P-XNG-4)", () => {
  test.each([
    "list_sessions",
    "watch_sessions",
    "unwatch_sessions",
    "list_requests",
    "watch_requests",
    "unwatch_requests",
    "create_session",
    "close_session",
    "answer",
    "touch",
  ])("%s is not there for a base client, nor before initialize, and makes no session", async (method) => {
    const set = await listeningExtended([]);
    const before = set.server.sessions.size;
    const base = await set.join(set.server.createSession());
    expect((await base.call(method, {})).error?.code).toBe(-32601);
    const silent = await set.openExtended();
    expect((await silent.call(method, {})).error?.code).toBe(-32601);
    expect(set.server.sessions.size).toBe(before + 1);
  });
});
