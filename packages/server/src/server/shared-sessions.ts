import { defined } from "@askwire/protocol/internal";
import { keptRow } from "../journal/open-requests.js";
import type { SharedRow, StoredRow } from "../journal/session-store.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { KeptFinder } from "./kept-finder.js";
import type { ParkedSession } from "./parked-sessions.js";
import type { SessionTable } from "./session-table.js";

export interface SharedSessionsOptions {
  readonly sessions: SessionTable;
  readonly find: NonNullable<KeptFinder["shared"]>;
  /** The work directory of the server. */
  readonly workDir: string;
  /** The name of this machine. */
  readonly host: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The time between two looks, in milliseconds. */
const LOOK_MS = 4_000;

/** A session of the store as it was last found. */
interface Found {
  readonly version: string;
  readonly isElsewhere: boolean;
  readonly listed: ParkedSession;
}

/**
 * Lists what other nodes have, and what no node has while something is open in it, beside the sessions of this node, as
 * parked ones (P-NOD-5). A deadline in one that no node has ends here at its time.
 */
export function listShared(options: SharedSessionsOptions): void {
  void new SharedSessions(options).look();
}

/** The sessions of the store that this node does not have, as they were last found. */
class SharedSessions {
  readonly #options: SharedSessionsOptions;
  readonly #found = new Map<string, Found>();
  /** Those whose rows are needed of the next look, which then follows at once: this node has parked them, and another has them. */
  #wanted = new Set<string>();
  #isFailing = false;

  constructor(options: SharedSessionsOptions) {
    this.#options = options;
  }

  /** Looks at the store now, and again and again until the server is closed. Never rejects. */
  async look(): Promise<void> {
    const { sessions, find, clock, log } = this.#options;
    try {
      const before = new Map([...sessions.parkedOnes()].map((parked) => [parked.id, parked]));
      const wanted = this.#wanted;
      this.#wanted = new Set();
      const isKnown = (id: string, version: string) =>
        !wanted.has(id) && (this.#found.get(id)?.version === version || this.#isOwn(before.get(id)));
      const { rows, isWhole } = await find(isKnown);
      if (!sessions.isClosed) this.#take(rows);
      if (!sessions.isClosed) this.#forget(before, new Set(rows.map(({ id }) => id)), isWhole);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !sessions.isClosed)
        log.warn({ error: String(error) }, "the sessions of other nodes cannot be listed now");
      this.#isFailing = true;
    }
    if (!sessions.isClosed) clock.after(this.#wanted.size > 0 ? 0 : LOOK_MS, () => void this.look());
  }

  /** True for one that this node itself has parked. */
  #isOwn(parked: ParkedSession | undefined): boolean {
    return parked !== undefined && this.#found.get(parked.id)?.listed !== parked;
  }

  #take(rows: readonly SharedRow[]): void {
    const { sessions } = this.#options;
    for (const { id, version, isElsewhere, row } of rows) {
      const parked = sessions.parked(id);
      const isOpenHere = sessions.isOpening(id) || (parked === undefined && !sessions.isAway(id));
      if (isOpenHere || (this.#isOwn(parked) && !isElsewhere)) continue;
      const found = this.#found.get(id);
      const isSame = found?.listed === parked && found?.version === version;
      if (isSame && found?.isElsewhere === isElsewhere) continue;
      const known = isSame ? found?.listed : undefined;
      const listed = row === undefined ? known && { ...known, isElsewhere } : this.#listed(row, isElsewhere);
      if (listed === undefined) {
        this.#wanted.add(id);
        continue;
      }
      this.#found.set(id, { version, isElsewhere, listed });
      sessions.listShared(listed);
    }
  }

  /**
   * Lists those no longer that have nothing to show, unless they were parked after the look. Of this node's own, the look
   * tells nothing of another folder, nor of what is beyond its bound.
   */
  #forget(before: ReadonlyMap<string, ParkedSession>, there: ReadonlySet<string>, isWhole: boolean): void {
    const { sessions, workDir } = this.#options;
    for (const [id, parked] of before) {
      const isUnseen = this.#isOwn(parked) && (!isWhole || parked.folder !== workDir);
      if (!there.has(id) && !isUnseen && sessions.parked(id) === parked) sessions.unlist(id);
    }
    for (const [id, { listed }] of this.#found) if (sessions.parked(id) !== listed) this.#found.delete(id);
  }

  #listed(row: StoredRow, isElsewhere: boolean): ParkedSession {
    const { id, title, agent, workDir: folder = this.#options.workDir, activeAt } = row;
    const session = { session_id: id, ...defined({ title, agent }), folder, host: this.#options.host };
    const requests = row.open.map((open) => ({
      ...keptRow(open),
      state: "open" as const,
      ...session,
    }));
    return {
      ...{ id, title, folder, activeAt, requests, isElsewhere },
      madeAt: this.#found.get(id)?.listed.madeAt ?? activeAt,
      hasTurn: row.turnId !== undefined,
      owner: undefined,
      observed: undefined,
    };
  }
}
