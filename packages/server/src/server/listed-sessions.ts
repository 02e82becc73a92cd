import type { ListedSession } from "@askwire/protocol";
import type { RequestLists, WantedPart } from "../connection/request-lists.js";
import type { PartOfSessions, SessionMethods } from "../connection/session-methods.js";
import type { DecisionFinder } from "../journal/decision-query.js";
import type { Clock } from "../runtime/clock.js";
import { listedSession } from "../session/listed.js";
import type { ServedSession } from "../session/served-session.js";
import { DecisionReads } from "./decision-reads.js";
import { type KeptPageOptions, keptPage } from "./kept-page.js";
import { placeOf, ROWS_A_PAGE } from "./page-place.js";
import { listedParked } from "./parked-sessions.js";
import { RowsOfSessions } from "./rows-of-sessions.js";
import type { SessionTable } from "./session-table.js";

export interface ListedSessionsOptions {
  readonly sessions: SessionTable;
  /** The name of this machine. */
  readonly host: string;
  readonly requests: RequestLists;
  /** Finds kept sessions, the last active first. Undefined: none are listed. */
  readonly newestFirst: KeptPageOptions["find"] | undefined;
  /** Finds what was decided. Undefined: none is told. */
  readonly decisions: DecisionFinder | undefined;
  readonly clock: Pick<Clock, "now">;
}

/** The place of a session among those in memory and parked ones: the newest first, of equals the smaller id. */
interface MadeAt {
  readonly madeAt: number;
  readonly id: string;
}

const newestFirst = (left: MadeAt, right: MadeAt): number =>
  right.madeAt - left.madeAt || (left.id === right.id ? 0 : left.id < right.id ? -1 : 1);

const isMadeAt = (place: readonly unknown[]): place is readonly [madeAt: number, id: string] =>
  place.length === 2 && Number.isFinite(place[0]) && typeof place[1] === "string";

/** The sessions of a server as its clients list, make and close them (P-XSE-1 to P-XSE-7). */
export class ListedSessions implements SessionMethods {
  readonly #sessions: SessionTable;
  readonly #host: string;
  readonly #clock: Pick<Clock, "now">;
  readonly requests: RequestLists;
  readonly kept: SessionMethods["kept"];
  readonly decisions: SessionMethods["decisions"];
  readonly #made: RowsOfSessions<MadeAt>;

  constructor({ sessions, host, requests, newestFirst: find, decisions, clock }: ListedSessionsOptions) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#host = host;
    this.requests = requests;
    this.kept = find && ((wanted) => keptPage({ sessions, find, host }, wanted));
    const reads = decisions && new DecisionReads(decisions);
    this.decisions = reads && ((wanted, signal) => reads.page(wanted, signal));
    this.#made = new RowsOfSessions({
      compare: newestFirst,
      ids: () => sessions.ids(),
      rowsOf(id) {
        const madeAt = sessions.find(id)?.listing.madeAt ?? sessions.parked(id)?.madeAt;
        return madeAt === undefined ? [] : [{ id, madeAt }];
      },
      watch: (changed) => sessions.watch(changed),
    });
  }

  list(): ListedSession[] {
    return [...this.#sessions.ids()].flatMap((id) => this.find(id) ?? []);
  }

  get count(): number {
    return this.#sessions.count;
  }

  page({ after, limit = ROWS_A_PAGE }: WantedPart): PartOfSessions {
    const rows = this.#made.from(after === undefined ? undefined : behind(after));
    const page: PartOfSessions = { sessions: [] };
    let last: MadeAt | undefined;
    for (const row of rows) {
      if (last !== undefined && page.sessions.length === limit) {
        page.next = JSON.stringify([last.madeAt, last.id]);
        break;
      }
      const session = this.find(row.id);
      if (session === undefined) continue;
      page.sessions.push(session);
      last = row;
    }
    return page;
  }

  opened(id: string): ServedSession | Promise<ServedSession> | undefined {
    return this.#sessions.find(id) ?? (this.#sessions.isParked(id) ? this.#sessions.open(id) : undefined);
  }

  now(): number {
    return this.#clock.now();
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  find(id: string): ListedSession | undefined {
    const session = this.#sessions.find(id);
    if (session !== undefined) return listedSession(session, this.#host);
    const parked = this.#sessions.parked(id);
    return parked && listedParked(parked, this.#host);
  }

  watch(changed: (id: string) => void): () => void {
    return this.#sessions.watch(changed);
  }

  create(): ListedSession | Promise<ListedSession> {
    const opening = this.#sessions.createUnused();
    const listed = (session: ServedSession) => listedSession(session, this.#host);
    return opening instanceof Promise ? opening.then(listed) : listed(opening);
  }

  close(id: string): ReturnType<SessionMethods["close"]> {
    return this.#sessions.closingByClient(id);
  }
}

function behind(after: string): (row: MadeAt) => boolean {
  const [madeAt, id] = placeOf(after, isMadeAt);
  return (row) => newestFirst(row, { madeAt, id }) > 0;
}
