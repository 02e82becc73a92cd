import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { mortalEngine, sharedEngine } from "../../../scripts/postgres-engine.js";
import { connectWebSocket } from "../../client/src/websocket.js";
import { bundleProgram } from "../../conformance-tests/test/servers/bundle.js";
import type { StoredSession } from "../../server/src/index.js";
import { drivenClock } from "../../server/test/driven-clock.js";
import { attached, extended } from "../../server/test/extended/extended-client.js";
import { detailedLog, messagesIn } from "../../server/test/journal-folder.js";
import { administrator, commitOf, freshSchema, linesOf, storeAt } from "./at-work.js";
import { cutProxy } from "./cut-proxy.js";
import { servedFrom } from "./kept-in.js";

const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }], answer_id: "mine" };

/** The types of the records that say what happened, in their order. */
async function story(schema: string, id: string, url?: string): Promise<string[]> {
  const db = await administrator(url);
  const { rows } = await db.query(
    `select text from ${schema}.line join ${schema}.session on key = session where id = $1 order by number`,
    [id],
  );
  const told = ["TurnOpened", "InteractionOpened", "InteractionSettled", "TurnEnded"];
  return messagesIn(rows.map(({ text }) => text))
    .map(({ type }) => type)
    .filter((type) => told.includes(type));
}
const whole = ["TurnOpened", "InteractionOpened", "InteractionSettled", "TurnEnded"];

test("a process that is killed with an open question leaves it to the next one, under its id, for an answer that ends the turn", async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-crash-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("keeping-process.ts", import.meta.url));
  const schema = freshSchema();
  const child = fork(program, [(await sharedEngine()).url, schema, "s"], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [asked] = await once(child, "message");
  const store = await storeAt({ schema });
  await expect(store.take("s")).rejects.toThrow(`process ${child.pid} on`);
  // The list of what is open is gathered for a moment.
  await expect.poll(async () => (await store.find("s"))?.open).toMatchObject([{ request_id: asked }]);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(async () => (await store.find("s"))?.state).toBe("cut_off");
  expect(await store.find("s")).toMatchObject({ turnId: "t-1", title: "go", open: [{ request_id: asked }] });

  const set = servedFrom(store, { scripts: ["text: Red it is."], resume: "now" });
  const client = extended(set.connect({ sessionId: "s" }).client);
  expect(attached(await client.introduce()).pending).toEqual([asked]);
  const { error } = await client.answer(await client.asked("QuestionRequest"), byRed);
  expect(error).toBeUndefined();
  await expect.poll(() => story(schema, "s")).toEqual(whole);
  await set.server.close();
  expect(await store.find("s")).toMatchObject({ state: "closed", open: [] });
});

test("a server of a store that is killed leaves its question to the next one, which a client answers there over a WebSocket", async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-served-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("serving-process.ts", import.meta.url));
  const schema = freshSchema();
  const { url } = await sharedEngine();
  async function serving() {
    const child = fork(program, [url, schema, "s"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, address: String((await once(child, "message"))[0]) };
  }
  const first = await serving();
  const asked = deferred<string>();
  const before = await connectWebSocket(first.address, {
    handlers: {
      question({ id }) {
        asked.resolve(id);
        return new Promise(() => {});
      },
    },
  });
  before.prompt("go").result.catch(() => {});
  const id = await asked.promise;
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  await before.close();
  const store = await storeAt({ schema });
  await expect.poll(async () => (await store.find("s"))?.state).toBe("cut_off");

  const next = await serving();
  const again: string[] = [];
  const client = await connectWebSocket(next.address, {
    handlers: {
      question(request) {
        again.push(request.id);
        return { answers: { "Which colour?": "Red" } };
      },
    },
  });
  await expect.poll(() => story(schema, "s")).toEqual(whole);
  expect(again).toEqual([id]);
  await client.close();
});

test("an engine that is killed with an open question, and started again, has it; the answer that came meanwhile counts once", async () => {
  await using engine = await mortalEngine();
  const schema = "askwire";
  const store = await storeAt({ connectionString: engine.url, schema });
  const log = detailedLog();
  const set = servedFrom(store, { log });
  const client = extended(set.connect({ sessionId: "s" }).client);
  await client.introduce();
  const prompt = client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  await engine.kill();
  const replies: unknown[] = [];
  const answer = client.answer(asked, byRed).then((reply) => replies.push(reply.error));
  await expect.poll(() => log.told.at(-1)?.text).toBe("it cannot be written; it is tried again");
  expect(replies).toEqual([]);
  await engine.start();
  await answer;
  expect(replies).toEqual([undefined]);
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
  expect(await story(schema, "s", engine.url)).toEqual(whole);
});

test("commits whose reply is lost are made once, each of a conversation in turn", async () => {
  await using proxy = await cutProxy((await sharedEngine()).port);
  const connectionString = `postgres://askwire@127.0.0.1:${proxy.port}/postgres`;
  const schema = freshSchema();
  const store = await storeAt({ connectionString, schema });
  proxy.loseReply();
  await expect(store.take("one")).rejects.not.toHaveProperty("name", "LocalError");
  // The engine may have given it to this process, which does not know.
  const session = await store.take("one");
  proxy.loseReply();
  await expect(session.commit(commitOf(1, ["a", "b"]))).rejects.not.toHaveProperty("name", "LocalError");
  const db = await administrator();
  await expect
    .poll(async () => (await db.query(`select lines from ${schema}.session where id = 'one'`)).rows)
    .toEqual([{ lines: 2 }]);
  await session.commit(commitOf(1, ["a", "b"]));
  await session.commit(commitOf(2, ["c"]));
  expect(await linesOf(session, 0, 3)).toEqual(["a", "b", "c"]);

  const struck = new Set<number>();
  const losing = (session: StoredSession): StoredSession => ({
    ...{ name: session.name, generation: session.generation, count: session.count, history: session.history },
    read: (from, end) => session.read(from, end),
    release: () => session.release(),
    commit(commit) {
      if (!struck.has(commit.nth)) proxy.loseReply();
      struck.add(commit.nth);
      return session.commit(commit);
    },
  });
  const set = servedFrom(store, { seen: losing });
  const client = extended(set.connect({ sessionId: "s" }).client);
  await client.introduce();
  const prompt = client.call("prompt", { user_input: "go" });
  await client.answer(await client.asked("QuestionRequest"), byRed);
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
  expect(proxy.lost).toBeGreaterThan(4);
  expect(await story(schema, "s")).toEqual(whole);
  await session.release();
  const next = await store.take("s");
  expect(next.history.map((line) => JSON.parse(line).role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("a session that could not be given back while the engine was away is free once it is there again", async () => {
  await using engine = await mortalEngine();
  const clock = drivenClock();
  const options = { connectionString: engine.url, schema: "askwire" };
  const store = await storeAt({ ...options, clock, leaseMs: 600_000 });
  const session = await store.take("s");
  await session.commit(commitOf(1, ["a"]));
  await engine.kill();
  await expect(session.release()).rejects.not.toHaveProperty("name", "LocalError");
  await engine.start();
  const other = await storeAt(options);
  await expect(other.take("s")).rejects.toThrow("has the session");
  clock.advance(150_000);
  await expect.poll(async () => (await other.find("s"))?.state).toBe("closed");
  expect((await other.take("s")).generation).toBe(2);
});

test("a session whose taking was never acknowledged is given back with the next renewal, where nobody has it", async () => {
  await using proxy = await cutProxy((await sharedEngine()).port);
  const connectionString = `postgres://askwire@127.0.0.1:${proxy.port}/postgres`;
  const schema = freshSchema();
  const clock = drivenClock();
  const store = await storeAt({ connectionString, schema, clock, leaseMs: 600_000 });
  await (await store.take("s")).release();
  proxy.loseReply();
  await expect(store.take("s")).rejects.not.toHaveProperty("name", "LocalError");
  const other = await storeAt({ schema });
  const takes = () => other.take("s").then((session) => session.release(), String);
  await expect.poll(takes).toContain("has the session");
  clock.advance(150_000);
  const db = await administrator();
  await expect.poll(async () => (await db.query(`select from ${schema}.session`)).rowCount).toBe(0);
  expect(await takes()).toBeUndefined();
});

test("what streamed and was lost with the machine of the engine is kept again with the next commit", async () => {
  await using engine = await mortalEngine();
  const db = await administrator(engine.url);
  // Until somebody waits, nothing is written to the disk.
  await db.query("alter system set wal_writer_delay = '10s'");
  await db.query("select pg_reload_conf()");
  const store = await storeAt({ connectionString: engine.url, schema: "askwire" });
  const session = await store.take("s");
  await session.commit(commitOf(1, ["a"]));
  await session.commit(commitOf(2, ["b"], { isAwaited: false }));
  await session.commit(commitOf(3, ["c"], { isAwaited: false }));
  await engine.kill();
  await engine.start();
  const kept = () => session.commit(commitOf(4, ["d"])).then(() => "kept", String);
  await expect.poll(kept).toBe("kept");
  expect(await linesOf(session, 0, 4)).toEqual(["a", "b", "c", "d"]);
});
