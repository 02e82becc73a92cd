import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { StoredCommit } from "@askwire/server";
import type pg from "pg";
import { auditRows } from "./audit-rows.js";
import { isFinal } from "./engine-errors.js";

/** A commit of a session that this process has. */
export interface SessionCommit {
  /** The name of the session in errors. */
  readonly name: string;
  /** The key of its row. */
  readonly key: string;
  readonly generation: number;
  readonly commit: StoredCommit;
}

interface WaitingCommit extends SessionCommit {
  readonly resolve: (isKept: boolean) => void;
  readonly reject: (why: unknown) => void;
}

/** Batches that are under way at a time: one connection stays for everything else. */
const MOST_BATCHES = 2;
/** Commits of one batch, and UTF-16 units from which on it takes no more. */
const MOST_COMMITS = 128;
const MOST_UNITS = 4 * 1024 * 1024;

/** Keeps the commits of all sessions, those of a moment in one transaction. */
export class CommitBatches {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  readonly #processId: string;
  readonly #waiting: WaitingCommit[] = [];
  #running = 0;
  #isPlanned = false;
  #whenIdle: (() => void) | undefined;

  /**
   * @param schema the name of the schema as statements write it.
   * @param processId the process that has the sessions.
   */
  constructor(pool: pg.Pool, schema: string, processId: string) {
    this.#pool = pool;
    this.#processId = processId;
    this.#schema = schema;
  }

  /**
   * Keeps a commit. Resolves with false where the one before it is missing.
   *
   * @throws LocalError CLOSED where another process has taken the session, or the engine refuses for ever what is in it.
   * @throws the error of an engine that may take it later.
   */
  keep(one: SessionCommit): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...one, resolve, reject });
      this.#plan();
    });
  }

  /** Resolves once nothing waits. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
  }

  /** Lets the other sessions of this moment come first. */
  #plan(): void {
    if (this.#isPlanned || this.#running >= MOST_BATCHES) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running += 1;
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) await this.#keepAll(batch);
    this.#running -= 1;
    if (this.#isIdle()) this.#whenIdle?.();
  }

  #take(): WaitingCommit[] {
    let units = 0;
    const end = this.#waiting.findIndex((one, n) => {
      const isFull = n === MOST_COMMITS || units > MOST_UNITS;
      units += unitsIn(one.commit);
      return isFull;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  /** Calls a function of the schema that keeps commits. */
  async #call(name: "keep" | "keep_audited", values: readonly unknown[]): Promise<readonly string[]> {
    const places = values.map((_, n) => `$${n + 1}`).join(", ");
    const text = `select ${this.#schema}.${name}(${places}) as results`;
    return (await this.#pool.query({ name, text, values: [...values] })).rows[0].results;
  }

  async #keepAll(batch: readonly WaitingCommit[]): Promise<void> {
    // All processes lock rows in this order.
    const ordered = batch.toSorted((one, other) => Number(one.key) - Number(other.key));
    try {
      const values = [this.#processId, ...valuesOf(ordered)];
      const audit = auditRows(ordered.map(({ commit }) => commit));
      const results = await (audit === undefined
        ? this.#call("keep", values)
        : this.#call("keep_audited", [...values, audit]));
      for (const [n, one] of ordered.entries()) settle(one, results[n] as string);
    } catch (error) {
      if (!isFinal(error)) for (const one of batch) one.reject(error);
      // One of them is refused: alone, each has its own reply.
      else if (batch.length > 1) for (const one of batch) await this.#keepAll([one]);
      else batch[0]?.reject(refused(batch[0], error));
    }
  }
}

function settle({ name, resolve, reject }: WaitingCommit, result: string): void {
  if (result !== "fenced") return resolve(result === "kept");
  const why = "fenced: another process has taken the session, or it was removed";
  reject(new LocalError("CLOSED", `${name}: ${why}`));
}

const refused = ({ name }: SessionCommit, error: unknown) =>
  new LocalError("CLOSED", `${name}: the engine can never keep it (${errorText(error)})`, { cause: error });

/** The UTF-16 units of a commit's lines. */
export const unitsIn = ({ lines, history }: StoredCommit) =>
  [...lines, ...history.lines].reduce((sum, line) => sum + line.length, 0);

/** The arguments of the function that keeps, as arrays: what is counted belongs to the commits in their order. */
function valuesOf(batch: readonly SessionCommit[]): unknown[] {
  const commits = batch.map(({ commit }) => commit);
  const places = (linesOf: (commit: StoredCommit) => readonly string[]) =>
    commits.flatMap((commit, n) => linesOf(commit).map(() => n + 1));
  return [
    commits.some(({ isAwaited }) => isAwaited),
    batch.map(({ key }) => key),
    batch.map(({ generation }) => generation),
    commits.map(({ nth }) => nth),
    commits.map(({ lines }) => lines.length),
    commits.map(({ history }) => history.lines.length),
    commits.map(({ history }) => history.replaces),
    commits.map(({ open }) => open !== undefined),
    commits.map(({ open }) => (open == null ? null : JSON.stringify(open))),
    commits.map(({ title }) => title ?? null),
    places(({ lines }) => lines),
    commits.flatMap(({ lines }) => lines),
    places(({ history }) => history.lines),
    commits.flatMap(({ history }) => history.lines),
  ];
}
