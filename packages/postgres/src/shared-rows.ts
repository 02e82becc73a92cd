import type { SharedRow, SharedRows } from "@askwire/server";
import { rowsOfIds } from "./rows.js";
import type { TenantPool } from "./tenant-pool.js";

/** A process that lists what all nodes have. */
export interface AskingNode {
  readonly workDir: string;
  readonly processId: string;
  /** True for a version whose row is left out. */
  readonly isKnown: (id: string, version: string) => boolean;
}

/** Rows of one look, at most. */
const MOST_SHARED = 10_000;
/** Rows that are read at once. */
const ROWS_AT_ONCE = 500;

/** The sessions that other nodes have, and those that no process has while something is open in them. */
export async function sharedRows(
  pool: TenantPool,
  schema: string,
  { workDir, processId, isKnown }: AskingNode,
): Promise<SharedRows> {
  const text = `
    select s.id, s.generation || '.' || s.nth as version, coalesce(n.expires_at > clock_timestamp(), false) as is_elsewhere
    from ${schema}.session s left join ${schema}.node n on n.id = s.owner
    where (s.open is not null or s.owner is not null) and s.tenant = $4 and s.work_dir = $1
      and s.lines > 0
      and s.owner is distinct from $2
      and case when n.expires_at > clock_timestamp() then n.address is not null else s.open is not null end
    order by s.active_ms desc, s.id limit $3`;
  const values = [workDir, processId, MOST_SHARED, pool.tenant];
  const { rows } = await pool.query<Omit<SharedRow, "row" | "isElsewhere"> & { is_elsewhere: boolean }>({
    ...{ name: "shared", text, values },
  });
  const shared = new Map<string, SharedRow>();
  for (const { id, version, is_elsewhere: isElsewhere } of rows) shared.set(id, { id, version, isElsewhere });
  const news = [...shared.values()].filter(({ id, version }) => !isKnown(id, version)).map(({ id }) => id);
  for (let from = 0; from < news.length; from += ROWS_AT_ONCE)
    for (const row of await rowsOfIds(pool, schema, news.slice(from, from + ROWS_AT_ONCE))) {
      const known = shared.get(row.id);
      if (known !== undefined) shared.set(row.id, { ...known, row });
    }
  return { rows: [...shared.values()], isWhole: rows.length < MOST_SHARED };
}
