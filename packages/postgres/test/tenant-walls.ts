import { onTestFinished, vi } from "vitest";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import type { PostgresStoreOptions } from "../src/index.js";
import { TenantPool } from "../src/tenant-pool.js";
import { administrator, freshSchema, storeAt } from "./at-work.js";

/** The walls between tenants that stand in a test. */
export interface Walls {
  /** Row-level security: false where the user passes it by. */
  readonly rows: boolean;
  /** The tenant in each statement: false where statements look at the rows of all tenants. */
  readonly statements: boolean;
}

/** Each choice of walls of which one stands at least, by its name in titles. */
export const standing: readonly (readonly [string, Walls])[] = [
  ["both walls", { rows: true, statements: true }],
  ["the tenant in each statement alone", { rows: false, statements: true }],
  ["row-level security alone", { rows: true, statements: false }],
];

/** A user of a test who may make a schema of their own and nothing else, gone after the test. */
export async function plainUser(schema: string): Promise<string> {
  const db = await administrator();
  const name = `user_of_${schema}`;
  await db.query(`create role ${name} login`);
  await db.query(`create schema ${schema} authorization ${name}`);
  onTestFinished(async () => {
    await db.query(`drop owned by ${name} cascade`);
    await db.query(`drop role ${name}`);
  });
  return (await sharedEngine()).url.replace("askwire@", `${name}@`);
}

/** A store with tenants between which these walls stand, and the ways to make another process of it. */
export async function walledStore(walls: Walls, options: PostgresStoreOptions = {}) {
  const schema = freshSchema();
  const connectionString = walls.rows ? await plainUser(schema) : (await sharedEngine()).url;
  const how = { tenants: true, leaseMs: 600_000, schema, connectionString };
  if (!walls.statements) {
    // The tables are there once a first process has begun.
    await (await storeAt(how)).close();
    await lookAtAll(schema);
  }
  return {
    schema,
    store: await storeAt({ ...how, ...options }),
    another: (more: PostgresStoreOptions = {}) => storeAt({ ...how, ...more }),
  };
}

/** Takes the tenant out of the statements and functions of a schema, wherever it chooses rows. */
async function lookAtAll(schema: string): Promise<void> {
  const db = await administrator();
  const { rows } = await db.query(
    "select pg_get_functiondef(oid) as text from pg_proc where pronamespace = $1::regnamespace",
    [schema],
  );
  for (const { text } of rows) {
    const open = text.replaceAll(/(?:\w+\.)?tenant = p_tenant/g, "p_tenant is not null");
    if (open !== text) await db.query(open);
  }
  const { query } = TenantPool.prototype;
  const open = (text: string) => text.replaceAll(/(?:\w+\.)?tenant = \$(\d+)/g, "$$$1::text is not null");
  const spied = vi.spyOn(TenantPool.prototype, "query").mockImplementation(function (
    this: TenantPool,
    statement,
    values,
  ) {
    const text = typeof statement === "string" ? statement : statement.text;
    if (!text.includes(schema)) return query.call(this, statement, values);
    const opened = typeof statement === "string" ? open(text) : { ...statement, text: open(text) };
    return query.call(this, opened, values);
  } as typeof query);
  onTestFinished(() => spied.mockRestore());
}
