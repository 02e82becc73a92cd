import { type InboxRow, rowKey } from "./waiting.js";

/** The cursor of a list. It stays on its request while others come and go. */
export interface ListCursor {
  /** The request with the cursor; undefined before there is any. */
  readonly key: string | undefined;
  readonly index: number;
}

export const noCursor: ListCursor = { key: undefined, index: 0 };

/** The cursor in the rows as they are now: on its request, else on what has taken its place. */
export function cursorIn(rows: readonly InboxRow[], { key, index }: ListCursor): ListCursor {
  const found = rows.findIndex(({ request }) => rowKey(request) === key);
  return at(rows, found === -1 ? index : found);
}

/** The cursor so many rows further, within the ends. */
export const moved = (rows: readonly InboxRow[], cursor: ListCursor, by: number): ListCursor =>
  at(rows, cursorIn(rows, cursor).index + by);

function at(rows: readonly InboxRow[], wanted: number): ListCursor {
  const index = Math.max(0, Math.min(rows.length - 1, wanted));
  const row = rows[index];
  return { key: row && rowKey(row.request), index };
}
