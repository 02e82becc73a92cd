import type { TenantPool } from "./tenant-pool.js";

/** Lines of one page at most, and bytes from which on it takes no more. */
const MOST_LINES = 500;
const MOST_BYTES = 1024 * 1024;

/** A table of numbered lines. */
export type LineTable = "line" | "history";

/**
 * Reads lines from one number up to another, a page of about a mebibyte at a time.
 *
 * @throws Error where a line is missing.
 * @throws the error of the engine.
 */
export async function* linesInPages(
  pool: TenantPool,
  {
    schema,
    table,
    key,
    from,
    end,
  }: { schema: string; table: LineTable; key: string; from: number; end: number },
): AsyncGenerator<string> {
  const text = `
    select number, text from (
      select number, text, sum(octet_length(text)) over (order by number) - octet_length(text) as before
      from (
        select number, text from ${schema}.${table}
        where session = $1 and tenant = $4 and number >= $2 and number < $3 order by number limit ${MOST_LINES}
      ) next
    ) page where before < ${MOST_BYTES} order by number`;
  for (let at = from; at < end; ) {
    const values = [key, at, end, pool.tenant];
    const { rows } = await pool.query({ name: `read ${table}`, text, values });
    if (rows.length === 0) throw new Error(`${table} ${at} of ${end} is missing`);
    for (const row of rows) {
      if (row.number !== at) throw new Error(`${table} ${at} of ${end} is missing`);
      yield row.text as string;
      at += 1;
    }
  }
}
