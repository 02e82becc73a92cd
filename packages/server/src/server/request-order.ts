import type { ListedRequest } from "@askwire/protocol";

/** The place of a row: what has a deadline comes first, then the oldest; the ids decide between equals (P-XRQ-1). */
export type RowsPlace = readonly string[];

/** Stands where a row has no deadline: behind all times. */
const NEVER = "~";

export const placeOfRequest = ({
  deadline = NEVER,
  since,
  session_id,
  request_id,
}: ListedRequest): RowsPlace => [deadline, since, session_id, request_id];

const PARTS = 4;

/** True for a list that can be such a place. */
export const isRowsPlace = (place: readonly unknown[]): place is RowsPlace =>
  place.length === PARTS && place.every((part) => typeof part === "string");

/** Compares rows by their places, without making these. */
export const requestOrder = (left: ListedRequest, right: ListedRequest): number =>
  byText(left.deadline ?? NEVER, right.deadline ?? NEVER) ||
  byText(left.since, right.since) ||
  byText(left.session_id, right.session_id) ||
  byText(left.request_id, right.request_id);

/** True for the rows behind a place. */
export function isBehindPlace([deadline = "", since = "", session = "", request = ""]: RowsPlace) {
  return (row: ListedRequest): boolean =>
    (byText(row.deadline ?? NEVER, deadline) ||
      byText(row.since, since) ||
      byText(row.session_id, session) ||
      byText(row.request_id, request)) > 0;
}

const byText = (left: string, right: string) => (left === right ? 0 : left < right ? -1 : 1);
