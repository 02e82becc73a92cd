import { LocalError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type {
  FoundPosition,
  KeptSession,
  Log,
  SessionStore,
  StoredCommit,
  StoredQuery,
  StoredRow,
  StoredSession,
} from "../src/index.js";
import { type Clock, systemClock } from "../src/index.js";
import { openStored } from "../src/journal/open-stored.js";

/** All that a store has of one session. */
export interface StoredRows {
  readonly generation: number;
  /** The number of the last commit of that generation. */
  readonly nth: number;
  readonly lines: readonly string[];
  readonly history: readonly string[];
  readonly open: Exclude<StoredCommit["open"], undefined>;
  readonly title?: string;
  readonly workDir?: string;
  /** The time of the last commit, in milliseconds since 1970. */
  readonly activeAt: number;
}

/** The moment of a commit at which a fault strikes; `reply` is after it, so that its reply is lost. */
export type FaultAt = "before" | "reply";

/** A call of a store besides commits. */
export type StoreCall = "take" | "find" | "list" | "read" | "remove" | "release" | "close";

/** A process at a store. */
type Owner = object;

/**
 * Sessions in a store in memory, which behaves as an engine of another machine: it opens later, keeps what was committed
 * and nothing else, and lets one process at a time have a session.
 */
export class MemoryStore {
  readonly #sessions: Map<string, StoredRows>;
  readonly #owners = new Map<string, Owner>();
  readonly #clock: Clock;
  /** Called with each commit before it is made, and after; what it throws, the process is told. */
  strike: (at: FaultAt, commit: StoredCommit, id: string) => void | Promise<void> = () => {};
  /** Called with each other call before it is made; what it throws, the process is told. */
  strikeCall: (call: StoreCall) => void | Promise<void> = () => {};

  /** @param sessions those of an earlier store. Default: none. */
  constructor(sessions: ReadonlyMap<string, StoredRows> = new Map(), clock: Clock = systemClock) {
    this.#sessions = new Map(sessions);
    this.#clock = clock;
  }

  /** The store as it is once the processes that have its sessions are dead. */
  afterCrash(): MemoryStore {
    return new MemoryStore(this.#sessions, this.#clock);
  }

  rows(id: string): StoredRows {
    return this.#sessions.get(id) ?? nothing;
  }

  /** Changes what is kept of a session by hand. */
  change(id: string, rows: Partial<StoredRows>): void {
    this.#sessions.set(id, { ...this.rows(id), ...rows });
  }

  /** Opens sessions for a process, as `keep` of a server. */
  keep(options: { readonly log: Log; readonly clock?: Clock }): (id: string) => Promise<KeptSession> {
    return async (id) => openStored(await this.take(id), { clock: systemClock, ...options });
  }

  /** The store as one process has it. */
  process(): SessionStore {
    const owner = {};
    const called = async (call: StoreCall) => {
      await otherWork();
      await this.strikeCall(call);
    };
    return {
      name: "memory",
      take: async (id, workDir) => {
        await called("take");
        return this.take(id, { owner, workDir });
      },
      find: async (id) => {
        await called("find");
        return this.#row(id);
      },
      list: async (query) => {
        await called("list");
        return this.#list(query);
      },
      remove: async (id) => {
        await called("remove");
        if (this.#owners.has(id)) throw new LocalError("INVALID_STATE", "a process has the session");
        this.#sessions.delete(id);
      },
      close: async () => {
        await called("close");
        for (const [id, other] of this.#owners) if (other === owner) this.#owners.delete(id);
      },
    };
  }

  /**
   * Takes a session for a process.
   *
   * @param how `isForced` takes it from the process that has it. Default: that is refused.
   */
  async take(
    id: string,
    how: { readonly owner?: Owner; readonly workDir?: string | undefined; readonly isForced?: true } = {},
  ): Promise<StoredSession> {
    const { owner = {}, workDir, isForced = false } = how;
    await otherWork();
    if (this.#owners.has(id) && !isForced)
      throw new LocalError("INVALID_STATE", `another process has session ${id}`);
    this.#owners.set(id, owner);
    const before = this.rows(id);
    const taken = {
      ...before,
      generation: before.generation + 1,
      nth: 0,
      ...defined({ workDir: before.workDir ?? workDir }),
    };
    this.#sessions.set(id, taken);
    const { generation, lines, history } = taken;
    return {
      ...{ name: `memory:${id}`, generation, count: lines.length, history },
      commit: (commit) => this.#commit(id, generation, commit),
      read: (from, end) => this.#read(id, from, end),
      release: async () => {
        await this.strikeCall("release");
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
    if (commit.nth === before.nth + 1)
      this.#sessions.set(id, { ...after(before, commit), activeAt: this.#clock.now() });
    await this.strike("reply", commit, id);
  }

  async *#read(id: string, from: number, end: number): AsyncGenerator<string> {
    await otherWork();
    await this.strikeCall("read");
    const lines = this.rows(id).lines.slice(from, end);
    if (lines.length < end - from) throw new Error(`line ${from + lines.length} of ${end} is missing`);
    yield* lines;
  }

  #list({ workDir, unfinished = false, after, limit }: StoredQuery): StoredRow[] {
    return [...this.#sessions.keys()]
      .flatMap((id) => this.#row(id) ?? [])
      .filter((row) => workDir === undefined || row.workDir === workDir)
      .filter((row) => !unfinished || row.open.length > 0)
      .sort(byNewest)
      .filter((row) => after === undefined || byNewest(after, row) < 0)
      .slice(0, limit);
  }

  #row(id: string): StoredRow | undefined {
    const { lines, open, title, workDir, activeAt } = this.rows(id);
    if (lines.length === 0) return undefined;
    const { turn_id: turnId, agent } = open ?? {};
    return {
      ...{ id, state: this.#owners.has(id) ? "in_use" : "closed", activeAt, open: open?.open ?? [] },
      ...defined({ title, workDir, turnId, agent }),
    };
  }
}

const nothing: StoredRows = { generation: 0, nth: 0, lines: [], history: [], open: null, activeAt: 0 };

const byNewest = (left: FoundPosition, right: FoundPosition) =>
  right.activeAt - left.activeAt || (left.id < right.id ? -1 : 1);

const after = (
  before: StoredRows,
  { nth, lines, history, open = before.open, title }: StoredCommit,
): StoredRows => ({
  ...before,
  ...{ nth, open },
  // A later process has a first prompt of its own.
  ...(title !== undefined && { title: before.title ?? title }),
  lines: [...before.lines, ...lines],
  history: [...(history.replaces ? [] : before.history), ...history.lines],
});

const otherWork = () => new Promise<void>((resolve) => setImmediate(resolve));
