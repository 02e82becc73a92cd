import { describe, expect, test, vi } from "vitest";
import type { ClientRole, ServerOptions, Session } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { meetExtended } from "../extended/extended-client.js";
import { noting } from "../measures/observed.js";
import { colour, scenario } from "../scenario.js";
import { stores } from "../stores.js";
import { id } from "./crashing.js";

const deployer = { name: "deployer", question: false };
const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };

describe.each(stores)("a session that is kept %s", (_, makeStore) => {
  /** A server that holds its questions, and the time until it parks a session. */
  function holding(options: Partial<ServerOptions> = {}, store = makeStore()) {
    const clock = drivenClock();
    const set = scenario([], { ...store.options(), attendance: "hold", clock, host: "here", ...options });
    return {
      ...set,
      clock,
      store,
      /** A program that has asked, and has gone. */
      async asked(params: object = {}, sessionId = id) {
        const session = await set.server.openSession({ id: sessionId });
        const { client, closed } = await meetExtended(set, { session }, deployer);
        const ask = { key: "k", questions: [colour], wait: false, ...params };
        const { result } = await client.call("ask", ask);
        client.close();
        await closed;
        return result?.request_id as string;
      },
      /** Lets thirty seconds pass, and waits for the sessions that leave memory with that. */
      async parked() {
        clock.advance(30_000);
        await expect.poll(() => set.server.sessions.size).toBe(0);
      },
      /** A client at the address of the session. */
      async person(role?: ClientRole) {
        const there = await set.server.sessionAt(id);
        if (there === undefined) throw new Error("there is no such session");
        return meetExtended(set, { session: there, ...(role !== undefined && { role }) });
      },
    };
  }

  test("a session in which only the question of a program waits leaves memory after thirty seconds, and lists show it as before (P-SES-7)", async () => {
    const { asked, parked, server, clock } = holding();
    const request = await asked();
    const [sessions, requests] = [server.listSessions(), server.listRequests()];
    clock.advance(29_999);
    expect(server.sessions.size).toBe(1);
    await parked();
    expect(requests).toMatchObject([{ request_id: request, state: "open", session_id: id }]);
    expect(server.listRequests()).toEqual(requests);
    expect(server.listSessions()).toEqual(sessions);
    await server.close();
  });

  test.each([undefined, "answer"] as const)(
    "a client with the role %s that comes to the address of a parked session is not shown its question under the same id",
    async (role) => {
      const { asked, parked, person, server } = holding();
      const request = await asked();
      await parked();
      const { client, found } = await person(role);
      expect(found).toMatchObject({ id, pending: [request] });
      const shown = await client.asked("QuestionRequest");
      expect((await client.answer(shown, byRed)).result).toMatchObject({ outcome: { status: "answered" } });
      expect(server.listRequests()).toEqual([]);
      await server.close();
    },
  );

  test("a parked session that is opened again has another time of making, so a page of lists shows it twice", async () => {
    const set = holding();
    const { parked, person, server, clock } = set;
    const session = await server.openSession({ id });
    const { client: program, closed } = await meetExtended(set, { session }, deployer);
    // Its first record comes later than itself.
    clock.advance(5_000);
    await program.call("ask", { key: "k", questions: [colour], wait: false });
    program.close();
    await closed;
    const before = server.listSessions()[0]?.made_at;
    await parked();
    const { client } = await person();
    expect(server.listSessions()[0]?.made_at).toBe(before);
    client.close();
    await server.close();
  });

  test("a program that comes back under its key waits for the parked question, and gets its answer", async () => {
    const set = holding();
    const request = await set.asked();
    await set.parked();
    const there = await set.server.sessionAt(id);
    const { client: program } = await meetExtended(set, { ...(there && { session: there }) }, deployer);
    const reply = program.call("ask", { key: "k", questions: [colour] });
    const { client } = await set.person();
    await client.answer(await client.asked("QuestionRequest"), byRed);
    expect((await reply).result).toMatchObject({ request_id: request, outcome: { status: "answered" } });
    await set.server.close();
  });

  test("a client that names a parked session in its first request is let into it without `open`", async () => {
    const { asked, parked, connect, server } = holding();
    await asked();
    await parked();
    const { client, session } = await meetExtended(
      { connect },
      { session: () => server.openSession() },
      { session: { id } },
    );
    expect(session.id).toBe(id);
    await client.asked("QuestionRequest");
    await server.close();
  });

  test.each([
    ["is parked once more after its people have gone", 0],
    ["is parked with what was left of its deadline", 3_600_000],
  ])("a session that was opened again %s", async (_, ms) => {
    const { asked, parked, person, server, clock } = holding();
    const deadline = ms === 0 ? {} : { deadline: { ms, on_expiry: "cancel" } };
    const request = await asked(deadline);
    await parked();
    const [listed] = server.listRequests();
    const [{ active_at } = {}] = server.listSessions();
    const { client, closed } = await person();
    client.close();
    await closed;
    await parked();
    expect(server.listRequests()).toMatchObject([{ request_id: request, text: listed?.text }]);
    if (ms > 0) expect(server.listRequests()[0]?.deadline).toBe(new Date(ms).toISOString());
    expect(server.listSessions()).toMatchObject([{ id, active_at }]);
    expect(clock.now()).toBe(60_000);
    await server.close();
  });

  test("the deadline of a parked question ends it when it has come, and not later", async () => {
    const { asked, parked, server, clock, store } = holding();
    const request = await asked({ deadline: { ms: 45_000, on_expiry: "cancel" } });
    await parked();
    clock.advance(14_999);
    expect(server.listRequests()).toMatchObject([{ request_id: request }]);
    clock.advance(1);
    await expect.poll(() => server.sessions.size).toBe(1);
    clock.advance(0);
    await expect.poll(() => server.listRequests()).toEqual([]);
    await server.close();
    expect((await store.lines(id)).join()).toContain('"status":"expired"');
  });

  test.each<[string, Partial<ServerOptions>, object]>([
    ["its program is to be there for it", {}, { on_lost: "withdraw" }],
    ["no process goes on with what is open", { resume: false }, {}],
    ["its questions end with its clients", { attendance: "attended" }, {}],
  ])("a session is parked although %s", async (_, options, params) => {
    const { server, clock, ...set } = holding(options);
    const session = await server.openSession({ id });
    const { client } = await meetExtended(set, { session, graceMs: 600_000 }, deployer);
    // Somebody has to be there for a session that is attended.
    const { client: person } = await meetExtended(set, { session, graceMs: 600_000 });
    await client.call("ask", { key: "k", questions: [colour], wait: false, ...params });
    for (const one of [client, person]) one.close();
    await expect.poll(() => session.connections).toBe(0);
    clock.advance(30_000);
    clock.advance(30_000);
    expect([...server.sessions.keys()]).toEqual([id]);
    await server.close();
  });

  test.each<[string, (session: Session) => void]>([
    [
      "the program gave it a title",
      (session) => {
        session.title = "Mine";
      },
    ],
    [
      "it came to approve everything",
      (session) => {
        session.yolo = true;
      },
    ],
  ])("a session is parked although %s, which is not kept", async (_, change) => {
    const { server, asked, clock } = holding();
    await asked();
    for (const session of server.sessions.values()) change(session);
    clock.advance(30_000);
    clock.advance(30_000);
    expect(server.sessions.size).toBe(1);
    await server.close();
  });

  test("a session whose last question has ended stays as long as any that is unused, or it leaves at once", async () => {
    const { asked, server, clock } = holding({ sessionIdleMs: 25_000 });
    await asked({ deadline: { ms: 20_000, on_expiry: "cancel" } });
    clock.advance(20_000);
    await expect.poll(() => server.listRequests()).toEqual([]);
    clock.advance(10_000);
    clock.advance(24_999);
    expect(server.sessions.size).toBe(1);
    clock.advance(1);
    await expect.poll(() => server.sessions.size).toBe(0);
    expect(server.listSessions()).toEqual([]);
    await server.close();
  });

  test("more sessions are parked than may be", async () => {
    const { server, asked, clock } = holding({ maxParkedSessions: 1 });
    const other = "22222222-2222-4222-8222-222222222222";
    await asked();
    await asked({}, other);
    clock.advance(30_000);
    await expect.poll(() => [...server.sessions.keys()]).toEqual([other]);
    expect(server.listRequests()).toHaveLength(2);
    await server.close();
  });

  test("a parked session that a client closes is open after that, or its question is", async () => {
    const { asked, parked, server, connect } = holding();
    await asked();
    await parked();
    const lobby = { session: () => server.openSession(), sessionMethods: true };
    const { client } = await meetExtended({ connect }, lobby);
    await client.call("close_session", { session_id: id });
    await expect.poll(() => server.listRequests()).toEqual([]);
    await expect.poll(() => server.sessionAt(id)).toBeUndefined();
    await server.close();
  });

  test("watchers of what waits are told that a parked question is gone", async () => {
    const { asked, server, connect, person, clock } = holding();
    const request = await asked();
    const lobby = { session: () => server.openSession({ stay: true }), sessionMethods: true };
    const { client: watcher } = await meetExtended({ connect }, lobby);
    const { result } = await watcher.call("watch_requests", {});
    expect(result?.requests).toMatchObject([{ request_id: request }]);
    clock.advance(30_000);
    await expect.poll(() => [...server.sessions.keys()]).not.toContain(id);
    clock.advance(60_000);
    await watcher.settled();
    expect(JSON.stringify(watcher.received)).not.toContain('"gone":["');
    const { client } = await person();
    await client.answer(await client.asked("QuestionRequest"), byRed);
    clock.advance(60_000);
    await expect.poll(() => JSON.stringify(watcher.received)).toContain(`"gone":["${request}"]`);
    await server.close();
  });

  test("observers are told that a parked question is open no more, or that it is opened again", async () => {
    const observer = noting();
    const ofQuestion = () => observer.notes.filter((note) => note.includes("question"));
    const { asked, parked, person, server } = holding({ observe: [observer] });
    await asked();
    await parked();
    expect(ofQuestion()).toEqual(["question opened"]);
    const { client } = await person();
    await client.answer(await client.asked("QuestionRequest"), byRed);
    expect(ofQuestion()).toEqual(["question opened", "question answered  by person, waited 30000"]);
    await server.close();
  });

  test("observers are not told that the end of a server leaves its parked questions to the next process", async () => {
    const observer = noting();
    const { asked, parked, server } = holding({ observe: [observer] });
    await asked();
    await parked();
    await server.close();
    expect(observer.notes).toContain("question left");
  });

  test("a session that another process has taken meanwhile stays in the lists of the one that parked it", async () => {
    const set = holding();
    await set.asked();
    await set.parked();
    const other = holding({}, set.store);
    // The first process gives it back once all of it is written.
    const session = await vi.waitFor(async () => other.server.openSession({ id }), 30_000);
    const { client } = await meetExtended(other, { session });
    await client.asked("QuestionRequest");
    const there = await set.server.sessionAt(id);
    const { client: late } = set.connect({ ...(there && { session: there }) });
    const reply = await late.call("initialize", { protocol_version: "1.10", client: { name: "late" } });
    expect(reply.error).toMatchObject({ code: -32000 });
    // The refusal names neither that process nor the place of the store.
    expect(reply.error?.message).toContain(`session ${id} is open elsewhere`);
    expect(set.server.listRequests()).toEqual([]);
    await Promise.all([set.server.close(), other.server.close()]);
  });

  test("closing a parked session that another process has ends the server, or its client is not told", async () => {
    const set = holding();
    await set.asked();
    await set.parked();
    const other = holding({}, set.store);
    await vi.waitFor(async () => other.server.openSession({ id }), 30_000);
    const lobby = { session: () => set.server.openSession(), sessionMethods: true };
    const { client } = await meetExtended(set, lobby);
    expect((await client.call("close_session", { session_id: id })).error).toMatchObject({ code: -32000 });
    await Promise.all([set.server.close(), other.server.close()]);
  });

  test("observers are not told that a parked question is open no more, since another process has its answer", async () => {
    const observer = noting();
    const set = holding({ observe: [observer] });
    await set.asked();
    await set.parked();
    const other = holding({}, set.store);
    const session = await vi.waitFor(async () => other.server.openSession({ id }), 30_000);
    const { client } = await meetExtended(other, { session });
    await client.answer(await client.asked("QuestionRequest"), byRed);
    await other.server.close();
    const { found } = await set.person();
    expect(found.pending).toEqual([]);
    expect(observer.notes).toContain("question left");
    await set.server.close();
  });

  test("deadlines of more parked sessions than may be in memory end late, or keep others out", async () => {
    const { server, asked, clock } = holding({ maxSessions: 2 });
    const deadline = { ms: 40_000, on_expiry: "cancel" };
    const untilNoneIsInMemory = () =>
      vi.waitFor(() => {
        clock.advance(0);
        expect(server.sessions.size).toBe(0);
        expect(server.listRequests().every((row) => Date.parse(row.deadline ?? "") > clock.now())).toBe(true);
      }, 20_000);
    for (let nth = 0; nth < 6; nth += 1) {
      await asked({ deadline }, `${nth}${id.slice(1)}`);
      // Only so many may be new at a time.
      if (nth % 2 === 1) clock.advance(30_000);
      if (nth % 2 === 1) await untilNoneIsInMemory();
    }
    expect(server.listRequests().length).toBeGreaterThan(0);
    clock.advance(40_000);
    await untilNoneIsInMemory();
    expect(server.listRequests()).toEqual([]);
    await server.openSession();
    await server.close();
  });

  test("a parked session of which nothing is kept is opened as an empty one", async () => {
    const { server, asked, parked, store, clock } = holding();
    await asked();
    await parked();
    await vi.waitFor(async () => {
      const state = await server.openSession({ id: "another" });
      await state.close();
    });
    await store.change(id, []);
    const there = await server.sessionAt(id);
    expect(typeof there).toBe("function");
    expect(server.listRequests()).toEqual([]);
    clock.advance(30_000);
    await server.close();
  });

  test("a session that the program makes again while it is being parked is no longer in any list", async () => {
    const { server, asked, clock } = holding();
    await asked();
    clock.advance(30_000);
    expect(() => server.createSession({ id })).toThrow();
    expect(server.listRequests()).toHaveLength(1);
    await expect.poll(() => server.sessions.size).toBe(0);
    const session = await server.openSession({ id });
    expect(session.pending).toHaveLength(1);
    await server.close();
  });

  test("the end of a server that has parked sessions waits for them, or the next process does not find them", async () => {
    const set = holding();
    const request = await set.asked();
    set.clock.advance(30_000);
    await set.server.close();
    const next = holding({}, set.store);
    const { found } = await meetExtended(next, { session: await next.server.openSession({ id }) });
    expect(found.pending).toEqual([request]);
    await next.server.close();
  });
});

test("a thousand parked sessions take none of the places for sessions in memory", async () => {
  const [, makeStore] = stores[1] as (typeof stores)[number];
  const clock = drivenClock();
  const set = scenario([], { ...makeStore().options(), attendance: "hold", clock, maxSessions: 10 });
  for (let nth = 0; nth < 100; nth += 1) {
    for (let place = 0; place < 10; place += 1) {
      const session = await set.server.openSession({});
      const { client, closed } = await meetExtended(set, { session }, deployer);
      await client.call("ask", { key: "k", questions: [colour], wait: false });
      client.close();
      await closed;
    }
    clock.advance(30_000);
    await expect.poll(() => set.server.sessions.size).toBe(0);
  }
  expect(set.server.listRequests()).toHaveLength(1_000);
  expect(set.server.listSessions()).toHaveLength(1_000);
  await set.server.close();
});

test("the deadlines of parked sessions take one timer, and each ends its question in its turn", async () => {
  const clock = drivenClock();
  const store = stores[1]?.[1]();
  const set = scenario([], { ...store?.options(), attendance: "hold", clock });
  const ask = async (n: number) => {
    const session = await set.server.openSession({ id: `${n}0000000-0000-4000-8000-000000000000` });
    const { client, closed } = await meetExtended(set, { session }, deployer);
    const deadline = { ms: (10 - n) * 3_600_000, on_expiry: "cancel" };
    await client.call("ask", { key: "k", questions: [colour], wait: false, deadline });
    client.close();
    await closed;
  };
  for (let n = 0; n < 5; n += 1) await ask(n);
  clock.advance(30_000);
  await expect.poll(() => set.server.sessions.size).toBe(0);
  expect(clock.waiting).toBe(1);
  const left = () => {
    // A session that was opened for a deadline goes on with a timer.
    clock.advance(1);
    return set.server.listRequests().map(({ session_id }) => session_id[0]);
  };
  expect(left()).toEqual(["4", "3", "2", "1", "0"]);
  clock.advance(6 * 3_600_000);
  await expect.poll(left).toEqual(["3", "2", "1", "0"]);
  clock.advance(2 * 3_600_000);
  await expect.poll(left).toEqual(["1", "0"]);
  clock.advance(2 * 3_600_000);
  await expect.poll(left).toEqual([]);
  await set.server.close();
});
