import type { ListedRequest } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { RequestFilter, RequestLists, RequestPage } from "../connection/request-lists.js";
import type { StoredRow } from "../journal/session-store.js";
import type { Clock } from "../runtime/clock.js";
import { requestsOf } from "../session/listed.js";
import { eachRow, type KeptFinder } from "./kept-finder.js";
import { placeOf, ROWS_A_PAGE } from "./page-place.js";
import type { SessionTable } from "./session-table.js";

export interface AllRequestsOptions {
  readonly sessions: SessionTable;
  readonly kept: Pick<KeptFinder, "unfinished">;
  /** The name of this machine. */
  readonly host: string;
  readonly clock: Clock;
}

/** The age of what was last read of kept sessions, at most, in milliseconds: thousands take a second to read. */
const FRESH_MS = 1_000;

/** The open questions and approvals of all sessions of a server, kept ones included (P-XRQ-1 to P-XRQ-3). */
export class AllRequests implements RequestLists {
  readonly #options: AllRequestsOptions;
  #kept: { readonly at: number; readonly rows: readonly ListedRequest[] } | undefined;
  /** The look at kept sessions that is under way. */
  #looking: Promise<readonly ListedRequest[]> | undefined;

  constructor(options: AllRequestsOptions) {
    this.#options = options;
  }

  page(wanted: RequestFilter): RequestPage | Promise<RequestPage> {
    const from = wanted.after === undefined ? undefined : placeOf(wanted.after, isKey);
    const kept = wanted.state === "open" ? [] : this.#keptRows();
    return kept instanceof Promise
      ? kept.then((rows) => this.#page(wanted, from, rows))
      : this.#page(wanted, from, kept);
  }

  #page(
    { kinds, text = "", state, limit = ROWS_A_PAGE }: RequestFilter,
    from: SortKey | undefined,
    kept: readonly ListedRequest[],
  ): RequestPage {
    const said = text.trim().toLowerCase();
    const rows = [
      ...(state === "kept" ? [] : this.#openRows()),
      ...kept.filter(({ session_id }) => this.#options.sessions.canOpen(session_id)),
    ]
      .filter((row) => kinds?.includes(row.kind) ?? true)
      .filter((row) => wordsOf(row).some((words) => words.toLowerCase().includes(said)))
      .sort(inOrder)
      .filter((row) => from === undefined || compare(sortKey(row), from) > 0);
    const requests = rows.slice(0, limit);
    const last = requests.at(-1);
    const isWhole = last === undefined || rows.length === requests.length;
    return { requests, ...(!isWhole && { next: JSON.stringify(sortKey(last)) }) };
  }

  open(): ListedRequest[] {
    return this.#openRows().sort(inOrder);
  }

  of(sessionId: string): ListedRequest[] {
    const session = this.#options.sessions.find(sessionId);
    if (session !== undefined) return requestsOf(session, this.#options.host);
    return [...(this.#options.sessions.parked(sessionId)?.requests ?? [])];
  }

  watch(changed: (sessionId: string) => void): () => void {
    return this.#options.sessions.watchRequests(changed);
  }

  /** The open requests of sessions in memory and of parked ones, in no order. */
  #openRows(): ListedRequest[] {
    const { sessions, host } = this.#options;
    const live = [...sessions.byId.values()].flatMap((session) => requestsOf(session, host));
    return [...live, ...[...sessions.allParked()].flatMap(({ requests }) => requests)];
  }

  /** The open requests of kept sessions, in no order. */
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
    this.#kept = { at: this.#options.clock.elapsed(), rows };
    return rows;
  }

  #requestsIn({ id, state, open, title, agent, workDir: folder }: StoredRow): ListedRequest[] {
    // Another process has it: it can be opened there alone.
    if (state === "in_use") return [];
    const session = defined({ title, agent, folder });
    return open.map(({ request_id, kind, text, since, deadline, program }) => {
      const request = { request_id, kind, text, since, ...defined({ deadline, program }) };
      return { ...request, state: "kept", session_id: id, ...session, host: this.#options.host };
    });
  }
}

const wordsOf = ({ text, title = "", folder = "", program = "", agent = "" }: ListedRequest) => [
  text,
  title,
  folder,
  program,
  agent,
];

/** The place of a row: what has a deadline comes first, then the oldest; the ids decide between equals. */
type SortKey = readonly string[];

const sortKey = ({ deadline = "~", since, session_id, request_id }: ListedRequest): SortKey => [
  deadline,
  since,
  session_id,
  request_id,
];

const KEY_PARTS = 4;

function compare(left: SortKey, right: SortKey): number {
  for (const [index, part] of left.entries()) {
    const other = right[index] as string;
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}

const inOrder = (left: ListedRequest, right: ListedRequest) => compare(sortKey(left), sortKey(right));

const isKey = (place: readonly unknown[]): place is SortKey =>
  place.length === KEY_PARTS && place.every((part) => typeof part === "string");
