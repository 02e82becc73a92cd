import type { ListedRequest, RequestNumbers } from "@askwire/protocol";

/** The part of a list that a client wants. */
export interface WantedPart {
  /** The `next` of the page before. Default: the first page. */
  readonly after?: string | undefined;
  /** From 1 to 200. Default: 50. */
  readonly limit?: number | undefined;
}

/** The rows that a client wants (P-XRQ-1). */
export interface RequestFilter extends WantedPart {
  readonly kinds?: readonly ListedRequest["kind"][] | undefined;
  readonly text?: string | undefined;
  readonly state?: ListedRequest["state"] | undefined;
  /** True to have all wanted rows counted, those of other pages too (P-XRQ-4). Default: false. */
  readonly counts?: boolean | undefined;
}

/** A part of what waits, and where the rest begins; without `next` there is no more. */
export type RequestPage = { requests: ListedRequest[]; next?: string; counts?: RequestNumbers };

/** The open questions and approvals of all sessions of a server, as clients may list and watch them (P-XRQ-1 to P-XRQ-4). */
export interface RequestLists {
  /** @throws WireError InvalidParams for an `after` that is no `next`, and what finding kept sessions throws. */
  page(wanted: RequestFilter): RequestPage | Promise<RequestPage>;
  /** The requests of the sessions in memory: those with a deadline first, then the oldest. */
  open(): ListedRequest[];
  /** The requests of one session in memory; empty for one that is gone. */
  of(sessionId: string): readonly ListedRequest[];
  /** Calls `changed` with the id of each session of which {@link of} gives something else than before. */
  watch(changed: (sessionId: string) => void): () => void;
}
