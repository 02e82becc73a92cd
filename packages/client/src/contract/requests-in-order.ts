import type { HeardRequest } from "@askwire/protocol";

/** Sorts waiting requests: those with a deadline first, the earliest before the others; then the oldest (P-XRQ-1). */
export const requestsInOrder = <Row extends Pick<HeardRequest, "deadline" | "since">>(
  rows: readonly Row[],
): Row[] => [...rows].sort((a, b) => dueAt(a) - dueAt(b) || Date.parse(a.since) - Date.parse(b.since));

const dueAt = ({ deadline }: Pick<HeardRequest, "deadline">): number =>
  deadline === undefined ? Number.MAX_VALUE : Date.parse(deadline);
