import { LocalError } from "@askwire/protocol";
import type { StoredCommit, StoredSession } from "@askwire/server";
import { type CommitBatches, unitsIn } from "./commit-batches.js";
import { linesInPages } from "./line-pages.js";
import type { TenantPool } from "./tenant-pool.js";

/** A session to take, and the parts of the store that it uses. */
export interface TakeParts {
  readonly id: string;
  readonly workDir: string | undefined;
  readonly name: string;
  /** The name of the schema as statements write it. */
  readonly schema: string;
  readonly processId: string;
  readonly pool: TenantPool;
  readonly batches: CommitBatches;
  /** Gives the session back in the engine, later where that fails now. */
  readonly giveBack: (key: string, generation: number) => Promise<void>;
}

/** The row of a session that was moved, which `take` of the schema gives without a key. */
interface MovedRow {
  readonly o_key: null;
  /** The words that say where it is. */
  readonly o_holder: string;
}

/** The row that `take` of the schema gives. */
interface TakenRow {
  readonly o_key: string;
  readonly o_generation: number;
  readonly o_lines: number;
  readonly o_messages: number;
  readonly o_holder: string | null;
}

/** The refusal of a session that a process has. */
export const inUse = (name: string, holder: string): LocalError =>
  new LocalError(
    "INVALID_STATE",
    `${name}: ${holder} has the session: close it there, or wait until it has ended`,
  );

/** The refusal of a session that was moved. */
const isElsewhere = (name: string, where: string): LocalError =>
  new LocalError("INVALID_STATE", `${name}: the session was moved: ${where}`);

/** UTF-16 units that the engine may lose with its machine, at most: with more, the next commit is waited for. */
const MOST_UNSAFE = 1024 * 1024;

/** A session of a store that this process has. */
export class TakenSession implements StoredSession {
  readonly name: string;
  readonly key: string;
  readonly generation: number;
  readonly count: number;
  readonly history: readonly string[];
  readonly #parts: TakeParts;
  /** The commits since the last one that the engine has for good, and their UTF-16 units. */
  #unsafe: readonly StoredCommit[] = [];
  #unsafeUnits = 0;
  #lost: LocalError | undefined;
  #tell: ((why: LocalError) => void) | undefined;

  /**
   * Takes a session that this process does not know to have.
   *
   * @throws LocalError INVALID_STATE that names the process that has it.
   * @throws the error of the engine.
   */
  static async take(parts: TakeParts): Promise<TakenSession> {
    const { id, workDir, name, schema, processId, pool } = parts;
    const text = `select * from ${schema}.take($1, $2, $3, $4)`;
    const values = [id, workDir ?? null, processId, pool.tenant];
    const { rows } = await pool.query<TakenRow | MovedRow>({ name: "take", text, values });
    const row = rows[0] as TakenRow | MovedRow;
    if (row.o_key === null) throw isElsewhere(name, row.o_holder);
    if (row.o_holder !== null) throw inUse(name, row.o_holder);
    const history: string[] = [];
    const place = { schema, table: "history", key: row.o_key, from: 0, end: row.o_messages } as const;
    try {
      for await (const line of linesInPages(pool, place)) history.push(line);
    } catch (error) {
      await new TakenSession(parts, row, []).release().catch(() => {});
      throw error;
    }
    return new TakenSession(parts, row, history);
  }

  private constructor(parts: TakeParts, row: TakenRow, history: readonly string[]) {
    this.#parts = parts;
    this.name = parts.name;
    this.key = row.o_key;
    this.generation = row.o_generation;
    this.count = row.o_lines;
    this.history = history;
  }

  onLost(listener: (why: LocalError) => void): void {
    this.#tell = listener;
  }

  /** Keeps nothing more, for the reason given, and tells its owner. */
  lose(why: LocalError): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    this.#tell?.(why);
  }

  async commit(commit: StoredCommit): Promise<void> {
    const isAwaited = commit.isAwaited || this.#unsafeUnits > MOST_UNSAFE;
    const given = { ...commit, isAwaited };
    if (!(await this.#keep(given)) && !(await this.#keepAfterLost(given)))
      throw new LocalError("CLOSED", `${this.name}: commit ${commit.nth} came without the one before it`);
    this.#unsafe = isAwaited ? [] : [...this.#unsafe, given];
    this.#unsafeUnits = isAwaited ? 0 : this.#unsafeUnits + unitsIn(given);
  }

  async #keep(commit: StoredCommit): Promise<boolean> {
    if (this.#lost !== undefined) throw this.#lost;
    const { name, key, generation } = this;
    const { batches, pool, schema, processId } = this.#parts;
    return batches.keep({ name, key, generation, commit, pool, schema, processId });
  }

  /** Keeps again what the engine has lost with its machine, before it was on a disk, and the commit after it. */
  async #keepAfterLost(commit: StoredCommit): Promise<boolean> {
    for (const one of [...this.#unsafe, commit])
      if (!(await this.#keep({ ...one, isAwaited: true }))) return false;
    return true;
  }

  read(from: number, end: number): AsyncGenerator<string> {
    const { pool, schema } = this.#parts;
    return linesInPages(pool, { schema, table: "line", key: this.key, from, end });
  }

  async release(): Promise<void> {
    this.#lost ??= new LocalError("CLOSED", `${this.name}: the session was given back`);
    await this.#parts.giveBack(this.key, this.generation);
  }
}
