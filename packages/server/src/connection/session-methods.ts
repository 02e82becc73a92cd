import type { ListedSession } from "@askwire/protocol";
import type { RequestLists } from "./request-lists.js";

/** The sessions of a server, as clients may list, watch, make and close them (P-XSE-1 to P-XSE-6). */
export interface SessionMethods {
  list(): ListedSession[];
  /** The open questions and approvals in them. */
  readonly requests: RequestLists;
  has(id: string): boolean;
  /** Undefined for an id that is not there. */
  find(id: string): ListedSession | undefined;
  /** Calls `changed` with the id of each session that has begun, changed or ended. The returned function ends that. */
  watch(changed: (id: string) => void): () => void;
  /** @throws WireError Overloaded at the limit of sessions. */
  create(): ListedSession;
  /** Undefined for an id that is not there; else what closes it. */
  close(id: string): (() => void) | undefined;
}
