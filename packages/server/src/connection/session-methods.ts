import type { ListedSession } from "@askwire/protocol";
import type { RequestLists, WantedPart } from "./request-lists.js";

/** A part of the kept sessions, and where the rest begins; without `next` there is no more. */
export type KeptPage = { sessions: ListedSession[]; next?: string };

/** The sessions of a server, as clients may list, watch, make and close them (P-XSE-1 to P-XSE-7). */
export interface SessionMethods {
  list(): ListedSession[];
  /**
   * The kept sessions that are not in memory and can be opened, the last active first. Undefined where nobody finds them
   * (P-XSE-7).
   */
  readonly kept: ((wanted: WantedPart) => KeptPage | Promise<KeptPage>) | undefined;
  /** The open questions and approvals in them. */
  readonly requests: RequestLists;
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
