import { describe, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { createServer } from "../../src/index.js";
import { listenWebSocket } from "../../src/websocket.js";
import { drivenClock } from "../driven-clock.js";
import { MemoryStore } from "../memory-store.js";
import { payload } from "../raw-client.js";
import { asks, toolResult } from "../scenario.js";
import { until } from "../until.js";
import { clientsOf, listening, openQuestion, red } from "./gateway.js";

describe("where a connection belongs (P-SES-1, P-SES-2)", () => {
  test("each connection to /wire gets its own session, and its events stay there", async () => {
    const { server, join } = await listening(["text: hello"]);
    const before = server.sessions.size;
    const [one, two] = [await join(), await join()];
    expect(server.sessions.size).toBe(before + 2);
    await one.call("prompt", { user_input: "go" });
    await two.settled();
    expect([one.story().length > 0, two.story()]).toEqual([true, []]);
  });

  test("a connection to /wire/<id> hears that session, and an address has no token to the left of its #", async () => {
    const { server, join, gateway } = await listening(["text: hello"]);
    const session = server.createSession();
    const [one, two] = [await join(session), await join(session)];
    await one.call("prompt", { user_input: "go" });
    await two.seen("TurnEnd");
    const [left, right] = gateway.address(session).split("#");
    expect([left?.endsWith(`/wire/${session.id}`), right]).toEqual([true, gateway.token]);
  });

  test("a turn whose client is lost continues, and its end is told to the clients that are there (P-SES-2)", async () => {
    const { one, two, asked, session } = await openQuestion();
    one.socket.terminate();
    two.reply(asked, red(asked.id));
    await two.seen("TurnEnd");
    await until(() => !session.running);
  });
});

test("a client that comes while its session ends is told to come again, and not that all is done", async () => {
  const given = deferred();
  const store = new MemoryStore().process();
  const take: typeof store.take = async (...asked) => {
    const taken = await store.take(...asked);
    const release = taken.release.bind(taken);
    return Object.assign(taken, { release: () => given.promise.then(release) });
  };
  const server = createServer({ agent: { async run() {} }, store: { ...store, take } });
  const gateway = await listenWebSocket(server, { port: 0 });
  onTestFinished(() => gateway.close());
  const session = await server.openSession({ stay: true });
  const end = session.close();
  const late = await clientsOf(server, gateway, session).open(`/wire/${session.id}`);
  late.call("initialize", { protocol_version: "1.10", client: { name: "late" } }).catch(() => {});
  expect(await late.ended).toBe("1013 the session ends here: come again");
  given.resolve();
  await end;
  await server.close();
});

/** A gateway whose sessions leave memory a second after nobody uses them. */
async function leaving(scripts: readonly string[] = []) {
  const clock = drivenClock();
  return { clock, ...(await listening(scripts, { clock, sessionIdleMs: 1_000 })) };
}

describe("a session that nobody uses (P-SES-3)", () => {
  test("a session that nobody uses leaves memory after its time, and not before", async () => {
    const { clock, server, join, open } = await leaving();
    const session = server.createSession();
    const client = await join(session);
    clock.advance(5_000);
    expect(server.sessions.has(session.id)).toBe(true);
    client.close();
    await until(() => session.idle);
    clock.advance(999);
    expect(server.sessions.has(session.id)).toBe(true);
    clock.advance(1);
    await until(() => !server.sessions.has(session.id));
    expect(await (await open(`/wire/${session.id}`)).ended).toBe("4404 there is no such session");
  });

  test("a session that nobody uses stays when somebody comes back in time", async () => {
    const { clock, server, join } = await leaving();
    const session = server.createSession();
    (await join(session)).close();
    await until(() => session.idle);
    clock.advance(999);
    const again = await join(session);
    clock.advance(5_000);
    await again.settled();
    expect(server.sessions.has(session.id)).toBe(true);
  });

  test.each([
    ["never prompted (P-SES-1)", "set_plan_mode", { enabled: true }, undefined],
    ["was refused all that it said, so that it never attached (P-SES-3)", "cancel", {}, -32000],
  ])(
    "a session is made when its first client speaks, and goes too when that one %s",
    async (_what, method, params, code) => {
      const { clock, server, open } = await leaving();
      const before = server.sessions.size;
      const client = await open();
      expect(server.sessions.size).toBe(before);
      expect((await client.call(method, params)).error?.code).toBe(code);
      expect(server.sessions.size).toBe(before + 1);
      const { waiting } = clock;
      client.close();
      await client.ended;
      await until(() => clock.waiting > waiting);
      clock.advance(1_000);
      await until(() => server.sessions.size === before);
    },
  );

  test("a session stays for a connection that has not spoken yet", async () => {
    const { clock, server, join, open } = await leaving(["text: hello"]);
    const session = server.createSession();
    const client = await join(session);
    const silent = await open(`/wire/${session.id}`);
    client.close();
    await until(() => clock.waiting > 0);
    clock.advance(1_000);
    expect((await silent.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  });

  test("a session goes once a connection that never spoke is closed", async () => {
    const { clock, server, join, open } = await leaving();
    const session = server.createSession();
    const client = await join(session);
    const silent = await open(`/wire/${session.id}`);
    client.close();
    await until(() => session.idle && clock.waiting > 0);
    clock.advance(1_000);
    expect(server.sessions.has(session.id)).toBe(true);
    const waiting = clock.waiting;
    silent.close();
    await until(() => clock.waiting > waiting);
    clock.advance(1_000);
    await until(() => !server.sessions.has(session.id));
  });

  test("a session stays when it is to be kept, and while its turn runs", async () => {
    const clock = drivenClock();
    const set = await openQuestion({ clock, sessionIdleMs: 1_000, attendance: "hold" });
    const kept = set.server.createSession({ stay: true });
    (await set.join(kept)).close();
    await until(() => kept.idle);
    set.one.close();
    set.two.close();
    await Promise.all([set.one.ended, set.two.ended]);
    clock.advance(100_000);
    expect([set.server.sessions.has(kept.id), set.server.sessions.has(set.session.id)]).toEqual([true, true]);
  });
});

describe("a client is lost while it has a question (P-INT-6)", () => {
  async function lost(options: Parameters<typeof openQuestion>[0] = {}) {
    const clock = drivenClock();
    const set = await openQuestion({ clock, ...options });
    set.one.socket.terminate();
    set.two.socket.terminate();
    await until(() => set.session.offer.canAsk === (set.session.attendance === "hold"));
    return { ...set, clock };
  }

  test("somebody who comes within 30 seconds of a client's loss answers the same question", async () => {
    const { clock, join, session, asked } = await lost();
    clock.advance(29_999);
    const client = await join(session);
    const again = await client.seen("QuestionRequest");
    expect([again.id, payload(again)]).toEqual([asked.id, payload(asked)]);
    clock.advance(60_000);
    client.reply(again, red(again.id));
    expect(await toolResult(client)).toMatchObject({ message: "User has answered." });
    await client.seen("TurnEnd");
  });

  test("a question of a lost client is over after 30 seconds, and the model reads that nobody answered", async () => {
    const { clock, session, model } = await lost();
    clock.advance(30_000);
    expect(session.pending.length).toBe(0);
    await until(() => !session.running);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      result: { is_error: true, message: "Failed to get user response." },
    });
  });

  test("a question of a lost client waits on hold without limit (P-ATT-2)", async () => {
    const { clock, join, session } = await lost({ attendance: "hold" });
    clock.advance(1e9);
    const client = await join(session);
    const again = await client.seen("QuestionRequest");
    client.reply(again, red(again.id));
    await client.seen("TurnEnd");
  });

  test("on hold a question is asked when nobody is there, and waits for the first who comes", async () => {
    const { server, join } = await listening([asks(), "text: b"], { attendance: "hold" });
    const session = server.createSession();
    const one = await join(session);
    void one.call("prompt", { user_input: "go" });
    one.socket.terminate();
    await until(() => session.pending.length === 1);
    const client = await join(session);
    const asked = await client.seen("QuestionRequest");
    client.reply(asked, red(asked.id));
    await client.seen("TurnEnd");
  });
});

test("a client that fails is taken off the question, and the other still answers (P-INT-5)", async () => {
  const { two, asked, unharmed } = await openQuestion();
  two.replyError(asked, -32603, "crashed");
  await two.settled();
  await unharmed();
  expect(two.story()).toContain("TurnEnd");
});

describe("when the server stops listening (P-SES-6)", () => {
  test("every connection is closed with 1012 when the server stops listening, and the question is there for the next gateway", async () => {
    const { gateway, one, two, session, open } = await openQuestion({ attendance: "hold" });
    await gateway.close();
    expect(await Promise.all([one.ended, two.ended])).toEqual([
      "1012 the server is stopping",
      "1012 the server is stopping",
    ]);
    expect([session.running, session.pending.length]).toEqual([true, 1]);
    await expect(open()).rejects.toThrow("ECONNREFUSED");
    await session.close();
  });

  test("a client that does not say goodbye is not awaited when the server stops listening", async () => {
    const clock = drivenClock();
    const { gateway, one, two } = await openQuestion({ listen: { clock } });
    one.socket.pause();
    const closing = gateway.close();
    await two.ended;
    clock.advance(1_000);
    await closing;
    expect(clock.waiting).toBe(0);
  });
});
