import { LocalError } from "@askwire/protocol";
import type pg from "pg";
import { migrations } from "./migrations.js";

/** The first half of the key of the advisory lock under which a schema is made: a number of ours. */
const LOCK = 1_634_956_147;

/** The time for one step, in milliseconds. */
const STEP_MS = 24 * 60 * 60 * 1_000;

/** The name of a schema in a statement. */
export const quoted = (schema: string): string => `"${schema}"`;

/**
 * Makes or updates the tables. One process at a time does so, each step in one transaction, so that a process that dies
 * half way leaves nothing half done.
 *
 * @throws LocalError INVALID_STATE for tables of a later version.
 * @throws the error of the engine, such as for a missing right.
 */
export async function migrate(client: pg.ClientBase, place: string, schema: string): Promise<void> {
  for (let done = -1; done < migrations.length; ) {
    const version = await versionOf(client, schema);
    if (version > migrations.length)
      throw new LocalError(
        "INVALID_STATE",
        `postgresStore: ${place}: the schema ${schema} has version ${version}, and this package knows ${migrations.length}: update @askwire/postgres`,
      );
    done = version === migrations.length ? version : await step(client, schema);
  }
}

/** The number of steps that are made: 0 where there is no schema or no table of versions. */
async function versionOf(client: pg.ClientBase, schema: string): Promise<number> {
  const { rows } = await client.query("select to_regclass($1) is not null as is_there", [
    `${quoted(schema)}.version`,
  ]);
  if (rows[0]?.is_there !== true) return 0;
  const found = await client.query(`select max(number) as number from ${quoted(schema)}.version`);
  return found.rows[0]?.number ?? 0;
}

/** Makes the next step, if no other process has made it since. Returns the number of steps that are made. */
async function step(client: pg.ClientBase, schema: string): Promise<number> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1, hashtext($2))", [LOCK, schema]);
    const { rows } = await client.query("select to_regnamespace($1) is not null as is_there", [
      quoted(schema),
    ]);
    if (rows[0]?.is_there !== true) await client.query(`create schema ${quoted(schema)}`);
    const version = await versionOf(client, schema);
    const next = migrations[version];
    if (next !== undefined) {
      await client.query(
        `create table if not exists ${quoted(schema)}.version (number integer primary key, at timestamptz not null default now())`,
      );
      // An index of a large table takes minutes. Waits for locks of others stay bounded.
      await client.query("set local statement_timeout = 0");
      const text = next.replaceAll("$schema", quoted(schema));
      await client.query({ text, query_timeout: STEP_MS } as pg.QueryConfig);
      await client.query(`insert into ${quoted(schema)}.version (number) values ($1)`, [version + 1]);
    }
    await client.query("commit");
    return version;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
