import type { ConnectionOptions } from "node:tls";
import { checkOptions, errorText, type OptionRules, option } from "@askwire/protocol/internal";
import type { Clock, Log } from "@askwire/server";
import pg from "pg";

/** The database of a store, and how it is used. */
export interface PostgresStoreOptions {
  /**
   * The address of the database, such as `postgres://askwire@db.example:5432/askwire?sslmode=verify-full`. Default:
   * `host` and the others, and for what is missing the variables that PostgreSQL's own programs read (`PGHOST`, …).
   */
  readonly connectionString?: string;
  /** The host, or the folder of a Unix socket. */
  readonly host?: string;
  /** Default: 5432. */
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  /** True to encrypt, or the options of `node:tls`. Default: as `connectionString` says, or not. */
  readonly ssl?: boolean | ConnectionOptions;
  /** The password, or a function that is called for each new connection, for one that changes. */
  readonly password?: string | (() => string | Promise<string>);
  /** The schema of the tables: small letters, digits and `_`, at most 63. Default: `askwire`. */
  readonly schema?: string;
  /** Default: standard error, from warnings on. */
  readonly log?: Log;
  /** Time between renewals. Leases themselves are measured by the clock of the engine. Default: the system's. */
  readonly clock?: Clock;
  /**
   * The time after which the sessions of a process that gives no sign of life may be taken by others, in milliseconds,
   * from 2,000 to 600,000. Default: 10,000.
   */
  readonly leaseMs?: number;
  /**
   * The address at which other processes of this store reach the gateway of this one, as `ws://10.0.0.7:7001`: they pass
   * clients of its sessions on to it. Default: none, and they refuse them.
   */
  readonly nodeAddress?: string;
  /**
   * True to start on an engine whose standbys are asynchronous: after a failover the last acknowledged answers may be
   * gone. Default: false, such an engine is refused.
   */
  readonly allowAsyncStandby?: boolean;
  /**
   * True for a store whose `tenant` gives the sessions of tenants (P-TEN-5): then row-level security stands between them,
   * which the owner of the tables turns on, once. Default: false, nobody has a tenant.
   */
  readonly tenants?: boolean;
}

const rules: OptionRules<PostgresStoreOptions> = {
  connectionString: option.text,
  host: option.text,
  port: option.whole(1, 65_535),
  database: option.text,
  user: option.text,
  ssl: option.either(option.flag, option.object),
  // Not shown where it does not fit.
  password: option.any,
  schema: {
    expected: "a name of small letters, digits and _",
    fits: (value) => typeof value === "string" && /^[a-z_][a-z0-9_]{0,62}$/.test(value),
  },
  log: option.having("a log", "debug", "info", "warn", "error"),
  clock: option.having("a clock", "now", "elapsed", "after"),
  leaseMs: option.whole(2_000, 600_000),
  allowAsyncStandby: option.flag,
  tenants: option.flag,
  nodeAddress: {
    expected: "an address such as ws://10.0.0.7:7001 or wss://node-1.example:7001",
    fits: (value) => typeof value === "string" && /^wss?:\/\/[^/?#@\s]+$/.test(value),
  },
};

/** @throws TypeError that names the option and shows no secret. */
export function checkStoreOptions(options: PostgresStoreOptions): void {
  checkOptions("postgresStore", options, rules);
  if (!["undefined", "string", "function"].includes(typeof options.password))
    throw new TypeError("postgresStore: password: expected a string or a function");
}

/** The time in which a connection has to be there, in milliseconds. */
const CONNECT_MS = 5_000;
/** The time of a statement in the engine, and of the wait for its reply, in milliseconds. */
const STATEMENT_MS = 8_000;
const REPLY_MS = 10_000;
/** The time by which a statement ends before the wait for its reply does, where that is longer, in milliseconds. */
const GRACE_MS = 2_000;
/** The time for which a row may be locked by others, in milliseconds. */
const LOCK_MS = 5_000;

/**
 * The connections of a store: `most` of them at a time, each made when it is needed.
 *
 * @param replyMs the longest wait for a reply, in milliseconds. Default: 10,000.
 * @throws TypeError for an address that cannot be read.
 */
export function connections(
  { connectionString, host, port, database, user, ssl, password }: PostgresStoreOptions,
  most: number,
  replyMs = REPLY_MS,
): pg.Pool {
  const config: pg.PoolConfig = {
    ...(connectionString !== undefined && { connectionString }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(database !== undefined && { database }),
    ...(user !== undefined && { user }),
    ...(ssl !== undefined && { ssl }),
    max: most,
    application_name: "askwire",
    keepAlive: true,
    connectionTimeoutMillis: Math.min(CONNECT_MS, replyMs),
    statement_timeout: Math.max(STATEMENT_MS, replyMs - GRACE_MS),
    query_timeout: replyMs,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: REPLY_MS,
  };
  /** A connection whose password is given beside the address: an address without one would put none in its place. */
  class Connection extends pg.Client {
    constructor(given?: pg.ClientConfig) {
      super(given);
      if (password !== undefined) Object.assign(this, { password });
    }
  }
  try {
    new pg.Client(config);
  } catch (error) {
    throw new TypeError(
      `postgresStore: connectionString: expected an address such as postgres://user@host:5432/database (${errorText(error)})`,
    );
  }
  const pool = new pg.Pool({ ...config, Client: Connection } as pg.PoolConfig);
  // The statement under way rejects with it, or the next one does.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The host, port and database of the store, without a secret. */
export function enginePlace({ connectionString, ...options }: PostgresStoreOptions): string {
  const { host, port, database } = new pg.Client({
    ...(connectionString === undefined ? options : { connectionString }),
    password: "",
  } as pg.ClientConfig);
  return `${host}:${port}/${database ?? ""}`;
}
