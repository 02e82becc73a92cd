import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { StoredCommit } from "@askwire/server";
import { auditRows } from "./audit-rows.js";
import { isFinal } from "./engine-errors.js";
import type { TenantPool } from "./tenant-pool.js";

/** A commit of a session that this process has. */
export interface SessionCommit {
  /** The name of the session in errors. */
  readonly name: string;
  /** The key of its row. */
  readonly key: string;
  readonly generation: number;
  readonly commit: StoredCommit;
  /** The connections of its tenant. */
  readonly pool: TenantPool;
  /** The name of the schema as statements write it. */
  readonly schema: string;
  /** The process that has it. */
  readonly processId: string;
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

/** Keeps the commits of all sessions of a process, those of a moment and a tenant in one transaction. */
export class CommitBatches {
  #waiting: WaitingCommit[] = [];
  #running = 0;
  #isPlanned = false;
  /** The commits that have no reply yet, each with the connections of its tenant. */
  readonly #unsettled = new Map<Promise<boolean>, TenantPool>();

  /**
   * Keeps a commit. Resolves with false where the one before it is missing.
   *
   * @throws LocalError CLOSED where another process has taken the session, or the engine refuses for ever what is in it.
   * @throws the error of an engine that may take it later.
   */
  keep(one: SessionCommit): Promise<boolean> {
    const kept = new Promise<boolean>((resolve, reject) => {
      this.#waiting.push({ ...one, resolve, reject });
      this.#plan();
    });
    const settled = () => void this.#unsettled.delete(kept);
    this.#unsettled.set(kept, one.pool);
    kept.then(settled, settled);
    return kept;
  }

  /**
   * Resolves once no commit waits.
   *
   * @param of the connections of the tenant whose commits are meant. Default: those of all.
   */
  async idle(of?: TenantPool): Promise<void> {
    for (;;) {
      const open = [...this.#unsettled].filter(([, pool]) => of === undefined || pool === of);
      if (open.length === 0) return;
      await Promise.allSettled(open.map(([kept]) => kept));
    }
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
  }

  /** Takes the commits of the tenant whose commit came first. */
  #take(): WaitingCommit[] {
    const batch: WaitingCommit[] = [];
    const rest: WaitingCommit[] = [];
    let units = 0;
    for (const one of this.#waiting) {
      const isFull = batch.length === MOST_COMMITS || units > MOST_UNITS;
      if (isFull || one.pool !== this.#waiting[0]?.pool) rest.push(one);
      else {
        batch.push(one);
        units += unitsIn(one.commit);
      }
    }
    this.#waiting = rest;
    return batch;
  }

  async #keepAll(batch: readonly WaitingCommit[]): Promise<void> {
    // All processes lock rows in this order.
    const ordered = batch.toSorted((one, other) => Number(one.key) - Number(other.key));
    try {
      const audit = auditRows(ordered.map(({ commit }) => commit));
      const results = await (audit === undefined
        ? called("keep", ordered, [])
        : called("keep_audited", ordered, [audit]));
      for (const [n, one] of ordered.entries()) settle(one, results[n] as string);
    } catch (error) {
      if (!isFinal(error)) for (const one of batch) one.reject(error);
      // One of them is refused: alone, each has its own reply.
      else if (batch.length > 1) for (const one of batch) await this.#keepAll([one]);
      else batch[0]?.reject(refused(batch[0], error));
    }
  }
}

/** Calls a function of the schema that keeps commits, which are of one tenant. */
async function called(
  name: "keep" | "keep_audited",
  batch: readonly SessionCommit[],
  audit: readonly string[],
): Promise<readonly string[]> {
  const { pool, schema, processId } = batch[0] as SessionCommit;
  const values = [processId, ...valuesOf(batch), ...audit, pool.tenant];
  const places = values.map((_, n) => `$${n + 1}`).join(", ");
  const text = `select ${schema}.${name}(${places}) as results`;
  return (await pool.query<{ results: readonly string[] }>({ name, text, values })).rows[0]?.results ?? [];
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
