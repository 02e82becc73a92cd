import { defined } from "@askwire/protocol/internal";
import type { StoredCommit, StoredQuery, StoredRow } from "@askwire/server";
import type { TenantPool } from "./tenant-pool.js";

/** A session as the engine gives it. */
interface SessionRow {
  readonly id: string;
  readonly work_dir: string | null;
  readonly title: string | null;
  /** A bigint, which comes as text. */
  readonly active_ms: string;
  readonly open: string | null;
  readonly state: StoredRow["state"];
}

const columns = (schema: string) => `
  select s.id, s.work_dir, s.title, s.active_ms, s.open, case
    when s.owner is null then 'closed' when n.expires_at > clock_timestamp() then 'in_use' else 'cut_off' end as state
  from ${schema}.session s left join ${schema}.node n on n.id = s.owner`;

/** The row of a session in which something was kept, or that a process took whose lease is over. */
export async function storedRow(
  pool: TenantPool,
  schema: string,
  id: string,
): Promise<StoredRow | undefined> {
  const text = `${columns(schema)} where s.tenant = $2 and s.id = $1
    and (s.lines > 0 or s.owner is not null and coalesce(n.expires_at <= clock_timestamp(), true))`;
  const { rows } = await pool.query<SessionRow>({ name: "find", text, values: [id, pool.tenant] });
  return rows[0] && shownRow(rows[0]);
}

/** The rows of sessions by their ids. */
export async function rowsOfIds(
  pool: TenantPool,
  schema: string,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const text = `${columns(schema)} where s.tenant = $2 and s.id = any($1) and s.lines > 0`;
  const { rows } = await pool.query<SessionRow>({ name: "by_ids", text, values: [ids, pool.tenant] });
  return rows.map(shownRow);
}

/** A page of rows. */
export async function storedRows(pool: TenantPool, schema: string, query: StoredQuery): Promise<StoredRow[]> {
  const { workDir, unfinished = false, after, limit } = query;
  const values: unknown[] = [limit, pool.tenant];
  const value = (given: unknown) => `$${values.push(given)}`;
  const wanted = ["s.tenant = $2", "s.lines > 0"];
  if (workDir !== undefined) wanted.push(`s.work_dir = ${value(workDir)}`);
  if (unfinished) wanted.push("s.open is not null");
  if (after !== undefined) {
    // A place between two milliseconds, of another store, is before all of the earlier one.
    const at = value(Math.floor(after.activeAt));
    const id = value(Number.isInteger(after.activeAt) ? after.id : "");
    wanted.push(`s.active_ms <= ${at} and (s.active_ms < ${at} or s.id > ${id})`);
  }
  const text = `${columns(schema)} where ${wanted.join(" and ")} order by s.active_ms desc, s.id limit $1`;
  return (await pool.query<SessionRow>(text, values)).rows.map(shownRow);
}

function shownRow({ id, work_dir, title, active_ms, open, state }: SessionRow): StoredRow {
  const unfinished: StoredCommit["open"] = open === null ? undefined : JSON.parse(open);
  return {
    id,
    state,
    activeAt: Number(active_ms),
    ...defined({
      workDir: work_dir ?? undefined,
      title: title ?? undefined,
      turnId: unfinished?.turn_id,
      agent: unfinished?.agent,
    }),
    open: unfinished?.open ?? [],
  };
}
