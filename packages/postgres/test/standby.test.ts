import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mortalEngine } from "../../../scripts/postgres-engine.js";
import { administrator, commitOf, linesOf, storeAt } from "./at-work.js";

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
