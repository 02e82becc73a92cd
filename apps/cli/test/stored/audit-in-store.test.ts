import { expect, onTestFinished, test } from "vitest";
import { administrator, commitOf, freshSchema, storeAt } from "../../../../packages/postgres/test/at-work.js";
import { sharedEngine } from "../../../../scripts/postgres-engine.js";
import { askwire } from "../askwire.js";
import { decidedHome } from "../audit/decided.js";

/** A home with a session of all kinds of decisions that no process has, and a schema of the shared engine. */
async function decidedPlace() {
  const { id, home, env } = await decidedHome();
  const schema = freshSchema();
  const { url } = await sharedEngine();
  const db = await administrator();
  onTestFinished(async () => void (await db.query(`drop schema if exists ${schema} cascade`)));
  const store = ["--store", url, "--store-schema", schema];
  const run = (...args: string[]) => askwire(args, { env });
  return {
    ...{ id, home, db, schema, url, store, run },
    /** The output of a command that has nothing to complain about. */
    async printed(...args: string[]): Promise<string> {
      const { stdout, stderr, status } = await run(...args);
      expect([stderr, status]).toEqual(["", 0]);
      return stdout;
    },
    move: (...to: string[]) => run("sessions", "move", id, "--work-dir", "/work/shop", ...to),
    rows: async () => Number((await db.query(`select count(*) from ${schema}.audit`)).rows[0]?.count),
  };
}

test("askwire audit --store prints of a moved session what it printed on the disk, line for line, once however often it moves", async () => {
  const place = await decidedPlace();
  const [json, lines] = [
    await place.printed("audit", "--json", "--open"),
    await place.printed("audit", "--open"),
  ];
  expect(json.split("\n")).toHaveLength(10);
  for (const _round of [1, 2]) {
    expect(await place.move(...place.store)).toMatchObject({ status: 0, stderr: "" });
    // A second move of the session makes no second row.
    expect(await place.move(...place.store)).toMatchObject({ status: 0, stderr: "" });
    expect(await place.printed("audit", "--json", "--open", ...place.store)).toBe(json);
    expect(await place.printed("audit", "--open", ...place.store)).toBe(lines);
    expect(await place.run("audit", "--open")).toMatchObject({ stdout: "", stderr: "no decision is kept\n" });
    const rows = await place.rows();
    expect(await place.move("--store", "disk")).toMatchObject({ status: 0, stderr: "" });
    expect(await place.printed("audit", "--json", "--open")).toBe(json);
    expect(await place.rows()).toBe(rows);
  }
  // An open question is listed where its session is.
  expect(await place.printed("audit", "--json", "--open", ...place.store)).toBe(
    `${json.split("\n").slice(0, -2).join("\n")}\n`,
  );
});

test("askwire audit --store chooses as on the disk: by time, session, folder, person and client", async () => {
  const place = await decidedPlace();
  const choices = [
    ["--who", "Ann"],
    ["--who", "d1"],
    ["--who", "Olga"],
    ["--client", "Olga"],
    ["--client", "page"],
    ["--who", "Ann", "--client", "page", "--open"],
    ["--since", "1h"],
    ["--until", "1h"],
    ["--session", place.id.slice(0, 8)],
    ["--work-dir", "/work/shop"],
    ["--work-dir", "/work/none"],
  ];
  const told = async (...more: string[]) =>
    Promise.all(
      choices.map(async (choice) => (await place.run("audit", "--json", ...choice, ...more)).stdout),
    );
  const onDisk = await told();
  expect(onDisk.map((text) => text.split("\n").length - 1)).toEqual([2, 1, 1, 1, 2, 2, 8, 0, 8, 8, 0]);
  await place.move(...place.store);
  expect(await told(...place.store)).toEqual(onDisk);
  expect(await place.run("audit", "--session", "none", ...place.store)).toMatchObject({
    ...{ status: 2, stdout: "" },
    stderr: expect.stringMatching(/^askwire: audit --session none: no session has this id/),
  });
});

test("a user who may only read the decisions reads them, and is told what is missing where that is not allowed either", async () => {
  const place = await decidedPlace();
  await place.move(...place.store);
  const role = `reader_${place.schema.slice(2, 14)}`;
  await place.db.query(`create role ${role} login`);
  onTestFinished(async () => {
    await place.db.query(`drop owned by ${role}`);
    await place.db.query(`drop role ${role}`);
  });
  const store = ["--store", place.url.replace("askwire@", `${role}@`), ...place.store.slice(2)];
  expect(await place.run("audit", ...store)).toMatchObject({
    ...{ status: 1, stdout: "" },
    stderr: expect.stringMatching(
      new RegExp(
        `^askwire: --store: .*may not read the decisions: let the owner run "grant usage on schema ${place.schema}`,
      ),
    ),
  });
  await place.db.query(`grant usage on schema ${place.schema} to ${role}`);
  await place.db.query(`grant select on ${place.schema}.decision, ${place.schema}.open_request to ${role}`);
  expect(await place.printed("audit", "--json", "--open", ...store)).toBe(
    await place.printed("audit", "--json", "--open", ...place.store),
  );
});

test("askwire audit --store tells more decisions than one page, also those of one moment, in the order of their time", async () => {
  const place = await decidedPlace();
  await place.move(...place.store);
  await place.db.query(`delete from ${place.schema}.audit`);
  await place.db.query(
    `insert into ${place.schema}.audit (at, session_id, what, kind, asked, status, decided_by, session, generation, nth, place)
     select to_timestamp(1000 + (7 * n % 1201) / 600), 's', 'settled', 'question', 'Question ' || n, 'answered', 'human', 9, 1, n, 0
     from generate_series(1, 1201) n`,
  );
  const told = (await place.printed("audit", "--json", ...place.store))
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(new Set(told.map(({ asked }) => asked)).size).toBe(1201);
  const times = told.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(3);
});

test.each([
  ["nowhere", /^askwire: --store: .*the schema nowhere has no decisions of this version: check the schema/],
  ["9", /^askwire: --store-schema 9: expected/],
])(
  "askwire audit names the schema %s, in which no decisions are, with the next step",
  async (schema, said) => {
    const { url } = await sharedEngine();
    const { stdout, stderr } = await askwire(["audit", "--store", url, "--store-schema", schema]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(said);
  },
);

test("an approval's own option is told by its label, and a row of an earlier version by the words that it has", async () => {
  const place = await decidedPlace();
  const store = await storeAt({ schema: place.schema });
  const session = await store.take("s1");
  const record = (type: string, payload: object) =>
    `{"timestamp": 1000, "message": {"type": "${type}", "payload": ${JSON.stringify(payload)}}}`;
  const request = { id: "r1", action: "deploy", description: "", options: [{ id: "now", label: "Ship it" }] };
  const outcome = { status: "answered", by: "human", at: "2026-01-01T00:00:00Z" };
  const response = { response: "approve", option: "now", feedback: "go" };
  await session.commit(
    commitOf(1, [
      record("InteractionOpened", { request_id: "r1", kind: "approval", request }),
      record("InteractionSettled", { request_id: "r1", kind: "approval", outcome, response }),
    ]),
  );
  expect(await place.printed("audit", ...place.store)).toMatch(
    /approved +somebody +deploy → Ship it; go {2}\[s1\]\n$/,
  );
  await place.db.query(`update ${place.schema}.audit set request = null, response = null`);
  expect(await place.printed("audit", ...place.store)).toMatch(
    /approved +somebody +deploy → approved; go {2}\[s1\]\n$/,
  );
});

test("askwire audit forget --store removes a person's name and words as the owner, and says what stays", async () => {
  const place = await decidedPlace();
  await place.move(...place.store);
  const before = (await place.printed("audit", "--json", ...place.store))
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(await place.printed("audit", "forget", "Ann", "--dry-run", ...place.store)).toMatch(
    /^2 decisions of Ann would lose its name and words\nThis stays/,
  );
  expect(await place.printed("audit", "forget", "Ann", "--yes", ...place.store)).toMatch(
    /^2 decisions of Ann have digests in the place of name and words\nThis stays.*the sessions themselves in the database: their records have name and answers/s,
  );
  const after = (await place.printed("audit", "--json", ...place.store))
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
  const ways = before.map(({ who }) => (who?.name === "Ann" ? who.via : undefined));
  expect(ways.filter((via) => via !== undefined)).toEqual(["token", "device"]);
  expect(after).toEqual(
    before.map((told, n) =>
      ways[n] === undefined
        ? told
        : { ...told, who: { via: ways[n] }, client: null, answer: hash, response: null, forgotten: hash },
    ),
  );
  expect(await place.printed("audit", ...place.store)).toMatch(
    /answered +removed \(device\) +Which colour\? → sha256:/,
  );
  expect((await place.run("audit", "forget", "Ann", "--yes", ...place.store)).stderr).toBe(
    "no decision has Ann as its person, by the word of the server\n",
  );
});

test("askwire audit prune --store removes decisions of before a time with what was asked, and nothing that is open", async () => {
  const place = await decidedPlace();
  await place.move(...place.store);
  const all = await place.printed("audit", "--json", "--open", ...place.store);
  const third = all.split("\n")[2] ?? "";
  // A question that was asked before that time stays as long as its answer.
  const { at, asked_at } = JSON.parse(third);
  expect(asked_at < at).toBe(true);
  const prune = (before: string) =>
    place.printed("audit", "prune", "--before", before, "--yes", ...place.store);
  expect(await prune(at)).toMatch(/^4 rows of before .* removed\n$/);
  expect(await place.printed("audit", "--json", "--open", ...place.store)).toBe(
    all.split("\n").slice(2).join("\n"),
  );
  expect(await prune("2100-01-01")).toMatch(/^\d+ rows of before/);
  const open = all.split("\n").at(-2);
  expect(await place.printed("audit", "--json", "--open", ...place.store)).toBe(`${open}\n`);
});

test.each([
  [
    ["forget", "Ann"],
    2,
    /audit forget: Remove the name .* There is no terminal to ask at: add --yes, or --dry-run/,
  ],
  [["prune", "--before", "400d"], 2, /audit prune: Remove all decisions of before .* add --yes/],
  [["prune", "--before", "soon", "--yes"], 2, /audit prune --before soon: expected an age/],
  [["forget", "Ann", "--work-dir", "/w", "--yes"], 2, /audit forget: --work-dir is for sessions on the disk/],
])("askwire audit %j --store refuses, and says what to do", async (args, status, said) => {
  const place = await decidedPlace();
  await place.move(...place.store);
  const done = await place.run("audit", ...args, ...place.store);
  expect(done).toMatchObject({ status, stdout: "", stderr: expect.stringMatching(said) });
});
