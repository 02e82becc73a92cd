import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mortalEngine } from "../../../scripts/postgres-engine.js";
import { extended } from "../../server/test/extended/extended-client.js";
import { administrator, commitOf, linesOf, storeAt } from "./at-work.js";
import { cutProxy } from "./cut-proxy.js";
import { followerOf } from "./follower.js";
import { servedFrom } from "./kept-in.js";

/** A standby that receives all that the engine writes, as one for a failover does; ended with the test. */
async function standbyOf(engine: { port: number; programs: string }) {
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-standby-"));
  const place = `host=127.0.0.1 port=${engine.port} user=askwire application_name=standby`;
  const args = ["-D", folder, "-d", place, "--synchronous", "--no-loop"];
  const standby = spawn(join(engine.programs, "pg_receivewal"), args, { stdio: "ignore" });
  const ended = once(standby, "exit");
  onTestFinished(async () => {
    standby.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return standby;
}

test("a commit that is tried again is acknowledged once the standby has it, not when the engine alone has it", async () => {
  await using engine = await mortalEngine();
  const connectionString = engine.url;
  const store = await storeAt({ connectionString, schema: "askwire" });
  const session = await store.take("s");
  const db = await administrator(connectionString);
  await db.query("alter system set synchronous_standby_names = 'standby'");
  await db.query("select pg_reload_conf()");
  const standby = await standbyOf(engine);
  const states = async () => (await db.query("select sync_state from pg_stat_replication")).rows;
  await expect.poll(states).toEqual([{ sync_state: "sync" }]);
  await session.commit(commitOf(1, ["a"]));

  standby.kill("SIGSTOP");
  const waiting = async () =>
    (await db.query("select pid from pg_stat_activity where wait_event = 'SyncRep'")).rows.length;
  const told: string[] = [];
  const first = session.commit(commitOf(2, ["b"])).then(
    () => told.push("first"),
    () => {},
  );
  await expect.poll(waiting).toBe(1);
  await db.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
  await first;
  const again = session.commit(commitOf(2, ["b"])).then(() => told.push("again"));
  await expect.poll(async () => told.length + (await waiting())).toBe(1);
  expect(told).toEqual([]);
  standby.kill("SIGCONT");
  await again;
  expect(told).toEqual(["again"]);
  expect(await linesOf(session, 0, 2)).toEqual(["a", "b"]);
  await store.close();
});

test("a standby that takes the engine's place has every answer that was acknowledged, and the sessions continue there", async () => {
  await using engine = await mortalEngine();
  const db = await administrator(engine.url);
  const follower = await followerOf(engine);
  const states = async () => (await db.query("select sync_state from pg_stat_replication")).rows;
  await db.query("alter system set synchronous_standby_names = 'follower'");
  await db.query("select pg_reload_conf()");
  await expect.poll(states).toEqual([{ sync_state: "sync" }]);
  await using way = await cutProxy(engine.port);
  const store = await storeAt({
    connectionString: `postgres://askwire@127.0.0.1:${way.port}/postgres`,
    schema: "askwire",
  });
  const set = servedFrom(store);
  const client = extended(set.connect({ sessionId: "s" }).client);
  await client.introduce();
  const prompt = client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  const other = await store.take("other");
  for (let nth = 1; nth <= 20; nth += 1) await other.commit(commitOf(nth, [`line ${nth}`]));

  await engine.kill();
  await follower.promote();
  way.leadTo(follower.port);
  // There is no second standby: whoever promotes one says so.
  const next = await administrator(`postgres://askwire@127.0.0.1:${follower.port}/postgres`);
  await next.query("alter system reset synchronous_standby_names");
  await next.query("select pg_reload_conf()");

  const answer = { items: [{ question_id: "q1", selected: ["q1_o1"] }], answer_id: "mine" };
  expect((await client.answer(asked, answer)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  await expect.poll(() => other.commit(commitOf(21, ["line 21"])).then(() => "kept", String)).toBe("kept");
  expect(await linesOf(other, 0, 21)).toEqual(Array.from({ length: 21 }, (_, n) => `line ${n + 1}`));
  await set.server.close();
  expect(await store.find("s")).toMatchObject({ state: "closed", open: [] });
});
