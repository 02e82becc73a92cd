import type { ListedRequest, Principal } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import {
  type RequestFilter,
  type RequestLists,
  type RequestPage,
  type RowReader,
  rowTo,
  toldTo,
} from "../connection/request-lists.js";
import { keptRow } from "../journal/open-requests.js";
import type { StoredRow } from "../journal/session-store.js";
import { isForPerson } from "../requests/addressing.js";
import type { Clock } from "../runtime/clock.js";
import { firstIn } from "../runtime/ordered-rows.js";
import { requestsOf } from "../session/listed.js";
import { eachRow, type KeptFinder } from "./kept-finder.js";
import { placeOf, ROWS_A_PAGE } from "./page-place.js";
import { isBehindPlace, isRowsPlace, placeOfRequest, type RowsPlace, requestOrder } from "./request-order.js";
import { RowsOfSessions } from "./rows-of-sessions.js";
import type { SessionTable } from "./session-table.js";
import { CountedRows, isWantedRow, merged } from "./wanted-requests.js";

export interface AllRequestsOptions {
  readonly sessions: SessionTable;
  readonly kept: Pick<KeptFinder, "unfinished" | "canOpen">;
  /** The name of this machine. */
  readonly host: string;
  readonly clock: Clock;
}

/** The age of what was last read of kept sessions, at most, in milliseconds: thousands take a second to read. */
const FRESH_MS = 1_000;

/** The rows that a person wants to see. */
interface PersonFilter extends RequestFilter {
  readonly reader: RowReader | undefined;
}

/** The open questions and approvals of all sessions of a server, kept ones included (P-XRQ-1 to P-XRQ-5). */
export class AllRequests implements RequestLists {
  readonly #options: AllRequestsOptions;
  /** Those of sessions in memory and of parked ones, in their order. */
  readonly #open: RowsOfSessions<ListedRequest>;
  /** Their numbers. */
  readonly #counted = new CountedRows();
  /** Those of kept sessions, in their order, as they were last read. */
  #kept: { readonly at: number; readonly rows: readonly ListedRequest[] } | undefined;
  /** The look at kept sessions that is under way. */
  #looking: Promise<readonly ListedRequest[]> | undefined;

  constructor(options: AllRequestsOptions) {
    const { sessions } = options;
    this.#options = options;
    this.#open = new RowsOfSessions({
      compare: requestOrder,
      ids: () => sessions.ids(),
      rowsOf: (id) => this.#read(id),
      watch: (changed) => sessions.watchRequests(changed),
      noted: (row, by) => this.#counted.count(row, by),
    });
  }

  page(wanted: RequestFilter, reader?: RowReader): RequestPage | Promise<RequestPage> {
    const from = wanted.after === undefined ? undefined : placeOf(wanted.after, isRowsPlace);
    const kept = wanted.state === "open" ? [] : this.#keptRows();
    return kept instanceof Promise
      ? kept.then((rows) => this.#page({ ...wanted, reader }, from, rows))
      : this.#page({ ...wanted, reader }, from, kept);
  }

  isOf(sessionId: string, person: Principal | undefined): boolean {
    if (person === undefined) return false;
    const { sessions } = this.#options;
    const owner = (sessions.find(sessionId) ?? sessions.parked(sessionId))?.owner;
    return owner?.id === person.id && owner.via === person.via;
  }

  #page(wanted: PersonFilter, from: RowsPlace | undefined, kept: readonly ListedRequest[]): RequestPage {
    const { limit = ROWS_A_PAGE, counts = false, reader } = wanted;
    const isWanted = this.#isWanted(wanted);
    const requests: ListedRequest[] = [];
    let hasMore = false;
    for (const row of this.#rows(wanted, from, kept)) {
      if (!isWanted(row)) continue;
      hasMore = requests.length === limit;
      if (hasMore) break;
      requests.push(row);
    }
    const last = requests.at(-1);
    return {
      requests: requests.flatMap((row) => toldTo([row], row.session_id, reader, this)),
      ...(hasMore && last !== undefined && { next: JSON.stringify(placeOfRequest(last)) }),
      ...(counts && { counts: this.#counts(wanted, kept).sums(wanted.kinds) }),
    };
  }

  /** The rows of the wanted state behind a place, in their order. */
  #rows(
    { state }: RequestFilter,
    from: RowsPlace | undefined,
    kept: readonly ListedRequest[],
  ): Iterable<ListedRequest> {
    const isBehind = from === undefined ? () => true : isBehindPlace(from);
    const open = this.#open.from(isBehind);
    const away = this.#away(kept, firstIn(kept, isBehind));
    return state === "kept" ? away : kept.length === 0 ? open : merged(open, away, requestOrder);
  }

  /** Kept rows from an index on, without those of sessions that were opened or closed since they were read. */
  *#away(kept: readonly ListedRequest[], from: number): Generator<ListedRequest, void, undefined> {
    for (let index = from; index < kept.length; index += 1) {
      const row = kept[index] as ListedRequest;
      if (this.#options.sessions.isAway(row.session_id)) yield row;
    }
  }

  #isWanted(wanted: PersonFilter): (row: ListedRequest) => boolean {
    const { mine = false, to_me = false, reader } = wanted;
    const isWanted = isWantedRow(wanted);
    const isMine = mine
      ? (row: ListedRequest) => this.isOf(row.session_id, reader?.principal) && isWanted(row)
      : isWanted;
    if (!to_me) return isMine;
    const person = reader?.person();
    return (row) => person !== undefined && isForPerson(rowTo(row), person) && isMine(row);
  }

  /** Counts the rows of the wanted words, state and person. */
  #counts(wanted: PersonFilter, kept: readonly ListedRequest[]): CountedRows {
    const { text = "", state, mine = false, to_me = false, reader } = wanted;
    this.#open.look();
    const areKnown = text.trim() === "" && !mine && !to_me && state !== "kept";
    const counted = areKnown ? this.#counted.copy() : new CountedRows();
    const isWanted = this.#isWanted({ text, mine, to_me, reader });
    const rest = areKnown ? this.#away(kept, 0) : this.#rows({ state }, undefined, kept);
    for (const row of rest) if (isWanted(row)) counted.count(row);
    return counted;
  }

  open(): ListedRequest[] {
    return [...this.#open.from()];
  }

  of(sessionId: string): readonly ListedRequest[] {
    return this.#open.of(sessionId);
  }

  watch(changed: (sessionId: string) => void): () => void {
    return this.#options.sessions.watchRequests(changed);
  }

  #read(id: string): readonly ListedRequest[] {
    const { sessions, host } = this.#options;
    const session = sessions.find(id);
    return session === undefined ? (sessions.parked(id)?.requests ?? []) : requestsOf(session, host);
  }

  /** The open requests of kept sessions, in their order. */
  #keptRows(): readonly ListedRequest[] | Promise<readonly ListedRequest[]> {
    const now = this.#options.clock.elapsed();
    if (this.#looking !== undefined) return this.#looking;
    if (this.#kept !== undefined && now - this.#kept.at < FRESH_MS) return this.#kept.rows;
    const rows: ListedRequest[] = [];
    const looking = eachRow(this.#options.kept.unfinished(), (row) => {
      rows.push(...this.#requestsIn(row));
      return true;
    });
    if (looking === undefined) return this.#looked(rows);
    this.#looking = looking
      .then(() => this.#looked(rows))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  #looked(rows: readonly ListedRequest[]): readonly ListedRequest[] {
    const sorted = [...rows].sort(requestOrder);
    this.#kept = { at: this.#options.clock.elapsed(), rows: sorted };
    return sorted;
  }

  #requestsIn({ id, state, open, title, agent, workDir: folder }: StoredRow): ListedRequest[] {
    // Another process has it: it can be opened there alone.
    if (state === "in_use" || !this.#options.kept.canOpen(id)) return [];
    const session = defined({ title, agent, folder });
    const { host } = this.#options;
    return open.map((row) => ({ ...keptRow(row), state: "kept", session_id: id, ...session, host }));
  }
}
