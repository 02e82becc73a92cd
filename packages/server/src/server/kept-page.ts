import type { ListedSession } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { WantedPart } from "../connection/request-lists.js";
import type { KeptPage } from "../connection/session-methods.js";
import type { FoundPosition, FoundSession } from "../journal/found-sessions.js";
import { placeOf, ROWS_A_PAGE } from "./page-place.js";
import type { SessionTable } from "./session-table.js";

export interface KeptPageOptions {
  readonly sessions: Pick<SessionTable, "isKept">;
  /** Finds kept sessions, the last active first. */
  readonly find: (after?: FoundPosition) => Iterable<FoundSession>;
  /** The name of this machine. */
  readonly host: string;
}

/**
 * A page of the sessions on disk alone that this server can open, the last active first (P-XSE-7). No more files are read
 * than the page has rows, save those of sessions that another process has.
 *
 * @throws WireError InvalidParams for an `after` that is no `next`.
 */
export function keptPage({ sessions, find, host }: KeptPageOptions, wanted: WantedPart): KeptPage {
  const { after, limit = ROWS_A_PAGE } = wanted;
  const rows: ListedSession[] = [];
  let last: FoundSession | undefined;
  for (const found of find(after === undefined ? undefined : behind(after))) {
    // Another process has it: it can be opened there alone.
    if (found.state === "in_use" || !sessions.isKept(found.id)) continue;
    if (last !== undefined && rows.length === limit) {
      return { sessions: rows, next: JSON.stringify([last.activeAt, last.id]) };
    }
    rows.push(keptRow(found, host));
    last = found;
  }
  return { sessions: rows };
}

function keptRow({ id, title, workDir: folder, activeAt, open }: FoundSession, host: string): ListedSession {
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

const oldestOf = ({ request_id, kind, text, since }: FoundSession["open"][number]) => ({
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
