import fc from "fast-check";
import { expect, test } from "vitest";
import { drivenClock } from "../../server/test/driven-clock.js";
import { administrator, commitOf, freshSchema, linesOf, storeAt } from "./at-work.js";

const closed = (message: RegExp) =>
  expect.objectContaining({ code: "CLOSED", message: expect.stringMatching(message) });
const inUse = (message: RegExp) =>
  expect.objectContaining({ code: "INVALID_STATE", message: expect.stringMatching(message) });

/** A line with the outcome of a request, as a journal has it. */
const settlement = (id: string, kind = "question") =>
  `{"timestamp": 1.5, "message": {"type": "InteractionSettled", "payload": {"request_id":"${id}","kind":"${kind}"}}}`;

test("what was committed is there for the next process: lines, conversation, what is open, and the first title", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const first = await store.take("s1", "/work");
  expect([first.generation, first.count, first.history]).toEqual([1, 0, []]);
  const open = { turn_id: "t", open: [] };
  const history = { replaces: false, lines: ["m0", "m1"] };
  await first.commit(commitOf(1, ["a", "b"], { title: "First", open, history }));
  await first.commit(commitOf(2, ["c"], { title: "Second", history: { replaces: true, lines: ["m2"] } }));
  await store.close();

  const next = await storeAt({ schema });
  const found = { id: "s1", workDir: "/work", title: "First", state: "closed", turnId: "t", open: [] };
  expect(await next.find("s1")).toMatchObject(found);
  const session = await next.take("s1");
  expect([session.generation, session.count, session.history]).toEqual([2, 3, ["m2"]]);
  expect(await linesOf(session)).toEqual(["a", "b", "c"]);
  expect(await linesOf(session, 1, 2)).toEqual(["b"]);
  expect(await next.find("s1")).toMatchObject({ ...found, state: "in_use" });
  await session.commit(commitOf(1, [], { open: null }));
  expect(await next.list({ limit: 5, unfinished: true })).toEqual([]);
});

test("a commit that is there already is acknowledged and not made again, and one after a gap is refused", async () => {
  const session = await (await storeAt()).take("s");
  await session.commit(commitOf(1, ["a"]));
  const again = commitOf(2, ["b"], { history: { replaces: false, lines: ["m"] } });
  await Promise.all([session.commit(again), session.commit(again)]);
  await session.commit(commitOf(1, ["a"]));
  await expect(session.commit(commitOf(4, ["d"]))).rejects.toEqual(
    closed(/commit 4 came without the one before/),
  );
  await session.commit(commitOf(3, ["c"]));
  expect(await linesOf(session, 0, 3)).toEqual(["a", "b", "c"]);
});

test("a session that a process has is refused to others with its name, and free once it was given back", async () => {
  const schema = freshSchema();
  const [one, other] = [await storeAt({ schema }), await storeAt({ schema })];
  const session = await one.take("s");
  await session.commit(commitOf(1, ["a"]));
  const name = new RegExp(`process ${process.pid} on .* has the session`);
  await expect(other.take("s")).rejects.toEqual(inUse(name));
  await expect(one.take("s")).rejects.toEqual(inUse(/this process has the session/));
  await expect(other.remove("s")).rejects.toEqual(inUse(name));
  await expect(one.remove("s")).rejects.toEqual(inUse(name));
  await session.release();
  await expect(session.commit(commitOf(2, ["b"]))).rejects.toEqual(closed(/given back/));
  const next = await other.take("s");
  expect([next.generation, await linesOf(next)]).toEqual([2, ["a"]]);
  await next.release();
  await one.remove("s");
  expect(await one.find("s")).toBeUndefined();
  expect((await one.take("s")).count).toBe(0);
});

test("one of two processes that race for a session has it", async () => {
  const schema = freshSchema();
  const stores = await Promise.all([storeAt({ schema }), storeAt({ schema })]);
  for (let n = 0; n < 40; n += 1) {
    const tries = await Promise.allSettled(stores.map((store) => store.take(`s${n}`)));
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  }
});

test("a process whose lease is over is fenced: the next one has the session, and the first keeps nothing more of it", async () => {
  const schema = freshSchema();
  const clock = drivenClock();
  const one = await storeAt({ schema, clock, leaseMs: 2_000 });
  const [taken, left, idle] = [await one.take("taken"), await one.take("left"), await one.take("idle")];
  for (const session of [taken, left, idle]) await session.commit(commitOf(1, ["a"]));
  const other = await storeAt({ schema });
  await expect.poll(async () => (await other.find("taken"))?.state).toBe("cut_off");
  const next = await other.take("taken");
  await other.take("idle");
  await next.commit(commitOf(1, ["b"]));
  await expect(taken.commit(commitOf(2, ["late"]))).rejects.toEqual(closed(/fenced/));
  expect(await linesOf(next, 0, 2)).toEqual(["a", "b"]);
  // Whose session nobody took goes on.
  await left.commit(commitOf(2, ["b"]));
  // And once it is heard of again, it knows what it lost, without a commit that says so.
  clock.advance(500);
  await expect
    .poll(() => one.told.map(({ text }) => text))
    .toContain("the lease was over: others may have taken sessions");
  await expect(idle.commit(commitOf(2, ["late"]))).rejects.toEqual(closed(/fenced/));
  await expect(other.take("left")).rejects.toEqual(inUse(/has the session/));
});

test("a lease that is renewed holds longer than itself", async () => {
  const schema = freshSchema();
  const clock = drivenClock();
  const one = await storeAt({ schema, clock, leaseMs: 2_000 });
  await (await one.take("s")).commit(commitOf(1, ["a"]));
  const other = await storeAt({ schema });
  const db = await administrator();
  const expiry = async () =>
    Number(
      (
        await db.query(
          `select extract(epoch from max(expires_at)) as at from ${schema}.node where expires_at < now() + interval '3 seconds'`,
        )
      ).rows[0].at,
    );
  const before = await expiry();
  clock.advance(500);
  await expect.poll(expiry).toBeGreaterThan(before);
  await expect.poll(() => clock.waiting).toBe(1);
  await expect(other.take("s")).rejects.toEqual(inUse(/has the session/));
});

test("a session that cannot be given back, since its row is locked, keeps no lease from being renewed", async () => {
  const schema = freshSchema();
  const clock = drivenClock();
  const one = await storeAt({ schema, clock, leaseMs: 600_000 });
  const session = await one.take("s");
  await session.commit(commitOf(1, ["a"]));
  const db = await administrator();
  const locking = await db.connect();
  await locking.query(`begin; select from ${schema}.session for update`);
  await expect(session.release()).rejects.toThrow(/timeout/);
  const lease = async () => (await db.query(`select expires_at from ${schema}.node`)).rows[0].expires_at;
  for (let renewal = 0; renewal < 2; renewal += 1) {
    const before = await lease();
    await expect.poll(() => clock.waiting).toBe(1);
    clock.advance(150_000);
    await expect.poll(lease).not.toEqual(before);
  }
  await locking.query("rollback");
  locking.release();
});

test("a question is settled once in a journal, whatever the code does, and other sessions of the moment are kept", async () => {
  const store = await storeAt();
  const [one, other] = [await store.take("one"), await store.take("other")];
  await one.commit(commitOf(1, [settlement("q1"), settlement("tc", "tool_call")]));
  const results = await Promise.allSettled([
    one.commit(commitOf(2, ["before", settlement("q1")])),
    other.commit(commitOf(1, [settlement("q1"), `"message": {"type": "InteractionSettled" of a person`])),
  ]);
  expect(results[0]).toEqual({ status: "rejected", reason: closed(/can never keep it.*one_settlement/) });
  expect(results[1].status).toBe("fulfilled");
  // The id of a tool call is the model's, which may come again.
  await one.commit(commitOf(2, [settlement("q2"), settlement("tc", "tool_call")]));
  expect(await linesOf(one, 0, 4)).toHaveLength(4);
});

test("lines, titles and what is open come back byte for byte, whatever Unicode has", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const session = await store.take("s");
  const kept: string[] = [];
  let nth = 0;
  const next = () => {
    nth += 1;
    return nth;
  };
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 60 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(texts, async (said) => {
      const lines = said.map((text) => JSON.stringify({ text, quoted: `{"${text}"},\\NULL` }));
      await session.commit(commitOf(next(), lines, { history: { replaces: false, lines } }));
      kept.push(...lines);
    }),
    { numRuns: 25 },
  );
  const whole = [
    JSON.stringify(Array.from({ length: 0x11000 }, (_, n) => String.fromCodePoint(n % 0x110000)).join("")),
    "",
    "NULL",
    "{}",
    "\\",
    '"',
    "\u2028",
  ];
  await session.commit(commitOf(next(), whole, { history: { replaces: false, lines: whole } }));
  kept.push(...whole);
  const request = { request_id: "q", kind: "question" as const, text: "\u0000\ud800 é 𝄞", since: "" };
  await session.commit(commitOf(next(), [], { open: { open: [request] }, title: "é 𝄞 \\ \" '" }));
  expect(await linesOf(session, 0, kept.length)).toEqual(kept);
  expect(await store.find("s")).toMatchObject({ open: [request], title: "é 𝄞 \\ \" '" });
  await session.release();
  expect((await store.take("s")).history).toEqual(kept);
});

test("what the engine can never keep ends the session with the reason, and is not tried for ever", async () => {
  const session = await (await storeAt()).take("s");
  await expect(session.commit(commitOf(1, ["a\u0000b"]))).rejects.toEqual(closed(/can never keep it/));
});

test("a long journal is read in pages, and a line that is missing ends the reading with an error", async () => {
  const schema = freshSchema();
  const session = await (await storeAt({ schema })).take("s");
  const lines = [
    ...Array.from({ length: 12 }, (_, n) => `${n} ${"x".repeat(300_000)}`),
    ...Array.from({ length: 1_200 }, (_, n) => `line ${n}`),
  ];
  await session.commit(commitOf(1, lines));
  const all = await linesOf(session, 0, lines.length);
  expect(all.every((line, n) => line === lines[n])).toBe(true);
  expect(all).toHaveLength(lines.length);
  const db = await administrator();
  await db.query(`delete from ${schema}.line where number = 700`);
  await expect(linesOf(session, 690, 710)).rejects.toThrow("line 700 of 710 is missing");
  await expect(linesOf(session, 1_000, 5_000)).rejects.toThrow("line 1212 of 5000 is missing");
});

test("pages of a thousand sessions have each that did not change once, also where many are of one millisecond", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const db = await administrator();
  await db.query(
    `insert into ${schema}.session (id, lines, active_ms, work_dir) select 's' || n, 1, 1700000000000 + n / 90, '/w' || n % 2 from generate_series(1, 1000) n`,
  );
  // A place of another store may be between two milliseconds.
  const between = await store.list({ limit: 2_000, after: { activeAt: 1700000000000.5, id: "z" } });
  expect(between).toHaveLength(89);
  const changing = new Set<string>();
  const seen: string[] = [];
  let after: { activeAt: number; id: string } | undefined;
  for (;;) {
    const page = await store.list({ limit: 37, ...(after && { after }) });
    seen.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) break;
    after = { activeAt: last.activeAt, id: last.id };
    // A session that was not listed yet becomes active, and another one that was.
    for (const id of [`s${1000 - changing.size * 7}`, `s${1 + changing.size * 5}`].filter(
      (id) => !changing.has(id),
    )) {
      changing.add(id);
      const session = await store.take(id);
      await session.commit(commitOf(1, ["a"]));
      await session.release();
    }
  }
  const unchanged = seen.filter((id) => !changing.has(id));
  expect(new Set(unchanged).size).toBe(unchanged.length);
  expect(unchanged).toHaveLength(1000 - changing.size);
  const folder = await store.list({ limit: 2_000, workDir: "/w1" });
  expect(folder).toHaveLength(500);
  const order = folder.map(({ activeAt, id }) => ({ activeAt, id }));
  expect(order).toEqual(order.toSorted((a, b) => b.activeAt - a.activeAt || (a.id < b.id ? -1 : 1)));
});

test("a closed store has given all back, and leaves neither connection nor row of its process", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const db = await administrator();
  const count = async (statement: string) =>
    Number((await db.query(`select count(*) from ${statement}`)).rows[0].count);
  const used = await store.take("used");
  await used.commit(commitOf(1, ["a"]));
  await store.take("unused");
  expect(await count(`${schema}.node`)).toBe(1);
  await Promise.all([store.close(), store.close()]);
  expect(await count(`${schema}.node`)).toBe(0);
  expect((await db.query(`select id, owner from ${schema}.session`)).rows).toEqual([
    { id: "used", owner: null },
  ]);
  await expect(store.take("used")).rejects.toEqual(closed(/store is closed/));
  await expect(store.list({ limit: 1 })).rejects.toEqual(closed(/store is closed/));
  await expect(used.commit(commitOf(2, ["b"]))).rejects.toEqual(closed(/store is closed/));
});

test("commits of many sessions at once are kept with four connections, each whole", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const db = await administrator();
  const sessions = await Promise.all(Array.from({ length: 150 }, (_, n) => store.take(`s${n}`)));
  for (let nth = 1; nth <= 3; nth += 1)
    await Promise.all(
      sessions.map((session, n) =>
        session.commit(commitOf(nth, [`${n} ${nth} a`, `${n} ${nth} b`], { isAwaited: n % 2 === 0 })),
      ),
    );
  for (const [n, session] of sessions.entries())
    expect(await linesOf(session, 0, 6)).toEqual(
      [1, 2, 3].flatMap((nth) => [`${n} ${nth} a`, `${n} ${nth} b`]),
    );
  const backends =
    "select count(*) from pg_stat_activity where application_name = 'askwire' and query like $1";
  const { rows } = await db.query(backends, [`%${schema}%`]);
  expect(Number(rows[0].count)).toBeLessThanOrEqual(4);
});
