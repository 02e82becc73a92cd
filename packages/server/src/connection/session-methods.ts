import type { ListedSession } from "@askwire/protocol";
import type { DecisionFinder } from "../journal/decision-query.js";
import type { ServedSession } from "../session/served-session.js";
import type { RequestLists, WantedPart } from "./request-lists.js";

/** A part of a list of sessions, and where the rest begins; without `next` there is no more. */
export type PartOfSessions = { sessions: ListedSession[]; next?: string };

/** The sessions of a server, as clients may list, watch, make and close them (P-XSE-1 to P-XSE-8). */
export interface SessionMethods {
  /** All sessions in memory and all parked ones, in no order. */
  list(): ListedSession[];
  /** The number of these. */
  readonly count: number;
  /** A page of these, the newest first (P-XSE-8). @throws WireError InvalidParams for an `after` that is no `next`. */
  page(wanted: WantedPart): PartOfSessions;
  /**
   * The kept sessions that are not in memory and can be opened, the last active first. Undefined where nobody finds them
   * (P-XSE-7).
   */
  readonly kept: ((wanted: WantedPart) => PartOfSessions | Promise<PartOfSessions>) | undefined;
  /** A page of what was decided, the newest first. Undefined where nobody finds it (P-XPD-1). */
  readonly decisions: DecisionFinder | undefined;
  /** The open questions and approvals in them. */
  readonly requests: RequestLists;
  /** The session of an id, opened where it is parked. Undefined for one that is not there. Rejects what opening it does. */
  opened(id: string): ServedSession | Promise<ServedSession> | undefined;
  /** The time, in milliseconds since 1970. */
  now(): number;
  has(id: string): boolean;
  /** Undefined for an id that is not there. */
  find(id: string): ListedSession | undefined;
  /** Calls `changed` with the id of each session that has begun, changed or ended. The returned function ends that. */
  watch(changed: (id: string) => void): () => void;
  /** Makes one, which may take time. @throws WireError Overloaded at the limit of sessions. */
  create(): ListedSession | Promise<ListedSession>;
  /** Undefined for an id that is not there; else what closes it, which may take time. Throws, or rejects, what opening it does. */
  close(id: string): (() => void) | Promise<() => void> | undefined;
}
