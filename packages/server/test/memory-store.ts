import { LocalError } from "@askwire/protocol";
import type { KeptSession, Log } from "../src/index.js";
import { type Clock, systemClock } from "../src/index.js";
import type { UnfinishedSession } from "../src/journal/open-requests.js";
import { openStored } from "../src/journal/open-stored.js";
import type { StoredCommit, StoredSession } from "../src/journal/stored-session.js";

/** All that a store has of one session. */
export interface StoredRows {
  readonly generation: number;
  /** The number of the last commit of that generation. */
  readonly nth: number;
  readonly lines: readonly string[];
  readonly history: readonly string[];
  readonly open: UnfinishedSession | null;
}

/** The moment of a commit at which a fault strikes; `reply` is after it, so that its reply is lost. */
export type FaultAt = "before" | "reply";

/**
 * Sessions in a store in memory, which behaves as an engine of another machine: it opens later, keeps what was committed
 * and nothing else, and lets one process at a time have a session.
 */
export class MemoryStore {
  readonly #sessions: Map<string, StoredRows>;
  readonly #owners = new Set<string>();
  /** Called with each commit before it is made, and after; what it throws, the process is told. */
  strike: (at: FaultAt, commit: StoredCommit, id: string) => void | Promise<void> = () => {};

  /** @param sessions those of an earlier store. Default: none. */
  constructor(sessions: ReadonlyMap<string, StoredRows> = new Map()) {
    this.#sessions = new Map(sessions);
  }

  /** The store as it is once the process that has its sessions is dead. */
  afterCrash(): MemoryStore {
    return new MemoryStore(this.#sessions);
  }

  rows(id: string): StoredRows {
    return this.#sessions.get(id) ?? { generation: 0, nth: 0, lines: [], history: [], open: null };
  }

  /** Changes the lines of a journal by hand. */
  change(id: string, lines: readonly string[]): void {
    this.#sessions.set(id, { ...this.rows(id), lines });
  }

  /** Opens sessions for a process, as `keep` of a server. */
  keep(options: { readonly log: Log; readonly clock?: Clock }): (id: string) => Promise<KeptSession> {
    return async (id) => openStored(await this.take(id), { clock: systemClock, ...options });
  }

  /** @param isForced takes it from the process that has it. Default: false. */
  async take(id: string, isForced = false): Promise<StoredSession> {
    await otherWork();
    if (this.#owners.has(id) && !isForced)
      throw new LocalError("INVALID_STATE", "another process has the session");
    this.#owners.add(id);
    const taken = { ...this.rows(id), generation: this.rows(id).generation + 1, nth: 0 };
    this.#sessions.set(id, taken);
    const { generation, lines, history } = taken;
    return {
      ...{ name: `memory:${id}`, generation, count: lines.length, history },
      commit: (commit) => this.#commit(id, generation, commit),
      read: (from, end) => this.#read(id, from, end),
      release: async () => {
        if (this.rows(id).generation === generation) this.#owners.delete(id);
      },
    };
  }

  async #commit(id: string, generation: number, commit: StoredCommit): Promise<void> {
    await otherWork();
    await this.strike("before", commit, id);
    const before = this.rows(id);
    if (before.generation !== generation)
      throw new LocalError("CLOSED", "another process has taken the session");
    if (commit.nth > before.nth + 1)
      throw new LocalError("CLOSED", `commit ${commit.nth} came after ${before.nth}`);
    if (commit.nth === before.nth + 1) this.#sessions.set(id, after(before, commit));
    await this.strike("reply", commit, id);
  }

  async *#read(id: string, from: number, end: number): AsyncGenerator<string> {
    await otherWork();
    yield* this.rows(id).lines.slice(from, end);
  }
}

const after = (
  before: StoredRows,
  { nth, lines, history, open = before.open }: StoredCommit,
): StoredRows => ({
  ...before,
  ...{ nth, open },
  lines: [...before.lines, ...lines],
  history: [...(history.replaces ? [] : before.history), ...history.lines],
});

const otherWork = () => new Promise<void>((resolve) => setImmediate(resolve));
