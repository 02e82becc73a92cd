import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import {
  type DecisionPage,
  type DecisionQuery,
  type Log,
  type SharedRows,
  type StoredQuery,
  type StoredRow,
  type StoredSession,
  standardErrorLog,
  systemClock,
} from "@askwire/server";
import type pg from "pg";
import { keepBrought } from "./brought-session.js";
import { CommitBatches } from "./commit-batches.js";
import { decisionPage } from "./decision-pages.js";
import { checkEngine } from "./engine-check.js";
import { moveError, startError } from "./engine-errors.js";
import { Lease } from "./lease.js";
import { migrate, quoted } from "./migrate.js";
import type { BroughtSession, NodeStore, StoredMove } from "./moving-store.js";
import { checkStoreOptions, connections, enginePlace, type PostgresStoreOptions } from "./options.js";
import { storedRow, storedRows } from "./rows.js";
import { sharedRows } from "./shared-rows.js";
import { inUse, TakenSession } from "./taken-session.js";

/** Connections for all but the lease, which has one of its own: a busy store must not lose it. */
const MOST_CONNECTIONS = 3;
/** The lease where none is given, in milliseconds. */
const LEASE_MS = 10_000;

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
 * @throws LocalError REFUSED where it refuses the user, or the user may not make the tables.
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
    // The statement under way rejects with it, or the next one does.
    client.on("error", () => {});
    let isWhole = false;
    try {
      await checkEngine(client, { place, allowAsyncStandby: options.allowAsyncStandby === true, log });
      await migrate(client, place, schema);
      isWhole = true;
    } finally {
      client.release(!isWhole);
    }
    return await PostgresStore.begin(pools, { ...options, schema, log, place });
  } catch (error) {
    await Promise.all(Object.values(pools).map((pool) => pool.end()));
    throw error instanceof LocalError ? error : startError(place, schema, error);
  }
}

/** The connections of a store. */
interface Pools {
  readonly work: pg.Pool;
  readonly lease: pg.Pool;
}

type StoreSettings = PostgresStoreOptions &
  Required<Pick<PostgresStoreOptions, "schema" | "log">> & { place: string };

class PostgresStore implements NodeStore {
  readonly name: string;
  readonly #pools: Pools;
  readonly #schema: string;
  readonly #processId = randomUUID();
  /** The name of this process for others. */
  readonly #processName = `process ${process.pid} on ${hostname()}`;
  readonly #batches: CommitBatches;
  /** The sessions that this process has; undefined while one is being taken. */
  readonly #taken = new Map<string, TakenSession | undefined>();
  /** The generations, by key, of sessions that could not be given back yet. */
  readonly #unreleased = new Map<string, number>();
  /** The ids of sessions that may be taken by this process, since the reply to the taking did not come. */
  readonly #unclear = new Set<string>();
  /** The round that gives back sessions late; undefined while there is none. */
  #releasing: Promise<void> | undefined;
  readonly #lease: Lease;
  /** The address of this process for others, and true once they can read it. */
  readonly #address: string | undefined;
  #isAddressed = false;
  /** Finds the sessions of other processes; undefined for a process that is no node. */
  readonly shared?: NonNullable<NodeStore["shared"]>;
  readonly #log: Log;
  #closing: Promise<void> | undefined;

  /** Writes down this process, and gives the store. */
  static async begin(pools: Pools, settings: StoreSettings): Promise<PostgresStore> {
    const store = new PostgresStore(pools, settings);
    try {
      await store.#renew(settings.leaseMs ?? LEASE_MS);
      await pools.work.query(`select ${store.#schema}.sweep()`);
      return store;
    } catch (error) {
      store.#lease.end();
      throw error;
    }
  }

  private constructor(
    pools: Pools,
    { place, schema, log, clock = systemClock, leaseMs = LEASE_MS, nodeAddress }: StoreSettings,
  ) {
    this.#address = nodeAddress;
    if (nodeAddress !== undefined) this.shared = (...asked) => this.#shared(...asked);
    this.name = `postgres://${place}#${schema}`;
    this.#pools = pools;
    this.#log = log;
    this.#schema = quoted(schema);
    this.#batches = new CommitBatches(pools.work, this.#schema, this.#processId);
    this.#lease = new Lease({
      ...{ name: this.#processName, leaseMs, clock, log },
      renew: async () => {
        const wasOver = await this.#renew(leaseMs);
        this.#releaseLater();
        return wasOver;
      },
      whenOver: () => this.#loseTaken(),
    });
  }

  async take(id: string, workDir?: string): Promise<StoredSession> {
    checkId(id);
    this.#checkOpen();
    if (this.#taken.has(id)) throw inUse(`${this.name}/${id}`, "this process");
    this.#taken.set(id, undefined);
    try {
      if (this.#unclear.has(id)) await this.#releasing;
      const session = await TakenSession.take({
        ...{ id, workDir, name: `${this.name}/${id}`, schema: this.#schema, processId: this.#processId },
        ...{ pool: this.#pools.work, batches: this.#batches },
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
    return isId(id) ? storedRow(this.#pools.work, this.#schema, id) : undefined;
  }

  async ownerOf(id: string): Promise<string | undefined> {
    this.#checkOpen();
    if (!isId(id)) return undefined;
    const text = `select ${this.#schema}.owner_of($1, $2) as address`;
    const values = [id, this.#processId];
    return (await this.#pools.work.query({ name: "owner_of", text, values })).rows[0].address ?? undefined;
  }

  async #shared(workDir: string, isKnown: (id: string, version: string) => boolean): Promise<SharedRows> {
    this.#checkOpen();
    const asking = { workDir, processId: this.#processId, isKnown };
    return sharedRows(this.#pools.work, this.#schema, asking);
  }

  async list(query: StoredQuery): Promise<readonly StoredRow[]> {
    this.#checkOpen();
    return storedRows(this.#pools.work, this.#schema, query);
  }

  async decisions(
    query: DecisionQuery & { readonly workDir: string },
    signal: AbortSignal,
  ): Promise<DecisionPage> {
    this.#checkOpen();
    signal.throwIfAborted();
    return decisionPage(this.#pools.work, this.#schema, query);
  }

  async remove(id: string): Promise<void> {
    checkId(id);
    this.#checkOpen();
    const text = `select ${this.#schema}.remove($1) as holder`;
    const { rows } = await this.#pools.work.query(text, [id]);
    if (rows[0].holder !== null) throw inUse(`${this.name}/${id}`, rows[0].holder);
  }

  async bring(session: BroughtSession): Promise<void> {
    checkId(session.id);
    this.#checkOpen();
    await keepBrought(this.#pools.work, this.#schema, `${this.name}/${session.id}`, session);
  }

  async giveAway(id: string, { move, movedTo }: Required<StoredMove>): Promise<void> {
    const session = this.#taken.get(id);
    const name = `${this.name}/${id}`;
    if (session === undefined)
      throw new LocalError("INVALID_STATE", `${name}: this process does not have the session: take it first`);
    const text = `select ${this.#schema}.give_away($1, $2, $3, $4, $5) as is_given`;
    const values = [session.key, this.#processId, session.generation, move, movedTo];
    const { rows } = await this.#pools.work.query(text, values);
    if (rows[0].is_given !== true)
      throw new LocalError("CLOSED", `${name}: fenced: another process has taken the session`);
  }

  async moveOf(id: string): Promise<StoredMove | undefined> {
    this.#checkOpen();
    try {
      const text = `select o_move, o_moved_to from ${this.#schema}.move_of($1)`;
      const { rows } = await this.#pools.work.query(text, [id]);
      if (rows[0] === undefined) return undefined;
      const { o_move: move, o_moved_to: movedTo } = rows[0];
      return { move, ...(movedTo !== null && { movedTo }) };
    } catch (error) {
      throw moveError(`${this.name}/${id}`, error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#lease.end();
    await this.#batches.idle();
    for (const session of this.#taken.values())
      session?.lose(new LocalError("CLOSED", `${this.name}: the store is closed`));
    try {
      await this.#pools.work.query(`select ${this.#schema}.leave($1)`, [this.#processId]);
    } catch (error) {
      const details = { store: this.name, error: errorText(error) };
      this.#log.error(
        details,
        "the sessions cannot be given back; others may take them once the lease is over",
      );
    }
    await Promise.all([this.#pools.work.end(), this.#pools.lease.end()]);
  }

  /** @throws the error of the engine, which is asked again with each renewal of the lease. */
  async #giveBack(id: string, key: string, generation: number): Promise<void> {
    this.#taken.delete(id);
    this.#unreleased.set(key, generation);
    await this.#release(key, generation);
  }

  async #release(key: string, generation: number): Promise<void> {
    const text = `select ${this.#schema}.release($1, $2)`;
    await this.#pools.work.query({ name: "release", text, values: [key, generation] });
    if (this.#unreleased.get(key) === generation) this.#unreleased.delete(key);
  }

  /** Gives back what could not be given back yet, beside the renewals of the lease. What fails is tried again with the next. */
  #releaseLater(): void {
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
    const text = `select ${schema}.release(key, generation) from ${schema}.session where id = $1 and owner = $2`;
    await this.#pools.work.query(text, [id, this.#processId]);
    this.#unclear.delete(id);
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new LocalError("CLOSED", `${this.name}: the store is closed`);
  }

  async #renew(leaseMs: number): Promise<boolean> {
    const text = `select ${this.#schema}.renew($1, $2, $3) as was_over`;
    const values = [this.#processId, this.#processName, leaseMs];
    const wasOver = (await this.#pools.lease.query({ name: "renew", text, values })).rows[0].was_over;
    // The row of a process that was taken for dead is a new one.
    if (wasOver) this.#isAddressed = false;
    if (this.#address !== undefined && !this.#isAddressed) {
      const place = `update ${this.#schema}.node set address = $2 where id = $1`;
      await this.#pools.lease.query(place, [this.#processId, this.#address]);
      this.#isAddressed = true;
    }
    return wasOver;
  }

  /** Loses the sessions that other processes have taken since. */
  async #loseTaken(): Promise<void> {
    const had = [...this.#taken.values()].filter((session) => session !== undefined);
    const text = `select key, generation from ${this.#schema}.session where owner = $1`;
    const { rows } = await this.#pools.lease.query(text, [this.#processId]);
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
