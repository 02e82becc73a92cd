import { LocalError } from "@askwire/protocol";
import {
  type DecisionPage,
  type DecisionQuery,
  type SharedLook,
  type SharedRows,
  type StoredQuery,
  type StoredRow,
  type StoredSession,
  standardErrorLog,
  tenantProblem,
} from "@askwire/server";
import { keepBrought } from "./brought-session.js";
import { decisionPage } from "./decision-pages.js";
import { checkEngine } from "./engine-check.js";
import { moveError, startError } from "./engine-errors.js";
import { migrate } from "./migrate.js";
import type { BroughtSession, NodeStore, StoredMove } from "./moving-store.js";
import { checkStoreOptions, connections, enginePlace, type PostgresStoreOptions } from "./options.js";
import { storedRow, storedRows } from "./rows.js";
import { sharedRows } from "./shared-rows.js";
import { LEASE_MS, StoreProcess, type TenantSessions } from "./store-process.js";
import { inUse, TakenSession } from "./taken-session.js";
import type { TenantPool } from "./tenant-pool.js";
import { raiseWall } from "./tenant-wall.js";

/** Connections for all but the lease, which has one of its own: a busy store must not lose it. */
const MOST_CONNECTIONS = 3;

/**
 * Keeps the sessions of a server in PostgreSQL 15 or later, for `createServer({ store })`. Connects, makes or updates
 * the tables, and writes down this process; resolves once all of that is done. Several processes may use one database:
 * each session belongs to one of them at a time. What is acknowledged is committed by the engine (P-DUR-5).
 *
 * The store uses four connections at most, and gives up a statement after ten seconds. `close()` gives all sessions back.
 *
 * A commit that fails is tried again by the server, under its number, as long as the session is open. These errors of
 * the engine end the session instead, since they would come again for ever: SQLSTATE 22 (data that does not fit, such
 * as a NUL character), 23 (a constraint, such as a second settlement of one question), 42 (a table that is gone; not
 * 42501, a missing right) and 54 (a limit of the engine).
 *
 * @throws TypeError for an option that does not fit.
 * @throws LocalError CONNECT_FAILED where the engine cannot be reached.
 * @throws LocalError REFUSED where it refuses the user, or the user may not make the tables, or with `tenants` not turn on
 * row-level security, which the owner of the tables does once.
 * @throws LocalError INVALID_STATE for an engine before version 15, one that only reads, one whose standbys are
 * asynchronous (unless `allowAsyncStandby`), and tables of a later version.
 */
export async function postgresStore(options: PostgresStoreOptions = {}): Promise<NodeStore> {
  checkStoreOptions(options);
  const { schema = "askwire", log = standardErrorLog() } = options;
  // A renewal that hangs is given up while there is time for another one.
  const renewalMs = Math.min(10_000, (options.leaseMs ?? LEASE_MS) / 2);
  const pools = { work: connections(options, MOST_CONNECTIONS), lease: connections(options, 1, renewalMs) };
  for (const pool of Object.values(pools)) pool.on("error", () => {});
  const place = enginePlace(options);
  try {
    const client = await pools.work.connect();
    let isWhole = false;
    try {
      await checkEngine(client, { place, allowAsyncStandby: options.allowAsyncStandby === true, log });
      await migrate(client, place, schema);
      if (options.tenants === true) await raiseWall(client, { place, schema, log });
      isWhole = true;
    } finally {
      client.release(!isWhole);
    }
    return PostgresStore.of(await StoreProcess.begin(pools, { ...options, schema, log, place }), "");
  } catch (error) {
    await Promise.all(Object.values(pools).map((pool) => pool.end()));
    throw error instanceof LocalError ? error : startError(place, schema, error);
  }
}

/** The sessions of one tenant in the store, as this process uses them. */
class PostgresStore implements NodeStore, TenantSessions {
  readonly name: string;
  readonly #process: StoreProcess;
  readonly #schema: string;
  readonly #pool: TenantPool;
  /** The sessions that this process has; undefined while one is being taken. */
  readonly #taken = new Map<string, TakenSession | undefined>();
  /** The generations, by key, of sessions that could not be given back yet. */
  readonly #unreleased = new Map<string, number>();
  /** The ids of sessions that may be taken by this process, since the reply to the taking did not come. */
  readonly #unclear = new Set<string>();
  /** The round that gives back sessions late; undefined while there is none. */
  #releasing: Promise<void> | undefined;
  /** Finds the sessions of other processes; undefined for a process that is no node. */
  readonly shared?: NonNullable<NodeStore["shared"]>;
  #isClosed = false;

  static of(process: StoreProcess, tenant: string): PostgresStore {
    return process.sessionsOf(tenant, () => new PostgresStore(process, tenant));
  }

  private constructor(process: StoreProcess, tenant: string) {
    this.#process = process;
    this.#schema = process.schema;
    this.#pool = process.pool("work", tenant);
    this.name = process.place;
    if (process.isNode) this.shared = (...asked) => this.#shared(...asked);
    // Sessions that a dead process has taken and not used are forgotten now, or the next time.
    if (tenant !== "") this.#asked(`select ${this.#schema}.sweep($1)`, [tenant]).catch(() => {});
  }

  tenant(name: string): NodeStore {
    this.#checkOpen();
    const problem = this.#process.hasTenants
      ? tenantProblem(name)
      : "the store has none: add `tenants: true`";
    if (problem !== undefined) throw new TypeError(`tenant: ${JSON.stringify(name)}: ${problem}`);
    return PostgresStore.of(this.#process, name);
  }

  async take(id: string, workDir?: string): Promise<StoredSession> {
    checkId(id);
    this.#checkOpen();
    if (this.#taken.has(id)) throw inUse(`${this.name}/${id}`, "this process");
    this.#taken.set(id, undefined);
    try {
      if (this.#unclear.has(id)) await this.#releasing;
      const session = await TakenSession.take({
        ...{ id, workDir, name: `${this.name}/${id}`, schema: this.#schema, processId: this.#process.id },
        ...{ pool: this.#pool, batches: this.#process.batches },
        giveBack: (key, generation) => this.#giveBack(id, key, generation),
      });
      this.#taken.set(id, session);
      this.#unclear.delete(id);
      return session;
    } catch (error) {
      this.#taken.delete(id);
      if (!(error instanceof LocalError)) this.#unclear.add(id);
      throw error;
    }
  }

  async find(id: string): Promise<StoredRow | undefined> {
    this.#checkOpen();
    return isId(id) ? storedRow(this.#pool, this.#schema, id) : undefined;
  }

  async ownerOf(id: string): Promise<string | undefined> {
    this.#checkOpen();
    if (!isId(id)) return undefined;
    const text = `select ${this.#schema}.owner_of($1, $2, $3) as address`;
    const values = [id, this.#process.id, this.#pool.tenant];
    return (await this.#asked<{ address: string | null }>(text, values, "owner_of"))?.address ?? undefined;
  }

  async #shared(look: SharedLook): Promise<SharedRows> {
    this.#checkOpen();
    return sharedRows(this.#pool, this.#schema, { ...look, processId: this.#process.id });
  }

  async list(query: StoredQuery): Promise<readonly StoredRow[]> {
    this.#checkOpen();
    return storedRows(this.#pool, this.#schema, query);
  }

  async decisions(
    query: DecisionQuery & { readonly workDir: string },
    signal: AbortSignal,
  ): Promise<DecisionPage> {
    this.#checkOpen();
    signal.throwIfAborted();
    return decisionPage(this.#pool, this.#schema, query);
  }

  async remove(id: string): Promise<void> {
    checkId(id);
    this.#checkOpen();
    const text = `select ${this.#schema}.remove($1, $2) as holder`;
    const row = await this.#asked<{ holder: string | null }>(text, [id, this.#pool.tenant]);
    if (row !== undefined && row.holder !== null) throw inUse(`${this.name}/${id}`, row.holder);
  }

  async bring(session: BroughtSession): Promise<void> {
    checkId(session.id);
    this.#checkOpen();
    await keepBrought(this.#pool, this.#schema, `${this.name}/${session.id}`, session);
  }

  async giveAway(id: string, { move, movedTo }: Required<StoredMove>): Promise<void> {
    const session = this.#taken.get(id);
    const name = `${this.name}/${id}`;
    if (session === undefined)
      throw new LocalError("INVALID_STATE", `${name}: this process does not have the session: take it first`);
    const text = `select ${this.#schema}.give_away($1, $2, $3, $4, $5, $6) as is_given`;
    const values = [session.key, this.#process.id, session.generation, move, movedTo, this.#pool.tenant];
    const row = await this.#asked<{ is_given: boolean }>(text, values);
    if (row?.is_given !== true)
      throw new LocalError("CLOSED", `${name}: fenced: another process has taken the session`);
  }

  async moveOf(id: string): Promise<StoredMove | undefined> {
    this.#checkOpen();
    try {
      const text = `select o_move, o_moved_to from ${this.#schema}.move_of($1, $2)`;
      const row = await this.#asked<{ o_move: string; o_moved_to: string | null }>(text, [
        ...[id, this.#pool.tenant],
      ]);
      if (row === undefined) return undefined;
      const { o_move: move, o_moved_to: movedTo } = row;
      return { move, ...(movedTo !== null && { movedTo }) };
    } catch (error) {
      throw moveError(`${this.name}/${id}`, error);
    }
  }

  async close(): Promise<void> {
    const { tenant } = this.#pool;
    if (tenant === "") return this.#process.close();
    await this.#process.batches.idle(this.#pool);
    if (this.#process.isClosed) return;
    await this.leave();
    this.#process.forget(tenant);
  }

  async leave(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#taken.values())
      session?.lose(new LocalError("CLOSED", `${this.name}: the store is closed`));
    const text = `select ${this.#schema}.leave_tenant($1, $2)`;
    await this.#asked(text, [this.#process.id, this.#pool.tenant]);
  }

  /** @throws the error of the engine, which is asked again with each renewal of the lease. */
  async #giveBack(id: string, key: string, generation: number): Promise<void> {
    this.#taken.delete(id);
    this.#unreleased.set(key, generation);
    await this.#release(key, generation);
  }

  async #release(key: string, generation: number): Promise<void> {
    const text = `select ${this.#schema}.release($1, $2, $3)`;
    await this.#asked(text, [key, generation, this.#pool.tenant], "release");
    if (this.#unreleased.get(key) === generation) this.#unreleased.delete(key);
  }

  /** Releases that fail are tried again with the next renewal of the lease. */
  releaseLater(): void {
    const all = async () => {
      for (const [key, generation] of this.#unreleased) await this.#release(key, generation);
      for (const id of this.#unclear) if (!this.#taken.has(id)) await this.#releaseUnclear(id);
    };
    this.#releasing ??= all()
      .catch(() => {})
      .finally(() => {
        this.#releasing = undefined;
      });
  }

  async #releaseUnclear(id: string): Promise<void> {
    const schema = this.#schema;
    const text = `select ${schema}.release(key, generation, tenant) from ${schema}.session
      where tenant = $3 and id = $1 and owner = $2`;
    await this.#asked(text, [id, this.#process.id, this.#pool.tenant]);
    this.#unclear.delete(id);
  }

  #checkOpen(): void {
    if (this.#isClosed || this.#process.isClosed)
      throw new LocalError("CLOSED", `${this.name}: the store is closed`);
  }

  /** The first row of a statement. */
  async #asked<Row extends object>(text: string, values: unknown[], name?: string): Promise<Row | undefined> {
    const statement = { text, values, ...(name !== undefined && { name }) };
    return (await this.#pool.query<Row>(statement)).rows[0];
  }

  async loseTaken(): Promise<void> {
    const had = [...this.#taken.values()].filter((session) => session !== undefined);
    const text = `select key, generation from ${this.#schema}.session where tenant = $2 and owner = $1`;
    const pool = this.#process.pool("lease", this.#pool.tenant);
    const { rows } = await pool.query<{ key: string; generation: number }>(text, [
      ...[this.#process.id, pool.tenant],
    ]);
    const mine = new Map(rows.map(({ key, generation }) => [key, generation]));
    for (const session of had)
      if (mine.get(session.key) !== session.generation)
        session.lose(
          new LocalError("CLOSED", `${session.name}: fenced: another process has taken the session`),
        );
  }
}

/** The most bytes of an id, as of the name of a folder. */
const MAX_ID_BYTES = 255;

const isId = (id: string): boolean =>
  id !== "" && !/[\p{Cc}\p{Cs}]/u.test(id) && Buffer.byteLength(id) <= MAX_ID_BYTES;

function checkId(id: string): void {
  if (isId(id)) return;
  throw new TypeError(
    `session: ${JSON.stringify(id.slice(0, MAX_ID_BYTES))} is no id: use 1 to ${MAX_ID_BYTES} bytes without control characters`,
  );
}
