import { BoundedSet } from "@askwire/protocol/internal";
import { type InboxRow, rowKey, type Waiting } from "./waiting.js";

/** The most requests that are remembered; the oldest are forgotten first. */
const MOST = 100_000;

/**
 * Tells the requests that have come since the last call. What was there when the inbox was opened is not new, nor is
 * what comes back with its server.
 */
export function freshRows(
  waiting: Pick<Waiting, "isWhole">,
): (rows: readonly InboxRow[]) => readonly InboxRow[] {
  const known = new BoundedSet<string>(MOST);
  let hasBegun = false;
  return (rows) => {
    const fresh = rows.filter(({ request }) => !known.has(rowKey(request)));
    for (const { request } of fresh) known.add(rowKey(request));
    const wasThere = !hasBegun;
    hasBegun ||= waiting.isWhole;
    return wasThere ? [] : fresh;
  };
}
