import { expect, onTestFinished, test } from "vitest";
import { createServer } from "../../server/src/index.js";
import { drivenClock } from "../../server/test/driven-clock.js";
import { administrator, freshSchema, storeAt } from "./at-work.js";

/** More than one page of a look. */
const ALL = 10_100;

/** A bound for what never comes. */
const SOON = { timeout: 200_000 };

const openIn = (id: string) =>
  `json_build_object('open', json_build_array(json_build_object('request_id', ${id}, 'kind', 'question', 'text', 'It?',
    'since', '2026-01-01T00:00:00Z')))::text`;

/** A node of a store in which so many questions are open in sessions of nobody, the last of them the newest. */
async function nodeWithAll() {
  const schema = freshSchema();
  const store = await storeAt({ schema, leaseMs: 600_000, nodeAddress: "ws://127.0.0.1:1" });
  const db = await administrator();
  await db.query(
    `insert into ${schema}.session (id, work_dir, lines, generation, nth, active_ms, open)
     select 's' || n, '/work', 1, 1, 1, n, ${openIn("'r' || n")} from generate_series(1, $1::int) n`,
    [ALL],
  );
  const clock = drivenClock();
  const server = createServer({
    agent: { async run() {} },
    store,
    workDir: "/work",
    clock,
    attendance: "hold",
  });
  onTestFinished(() => server.close());
  const listed = () => server.listRequests().length;

  await expect.poll(listed, SOON).toBe(ALL);
  /** Waits until the list is as a test expects it, while looks follow each other. */
  const until = async (count: number) => {
    let looks = 0;
    await expect
      .poll(() => {
        looks += 1;
        clock.advance(4_000);
        return listed();
      }, SOON)
      .toBe(count);
    return looks;
  };
  const change = (set: string) => db.query(`update ${schema}.session ${set}`);
  return { schema, db, server, until, change };
}

test("a node leaves out what waits beyond the first page of the store, or lists what another node has settled", async () => {
  const { schema, db, server, until, change } = await nodeWithAll();
  const now = "active_ms = floor(extract(epoch from clock_timestamp()) * 1000), nth = nth + 1";
  expect(server.listRequests().some(({ request_id }) => request_id === "r1")).toBe(true);
  await change(`set open = null, ${now} where id in ('s1', 's10050')`);
  await until(ALL - 2);
  await change(`set open = ${openIn("'another'")}, ${now} where id = 's2'`);
  await expect
    .poll(
      async () =>
        (await until(ALL - 2)) > 0 &&
        server.listRequests().some(({ request_id }) => request_id === "another"),
    )
    .toBe(true);
  // One that is removed leaves nothing behind: a look at all finds that.
  await db.query(`delete from ${schema}.session where id = 's3'`);
  await until(ALL - 3);
});

test("a node learns in a minute alone that a process has ended which had a session of thousands", async () => {
  const { schema, db, server, until, change } = await nodeWithAll();
  await change("set owner = 'n', open = null, nth = nth + 1 where id = 's5'");
  await db.query(
    `insert into ${schema}.node (id, name, address, expires_at) values ('n', 'another', 'ws://127.0.0.1:2', now() + interval '1 hour')`,
  );
  await until(ALL - 1);
  const idle = () => server.listSessions().find(({ id }) => id === "s5")?.state;
  expect(idle()).toBe("idle");
  await db.query(`delete from ${schema}.node where id = 'n'`);
  await until(ALL - 1);
  await expect.poll(async () => (await until(ALL - 1)) > 0 && idle()).toBe(undefined);
});
