import type { SharedLook, SharedRow, SharedRows } from "@askwire/server";
import { rowsOfIds } from "./rows.js";
import type { TenantPool } from "./tenant-pool.js";

/** A look of a process. */
export interface OwnLook extends SharedLook {
  readonly processId: string;
}

/** Rows of one page, at most. */
const MOST_SHARED = 10_000;
/** Rows that are read at once. */
const ROWS_AT_ONCE = 500;

/** A session as a look finds it. */
interface FoundRow {
  readonly id: string;
  readonly version: string;
  /** A bigint, which comes as text. */
  readonly active_ms: string;
  readonly is_elsewhere: boolean;
  readonly is_listed: boolean;
}

/** A page of the sessions that other nodes have, and of those that no process has while something is open in them. */
export async function sharedRows(pool: TenantPool, schema: string, look: OwnLook): Promise<SharedRows> {
  const { at, processes } = await clockOf(pool, schema);
  const found = await foundRows(pool, schema, look);
  const shared = new Map<string, SharedRow>(
    found.map(({ id, version, is_elsewhere: isElsewhere, is_listed: isListed }) => [
      id,
      { id, version, isElsewhere, ...(!isListed && { isOver: true }) },
    ]),
  );
  const news = [...shared.values()].filter(
    ({ id, version, isOver }) => !isOver && !look.isKnown(id, version),
  );
  for (let from = 0; from < news.length; from += ROWS_AT_ONCE) {
    const ids = news.slice(from, from + ROWS_AT_ONCE).map(({ id }) => id);
    for (const row of await rowsOfIds(pool, schema, ids)) {
      const known = shared.get(row.id);
      if (known !== undefined) shared.set(row.id, { ...known, row });
    }
  }
  const isWhole = found.length < MOST_SHARED;
  const last = found.at(-1);
  const next = { activeAt: Number(last?.active_ms), id: last?.id ?? "" };
  return { rows: [...shared.values()], isWhole, ...(!isWhole && { next }), at, processes };
}

/** The engine's clock before the look, and the processes that have a lease then and are nodes, or have a session. */
async function clockOf(pool: TenantPool, schema: string): Promise<{ at: number; processes: string }> {
  const text = `select floor(extract(epoch from clock_timestamp()) * 1000) as at,
    coalesce(string_agg(n.id, ' ' order by n.id) filter (where n.expires_at > clock_timestamp()
      and (n.address is not null or exists (select from ${schema}.session s where s.owner = n.id))), '') as processes
    from ${schema}.node n`;
  const { rows } = await pool.query<{ at: string; processes: string }>({ name: "clock", text });
  return { at: Number(rows[0]?.at), processes: rows[0]?.processes ?? "" };
}

async function foundRows(
  pool: TenantPool,
  schema: string,
  { workDir, processId, after, since }: OwnLook,
): Promise<readonly FoundRow[]> {
  const values: unknown[] = [workDir, processId, MOST_SHARED, pool.tenant];
  const isListed = `case when n.expires_at > clock_timestamp() then n.address is not null else s.open is not null end`;
  let which = `(s.open is not null or s.owner is not null) and ${isListed}`;
  if (since !== undefined) which = `s.active_ms >= $${values.push(since)}`;
  if (after !== undefined) {
    const [at, id] = [values.push(after.activeAt), values.push(after.id)];
    which += ` and s.active_ms <= $${at} and (s.active_ms < $${at} or s.id > $${id})`;
  }
  const text = `
    select s.id, s.generation || '.' || s.nth as version, s.active_ms, ${isListed} as is_listed,
      coalesce(n.expires_at > clock_timestamp(), false) as is_elsewhere
    from ${schema}.session s left join ${schema}.node n on n.id = s.owner
    where s.tenant = $4 and s.work_dir = $1 and s.lines > 0 and s.owner is distinct from $2 and ${which}
    order by s.active_ms desc, s.id limit $3`;
  const name = ["shared", since !== undefined && "since", after !== undefined && "after"]
    .filter(Boolean)
    .join(" ");
  return (await pool.query<FoundRow>({ name, text, values })).rows;
}
