import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mortalEngine, sharedEngine } from "../../../scripts/postgres-engine.js";
import { bundleProgram } from "../../conformance-tests/test/servers/bundle.js";
import { detailedLog } from "../../server/test/journal-folder.js";
import { type PostgresStoreOptions, postgresStore } from "../src/index.js";
import { migrations } from "../src/migrations.js";
import { administrator, commitOf, freshSchema, storeAt } from "./at-work.js";

const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ name: "LocalError", code, message: expect.stringMatching(message) });

const opened = (options: PostgresStoreOptions) => postgresStore({ log: detailedLog(), ...options });

/** Makes a user of a test, who may connect and nothing else; gone after the test. */
async function userNamed(name: string, more = "") {
  const db = await administrator();
  await db.query(`create role ${name} login ${more}`);
  onTestFinished(async () => {
    await db.query(`drop owned by ${name}`);
    await db.query(`drop role ${name}`);
  });
  return (await sharedEngine()).url.replace("askwire@", `${name}@`);
}

test("an engine that is away is told at the start, with the next step", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const connectionString = `postgres://ann:s3cret@127.0.0.1:${port}/db`;
  const error = await opened({ connectionString }).catch((error) => error);
  expect(error).toEqual(
    refused("CONNECT_FAILED", new RegExp(`^postgresStore: 127.0.0.1:${port}/db: .*check that it runs`)),
  );
  expect(error.message).not.toContain("s3cret");
});

test("an engine that takes the connection and says nothing is given up", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  await expect(opened({ host: "127.0.0.1", port, user: "a", database: "b" })).rejects.toEqual(
    refused("CONNECT_FAILED", /cannot be reached/),
  );
});

test("a wrong password is refused without being shown, and the right one may come from a function", async () => {
  const url = (await userNamed("walled", "superuser password 'right one'")).replace("walled@", "walled@");
  const schema = freshSchema();
  const error = await opened({ connectionString: url, password: "s3cret", schema }).catch((error) => error);
  expect(error).toEqual(refused("REFUSED", /refuses this user: check user, password/));
  expect(error.message).not.toContain("s3cret");
  let calls = 0;
  const password = async () => {
    calls += 1;
    return "right one";
  };
  const store = await opened({ connectionString: url, password, schema });
  expect(store.name).toBe(`postgres://127.0.0.1:${(await sharedEngine()).port}/postgres#${schema}`);
  await (await store.take("s")).commit(commitOf(1, ["a"]));
  await store.close();
  expect(calls).toBeGreaterThan(0);
  const db = await administrator();
  await db.query(`drop schema ${schema} cascade`);
});

test("a database that is not there, a user without rights, and one who only reads are told what is missing", async () => {
  const { url } = await sharedEngine();
  const none = url.replace(/postgres$/, "none");
  await expect(opened({ connectionString: none })).rejects.toEqual(refused("REFUSED", /no such database/));
  const guest = await userNamed("guest_of_start");
  const schema = freshSchema();
  await expect(opened({ connectionString: guest, schema })).rejects.toEqual(
    refused("REFUSED", new RegExp(`create schema ${schema} authorization USER`)),
  );
  // After that step the user needs no other right.
  const db = await administrator();
  await db.query(`create schema ${schema} authorization guest_of_start`);
  const store = await opened({ connectionString: guest, schema });
  await (await store.take("s")).commit(commitOf(1, ["a"]));
  await store.close();
  await db.query("alter role guest_of_start set default_transaction_read_only = on");
  await expect(opened({ connectionString: guest, schema })).rejects.toEqual(
    refused("INVALID_STATE", /only reads: check default_transaction_read_only/),
  );
});

test("an engine before version 15 is refused", async () => {
  const url = await userNamed("old_engine");
  const db = await administrator();
  await db.query("create schema older");
  onTestFinished(async () => void (await db.query("drop schema older cascade")));
  await db.query(
    "create function older.current_setting(name text) returns text language sql as $$ select case name when 'server_version_num' then '140012' when 'server_version' then '14.12' else pg_catalog.current_setting(name) end $$",
  );
  await db.query("grant usage on schema older to old_engine");
  await db.query("alter role old_engine set search_path = older, pg_catalog");
  await expect(opened({ connectionString: url })).rejects.toEqual(
    refused("INVALID_STATE", /PostgreSQL 14.12: version 15 or later is needed/),
  );
});

test("tables of a later version are refused, and left as they are", async () => {
  const schema = freshSchema();
  await (await storeAt({ schema })).close();
  const db = await administrator();
  await db.query(`insert into ${schema}.version (number) values (99)`);
  await expect(opened({ connectionString: (await sharedEngine()).url, schema })).rejects.toEqual(
    refused("INVALID_STATE", /has version 99, and this package knows \d+: update @askwire\/postgres/),
  );
  expect((await db.query(`select count(*) from ${schema}.node`)).rows).toEqual([{ count: "0" }]);
});

test("processes that start at the same time make the tables once, also in a schema named by a word of SQL", async () => {
  const schema = freshSchema();
  const stores = await Promise.all(Array.from({ length: 4 }, () => storeAt({ schema })));
  const db = await administrator();
  expect((await db.query(`select number from ${schema}.version`)).rows).toEqual(
    migrations.map((_, n) => ({ number: n + 1 })),
  );
  await (await stores[3]?.take("s"))?.commit(commitOf(1, ["a"]));
  expect(await stores[0]?.find("s")).toMatchObject({ state: "in_use" });
  onTestFinished(async () => void (await db.query('drop schema "table" cascade')));
  await storeAt({ schema: "table" });
});

test("a process that dies while it makes the tables leaves nothing half done", async () => {
  const folder = mkdtempSync(join(tmpdir(), "askwire-postgres-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await bundleProgram(folder, new URL("keeping-process.ts", import.meta.url));
  const schema = freshSchema();
  const db = await administrator();
  await db.query(`create schema ${schema}`);
  // One of the last tables is being made by somebody else, so that the process waits in the middle.
  const other = await db.connect();
  await other.query("begin");
  await other.query(`create table ${schema}.history (session integer)`);
  const child = fork(program, [(await sharedEngine()).url, schema, "s"], { stdio: "ignore" });
  const waiting = `select pid from pg_stat_activity where application_name = 'askwire' and wait_event_type = 'Lock' and query like '%${schema}%'`;
  await expect.poll(async () => (await db.query(waiting)).rows.length).toBe(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await other.query("rollback");
  other.release();
  await expect.poll(async () => (await db.query(waiting)).rows.length).toBe(0);
  const tables = `select count(*) from pg_tables where schemaname = '${schema}'`;
  const half = Number((await db.query(tables)).rows[0].count);
  // Its backend notices the death when it writes: until then it has made either nothing or all.
  expect([0, 5]).toContain(half);
  await (await (await storeAt({ schema })).take("s")).commit(commitOf(1, ["a"]));
  expect((await db.query(tables)).rows).toEqual([{ count: "6" }]);
});

test("an engine whose standbys are asynchronous is refused, unless that is allowed", async () => {
  await using engine = await mortalEngine();
  const db = await administrator(engine.url);
  await (await opened({ connectionString: engine.url })).close();
  await db.query("select pg_create_physical_replication_slot('standby')");
  await expect(opened({ connectionString: engine.url })).rejects.toEqual(
    refused(
      "INVALID_STATE",
      /standbys are asynchronous.*set synchronous_standby_names, or allowAsyncStandby/,
    ),
  );
  await (await opened({ connectionString: engine.url, allowAsyncStandby: true })).close();
});

test.each([
  [{ connectionString: "postgres://a b:s3cret@:x/" }, /connectionString: expected an address such as/],
  [{ password: 5_3333 as never }, /password: expected a string or a function/],
  [{ schema: "Ask-wire" }, /schema: expected a name of small letters, digits and _, not "Ask-wire"/],
  [{ leaseMs: 10 }, /leaseMs: expected a whole number from 2000 to 600000, not 10/],
  [{ hosts: "a" } as never, /unknown option "hosts": did you mean "host"/],
])("an option that does not fit is named, and no secret is shown: %o", async (options: object, message) => {
  const error = await opened(options).catch((error) => error);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toMatch(message);
  expect(error.message).not.toMatch(/s3cret|53333/);
});

test("an id that no session can have is refused", async () => {
  const store = await storeAt();
  for (const id of ["", "a\u0000b", "\ud800", "x".repeat(256)])
    await expect(store.take(id)).rejects.toThrow("is no id: use 1 to 255 bytes without control characters");
});
