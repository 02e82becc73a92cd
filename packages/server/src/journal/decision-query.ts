import type { ListedDecision } from "@askwire/protocol";

/** The choice of decisions, of which a page is wanted (P-XPD-1). */
export interface DecisionQuery {
  /** Words of what was asked and said, of the session, or a name, in any case. Default: all. */
  readonly text?: string;
  readonly kinds?: readonly ListedDecision["kind"][];
  /** The id or the name of a person by the word of a door, in any case. */
  readonly who?: string;
  readonly status?: string;
  /** From this time on, and before the other one, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** The `next` of the page before. Default: the newest. */
  readonly after?: string;
  /** The most rows of the page, from 1 to 200. */
  readonly limit: number;
}

/** A page of decisions, the newest first. It may have fewer rows than are wanted, or none, and still a `next`. */
export interface DecisionPage {
  readonly decisions: readonly ListedDecision[];
  /** The place where the next page begins, of 1,024 characters at most. Undefined once there is no more. */
  readonly next?: string;
}

/**
 * Finds decisions. The work of one page is bounded.
 *
 * @param signal ends the work when aborted, which rejects with its reason.
 * @throws WireError InvalidParams for an `after` that no page gave, and the error of the place where they are kept.
 */
export type DecisionFinder = (query: DecisionQuery, signal: AbortSignal) => Promise<DecisionPage>;
