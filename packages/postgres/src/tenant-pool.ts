import type pg from "pg";

/** The tenant that each connection is set to, of those that were set to one. */
export type SetTenants = WeakMap<pg.PoolClient, string>;

/**
 * The connections of a store as one tenant uses them: each is set to the tenant before its first statement, so that
 * row-level security shows and takes the rows of that tenant alone. Statements name the tenant all the same.
 */
export class TenantPool {
  /** The name of the tenant; empty for none. */
  readonly tenant: string;
  readonly #pool: pg.Pool;
  readonly #set: SetTenants;

  /** @param set the tenants of the connections of the pool, which all tenants share. */
  constructor(pool: pg.Pool, set: SetTenants, tenant: string) {
    this.#pool = pool;
    this.#set = set;
    this.tenant = tenant;
  }

  /** A connection that is set to the tenant, to be released as one of the pool. */
  async connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    if ((this.#set.get(client) ?? "") === this.tenant) return client;
    try {
      const text = "select set_config('askwire.tenant', $1, false)";
      await client.query({ name: "tenant", text, values: [this.tenant] });
      this.#set.set(client, this.tenant);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Runs one statement. A connection on which it fails is given up, as the pool itself does. */
  async query<Row extends pg.QueryResultRow>(
    statement: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const client = await this.connect();
    try {
      const result = await client.query<Row>(statement, values);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
