import { timeOfLine } from "@askwire/server/internal";
import type pg from "pg";
import { AuditedLines, type AuditRow, rowsText } from "./audit-rows.js";

/** The tables that a session comes to, and its tenant there. */
export interface BroughtPlace {
  /** The name of the schema as statements write it. */
  readonly schema: string;
  /** Empty for none. */
  readonly tenant: string;
}

/** The columns by which a decision of a session is known again. */
const identity = ["what", "request_id", "tool_call_id", "rule", "digest"] as const;

/** Rows of one statement at most. */
const MOST_ROWS = 500;

/** The decisions in the lines of a session that is being brought, for the table: each that is not there yet. */
export class BroughtDecisions {
  readonly #client: pg.ClientBase;
  readonly #place: BroughtPlace;
  readonly #key: string;
  readonly #audited = new AuditedLines();
  /** The number of rows of each decision that were there before, as of an earlier stay of the session. */
  readonly #there: Map<string, number>;
  /** The number of this bringing among those of the session. */
  readonly #nth: number;
  #rows: AuditRow[] = [];
  #line = 0;

  static async begin(
    client: pg.ClientBase,
    to: BroughtPlace,
    { id, key }: { readonly id: string; readonly key: string },
  ): Promise<BroughtDecisions> {
    // A request has its id for itself; a rule is known within one life of the session.
    const { rows } = await client.query(
      `select ${identity.join(", ")}, count(*)::integer as count, max(place) filter (where generation = 0 and session = $2) as place
       from ${to.schema}.audit where tenant = $3 and session_id = $1 and (session = $2 or request_id is not null) group by ${identity.join(", ")}`,
      [id, key, to.tenant],
    );
    const there = new Map(rows.map((row) => [identityOf(row), row.count as number]));
    const nth = rows.reduce((most, row) => Math.max(most, row.place ?? -1), -1) + 1;
    return new BroughtDecisions(client, to, key, there, nth);
  }

  private constructor(
    client: pg.ClientBase,
    to: BroughtPlace,
    key: string,
    there: Map<string, number>,
    nth: number,
  ) {
    this.#client = client;
    this.#place = to;
    this.#key = key;
    this.#there = there;
    this.#nth = nth;
  }

  /** Takes the next line. */
  async add(text: string): Promise<void> {
    const row = this.#audited.row(text);
    const line = this.#line;
    this.#line += 1;
    if (row === undefined || this.#isThere(row)) return;
    this.#rows.push({ ...row, at: timeOfLine(text), line });
    if (this.#rows.length >= MOST_ROWS) await this.end();
  }

  /** Adds the rows that are left. */
  async end(): Promise<void> {
    if (this.#rows.length === 0) return;
    const { schema, tenant } = this.#place;
    const values = [this.#key, this.#nth, rowsText(this.#rows), tenant];
    this.#rows = [];
    await this.#client.query(`select ${schema}.bring_audit($1, $2, $3, $4)`, values);
  }

  #isThere(row: AuditRow): boolean {
    const one = identityOf(row);
    const count = this.#there.get(one) ?? 0;
    if (count > 0) this.#there.set(one, count - 1);
    return count > 0;
  }
}

const identityOf = (row: AuditRow): string => JSON.stringify(identity.map((name) => row[name] ?? null));
