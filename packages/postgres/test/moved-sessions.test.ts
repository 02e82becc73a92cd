import { expect, test } from "vitest";
import { migrations } from "../src/migrations.js";
import type { BroughtSession } from "../src/moving-store.js";
import { administrator, commitOf, freshSchema, linesOf, storeAt } from "./at-work.js";

async function* each(lines: readonly string[]) {
  yield* lines;
}

const brought = (
  lines: readonly string[],
  more: Partial<BroughtSession> = {},
  history: readonly string[] = [],
): BroughtSession => ({
  ...{ id: "s", move: "m1", after: undefined, workDir: "/work", title: "Hello", activeAt: 1_000.5 },
  ...{ generation: 3, open: null, lines: each(lines), history: each(history) },
  ...more,
});

const settled = (id: string) =>
  `{"timestamp": 1, "message": {"type": "InteractionSettled", "payload": {"request_id":"${id}","kind":"question"}}}`;

test("a session that was brought has its lines, its history and its row, and its next process the next number", async () => {
  const store = await storeAt();
  const lines = Array.from({ length: 1_201 }, (_, n) => `line ${n}`);
  const open = {
    turn_id: "t",
    open: [{ request_id: "q", kind: "question" as const, text: "?", since: "now" }],
  };
  await store.bring(brought(lines, { open }, ["a", "b"]));
  expect(await store.find("s")).toMatchObject({
    ...{ state: "closed", workDir: "/work", title: "Hello", activeAt: 1_000, turnId: "t" },
    open: [{ request_id: "q" }],
  });
  const taken = await store.take("s");
  expect([taken.generation, taken.count, taken.history]).toEqual([4, 1_201, ["a", "b"]]);
  expect(await linesOf(taken)).toEqual(lines);
});

test("the same move is made once, also where the session has gone on since, and another one is refused", async () => {
  const store = await storeAt();
  await store.bring(brought(["a"]));
  const taken = await store.take("s");
  await taken.commit(commitOf(1, ["b"]));
  await store.bring(brought(["a"]));
  expect(await linesOf(taken, 0, 2)).toEqual(["a", "b"]);
  await expect(store.bring(brought(["c"], { move: "m2" }))).rejects.toMatchObject({
    code: "INVALID_STATE",
    message: expect.stringContaining("another session of this id"),
  });
});

test("a session that the engine can never keep is not there at all", async () => {
  const store = await storeAt();
  const lines = ["a", settled("q"), settled("q")];
  await expect(store.bring(brought(lines))).rejects.toMatchObject({ name: "LocalError", code: "CLOSED" });
  expect([await store.find("s"), await store.moveOf("s")]).toEqual([undefined, undefined]);
  await store.bring(brought(["a", settled("q")]));
  expect(await store.find("s")).toBeDefined();
});

test("a session that was given away is taken by nobody, and comes again only by who has it", async () => {
  const store = await storeAt();
  await store.bring(brought(["a"]));
  const taken = await store.take("s");
  await store.giveAway("s", { move: "m2", movedTo: "it is elsewhere" });
  await expect(taken.commit(commitOf(1, ["b"]))).rejects.toMatchObject({ code: "CLOSED" });
  await taken.release();
  expect(await store.moveOf("s")).toEqual({ move: "m2", movedTo: "it is elsewhere" });
  expect([await store.find("s"), await store.list({ limit: 9 })]).toEqual([undefined, []]);
  await expect(store.take("s")).rejects.toMatchObject({
    code: "INVALID_STATE",
    message: expect.stringContaining("the session was moved: it is elsewhere"),
  });
  await expect(store.bring(brought(["a"], { move: "m3" }))).rejects.toThrow("another session of this id");
  await store.bring(brought(["a", "b"], { move: "m3", after: "m2", generation: 1 }));
  expect((await store.take("s")).generation).toBeGreaterThan(taken.generation);
});

test("a process that has lost a session to another one gives nothing of it away", async () => {
  const schema = freshSchema();
  const [first, second] = [await storeAt({ schema }), await storeAt({ schema })];
  await first.bring(brought(["a"]));
  await first.take("s");
  const db = await administrator();
  await db.query(`update ${schema}.session set owner = null`);
  const taken = await second.take("s");
  await expect(first.giveAway("s", { move: "m2", movedTo: "it is elsewhere" })).rejects.toMatchObject({
    code: "CLOSED",
    message: expect.stringContaining("fenced"),
  });
  expect(await linesOf(taken)).toEqual(["a"]);
});

test("a store of the first version has its sessions after the update, and moves them", async () => {
  const schema = freshSchema();
  const db = await administrator();
  await db.query(`create schema ${schema}`);
  await db.query(
    `create table ${schema}.version (number integer primary key, at timestamptz not null default now())`,
  );
  await db.query((migrations[0] ?? "").replaceAll("$schema", schema));
  await db.query(`insert into ${schema}.version (number) values (1)`);
  await db.query(`insert into ${schema}.session (id, generation, lines) values ('s', 1, 1)`);
  await db.query(`insert into ${schema}.line (session, number, generation, text) values (1, 0, 1, 'a')`);
  const store = await storeAt({ schema });
  const taken = await store.take("s");
  expect(await linesOf(taken)).toEqual(["a"]);
  await store.giveAway("s", { move: "m1", movedTo: "it is elsewhere" });
  expect(await store.find("s")).toBeUndefined();
});
