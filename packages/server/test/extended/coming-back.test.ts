import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isKeptSession, keepIn, type Session } from "../../src/index.js";
import { servedSession } from "../../src/session/served-session.js";
import { drivenClock } from "../driven-clock.js";
import { callLine, scenario } from "../scenario.js";
import { until } from "../until.js";
import {
  asking,
  attached,
  everything,
  extended,
  introduction,
  items,
  meetExtended,
  question,
} from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };
const sameClient = () => ({ shows: { ...everything, client_id: randomUUID() } });

describe("a client that comes back and does not wait for the reply to initialize (P-ENG-2, P-XAT-5)", () => {
  /** A client that was lost with a question open, and what it needs to come back. */
  async function lost() {
    const set = asking(() => [question()], { clock: drivenClock() });
    const session = set.server.createSession();
    const same = sameClient();
    const { client, closed, found } = await meetExtended(set, { session, graceMs: 30_000 }, same);
    void client.call("prompt", { user_input: "go", turn_id: "t" });
    const asked = await client.asked("QuestionRequest");
    await client.settled();
    const after_seq = client.events().at(-1)?.seq;
    client.close();
    await closed;
    const params = introduction({ ...same, session: { id: session.id, stream: found.stream, after_seq } });
    return { ...set, session, asked, params };
  }

  test("a client that does not wait for the reply to initialize has its answer counted, and its prompt with the id of the running turn", async () => {
    const { connect, session, asked, params } = await lost();
    const client = extended(connect({ session }).client);
    const hello = client.call("initialize", params);
    const prompt = client.call("prompt", { user_input: "go", turn_id: "t" });
    const answer = client.answer(asked, { items });
    expect(attached(await hello).pending).toEqual([asked.id]);
    expect((await answer).error).toBeUndefined();
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.events("TurnBegin")).toEqual([]);
    expect(client.events("InteractionSettled")).toHaveLength(1);
  });

  test("a client that comes back twice at once has its second attempt treated as a repetition", async () => {
    const { connect, session, asked, params } = await lost();
    const client = extended(connect({ session }).client);
    const both = [client.call("initialize", params), client.call("initialize", params)];
    for (const hello of both) expect(attached(await hello).pending).toEqual([asked.id]);
    await client.answer(asked, { items });
    await client.seen("TurnEnd");
    expect(client.requests()).toEqual([]);
  });
});

describe("many connections of one client (P-XAT-1)", () => {
  test("one of many connections of one client at once stays, each other is closed with 4409, and the tool call is answered once", async () => {
    const set = await listeningExtended([callLine("Weather", {}), "text: b"]);
    const session = set.server.createSession();
    const same = sameClient();
    const address = `/wire/${session.id}`;
    const first = await set.joinExtended(address, { ...same, external_tools: [weather] });
    void first.call("prompt", { user_input: "go", turn_id: "t" });
    const call = await first.seen("ToolCallRequest");
    const many = await Promise.all(Array.from({ length: 20 }, () => set.joinExtended(address, same)));
    await until(() => session.connections === 1 && many.filter(({ isClosed }) => !isClosed).length === 1);
    const closed = [first, ...many].filter(({ isClosed }) => isClosed);
    expect((await Promise.all(closed.map(({ ended }) => ended))).every((end) => end.startsWith("4409"))).toBe(
      true,
    );
    const [last] = many.filter(({ isClosed }) => !isClosed);
    if (last === undefined) throw new Error("none stayed");
    const again = await last.seen("ToolCallRequest");
    expect(again.params?.payload).toEqual(call.params?.payload);
    last.reply(again, { tool_call_id: again.id, return_value: sunny });
    expect((await last.call("prompt", { user_input: "go", turn_id: "t" })).result).toEqual({
      status: "finished",
    });
    expect(last.events("InteractionSettled")).toHaveLength(1);
  });
});

describe("a client that is cut off while it is sent what it missed (P-XAT-5, P-SES-2)", () => {
  test("a client that is cut off while it is sent what it missed leaves nothing behind, and the session continues", async () => {
    const clock = drivenClock();
    const set = await listeningExtended(["text: hello"], { clock });
    const session = set.server.createSession();
    const address = `/wire/${session.id}`;
    const first = await set.joinExtended(address);
    const { stream, id } = first.found;
    first.close();
    await first.ended;
    const text = "x".repeat(64 * 1024);
    for (let n = 0; n < 150; n += 1)
      session.broadcast({ type: "ContentPart", payload: { type: "text", text } });
    const second = await set.joinExtended(address, { session: { id, stream, after_seq: 0 } });
    second.socket.pause();
    await set.refused("/elsewhere");
    second.socket.terminate();
    await until(() => session.connections === 0);
    const third = await set.joinExtended(address);
    expect((await third.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
    expect(third.found.seq).toBe(150);
    await set.server.close();
    await third.ended;
    await until(() => clock.waiting === 0);
  });
});

describe("a session that nobody spoke in (P-SES-3)", () => {
  test("a session that nobody spoke in leaves memory 30 s after its extended client has gone, as after a base one", async () => {
    const clock = drivenClock();
    const set = await listeningExtended([], { clock, listen: { heartbeatMs: 1e9 } });
    for (const same of [{}, sameClient()]) {
      const client = await set.joinExtended("/wire", same);
      const session = set.server.sessions.get(client.found.id) as Session;
      client.close();
      await until(() => session.idle);
      clock.advance(30_000);
      await until(() => !set.server.sessions.has(session.id));
    }
  });

  test("a session that nobody spoke in leaves memory also when its client was lost with a hook before it that no turn had asked", async () => {
    const clock = drivenClock();
    const set = await listeningExtended([], { clock, listen: { heartbeatMs: 1e9 } });
    const hooks = [{ id: "h", event: "Notification", timeout: 600 }];
    const client = await set.joinExtended("/wire", { hooks });
    const session = set.server.sessions.get(client.found.id) as Session;
    const source = { category: "task", type: "done", source_kind: "task", source_id: "t1" };
    const told = session.notify({ ...source, title: "Done", body: "", severity: "info", payload: {} });
    await client.seen("HookRequest");
    client.close();
    await until(() => session.connections === 0);
    clock.advance(30_000);
    await told;
    clock.advance(30_000);
    await until(() => !set.server.sessions.has(session.id));
  });

  test("a session that had a turn stays ten minutes for a client that comes back (P-XAT-2)", async () => {
    const clock = drivenClock();
    const set = await listeningExtended(["text: hello"], { clock, listen: { heartbeatMs: 1e9 } });
    const client = await set.joinExtended();
    await client.call("prompt", { user_input: "go" });
    const { id, stream } = client.found;
    const seen = client.events().at(-1)?.seq;
    client.close();
    const session = set.server.sessions.get(id) as Session;
    await until(() => session.idle);
    clock.advance(599_999);
    const back = await set.joinExtended("/wire", { session: { id, stream, after_seq: seen } });
    expect([back.found.id, back.found.stream, back.found.reset]).toEqual([id, stream, false]);
    back.close();
    await until(() => session.idle);
    clock.advance(600_000);
    await until(() => !set.server.sessions.has(id));
    const late = await set.openExtended();
    expect((await late.introduce({ session: { id, stream, after_seq: seen } })).error?.code).toBe(-32011);
  });
});

describe("introducing itself again on the same connection (P-INI-5, P-XAT-1)", () => {
  test("introducing itself again takes away the tools and hooks that a client no longer names", async () => {
    const set = scenario([]);
    const hooks = [{ id: "h", event: "Stop" }];
    const { client, session } = await meetExtended(set, {}, { external_tools: [weather], hooks });
    expect([servedSession(session).externalTools.length, servedSession(session).hooks.has("Stop")]).toEqual([
      1,
      true,
    ]);
    await client.introduce();
    expect([servedSession(session).externalTools.length, servedSession(session).hooks.has("Stop")]).toEqual([
      0,
      false,
    ]);
  });

  test("introducing itself again to another session is refused, and changes nothing (P-XAT-2)", async () => {
    const set = await listeningExtended(["text: hello"]);
    const other = set.server.createSession();
    const client = await set.joinExtended("/wire", { external_tools: [weather] });
    const session = set.server.sessions.get(client.found.id) as Session;
    expect((await client.introduce({ session: { id: other.id } })).error?.code).toBe(-32012);
    expect((await client.introduce({ session: { id: "nothing" } })).error?.code).toBe(-32011);
    expect([servedSession(session).externalTools.length, session.connections, other.idle]).toEqual([
      1,
      1,
      true,
    ]);
    await client.call("prompt", { user_input: "go" });
    expect(client.events("TurnEnd")).toHaveLength(1);
  });
});

describe("a session that is kept and not in memory (P-XAT-10)", () => {
  /** A gateway on sessions of which one is kept by an earlier server. */
  async function restarted() {
    const share = mkdtempSync(join(tmpdir(), "askwire-kept-"));
    onTestFinished(() => rmSync(share, { recursive: true, force: true }));
    const place = { share, workDir: share };
    const options = {
      keep: keepIn({ ...place, flush: "process" }),
      isKept: (id: string) => isKeptSession({ ...place, id }),
    };
    const first = await listeningExtended(["text: hello"], options);
    const { id } = first.server.createSession();
    const client = await first.joinExtended(`/wire/${id}`);
    await client.call("prompt", { user_input: "go" });
    await first.server.close();
    return { id, ...(await listeningExtended(["text: again"], { ...options, listen: { answerToken } })) };
  }
  const answerToken = "only-answers-and-nothing-else";

  test("a kept session is opened at its address by a client that says so, and is refused with what is known of it before", async () => {
    const { id, server, openExtended } = await restarted();
    const client = await openExtended(`/wire/${id}`);
    const named = (session: object) =>
      client.call("initialize", introduction({ session: { id, ...session } }));
    for (const session of [{}, { open: false }]) {
      expect((await named(session)).error).toMatchObject({ code: -32011, data: { kept: true } });
    }
    expect(server.sessions.has(id)).toBe(false);
    expect((await named({ open: true })).result).toMatchObject({ session: { id, reset: false } });
    await client.call("prompt", { user_input: "go" });
    expect(server.sessions.has(id)).toBe(true);
  });

  test("a kept session is opened from /wire too, and there is none for a name that is not kept", async () => {
    const { id, openExtended, open } = await restarted();
    const client = await openExtended();
    const opens = (id: string) => client.call("initialize", introduction({ session: { id, open: true } }));
    for (const other of [randomUUID(), "..", "a/b"]) {
      const { error } = await opens(other);
      expect(error).toMatchObject({ code: -32011 });
      expect(error?.data ?? null).toBeNull();
    }
    expect((await opens(id)).result).toMatchObject({ session: { id } });
    expect(await (await open(`/wire/${randomUUID()}`)).ended).toBe("4404 there is no such session");
  });

  test("a kept session is gone once a client has closed it", async () => {
    const { id, openExtended, open } = await restarted();
    const client = await openExtended(`/wire/${id}`);
    await client.call("initialize", introduction({ session: { id, open: true } }));
    expect((await client.call("close_session", { session_id: id })).error).toBeUndefined();
    await client.ended;
    expect(await (await open(`/wire/${id}`)).ended).toBe("4404 there is no such session");
  });

  test("a kept session is not opened for a client that may only answer (P-XRL-1)", async () => {
    const { id, server, openExtended } = await restarted();
    const client = await openExtended(`/wire/${id}`, { token: answerToken });
    const { error } = await client.call("initialize", introduction({ session: { id, open: true } }));
    expect(error).toMatchObject({ code: -32011, data: { kept: true } });
    expect(server.sessions.has(id)).toBe(false);
  });
});
