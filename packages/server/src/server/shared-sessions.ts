import { defined } from "@askwire/protocol/internal";
import { keptRow } from "../journal/open-requests.js";
import type { SharedRow, SharedRows, StoredRow } from "../journal/session-store.js";
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
/** Looks at changes alone between two looks at all sessions, where these are more than one page. */
const WHOLE_EVERY = 11;
/** A look at what changed begins so long before the last one, in milliseconds: a commit may take its time. */
const OVERLAP_MS = 60_000;
/** Pages of a look at all, at most. */
const MOST_PAGES = 20;

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

type IsKnown = (id: string, version: string) => boolean;

/** A look at all sessions. */
interface Looked {
  readonly there: ReadonlySet<string>;
  /** False where there may be more. */
  readonly isWhole: boolean;
}

/** The sessions of the store that this node does not have, as they were last found. */
class SharedSessions {
  readonly #options: SharedSessionsOptions;
  readonly #found = new Map<string, Found>();
  /** Those whose rows are needed of the next look, which then follows at once: this node has parked them, and another has them. */
  #wanted = new Set<string>();
  #isFailing = false;
  /** The last look where they are more than one page, and how many looks at what changed have followed. */
  #last: { readonly at: number; readonly processes: string; readonly parts: number } | undefined;

  constructor(options: SharedSessionsOptions) {
    this.#options = options;
  }

  /** Looks at the store now, and again and again until the server is closed. Never rejects. */
  async look(): Promise<void> {
    const { sessions, clock, log } = this.#options;
    try {
      const before = new Map([...sessions.parkedOnes()].map((parked) => [parked.id, parked]));
      const wanted = this.#wanted;
      this.#wanted = new Set();
      const isKnown = (id: string, version: string) =>
        !wanted.has(id) && (this.#found.get(id)?.version === version || this.#isOwn(sessions.parked(id)));
      const over = await this.#changed(isKnown);
      if (over !== undefined) this.#forgetOver(before, over);
      else {
        const all = await this.#all(isKnown);
        if (all !== undefined && !sessions.isClosed) this.#forget(before, all.there, all.isWhole);
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !sessions.isClosed)
        log.warn({ error: String(error) }, "the sessions of other nodes cannot be listed now");
      this.#isFailing = true;
    }
    if (!sessions.isClosed) clock.after(this.#wanted.size > 0 ? 0 : LOOK_MS, () => void this.look());
  }

  /** Takes the changes since the last look, and gives those that are over; undefined where all are to be looked at. */
  async #changed(isKnown: IsKnown): Promise<readonly SharedRow[] | undefined> {
    const last = this.#last;
    if (last === undefined || last.parts >= WHOLE_EVERY) return undefined;
    const since = last.at - OVERLAP_MS;
    const { rows, isWhole, at, processes = "" } = await this.#options.find({ isKnown, since });
    this.#take(rows);
    if (!isWhole || at === undefined || processes !== last.processes) return undefined;
    this.#last = { at, processes, parts: last.parts + 1 };
    return rows.filter(({ isOver }) => isOver === true);
  }

  /**
   * Takes all, a page at a time: where one cannot be read, those before it are known to the next look. Gives nothing where
   * too much changed meanwhile to say which are there no longer.
   */
  async #all(isKnown: IsKnown): Promise<Looked | undefined> {
    const { find } = this.#options;
    const there = new Set<string>();
    const take = (page: SharedRows) => {
      this.#take(page.rows);
      for (const { id, isOver } of page.rows) if (isOver !== true) there.add(id);
      return page;
    };
    this.#last = undefined;
    let page = take(await find({ isKnown }));
    const { at, processes = "", isWhole } = page;
    if (page.next === undefined) return { there, isWhole };
    let isSteady = true;
    for (let pages = 1; page.next !== undefined && pages < MOST_PAGES; pages += 1) {
      page = take(await find({ isKnown, after: page.next }));
      isSteady &&= (page.processes ?? "") === processes;
    }
    if (at !== undefined) {
      // One that was used meanwhile has left its page for an earlier one.
      const meanwhile = take(await find({ isKnown, since: at - OVERLAP_MS }));
      isSteady &&= meanwhile.isWhole && (meanwhile.processes ?? "") === processes;
      // Rows that are wanted of a look at all may be no changes: the next look is at all too.
      if (isSteady && this.#wanted.size === 0) this.#last = { at, processes, parts: 0 };
    }
    return isSteady ? { there, isWhole: page.next === undefined } : undefined;
  }

  /** True for one that this node itself has parked. */
  #isOwn(parked: ParkedSession | undefined): boolean {
    return parked !== undefined && this.#found.get(parked.id)?.listed !== parked;
  }

  #take(rows: readonly SharedRow[]): void {
    const { sessions } = this.#options;
    if (sessions.isClosed) return;
    for (const { id, version, isElsewhere, row, isOver } of rows) {
      if (isOver === true) continue;
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
    this.#forgetChanged();
  }

  /** Lists those no longer of which a look at what changed says so, unless they were parked after the look. */
  #forgetOver(before: ReadonlyMap<string, ParkedSession>, over: readonly SharedRow[]): void {
    const { sessions } = this.#options;
    for (const { id } of sessions.isClosed ? [] : over) {
      const parked = before.get(id);
      if (parked !== undefined && sessions.parked(id) === parked) sessions.unlist(id);
    }
    this.#forgetChanged();
  }

  #forgetChanged(): void {
    const { sessions } = this.#options;
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
