import type { ListedSession } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { WantedPart } from "../connection/request-lists.js";
import type { PartOfSessions } from "../connection/session-methods.js";
import type { FoundPosition } from "../journal/found-sessions.js";
import type { StoredRow } from "../journal/session-store.js";
import { eachRow, type FoundRows } from "./kept-finder.js";
import { placeOf, ROWS_A_PAGE } from "./page-place.js";
import type { SessionTable } from "./session-table.js";

export interface KeptPageOptions {
  readonly sessions: Pick<SessionTable, "canOpen">;
  /** Finds kept sessions, the last active first; no more than a number of them are wanted at first. */
  readonly find: (after: FoundPosition | undefined, limit: number) => FoundRows;
  /** The name of this machine. */
  readonly host: string;
}

/**
 * A page of the kept sessions that this server can open, the last active first (P-XSE-7). No more files are read than the
 * page has rows, save those of sessions that another process has.
 *
 * @throws WireError InvalidParams for an `after` that is no `next`, and what finding them throws.
 */
export function keptPage(
  { sessions, find, host }: KeptPageOptions,
  wanted: WantedPart,
): PartOfSessions | Promise<PartOfSessions> {
  const { after, limit = ROWS_A_PAGE } = wanted;
  const page: PartOfSessions = { sessions: [] };
  let last: StoredRow | undefined;
  // One row more says that the page is not the last.
  const found = find(after === undefined ? undefined : behind(after), limit + 1);
  const reading = eachRow(found, (row) => {
    // Another process has it: it can be opened there alone.
    if (row.state === "in_use" || !sessions.canOpen(row.id)) return true;
    if (last !== undefined && page.sessions.length === limit) {
      page.next = JSON.stringify([last.activeAt, last.id]);
      return false;
    }
    page.sessions.push(keptRow(row, host));
    last = row;
    return true;
  });
  return reading === undefined ? page : reading.then(() => page);
}

function keptRow({ id, title, workDir: folder, activeAt, open }: StoredRow, host: string): ListedSession {
  const [oldest] = open;
  return {
    ...{ id, state: "kept", connections: 0 },
    ...defined({ title, folder }),
    host,
    active_at: new Date(activeAt).toISOString(),
    open: open.length,
    ...(oldest !== undefined && { oldest: oldestOf(oldest) }),
  };
}

const oldestOf = ({ request_id, kind, text, since }: StoredRow["open"][number]) => ({
  request_id,
  kind,
  text,
  since,
});

/** The place of a row: the time of its last record, and its id. */
type RowPlace = readonly [activeAt: number, id: string];

const isPlace = (place: readonly unknown[]): place is RowPlace =>
  place.length === 2 && Number.isFinite(place[0]) && typeof place[1] === "string";

function behind(after: string): FoundPosition {
  const [activeAt, id] = placeOf(after, isPlace);
  return { activeAt, id };
}
