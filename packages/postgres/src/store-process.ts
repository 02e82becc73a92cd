import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { errorText } from "@askwire/protocol/internal";
import { type Log, systemClock } from "@askwire/server";
import type pg from "pg";
import { CommitBatches } from "./commit-batches.js";
import { Lease } from "./lease.js";
import { quoted } from "./migrate.js";
import type { PostgresStoreOptions } from "./options.js";
import { type SetTenants, TenantPool } from "./tenant-pool.js";

/** The lease where none is given, in milliseconds. */
export const LEASE_MS = 10_000;

/** The connections of a process. */
export interface Pools {
  readonly work: pg.Pool;
  readonly lease: pg.Pool;
}

export type StoreSettings = PostgresStoreOptions &
  Required<Pick<PostgresStoreOptions, "schema" | "log">> & { place: string };

/** The sessions of one tenant that a process has. */
export interface TenantSessions {
  /** Gives back what could not be given back yet, beside the renewals of the lease. */
  releaseLater(): void;
  /** Loses the sessions that other processes have taken since. */
  loseTaken(): Promise<void>;
  /** Gives back all. */
  leave(): Promise<void>;
}

/** A process that uses the store: what its tenants share, which is the connections, the lease and the row of the process. */
export class StoreProcess {
  readonly id = randomUUID();
  /** The place of the tables, without a secret. */
  readonly place: string;
  /** The name of the schema as statements write it. */
  readonly schema: string;
  readonly log: Log;
  /** True for one whose sessions other processes find. */
  readonly isNode: boolean;
  /** True where tenants may use it. */
  readonly hasTenants: boolean;
  readonly batches = new CommitBatches();
  /** The name of this process for others. */
  readonly #name = `process ${process.pid} on ${hostname()}`;
  readonly #pools: Pools;
  readonly #set: SetTenants = new WeakMap();
  readonly #tenants = new Map<string, TenantSessions>();
  readonly #lease: Lease;
  /** The address of this process for others, and true once they can read it. */
  readonly #address: string | undefined;
  #isAddressed = false;
  #closing: Promise<void> | undefined;

  /** Writes down this process. */
  static async begin(pools: Pools, settings: StoreSettings): Promise<StoreProcess> {
    const begun = new StoreProcess(pools, settings);
    try {
      await begun.#renew(settings.leaseMs ?? LEASE_MS);
      await pools.work.query(`select ${begun.schema}.sweep()`);
      return begun;
    } catch (error) {
      begun.#lease.end();
      throw error;
    }
  }

  private constructor(pools: Pools, settings: StoreSettings) {
    const { place, schema, log, clock = systemClock, leaseMs = LEASE_MS, nodeAddress, tenants } = settings;
    this.#address = nodeAddress;
    this.isNode = nodeAddress !== undefined;
    this.hasTenants = tenants === true;
    this.place = `postgres://${place}#${schema}`;
    this.schema = quoted(schema);
    this.log = log;
    this.#pools = pools;
    this.#lease = new Lease({
      ...{ name: this.#name, leaseMs, clock, log },
      renew: async () => {
        const wasOver = await this.#renew(leaseMs);
        for (const sessions of this.#tenants.values()) sessions.releaseLater();
        return wasOver;
      },
      whenOver: async () => {
        for (const sessions of this.#tenants.values()) await sessions.loseTaken();
      },
    });
  }

  /** The connections as a tenant uses them. */
  pool(of: keyof Pools, tenant: string): TenantPool {
    return new TenantPool(this.#pools[of], this.#set, tenant);
  }

  /** The sessions of a tenant, which are made the first time. */
  sessionsOf<Sessions extends TenantSessions>(tenant: string, make: () => Sessions): Sessions {
    const sessions = (this.#tenants.get(tenant) as Sessions | undefined) ?? make();
    this.#tenants.set(tenant, sessions);
    return sessions;
  }

  /** Forgets a tenant whose sessions were given back. */
  forget(tenant: string): void {
    this.#tenants.delete(tenant);
  }

  /** True once it begins to close. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Gives back the sessions of all tenants, and ends the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#lease.end();
    await this.batches.idle();
    try {
      for (const sessions of this.#tenants.values()) await sessions.leave();
      await this.#pools.work.query(`select ${this.schema}.leave($1)`, [this.id]);
    } catch (error) {
      const details = { store: this.place, error: errorText(error) };
      this.log.error(
        details,
        "the sessions cannot be given back; others may take them once the lease is over",
      );
    }
    await Promise.all([this.#pools.work.end(), this.#pools.lease.end()]);
  }

  async #renew(leaseMs: number): Promise<boolean> {
    const text = `select ${this.schema}.renew($1, $2, $3) as was_over`;
    const values = [this.id, this.#name, leaseMs];
    const wasOver = (await this.#pools.lease.query({ name: "renew", text, values })).rows[0].was_over;
    // The row of a process that was taken for dead is a new one.
    if (wasOver) this.#isAddressed = false;
    if (this.#address !== undefined && !this.#isAddressed) {
      const place = `update ${this.schema}.node set address = $2 where id = $1`;
      await this.#pools.lease.query(place, [this.id, this.#address]);
      this.#isAddressed = true;
    }
    return wasOver;
  }
}
