import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import { drivenClock } from "../../server/test/driven-clock.js";
import { type NodeStore, postgresAudit, postgresStore } from "../src/index.js";
import { administrator, commitOf, freshSchema, linesOf, storeAt } from "./at-work.js";
import { plainUser, standing, type Walls, walledStore } from "./tenant-walls.js";

const open = { turn_id: "t", open: [] };
const opened = (line: string) =>
  `{"timestamp": 1.5, "message": {"type": "InteractionOpened", "payload": ${line}}}`;

/** A session of acme's, with one of the same id of globex's beside it unless it is acme's alone. */
async function secretOf(store: NodeStore, id: string) {
  const session = await store.take(id, "/work");
  await session.commit(commitOf(1, ["secret of acme"], { title: "Secret", open }));
  return session;
}

/** All that globex finds of what acme has, and does to it, by the ids of acme. */
async function crossings({ store, another }: Awaited<ReturnType<typeof walledStore>>): Promise<string[]> {
  const found: string[] = [];
  const node = await another({ nodeAddress: "ws://10.0.0.7:7001" });
  const acme = { here: store.tenant("acme"), there: node.tenant("acme") };
  const globex = store.tenant("globex");
  const kept = await secretOf(acme.here, "kept");
  await kept.release();
  await secretOf(acme.there, "taken");
  const note = (what: string, isThere: boolean) => isThere && found.push(what);
  for (const id of ["kept", "taken"]) note(`find ${id}`, (await globex.find(id)) !== undefined);
  note("list", (await globex.list({ limit: 9 })).length > 0);
  note("list unfinished", (await globex.list({ limit: 9, workDir: "/work", unfinished: true })).length > 0);
  note("ownerOf", (await globex.ownerOf("taken")) !== undefined);
  const asNode = (await another({ nodeAddress: "ws://10.0.0.8:7001" })).tenant("globex");
  note("shared", ((await asNode.shared?.({ workDir: "/work", isKnown: () => false }))?.rows.length ?? 0) > 0);
  const own = await globex.take("kept", "/work").catch((error) => error);
  note("take", own.generation !== 1 || own.count !== 0 || (await linesOf(own)).length > 0);
  await globex.remove("taken").catch(() => found.push("remove taken"));
  if (!(own instanceof Error)) await own.release();
  await globex.remove("kept");
  note("remove", (await acme.here.find("kept")) === undefined);
  return found;
}

describe("a tenant of a store (P-TEN-5)", () => {
  test.each(standing)(
    "a tenant finds, takes and removes nothing of another by its ids, behind %s",
    async (_, walls) => {
      expect(await crossings(await walledStore(walls))).toEqual([]);
    },
  );

  test("a tenant crosses by each way that these tests know where no wall stands", async () => {
    const store = await walledStore({ rows: false, statements: false });
    expect(await crossings(store)).toEqual([
      ...["find kept", "find taken", "list", "list unfinished", "ownerOf", "shared", "take", "remove taken"],
      "remove",
    ]);
  });

  test.each(standing)(
    "a tenant has a session of its own under an id of another's, behind %s",
    async (_, walls) => {
      const { store } = await walledStore(walls);
      const stores = [store, store.tenant("acme"), store.tenant("globex")] as const;
      const sessions = await Promise.all(stores.map((one) => one.take("s", "/work")));
      // At once, so that commits of all tenants wait in one process.
      await Promise.all(
        sessions.flatMap((session, n) =>
          [1, 2, 3].map((nth) => session.commit(commitOf(nth, [`${n} ${nth}`]))),
        ),
      );
      for (const [n, session] of sessions.entries()) {
        expect(await linesOf(session, 0, 3)).toEqual([`${n} 1`, `${n} 2`, `${n} 3`]);
        expect((await stores[n]?.list({ limit: 9 }))?.map(({ id }) => id)).toEqual(["s"]);
      }
    },
  );

  test("a tenant gives back its own sessions when it is closed, and can be made again", async () => {
    const { store, another } = await walledStore({ rows: true, statements: true });
    for (const name of ["acme", "globex"]) await secretOf(store.tenant(name), "s");
    await store.tenant("acme").close();
    const other = await another();
    expect((await other.tenant("acme").find("s"))?.state).toBe("closed");
    expect((await other.tenant("globex").find("s"))?.state).toBe("in_use");
    await expect(store.tenant("acme").take("s")).resolves.toMatchObject({ generation: 2 });
    await store.close();
    for (const name of ["acme", "globex"]) expect((await other.tenant(name).find("s"))?.state).toBe("closed");
  });

  test("a tenant loses what was taken after its lease was over, and keeps what is another's", async () => {
    const clock = drivenClock();
    const { store, schema, another } = await walledStore(
      { rows: true, statements: true },
      { clock, leaseMs: 4_000 },
    );
    const [acme, globex] = [
      await secretOf(store.tenant("acme"), "s"),
      await secretOf(store.tenant("globex"), "s"),
    ];
    const db = await administrator();
    await db.query(`update ${schema}.node set expires_at = now() - interval '1 second'`);
    await (await another()).tenant("acme").take("s");
    clock.advance(1_000);
    await expect.poll(() => store.told.map(({ text }) => text).join()).toContain("the lease was over");
    await expect.poll(() => clock.waiting).toBe(1);
    await expect(acme.commit(commitOf(2, ["late"]))).rejects.toMatchObject({ code: "CLOSED" });
    await globex.commit(commitOf(2, ["in time"]));
  });
});

describe("row-level security between tenants", () => {
  const tables = ["session", "line", "history", "audit"] as const;

  /** A connection of the user of a store with one decision of acme's, as a program that forgets the tenant has it. */
  async function forgetful() {
    const { store, schema } = await walledStore({ rows: true, statements: true });
    const session = await secretOf(store.tenant("acme"), "s");
    const history = { replaces: false, lines: ["m"] };
    const request = JSON.stringify({ id: "r", kind: "question", request: { questions: [] } });
    await session.commit(commitOf(2, [opened(request)], { history }));
    const db = await administrator();
    await db.query(
      `insert into ${schema}.audit (session_id, what, kind, session, generation, nth, place, tenant)
       select id, 'settled', 'question', key, 9, 9, 9, tenant from ${schema}.session`,
    );
    const url = (await sharedEngine()).url.replace("askwire@", `user_of_${schema}@`);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const as = (tenant: string) => client.query("select set_config('askwire.tenant', $1, false)", [tenant]);
    return { client, schema, as };
  }

  test.each(tables)(
    "row-level security shows no row of another tenant in %s, and takes none",
    async (table) => {
      const { client, schema, as } = await forgetful();
      const count = async () =>
        Number((await client.query(`select count(*) from ${schema}.${table}`)).rows[0].count);
      expect(await count()).toBe(0);
      await as("globex");
      expect(await count()).toBe(0);
      expect((await client.query(`delete from ${schema}.${table}`)).rowCount).toBe(0);
      expect((await client.query(`update ${schema}.${table} set tenant = 'globex'`)).rowCount).toBe(0);
      await as("acme");
      expect(await count()).toBeGreaterThan(0);
      await expect(client.query(`update ${schema}.${table} set tenant = 'globex'`)).rejects.toMatchObject({
        code: "42501",
      });
    },
  );

  test("row-level security is left off where nobody has a tenant, so that the owner's backups go on", async () => {
    const schema = freshSchema();
    const connectionString = await plainUser(schema);
    const store = await storeAt({ schema, connectionString });
    const db = await administrator();
    const walled = async () => (await db.query(`select ${schema}.is_walled() as is`)).rows[0].is;
    expect(await walled()).toBe(false);
    expect(() => store.tenant("acme")).toThrow('tenant: "acme": the store has none: add `tenants: true`');
    await storeAt({ schema, connectionString, tenants: true });
    expect(await walled()).toBe(true);
  });

  test("row-level security is named with the next step where this user may not turn it on, or passes it by", async () => {
    const schema = freshSchema();
    const owner = await plainUser(schema);
    await (await storeAt({ schema, connectionString: owner })).close();
    const other = await plainUser(freshSchema());
    const db = await administrator();
    const name = new URL(other).username;
    await db.query(`grant usage on schema ${schema} to ${name}`);
    await db.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${name}`);
    const at = { schema, connectionString: other, tenants: true };
    await expect(postgresStore(at)).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining(`run "select ${schema}.wall_tenants()"`),
    });
    const byOwner = await storeAt({ schema, connectionString: owner, tenants: true });
    const byOther = await storeAt(at);
    await secretOf(byOther.tenant("acme"), "s");
    const passing = await storeAt({ schema, tenants: true });
    const told = (store: typeof passing) => store.told.map(({ text }) => text).join();
    expect(told(passing)).toContain("row-level security does not hold this user");
    expect(told(byOwner) + told(byOther)).not.toContain("row-level security");
  });
});

test("a process of the version before goes on with the sessions of no tenant", async () => {
  const { store, schema } = await walledStore({ rows: true, statements: true });
  await secretOf(store.tenant("acme"), "s");
  const db = await administrator();
  await db.query(`select ${schema}.renew('older', 'older', 60000)`);
  const [taken] = (await db.query(`select * from ${schema}.take('s', '/work', 'older')`)).rows;
  const kept = await db.query(
    `select ${schema}.keep('older', true, array[$1::bigint], '{1}', '{1}', '{1}', '{0}', '{false}', '{false}', '{null}',
     '{Older}', '{1}', '{line}', '{}', '{}') as results`,
    [taken.o_key],
  );
  expect(kept.rows[0].results).toEqual(["kept"]);
  await db.query(`select ${schema}.release($1, 1)`, [taken.o_key]);
  expect(await store.find("s")).toMatchObject({ title: "Older" });
  expect(await store.tenant("acme").find("s")).toMatchObject({ title: "Secret" });
});

test.each(standing)(
  "decisions are told of one tenant, and removed of it alone, behind %s",
  async (_, walls: Walls) => {
    const { store, schema } = await walledStore(walls);
    const connectionString = walls.rows
      ? (await sharedEngine()).url.replace("askwire@", `user_of_${schema}@`)
      : (await sharedEngine()).url;
    const db = await administrator();
    for (const name of ["acme", "globex"]) {
      await secretOf(store.tenant(name), "s");
      await db.query(
        `insert into ${schema}.audit (at, session_id, what, kind, request_id, who, status, answer, session, generation, nth, place, tenant)
       select '2020-01-01', id, 'settled', 'question', 'r', 'Ann', 'answered', 'of ' || tenant, key, 9, 9, 9, tenant
       from ${schema}.session where tenant = $1`,
        [name],
      );
    }
    const audits = await Promise.all(
      ["acme", "globex", ""].map((tenant) => postgresAudit({ schema, connectionString, tenant })),
    );
    onTestFinished(async () => {
      for (const audit of audits) await audit.close();
    });
    const answers = async () =>
      Promise.all(
        audits.map(async (audit) => {
          const told: (string | undefined)[] = [];
          for await (const { answer } of audit.decisions()) told.push(answer);
          return told.join();
        }),
      );
    expect(await answers()).toEqual(["of acme", "of globex", ""]);
    expect(await Promise.all(audits.map((audit) => audit.countOf("Ann")))).toEqual([1, 1, 0]);
    expect(await audits[0]?.forget("Ann")).toBe(1);
    expect(await audits[1]?.prune(Date.now())).toBe(1);
    expect((await answers()).map((told) => told.replace(/sha256:.*/, "a digest"))).toEqual([
      ...["a digest", "", ""],
    ]);
  },
);
