import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { servedSession } from "../../src/session/served-session.js";
import { until } from "../until.js";
import {
  approval,
  asking,
  attached,
  extended,
  introduction,
  items,
  meetExtended,
  question,
  states,
  told,
  twoAsked,
} from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

describe("where a connection attaches (P-XAT-2, P-SES-1)", () => {
  test("a connection to /wire makes a session with its first request, and not before", async () => {
    const { server, openExtended } = await listeningExtended([]);
    const before = server.sessions.size;
    const client = await openExtended();
    expect(server.sessions.size).toBe(before);
    const found = attached(await client.introduce());
    expect(server.sessions.size).toBe(before + 1);
    expect(server.sessions.has(found.id)).toBe(true);
  });

  test("a connection to /wire attaches to the session that it names, and makes none", async () => {
    const { server, joinExtended } = await listeningExtended([]);
    const session = server.createSession();
    const before = server.sessions.size;
    const { found } = await joinExtended("/wire", { session: { id: session.id } });
    expect([found.id, found.reset, server.sessions.size]).toEqual([session.id, false, before]);
  });

  test("a connection to /wire attaches to the session that it names also where no other could be made", async () => {
    const { server, openExtended, joinExtended } = await listeningExtended([], { maxSessions: 2 });
    const session = server.createSession();
    const { found } = await joinExtended("/wire", { session: { id: session.id } });
    expect([found.id, server.sessions.size]).toEqual([session.id, 2]);
    const another = await openExtended();
    void another.introduce();
    expect(await another.ended).toBe("4413 more than 2 sessions");
  });

  test("a connection to /wire/<id> is in that session, also where it names the same one", async () => {
    const { server, joinExtended } = await listeningExtended([]);
    const session = server.createSession();
    const address = `/wire/${session.id}`;
    const [one, two] = [
      await joinExtended(address),
      await joinExtended(address, { session: { id: session.id } }),
    ];
    expect([one.found.id, two.found.id, two.found.stream]).toEqual([
      session.id,
      session.id,
      one.found.stream,
    ]);
  });

  test("attaching to a missing session is -32011, none is made, and the connection may try again", async () => {
    const { server, openExtended } = await listeningExtended([]);
    const session = server.createSession();
    const before = server.sessions.size;
    const client = await openExtended();
    for (const id of ["nothing", "", "__proto__"]) {
      expect((await client.introduce({ session: { id } })).error?.code).toBe(-32011);
    }
    expect([server.sessions.size, client.isClosed]).toEqual([before, false]);
    expect(attached(await client.introduce({ session: { id: session.id } })).id).toBe(session.id);
  });

  test("attaching to another session than the address names is -32012, and the connection may try again", async () => {
    const { server, openExtended } = await listeningExtended([]);
    const [mine, other] = [server.createSession(), server.createSession()];
    const client = await openExtended(`/wire/${mine.id}`);
    expect((await client.introduce({ session: { id: other.id } })).error?.code).toBe(-32012);
    expect(other.idle).toBe(true);
    expect(attached(await client.introduce()).id).toBe(mine.id);
  });

  test("attaching to a closed session is -32011, also while its connection to /wire lives", async () => {
    const { server, openExtended } = await listeningExtended([]);
    const session = server.createSession();
    await session.close();
    const client = await openExtended();
    expect((await client.introduce({ session: { id: session.id } })).error?.code).toBe(-32011);
    expect(attached(await client.introduce()).id).not.toBe(session.id);
  });

  test("a refused attempt to attach leaves no tool, no hook and no client behind", async () => {
    const { server, openExtended } = await listeningExtended([]);
    const [mine, other] = [server.createSession(), server.createSession()];
    const client = await openExtended(`/wire/${mine.id}`);
    const weather = { name: "Weather", description: "Tells the weather.", parameters: {} };
    await client.introduce({ session: { id: other.id }, external_tools: [weather] });
    expect([mine, other].map((session) => servedSession(session).externalTools.length)).toEqual([0, 0]);
    expect([mine, other].map(({ idle }) => idle)).toEqual([true, true]);
  });

  test("a base client that names a session is in a new one nevertheless: the member is not its profile's", async () => {
    const { server, openExtended } = await listeningExtended([]);
    const session = server.createSession();
    const client = await openExtended();
    const params = { protocol_version: "1.10", session: { id: session.id } };
    const { result } = await client.call("initialize", params);
    expect(result).not.toHaveProperty("session");
    expect(session.idle).toBe(true);
  });
});

describe("the messages after the reply (P-XAT-5, P-XAT-3)", () => {
  /** A session with two clients, a question and an approval that are open, and what a third one finds that left off. */
  async function returning(after_seq: number | undefined, stream?: (now: string) => string) {
    const set = await twoAsked(() => [question(), approval()]);
    const { client } = set.connect({ session: set.session });
    const third = extended(client);
    const now = servedSession(set.session).eventLog.stream;
    const session = { id: set.session.id, stream: stream?.(now) ?? now, after_seq };
    const found = attached(await third.introduce({ session }));
    await third.settled();
    const words = third.received.filter(
      ({ result, method }) => method !== undefined || result?.session !== undefined,
    );
    return { ...set, third, found, words };
  }

  test("a client gets first the reply, then what it missed under the numbers that the others saw, open requests among that whole", async () => {
    const { one, asked, third, found, words, prompt } = await returning(1);
    expect([found.seq, found.reset, found.pending[0]]).toEqual([3, false, asked.id]);
    const kinds = words.map(({ method, params }) =>
      method === undefined ? "reply" : `${method} ${params?.type}`,
    );
    expect(kinds).toEqual(["reply", "event QuestionRequest", "event ApprovalRequest"]);
    expect(third.events()).toEqual(one.events().slice(1));
    expect(words.slice(1).map((message) => told(message).seq)).toEqual([2, 3]);
    expect(third.requests().map(({ id }) => id)).toEqual(found.pending);
    await third.answer(await third.asked("QuestionRequest"), { items });
    await third.answer(await third.asked("ApprovalRequest"), { response: "approve" });
    await prompt;
    expect(third.events()).toEqual(one.events().slice(1));
  });

  test("a client gets everything from the first event on, where it had none", async () => {
    const { third, one } = await returning(0);
    expect(third.events()).toEqual(one.events());
  });

  test("a client that missed a request that is settled by now gets only that it was opened, and that it is settled", async () => {
    const { one, asked, session, connect } = await returning(1);
    await one.answer(asked, { items });
    const third = extended(connect({ session }).client);
    const left = { id: session.id, stream: servedSession(session).eventLog.stream, after_seq: 1 };
    attached(await third.introduce({ session: left }));
    await third.settled();
    expect(
      third.events().map(({ seq, type, payload }) => [seq, type, payload.request_id ?? payload.id]),
    ).toEqual([
      [2, "InteractionOpened", asked.id],
      [3, "ApprovalRequest", expect.any(String)],
      [4, "InteractionSettled", asked.id],
    ]);
    expect(third.events("InteractionOpened")[0]?.payload).toEqual({ request_id: asked.id, kind: "question" });
    expect(states(third)).toEqual(["InteractionOpened: waiting"]);
  });

  test("a client gets open requests without a number, where it missed nothing and is not known by a client_id", async () => {
    const { third, found } = await returning(3);
    expect(found.reset).toBe(false);
    expect(third.events().map(({ seq, type }) => [seq, type])).toEqual([
      [undefined, "QuestionRequest"],
      [undefined, "ApprovalRequest"],
    ]);
  });

  test.each<[string, number, ((now: string) => string) | undefined]>([
    ["another stream", 1, () => randomUUID()],
    ["a stream that is no UUID", 1, () => "yesterday"],
    ["a number that was never reached", 4, undefined],
    ["a number that is beyond all", Number.MAX_SAFE_INTEGER, undefined],
  ])(
    "a client of %s gets a reset, no missed event, and what is open (P-XAT-6)",
    async (_, after_seq, stream) => {
      const { one, third, found, prompt } = await returning(after_seq, stream);
      expect([found.reset, found.seq]).toEqual([true, 3]);
      expect(third.events().map(({ seq }) => seq)).toEqual([undefined, undefined]);
      expect(third.requests().map(({ id }) => id)).toEqual(found.pending);
      await one.call("cancel");
      await prompt;
      expect(third.events().slice(2)).toEqual(one.events().slice(3));
    },
  );

  test("a client without a stream missed nothing, whatever number it names (P-XAT-6)", async () => {
    const set = await twoAsked();
    for (const session of [{}, { after_seq: 1 }, { after_seq: 99 }, { stream: null, after_seq: 1 }]) {
      const { client, found } = await meetExtended(
        set,
        { session: set.session },
        { session: { id: set.session.id, ...session } },
      );
      await client.settled();
      expect([found.reset, client.events().map(({ seq, type }) => [seq, type])]).toEqual([
        false,
        [[undefined, "QuestionRequest"]],
      ]);
    }
  });

  test("a stream belongs to its session, and each session has a new one", async () => {
    const set = asking(() => []);
    const session = set.server.createSession();
    const streams = [
      (await meetExtended(set, { session })).found.stream,
      (await meetExtended(set, { session })).found.stream,
      (await meetExtended(set)).found.stream,
    ];
    expect(new Set(streams).size).toBe(2);
  });

  test("events between two attempts of one connection are sent once", async () => {
    const set = await twoAsked();
    const client = extended(set.connect({ session: set.session }).client);
    const refused = await client.call("initialize", introduction({ session: { id: "nothing" } }));
    expect([-32011, -32012]).toContain(refused.error?.code);
    const session = { id: set.session.id, stream: servedSession(set.session).eventLog.stream, after_seq: 0 };
    await client.introduce({ session });
    await set.one.answer(set.asked, { items });
    await set.prompt;
    await client.settled();
    expect(client.events()).toEqual(set.one.events());
  });

  test("a second initialize of a connection sends nothing again", async () => {
    const set = await twoAsked();
    const session = { id: set.session.id, stream: servedSession(set.session).eventLog.stream, after_seq: 0 };
    const before = set.two.received.length;
    const again = attached(await set.two.introduce({ session }));
    await set.two.settled();
    expect([again.id, again.pending]).toEqual([set.session.id, [set.asked.id]]);
    const more = set.two.received.slice(before).filter(({ method }) => method !== undefined);
    expect(more).toEqual([]);
    await set.two.answer(set.asked, { items });
    await set.prompt;
    expect(set.two.events()).toEqual(set.one.events());
  });
});

describe("the events that are kept (P-XAT-7)", () => {
  const states = (count: number) => Array.from({ length: count }, (_, index) => index % 2 === 0);

  test("events are kept up to their number: the last that reaches is no reset, the next older one is", async () => {
    const set = asking(() => [], { eventLog: { events: 5 } });
    const session = set.server.createSession();
    const { client, found } = await meetExtended(set, { session });
    for (const enabled of states(12)) await client.call("set_plan_mode", { enabled });
    const back = async (after_seq: number) => {
      const named = { id: session.id, stream: found.stream, after_seq };
      const { client: other, found: again } = await meetExtended(set, { session }, { session: named });
      await other.settled();
      return [again.reset, other.events().map(({ seq }) => seq)];
    };
    expect(await back(7)).toEqual([false, [8, 9, 10, 11, 12]]);
    expect(await back(6)).toEqual([true, []]);
    expect(await back(0)).toEqual([true, []]);
  });

  test("a client that names no number has had none of them", async () => {
    const set = asking(() => [], { eventLog: { events: 5 } });
    const session = set.server.createSession();
    const { client, found } = await meetExtended(set, { session });
    const named = { id: session.id, stream: found.stream };
    const back = async () => (await meetExtended(set, { session }, { session: named })).found.reset;
    for (const enabled of states(5)) await client.call("set_plan_mode", { enabled });
    expect(await back()).toBe(false);
    await client.call("set_plan_mode", { enabled: false });
    expect(await back()).toBe(true);
  });

  test("events come in their order after any number of others", async () => {
    const set = asking(() => [], { eventLog: { events: 5 } });
    const session = set.server.createSession();
    const { client, found } = await meetExtended(set, { session });
    const calls = 1_050;
    for (let at = 0; at < calls; at++) await client.call("set_plan_mode", { enabled: at % 2 === 0 });
    const named = { id: session.id, stream: found.stream, after_seq: calls - 3 };
    const { client: other } = await meetExtended(set, { session }, { session: named });
    await other.settled();
    const told = other.events().map(({ seq, payload }) => [seq, payload.plan_mode]);
    expect(told).toEqual([
      [calls - 2, false],
      [calls - 1, true],
      [calls, false],
    ]);
  });

  test("events are kept up to their length", async () => {
    const set = asking(() => [], { eventLog: { length: 1_000 } });
    const session = set.server.createSession();
    const { client, found } = await meetExtended(set, { session });
    for (const enabled of states(40)) await client.call("set_plan_mode", { enabled });
    const size = JSON.stringify(client.received.find(({ method }) => method === "event")).length;
    const kept = Math.floor(1_000 / size);
    expect(kept).toBeGreaterThan(1);
    const back = async (after_seq: number) => {
      const named = { id: session.id, stream: found.stream, after_seq };
      return (await meetExtended(set, { session }, { session: named })).found.reset;
    };
    expect([await back(40 - kept), await back(40 - kept - 3)]).toEqual([false, true]);
  });

  test("events are kept from the first extended client on, and while none is there", async () => {
    const set = asking(() => []);
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    await base.call("set_plan_mode", { enabled: true });
    const { client, found, closed } = await meetExtended(set, { session });
    expect(found.seq).toBe(0);
    client.close();
    await closed;
    await until(() => session.connections === 1);
    await base.call("prompt", { user_input: "go" });
    const named = { id: session.id, stream: found.stream, after_seq: 0 };
    const { client: again } = await meetExtended(set, { session }, { session: named });
    await again.settled();
    expect(again.events().map(({ type }) => type)).toEqual(["TurnBegin", "TurnEnd"]);
  });
});
