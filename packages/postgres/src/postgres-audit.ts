import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import { tenantProblem } from "@askwire/server";
import { codeOf, startError } from "./engine-errors.js";
import { quoted } from "./migrate.js";
import { checkStoreOptions, connections, enginePlace, type PostgresStoreOptions } from "./options.js";
import type { StoredAudit, StoredDecision, StoredDecisionQuery } from "./stored-audit.js";
import { type DecisionRow, decisionOf } from "./stored-decision.js";
import { TenantPool } from "./tenant-pool.js";

/** The wait for a reply, in milliseconds: a large table is read from its beginning. */
const REPLY_MS = 120_000;
/** Rows that are read at once, and that are changed at once. */
const ROWS_AT_ONCE = 500;
const CHANGED_AT_ONCE = 5_000;

/** The database of decisions, and whose are told. */
export interface PostgresAuditOptions extends PostgresStoreOptions {
  /** The tenant whose decisions are told, changed and removed, and no others (P-TEN-5). Default: those of no tenant. */
  readonly tenant?: string;
}

/**
 * Opens the decisions that servers keep in PostgreSQL, to read them, and as the owner of the tables to remove some. Makes
 * no tables, and needs no right but to read the views `decision` and `open_request`.
 *
 * @throws TypeError for an option that does not fit.
 * @throws LocalError CONNECT_FAILED where the engine cannot be reached.
 * @throws LocalError REFUSED where it refuses the user, or the user may not read the views.
 * @throws LocalError INVALID_STATE where there are no tables, and for those of an earlier version.
 */
export async function postgresAudit({
  tenant = "",
  ...options
}: PostgresAuditOptions = {}): Promise<StoredAudit> {
  checkStoreOptions(options);
  const problem = tenant === "" ? undefined : tenantProblem(tenant);
  if (problem !== undefined) throw new TypeError(`postgresAudit: tenant: ${problem}`);
  const { schema = "askwire" } = options;
  const pool = connections(options, 1, REPLY_MS);
  pool.on("error", () => {});
  const place = enginePlace(options);
  try {
    await pool.query(`select forgotten, tenant from ${quoted(schema)}.decision limit 0`);
    await pool.query(`select number from ${quoted(schema)}.open_request limit 0`);
  } catch (error) {
    await pool.end();
    throw unreadable(place, schema, error);
  }
  const rows = new TenantPool(pool, new WeakMap(), tenant);
  return new PostgresAudit(rows, () => pool.end(), `postgres://${place}#${schema}`, quoted(schema));
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
  readonly close: () => Promise<void>;
  readonly #pool: TenantPool;
  readonly #schema: string;

  /** @param schema the name of the schema as statements write it. */
  constructor(pool: TenantPool, close: () => Promise<void>, name: string, schema: string) {
    this.#pool = pool;
    this.close = close;
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
    const text = `select distinct session_id from ${this.#schema}.decision
        where tenant = $3 and starts_with(session_id, $1)
      union select distinct session_id from ${this.#schema}.open_request
        where tenant = $3 and starts_with(session_id, $1)
      order by session_id limit $2`;
    const values = [beginning, most, this.#pool.tenant];
    const { rows } = await this.#pool.query<{ session_id: string }>(text, values);
    return rows.map((row) => row.session_id);
  }

  async countOf(who: string): Promise<number> {
    const text = `select count(*) from ${this.#schema}.decision
      where tenant = $2 and (who_id = $1 or who = $1)`;
    const { rows } = await this.#pool.query<{ count: string }>(text, [who, this.#pool.tenant]);
    return Number(rows[0]?.count);
  }

  forget(who: string): Promise<number> {
    return this.#untilNone(`select ${this.#schema}.forget($1, ${CHANGED_AT_ONCE}, $2) as count`, who);
  }

  prune(before: number): Promise<number> {
    return this.#untilNone(
      `select ${this.#schema}.prune_audit($1, ${CHANGED_AT_ONCE}, $2) as count`,
      new Date(before),
    );
  }

  /** Runs a statement that changes some rows until it finds none. Gives the number of all. */
  async #untilNone(text: string, value: unknown): Promise<number> {
    let sum = 0;
    for (let count = -1; count !== 0; sum += count)
      try {
        const { rows } = await this.#pool.query<{ count: string }>(text, [value, this.#pool.tenant]);
        count = Number(rows[0]?.count);
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
      const { wanted, values } = conditions(view, query, this.#pool.tenant);
      if (after !== undefined)
        wanted.push(
          `(at, number) > ($${values.push(after.place)}::timestamptz, $${values.push(after.number)})`,
        );
      const text = `select *, at::text as place, extract(epoch from at) * 1000 as at_ms from ${this.#schema}.${view}
        where ${wanted.join(" and ")} order by at, number limit ${ROWS_AT_ONCE}`;
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
  tenant: string,
): { wanted: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const wanted: string[] = [`tenant = ${value(tenant)}`];
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
