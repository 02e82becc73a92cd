import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import { requestDigest } from "../../server/src/internal.js";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { administrator, commitOf, freshSchema, storeAt } from "./at-work.js";
import { servedFrom } from "./kept-in.js";

const record = (type: string, payload: object) =>
  `{"timestamp": 1.5, "message": {"type": "${type}", "payload": ${JSON.stringify(payload)}}}`;
const ann = { id: "d1", name: "Ann", via: "device", device: "Phone" };
const questions = [{ id: "q1", question: "Which colour?" }];

/** The lines of a question that Ann answered. */
const decided = (id: string) => [
  record("InteractionOpened", {
    ...{ request_id: id, kind: "question", request: { id, tool_call_id: "tc-1" } },
    questions,
  }),
  record("InteractionSettled", {
    ...{ request_id: id, kind: "question" },
    outcome: {
      ...{ status: "answered", by: "human", at: "2026-01-01T00:00:00Z" },
      ...{ client: { name: "page", connection: "c" }, principal: ann },
    },
    ...{ response: { answers: { "Which colour?": "Red" }, items: [] }, answer_id: "a-1" },
  }),
];

/** The statements of a section of docs/postgres.md, for a schema and a role of a test. */
function statementsOf(section: string, schema: string, role: string): string[] {
  const page = readFileSync(new URL("../../../docs/postgres.md", import.meta.url), "utf8");
  const from = page.slice(page.indexOf(section));
  const [, block = ""] = /```sql\n([\s\S]*?)```/.exec(from) ?? [];
  return block
    .replace(/--.*/g, "")
    .replaceAll("askwire_server", role)
    .replaceAll("askwire", schema)
    .split(";")
    .map((text) => text.trim())
    .filter((text) => text !== "");
}

test("a decision is a row of the audit in the transaction that keeps it, once, and outlives its session", async () => {
  const schema = freshSchema();
  const store = await storeAt({ schema });
  const session = await store.take("s1", "/work");
  const first = commitOf(1, decided("r1"), { title: "Paint" });
  await session.commit(first);
  // A commit whose reply was lost is made again.
  await session.commit(first);
  await session.commit(commitOf(2, [record("TurnEnd", {})]));
  await session.release();
  await store.remove("s1");
  const db = await administrator();
  expect((await db.query(`select count(*) from ${schema}.audit`)).rows).toEqual([{ count: "2" }]);
  const { rows } = await db.query(`select * from ${schema}.decision`);
  expect(rows).toEqual([
    {
      ...{ number: "2", at: expect.any(Date), asked_at: expect.any(Date), session_id: "s1", title: "Paint" },
      ...{ work_dir: "/work", kind: "question", request_id: "r1", tool_call_id: "tc-1" },
      ...{ asked: "Which colour?", digest: requestDigest({ questions }) },
      ...{ status: "answered", reason: null, decided_by: "human", rule: null, answer: "Red", note: null },
      ...{ who_id: "d1", who: "Ann", via: "device", device: "Phone", client: "page", answer_id: "a-1" },
      ...{
        program: null,
        request: JSON.stringify({ questions }),
        connection: "c",
        forgotten: null,
        tenant: "",
      },
      response: JSON.stringify({ answers: { "Which colour?": "Red" }, items: [] }),
    },
  ]);
});

test("a decision that is refused leaves no row of the audit, and no text keeps one from being made", async () => {
  const schema = freshSchema();
  const session = await (await storeAt({ schema })).take("s1");
  const odd = "a\u0000b\ud800c\\u0000";
  await session.commit(
    commitOf(1, [
      record("PolicyDecided", {
        tool_call_id: "t",
        action: odd,
        description: odd,
        response: "approve",
        rule: "approve_all",
      }),
      ...decided("r1"),
    ]),
  );
  await expect(session.commit(commitOf(2, decided("r1").slice(1)))).rejects.toMatchObject({ code: "CLOSED" });
  const db = await administrator();
  const { rows } = await db.query(
    `select asked, answer, rule, decided_by from ${schema}.decision order by number`,
  );
  expect(rows).toEqual([
    { asked: "a\ufffdb\ufffdc\\u0000", answer: "approved", rule: "approve_all", decided_by: "policy" },
    { asked: "Which colour?", answer: "Red", rule: null, decided_by: "human" },
  ]);
});

test("the role of docs/postgres.md serves sessions, and may neither change nor delete what is in the audit", async () => {
  const schema = freshSchema();
  const role = `server_${schema.slice(2, 14)}`;
  await (await storeAt({ schema })).close();
  const db = await administrator();
  onTestFinished(async () => {
    await db.query(`drop owned by ${role}`);
    await db.query(`drop role ${role}`);
  });
  for (const statement of statementsOf("## Who answered what", schema, role)) await db.query(statement);
  const url = (await sharedEngine()).url.replace("askwire@", `${role}@`);
  const store = await storeAt({ schema, connectionString: url });
  const { server, connect } = servedFrom(store);
  const { client } = await meetExtended({ connect }, { sessionId: "s" });
  const { prompt, asked } = await client.begun("QuestionRequest");
  await client.answer(asked, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
  await prompt;
  await server.close();
  const { rows } = await db.query(`select asked, answer, client from ${schema}.decision`);
  expect(rows).toEqual([{ asked: "Which colour?", answer: "Red", client: "raw" }]);
  const mine = await administrator(url);
  for (const statement of [
    `update ${schema}.audit set answer = 'Blue'`,
    `delete from ${schema}.audit`,
    `truncate ${schema}.audit`,
    `alter table ${schema}.audit disable trigger all`,
    `drop table ${schema}.audit cascade`,
  ])
    await expect(mine.query(statement), statement).rejects.toMatchObject({ code: "42501" });
  expect((await mine.query(`select answer from ${schema}.decision`)).rows).toEqual([{ answer: "Red" }]);
});

test("the name of the program that asks stands beside its question", async () => {
  const schema = freshSchema();
  const session = await (await storeAt({ schema })).take("s1");
  const ask = { request_id: "r1", key: "k", digest: "d", name: "deploy.sh" };
  await session.commit(commitOf(1, [record("AskOpened", ask), ...decided("r1"), ...decided("r2")]));
  const db = await administrator();
  const { rows } = await db.query(`select program from ${schema}.decision order by number`);
  expect(rows).toEqual([{ program: "deploy.sh" }, { program: null }]);
});

test("the words of one person are removed by the statements of docs/postgres.md, and their digest stays", async () => {
  const schema = freshSchema();
  const session = await (await storeAt({ schema })).take("s1", "/work");
  await session.commit(commitOf(1, decided("r1")));
  const rejected = decided("r2").map((line) => line.replaceAll('"kind":"question"', '"kind":"approval"'));
  await session.commit(
    commitOf(
      2,
      rejected.map((line) =>
        line.replace(
          /"response":\{.*\}(?=,"answer_id")/,
          '"response":{"response":"reject","feedback":"Red \\u0000"}',
        ),
      ),
    ),
  );
  const db = await administrator();
  for (const statement of statementsOf("### What a person said", schema, "none"))
    await db.query(statement.replace("$1", "'d1'"));
  const { rows } = await db.query(
    `select digest, status, answer, response, forgotten, who_id, who, device, client from ${schema}.decision`,
  );
  const digest = requestDigest({ questions });
  const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
  const nobody = { who_id: null, who: null, device: null, client: null };
  const removed = { ...nobody, digest, status: "answered", answer: hash, forgotten: hash };
  expect(rows).toEqual([
    { ...removed, response: null },
    // That it was rejected is what came of it.
    { ...removed, response: '{"response":"reject"}' },
  ]);
  expect(JSON.stringify((await db.query(`select * from ${schema}.audit`)).rows)).not.toMatch(/Ann|Phone|Red/);
});

test("two removals of one person's words at the same time leave one digest, of the words themselves", async () => {
  const schema = freshSchema();
  const session = await (await storeAt({ schema })).take("s1", "/work");
  await session.commit(commitOf(1, decided("r1")));
  const db = await administrator();
  const [one, other] = [await db.connect(), await db.connect()];
  onTestFinished(() => {
    one.release();
    other.release();
  });
  await one.query("begin");
  await one.query(`select ${schema}.forget('d1', 100)`);
  const { rows: before } = await one.query(`select answer, forgotten from ${schema}.decision`);
  const late = other.query(`select ${schema}.forget('d1', 100) as count`);
  await one.query("commit");
  expect((await late).rows).toEqual([{ count: "0" }]);
  expect((await other.query(`select answer, forgotten from ${schema}.decision`)).rows).toEqual(before);
});
