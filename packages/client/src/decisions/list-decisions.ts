import { LocalError } from "@askwire/protocol";
import type { ClientSession } from "../contract/session.js";
import { type HeardDecision, readDecision } from "./heard-decision.js";

/** The decisions that are wanted. */
export interface WantedDecisions {
  /** Words of what was asked and said, of the session, or a name, in any case. Default: all. */
  readonly text?: string;
  readonly kinds?: readonly ("question" | "approval")[];
  /** The id or the name of a person by the word of the server's door, in any case. */
  readonly who?: string;
  /** A status of an outcome, such as `answered`. */
  readonly status?: string;
  /** From this time on, and before the other one, in ISO 8601 with a zone. */
  readonly since?: string;
  readonly until?: string;
  /** The `next` of the page before. Default: the newest. */
  readonly after?: string;
  /** From 1 to 200. Default: 50. */
  readonly limit?: number;
}

/** A page of decisions, the newest first. It may have no row and still a `next`. */
export interface PageOfDecisions {
  readonly decisions: readonly HeardDecision[];
  readonly next?: string;
}

/** True where the server tells this client what was decided (P-XPD-1, P-XPD-3). */
export const tellsDecisions = (session: ClientSession): boolean =>
  session.server?.capabilities?.askwire?.decisions === true;

/**
 * Lists what was decided in the sessions of a server (P-XPD-1).
 *
 * @param options `signal` ends the reading, which rejects with its reason.
 * @throws WireError of the server, such as `-32601` where it does not tell and `-32014` where this client may not know.
 * @throws LocalError CLOSED without a connection, and BAD_PEER for a reply that is no page.
 */
export async function listDecisions(
  session: ClientSession,
  wanted: WantedDecisions = {},
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<PageOfDecisions> {
  const { signal } = options;
  signal?.throwIfAborted();
  const reply = await session.call("list_decisions", { ...wanted }, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
  const { decisions, next } = reply as { readonly decisions?: unknown; readonly next?: unknown };
  if (!Array.isArray(decisions))
    throw new LocalError("BAD_PEER", "listDecisions: expected a list `decisions` in the reply");
  return {
    decisions: decisions.map(readDecision).filter((row) => row !== undefined),
    ...(typeof next === "string" && next !== wanted.after && { next }),
  };
}

/** All pages of a list, one after the other. Throws as {@link listDecisions} does. */
export async function* decisionPages(
  session: ClientSession,
  wanted: WantedDecisions = {},
  options: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<readonly HeardDecision[]> {
  for (let after = wanted.after; ; ) {
    const page = await listDecisions(session, { ...wanted, ...(after !== undefined && { after }) }, options);
    yield page.decisions;
    after = page.next;
    if (after === undefined) return;
  }
}
