import { expect, test } from "vitest";
import { mortalEngine } from "../../../scripts/postgres-engine.js";
import { systemClock } from "../../server/src/index.js";
import { extended } from "../../server/test/extended/extended-client.js";
import { detailedLog, messagesIn } from "../../server/test/journal-folder.js";
import { administrator, commitOf, freshSchema, linesOf, storeAt } from "./at-work.js";
import { servedFrom } from "./kept-in.js";

const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }], answer_id: "mine" };

const cut = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'server'";

/** Ways in which an engine takes nothing for a while, each with the statements that begin and end it. */
const spells = [
  [
    "is full",
    [
      `create function askwire.full() returns trigger language plpgsql as $$
        begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`,
      "create trigger full_disk before insert on askwire.line for each row execute function askwire.full()",
    ],
    ["drop trigger full_disk on askwire.line"],
  ],
  [
    "only reads",
    ["alter role server set default_transaction_read_only = on", cut],
    ["alter role server reset default_transaction_read_only", cut],
  ],
  [
    "has taken the right to write away",
    ["revoke all on askwire.line from server"],
    ["grant all on askwire.line to server"],
  ],
] as const;

test.each(spells)(
  "an answer that came while the engine %s counts once, as soon as it can be kept",
  async (_what, begin, end) => {
    await using engine = await mortalEngine();
    const db = await administrator(engine.url);
    // A superuser has each right: the store is a user like any other.
    await db.query("create role server login; create schema askwire authorization server");
    const log = detailedLog();
    const store = await storeAt({
      connectionString: engine.url.replace("askwire@", "server@"),
      schema: "askwire",
    });
    const set = servedFrom(store, { log });
    const client = extended(set.connect({ sessionId: "s" }).client);
    await client.introduce();
    const prompt = client.call("prompt", { user_input: "go" });
    const asked = await client.asked("QuestionRequest");
    for (const statement of begin) await db.query(statement);
    const replies: unknown[] = [];
    const answer = client.answer(asked, byRed).then((reply) => replies.push(reply.error));
    await expect.poll(() => log.told.at(-1)?.text).toBe("it cannot be written; it is tried again");
    expect(replies).toEqual([]);
    for (const statement of end) await db.query(statement);
    await answer;
    expect(replies).toEqual([undefined]);
    expect((await prompt).result).toEqual({ status: "finished" });
    await set.server.close();
    const { rows } = await db.query("select text from askwire.line order by number");
    const settled = messagesIn(rows.map(({ text }) => text)).filter(
      ({ type }) => type === "InteractionSettled",
    );
    expect(settled).toHaveLength(1);
  },
);

test.each([
  ["ahead", 10 * 60_000],
  ["behind", -10 * 60_000],
])(
  "a process whose clock is ten minutes %s neither takes a session that another has nor loses its own",
  async (_way, wrong) => {
    const schema = freshSchema();
    const clock = { ...systemClock, now: () => systemClock.now() + wrong };
    const right = await storeAt({ schema });
    const other = await storeAt({ schema, clock });
    const mine = await right.take("mine");
    const theirs = await other.take("theirs");
    await mine.commit(commitOf(1, ["a"]));
    await theirs.commit(commitOf(1, ["b"]));
    await expect(other.take("mine")).rejects.toThrow(/has the session/);
    await expect(right.take("theirs")).rejects.toThrow(/has the session/);
    await mine.commit(commitOf(2, ["c"]));
    await theirs.commit(commitOf(2, ["d"]));
    expect([await linesOf(mine, 0, 2), await linesOf(theirs, 0, 2)]).toEqual([
      ["a", "c"],
      ["b", "d"],
    ]);
    // The engine's clock says which was last active, for both.
    const listed = (await right.list({ limit: 9 })).map(({ id }) => id);
    expect(listed).toEqual((await other.list({ limit: 9 })).map(({ id }) => id));
    expect(listed).toEqual(["theirs", "mine"]);
  },
);
