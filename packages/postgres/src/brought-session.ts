import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type pg from "pg";
import { BroughtDecisions, type BroughtPlace } from "./brought-decisions.js";
import { isFinal, moveError } from "./engine-errors.js";
import type { LineTable } from "./line-pages.js";
import type { BroughtSession } from "./moving-store.js";
import type { TenantPool } from "./tenant-pool.js";

/** The row that a session comes to, and what is there. */
interface BroughtRow {
  readonly o_key: string;
  readonly o_generation: number;
  readonly o_state: "new" | "there" | "taken";
}

/** Lines of one statement at most, and UTF-16 units from which on it takes no more. */
const MOST_LINES = 500;
const MOST_UNITS = 1024 * 1024;

/**
 * Keeps a whole session in one transaction.
 *
 * @param name the name of the session in errors.
 * @throws as `bring` of `MovingStore`.
 */
export async function keepBrought(
  pool: TenantPool,
  schema: string,
  name: string,
  session: BroughtSession,
): Promise<void> {
  const client = await pool.connect();
  let isWhole = false;
  try {
    await client.query("begin");
    await keepAll(client, { schema, tenant: pool.tenant }, name, session);
    await client.query("commit");
    isWhole = true;
  } catch (error) {
    if (!isFinal(error)) throw moveError(name, error);
    throw new LocalError("CLOSED", `${name}: the engine can never keep it (${errorText(error)})`, {
      cause: error,
    });
  } finally {
    // A connection that is given up ends its transaction.
    client.release(!isWhole);
  }
}

async function keepAll(
  client: pg.ClientBase,
  { schema, tenant }: BroughtPlace,
  name: string,
  session: BroughtSession,
): Promise<void> {
  const { id, move, after, workDir, title, activeAt, generation, open } = session;
  const values = [id, move, after, workDir, title, Math.floor(activeAt), generation].map(
    (value) => value ?? null,
  );
  const { rows } = await client.query<BroughtRow>(
    `select * from ${schema}.bring($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [...values, open === null ? null : JSON.stringify(open), tenant],
  );
  const row = rows[0] as BroughtRow;
  if (row.o_state === "there") return;
  if (row.o_state === "taken")
    throw new LocalError(
      "INVALID_STATE",
      `${name}: the store has another session of this id: remove one of them`,
    );
  const decisions = await BroughtDecisions.begin(client, { schema, tenant }, { id, key: row.o_key });
  const lines = await addLines(
    client,
    { schema, tenant, table: "line", row },
    eachAlso(session.lines, decisions),
  );
  await decisions.end();
  const messages = await addLines(client, { schema, tenant, table: "history", row }, session.history);
  await client.query(
    `update ${schema}.session set lines = $2, messages = $3 where key = $1 and tenant = $4`,
    [row.o_key, lines, messages, tenant],
  );
}

/** Lines, each of which is shown to the decisions as it goes by. */
async function* eachAlso(lines: AsyncIterable<string>, decisions: BroughtDecisions): AsyncGenerator<string> {
  for await (const line of lines) {
    await decisions.add(line);
    yield line;
  }
}

/** Adds lines from number 0 on. Gives their number. */
async function addLines(
  client: pg.ClientBase,
  { schema, tenant, table, row }: BroughtPlace & { readonly table: LineTable; readonly row: BroughtRow },
  lines: AsyncIterable<string>,
): Promise<number> {
  const own = table === "line" ? { columns: ", generation", values: `, ${row.o_generation}` } : undefined;
  const text = `insert into ${schema}.${table} (session, number, text, tenant${own?.columns ?? ""})
    select $1, $2 + n - 1, text, $4${own?.values ?? ""} from unnest($3::text[]) with ordinality as given(text, n)`;
  let count = 0;
  let page: string[] = [];
  let units = 0;
  const add = async () => {
    await client.query(text, [row.o_key, count, page, tenant]);
    count += page.length;
    page = [];
    units = 0;
  };
  for await (const line of lines) {
    page.push(line);
    units += line.length;
    if (page.length === MOST_LINES || units >= MOST_UNITS) await add();
  }
  if (page.length > 0) await add();
  return count;
}
