import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type pg from "pg";
import { codeOf, startError } from "./engine-errors.js";
import { quoted } from "./migrate.js";
import { checkStoreOptions, connections, enginePlace, type PostgresStoreOptions } from "./options.js";
import type { StoredAudit, StoredDecision, StoredDecisionQuery } from "./stored-audit.js";
import { type DecisionRow, decisionOf } from "./stored-decision.js";

/** The wait for a reply, in milliseconds: a large table is read from its beginning. */
const REPLY_MS = 120_000;
/** Rows that are read at once, and that are changed at once. */
const ROWS_AT_ONCE = 500;
const CHANGED_AT_ONCE = 5_000;

/**
 * Opens the decisions that servers keep in PostgreSQL, to read them, and as the owner of the tables to remove some. Makes
 * no tables, and needs no right but to read the views `decision` and `open_request`.
 *
 * @throws TypeError for an option that does not fit.
 * @throws LocalError CONNECT_FAILED where the engine cannot be reached.
 * @throws LocalError REFUSED where it refuses the user, or the user may not read the views.
 * @throws LocalError INVALID_STATE where there are no tables, and for those of an earlier version.
 */
export async function postgresAudit(options: PostgresStoreOptions = {}): Promise<StoredAudit> {
  checkStoreOptions(options);
  const { schema = "askwire" } = options;
  const pool = connections(options, 1, REPLY_MS);
  pool.on("error", () => {});
  const place = enginePlace(options);
  try {
    await pool.query(`select forgotten from ${quoted(schema)}.decision limit 0`);
    await pool.query(`select number from ${quoted(schema)}.open_request limit 0`);
  } catch (error) {
    await pool.end();
    throw unreadable(place, schema, error);
  }
  return new PostgresAudit(pool, `postgres://${place}#${schema}`, quoted(schema));
}

function unreadable(place: string, schema: string, error: unknown): LocalError {
  const code = codeOf(error);
  const refused = (reason: "REFUSED" | "INVALID_STATE", why: string) =>
    new LocalError(reason, `postgresAudit: ${place}: ${why} (${errorText(error)})`, { cause: error });
  if (code === "42501")
    return refused(
      "REFUSED",
      `this user may not read the decisions: let the owner run "grant usage on schema ${schema} to USER" and "grant select on ${schema}.decision, ${schema}.open_request to USER"`,
    );
  if (code === "3F000" || code === "42P01" || code === "42703")
    return refused(
      "INVALID_STATE",
      `the schema ${schema} has no decisions of this version: check the schema, and start a server of this version once as the owner of the tables`,
    );
  return startError(place, schema, error, "postgresAudit");
}

class PostgresAudit implements StoredAudit {
  readonly name: string;
  readonly #pool: pg.Pool;
  readonly #schema: string;

  /** @param schema the name of the schema as statements write it. */
  constructor(pool: pg.Pool, name: string, schema: string) {
    this.#pool = pool;
    this.name = name;
    this.#schema = schema;
  }

  decisions(query: StoredDecisionQuery = {}): AsyncGenerator<StoredDecision> {
    return this.#pages("decision", query);
  }

  open(query: StoredDecisionQuery = {}): AsyncGenerator<StoredDecision> {
    return this.#pages("open_request", query);
  }

  async sessionIds(beginning: string, most: number): Promise<readonly string[]> {
    const text = `select distinct session_id from ${this.#schema}.decision where starts_with(session_id, $1)
      union select distinct session_id from ${this.#schema}.open_request where starts_with(session_id, $1)
      order by session_id limit $2`;
    return (await this.#pool.query(text, [beginning, most])).rows.map((row) => row.session_id);
  }

  async countOf(who: string): Promise<number> {
    const text = `select count(*) from ${this.#schema}.decision where who_id = $1 or who = $1`;
    return Number((await this.#pool.query(text, [who])).rows[0].count);
  }

  forget(who: string): Promise<number> {
    return this.#untilNone(`select ${this.#schema}.forget($1, ${CHANGED_AT_ONCE}) as count`, who);
  }

  prune(before: number): Promise<number> {
    return this.#untilNone(
      `select ${this.#schema}.prune_audit($1, ${CHANGED_AT_ONCE}) as count`,
      new Date(before),
    );
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** Runs a statement that changes some rows until it finds none. Gives the number of all. */
  async #untilNone(text: string, value: unknown): Promise<number> {
    let sum = 0;
    for (let count = -1; count !== 0; sum += count)
      try {
        count = Number((await this.#pool.query(text, [value])).rows[0].count);
      } catch (error) {
        if (codeOf(error) !== "42501") throw error;
        throw new LocalError(
          "REFUSED",
          `${this.name}: this user may not change decisions: do it as the owner of the tables (${errorText(error)})`,
          { cause: error },
        );
      }
    return sum;
  }

  /** Rows in the order of their time, from behind the last one of the page before. */
  async *#pages(
    view: "decision" | "open_request",
    query: StoredDecisionQuery,
  ): AsyncGenerator<StoredDecision> {
    let after: Pick<DecisionRow, "place" | "number"> | undefined;
    for (;;) {
      const { wanted, values } = conditions(view, query);
      if (after !== undefined)
        wanted.push(
          `(at, number) > ($${values.push(after.place)}::timestamptz, $${values.push(after.number)})`,
        );
      const where = wanted.length === 0 ? "" : `where ${wanted.join(" and ")}`;
      const text = `select *, at::text as place, extract(epoch from at) * 1000 as at_ms from ${this.#schema}.${view}
        ${where} order by at, number limit ${ROWS_AT_ONCE}`;
      const { rows } = await this.#pool.query<DecisionRow>(text, values);
      for (const row of rows) yield decisionOf(row);
      if (rows.length < ROWS_AT_ONCE) return;
      after = rows.at(-1);
    }
  }
}

function conditions(
  view: "decision" | "open_request",
  { since, until, session, workDir, who, client }: StoredDecisionQuery,
): { wanted: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const wanted: string[] = [];
  if (since !== undefined) wanted.push(`at >= to_timestamp(${value(since)}::double precision / 1000)`);
  if (until !== undefined) wanted.push(`at < to_timestamp(${value(until)}::double precision / 1000)`);
  if (session !== undefined) wanted.push(`session_id = ${value(session)}`);
  if (workDir !== undefined) wanted.push(`work_dir = ${value(workDir)}`);
  // Nobody has decided what is open.
  if (view === "open_request" && (who ?? client) !== undefined) wanted.push("false");
  else {
    if (who !== undefined) wanted.push(`${value(who)} in (who_id, who)`);
    if (client !== undefined) wanted.push(`client = ${value(client)}`);
  }
  return { wanted, values };
}
