import { resolve } from "node:path";
import type { FoundSession, SessionStore, StoredQuery, StoredRow } from "@askwire/server";
import { commandLog } from "../input/command-log.js";
import { usageFailure } from "../input/failure.js";
import { openStore } from "./installed-store.js";
import type { StorePlace } from "./store-place.js";

/** A kept session as a list shows it, on the disk or in a database, which knows no folder and no size. */
export type ShownSession = StoredRow & Partial<Pick<FoundSession, "folder" | "bytes" | "pid">>;

/** The kept sessions of a place, and the way to remove one. */
export interface SessionShelf {
  readonly sessions: readonly ShownSession[];
  /** @throws LocalError INVALID_STATE for one that a process has. */
  remove(session: ShownSession): Promise<void>;
  close(): Promise<void>;
}

/** Rows that are asked of a store at once. */
const ROWS_AT_ONCE = 200;

/**
 * The sessions of a folder, or all, in a database, the one that was active last first.
 *
 * @throws Failure for both options at once, and where the database cannot be opened.
 */
export async function shelfInStore(
  place: StorePlace,
  { all = false, workDir }: { readonly all?: boolean; readonly workDir?: string },
): Promise<SessionShelf> {
  if (all && workDir !== undefined) throw usageFailure("sessions: --all and --work-dir: leave one out");
  const store = await openStore(place, commandLog(), { tenants: place.tenant !== undefined });
  const theirs = place.tenant === undefined ? store : store.tenant(place.tenant);
  const of = all ? {} : { workDir: resolve(workDir ?? ".") };
  try {
    const sessions = await rowsOf(theirs, of);
    return { sessions, remove: ({ id }) => theirs.remove(id), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function rowsOf(store: SessionStore, of: Pick<StoredQuery, "workDir">): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let last: StoredRow | undefined, count = ROWS_AT_ONCE; count === ROWS_AT_ONCE; last = rows.at(-1)) {
    const after = last && { activeAt: last.activeAt, id: last.id };
    const page = await store.list({ ...of, limit: ROWS_AT_ONCE, ...(after !== undefined && { after }) });
    rows.push(...page);
    count = page.length;
  }
  return rows;
}
