/** @import { Measure } from "../contract.js" */
/** @import { Engine } from "./engine.mjs" */
/** @import pg from "pg" */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshPlace, startEngine } from "./engine.mjs";
import { startHost, toldBy } from "./host-process.mjs";

const loads = [
  { name: "alone", label: "1 session, one by one", sessions: 1, inFlight: 1 },
  { name: "many", label: "1 session, 64 in flight", sessions: 1, inFlight: 64 },
  { name: "crowd", label: "1,000 sessions, one by one", sessions: 1_000, inFlight: 1 },
];

/** The sessions that have open questions, and the questions of each. */
const open = { sessions: 100, each: 20 };

/** @type {Measure<Engine>} */
export const stored = {
  name: "stored",
  title: "A question of a session in PostgreSQL",
  note: "As `kept`, with the engine of PostgreSQL that is installed, on the same disk, in turn with the local journal (`disk`); ×: p50 to that of the local journal in the same repetition; commits: calls of the function that keeps, which has the records of a moment in one transaction, for each question with its answer. Bytes of an open question: tables with their indexes, of 2,000 open ones in 100 sessions.",
  columns: () => [
    ...loads.flatMap(({ name, label }) => [
      { key: `${name}_disk`, label: `${label}, local: p50 µs` },
      { key: `${name}_postgres`, label: "PostgreSQL: p50 µs" },
      { key: `${name}_ratio`, label: "×" },
      { key: `${name}_rate`, label: "a second" },
      { key: `${name}_commits`, label: "commits a question" },
    ]),
    { key: "open_line", label: "an open question: bytes of its record" },
    { key: "open_audit", label: "of its row of the audit" },
    { key: "open_rest", label: "of the rest" },
    { key: "open_over", label: "all but the audit, less 1.5 × its records" },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 3)),
  open: startEngine,
  async sample(_peer, { quick, cores }, engine) {
    const share = mkdtempSync(join(tmpdir(), "askwire-bench-"));
    /** @type {Record<string, number>} */
    const found = {};
    try {
      for (const { name, sessions, inFlight } of loads) {
        const duration = quick ? { warmMs: 500, ms: 500 } : { warmMs: 3_000, ms: 2_000 };
        const order = { share, sessions, inFlight, ...duration };
        const local = await figuresOf(cores.slice(0, 1), "kept", { ...order, flush: "disk" });
        const place = freshPlace(engine);
        const kept = await figuresOf(cores.slice(0, 1), "kept", {
          ...order,
          flush: "postgres",
          engine: place,
        });
        found[`${name}_disk`] = local.p50Us ?? 0;
        found[`${name}_postgres`] = kept.p50Us ?? 0;
        found[`${name}_ratio`] = (kept.p50Us ?? 0) / (local.p50Us ?? 1);
        found[`${name}_rate`] = kept.perSecond ?? 0;
        found[`${name}_commits`] = (await commitsIn(engine.db, place.schema)) / (kept.questions ?? 1);
      }
      return { ...found, ...(await openQuestions(cores.slice(0, 1), engine)) };
    } finally {
      rmSync(share, { recursive: true, force: true });
    }
  },
  close: (engine) => engine.close(),
};

/** The commits of a process that has ended. @type {(db: pg.Pool, schema: string) => Promise<number>} */
async function commitsIn(db, schema) {
  const text = "select calls from pg_stat_user_functions where schemaname = $1 and funcname = 'keep'";
  await db.query("select pg_stat_clear_snapshot()");
  return Number((await db.query(text, [schema])).rows[0]?.calls ?? 0);
}

/** @type {(cores: readonly number[], engine: Engine) => Promise<Record<string, number>>} */
async function openQuestions(cores, engine) {
  const place = freshPlace(engine);
  const child = startHost(cores, "stored-open", { engine: place, ...open });
  await toldBy(child);
  const text = `select relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
    join pg_namespace n on n.oid = relnamespace where nspname = $1 and relkind = 'r'`;
  const { rows } = await engine.db.query(text, [place.schema]);
  child.kill("SIGKILL");
  const bytesOf = (/** @type {(name: string) => boolean} */ isWanted) =>
    rows.reduce((sum, { name, bytes }) => sum + (isWanted(name) ? Number(bytes) : 0), 0) /
    (open.sessions * open.each);
  const records = await engine.db.query(`select sum(octet_length(text)) as bytes from ${place.schema}.line`);
  const line = bytesOf((name) => name === "line");
  const rest = bytesOf((name) => name !== "line" && name !== "audit");
  return {
    open_line: line,
    open_audit: bytesOf((name) => name === "audit"),
    open_rest: rest,
    open_over: line + rest - (1.5 * Number(records.rows[0].bytes)) / (open.sessions * open.each),
  };
}

/** @type {(cores: readonly number[], host: string, order: object) => Promise<Record<string, number>>} */
async function figuresOf(cores, host, order) {
  const child = startHost(cores, host, order);
  const figures = await toldBy(child);
  if (child.exitCode === null) await once(child, "exit");
  return figures;
}
