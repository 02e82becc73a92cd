import { expect, test } from "vitest";
import type { DecisionQuery, SessionStore } from "../../server/src/index.js";
import { administrator, freshSchema, storeAt } from "./at-work.js";

/** A store whose audit has one approval of Ann that is declined, and then that many answered questions of Bob. */
async function decidedAt(count: number) {
  const schema = freshSchema();
  const store = (await storeAt({ schema })) as Required<SessionStore>;
  const db = await administrator();
  await db.query(
    `insert into ${schema}.audit (at, session, generation, nth, place, session_id, work_dir, what, kind, request_id, asked, status, who)
    select to_timestamp(n), 1, 1, n, 0, 's1', '/work', 'settled', case when n = 0 then 'approval' else 'question' end, 'r' || n,
      'It?', case when n = 0 then 'declined' else 'answered' end, case when n = 0 then 'Ann' else 'Bob' end
    from generate_series(0, $1::int) n`,
    [count],
  );
  return (wanted: Partial<DecisionQuery>) =>
    store.decisions({ workDir: "/work", limit: 5, ...wanted }, new AbortController().signal);
}

test("decisions of a kind, a status or a person are looked for in all of the table for one page", async () => {
  const page = await decidedAt(20_000);
  const choices = [{ kinds: ["approval" as const] }, { status: "declined" }, { who: "ann" }];
  for (const wanted of [...choices, Object.assign({}, ...choices) as (typeof choices)[0]]) {
    const first = await page(wanted);
    expect([first.decisions, typeof first.next], JSON.stringify(wanted)).toEqual([[], "string"]);
    const second = await page({ ...wanted, after: first.next as string });
    expect([second.decisions.map(({ request_id }) => request_id), second.next]).toEqual([["r0"], undefined]);
  }
  const { decisions } = await page({ who: "Bob" });
  expect(decisions.map(({ request_id }) => request_id)).toEqual([0, 1, 2, 3, 4].map((n) => `r${20_000 - n}`));
});

test("a choice that the engine cannot take is told as an engine that cannot be reached", async () => {
  const page = await decidedAt(1);
  const times = [
    "9999-99-99 99:99:99",
    "2026-02-30 00:00:00+00",
    "0000-01-01 00:00:00+00",
    "2026-01-01 00:00:00+99",
  ];
  const wrong: [field: string, wanted: Partial<DecisionQuery>][] = [
    ["text: ", { text: "a\0b" }],
    ["who: ", { who: "\0" }],
    ...times.map((at): [string, object] => ["after: ", { after: JSON.stringify([at, "1"]) }]),
  ];
  for (const [field, wanted] of wrong)
    await expect(page(wanted), JSON.stringify(wanted)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(field),
    });
  const first = await page({ limit: 1 });
  expect((await page({ limit: 1, after: first.next as string })).decisions).toHaveLength(1);
});
