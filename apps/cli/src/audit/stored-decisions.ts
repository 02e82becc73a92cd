import type { StoredAudit, StoredDecision, StoredDecisionQuery } from "@askwire/postgres";
import type { Outcome, Principal } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { KeptDecision } from "@askwire/server/internal";
import type { ToldDecision } from "./merged-decisions.js";

/** The decisions of a database by their time, the oldest first; then, if wanted, the requests that are open there. */
export async function* decisionsInStore(
  store: Pick<StoredAudit, "decisions" | "open">,
  query: StoredDecisionQuery,
  withOpen: boolean,
): AsyncGenerator<ToldDecision> {
  for await (const decision of store.decisions(query)) yield toldOf(decision);
  if (withOpen) for await (const decision of store.open(query)) yield toldOf(decision);
}

/** A decision of a database as one of a journal. */
function toldOf(stored: StoredDecision): ToldDecision {
  const { session, at, askedAt, kind, requestId, callId, program, rule, answerId } = stored;
  return {
    session,
    decision: {
      ...{ at, kind },
      ...defined({ askedAt, requestId, callId, program, rule, answerId }),
      ...defined({ request: parsed(stored.request) as KeptDecision["request"] }),
      ...(stored.forgotten !== undefined && {
        forgotten: { digest: stored.forgotten, ...defined({ via: stored.who?.via }) },
      }),
      ...defined({ response: parsed(stored.response), outcome: outcomeOf(stored) }),
    },
    words: defined({
      asked: stored.asked,
      digest: stored.digest,
      // The words for an answer belong to its request, which the row of the answer need not have.
      answer: stored.response === undefined || stored.forgotten !== undefined ? stored.answer : undefined,
    }),
  };
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

function outcomeOf({ at, status, reason, by, note, who, client }: StoredDecision): Outcome | undefined {
  if (status === undefined) return undefined;
  const { id, name } = who ?? {};
  return {
    ...{ status, by, at: new Date(at).toISOString() },
    ...defined({ reason, note }),
    ...(client !== undefined && { client: { name: client.name, connection: client.connection ?? "" } }),
    ...(id !== undefined && name !== undefined && { principal: who as Principal }),
  } as Outcome;
}
