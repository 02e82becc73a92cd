import type { ApprovalKind, Outcome, OutcomeStatus } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { AnswerSaid } from "./scripted-request.js";
import type { ScriptedOutcome } from "./scripted-shapes.js";
import type { Line } from "./told-events.js";

const now = () => new Date().toISOString();

/** The outcome of a request that the client at a connection answered or declined. */
export function clientsOutcome({ outcome: { status, reason, note } }: AnswerSaid, line?: Line): Outcome {
  const client = { name: line?.client ?? "client", connection: line?.id ?? "" };
  return { status, ...defined({ reason, note }), by: "human", client, at: now() } as Outcome;
}

/** The outcome of a request that ended without the client. */
export function othersOutcome({ status, reason, client, note }: ScriptedOutcome): Outcome {
  const isPerson = status === "answered" || status === "declined";
  const by = isPerson ? "human" : status === "expired" ? "timer" : "system";
  const named = { name: client ?? "another client", connection: "another" };
  return {
    status,
    ...defined({ reason, note }),
    by,
    ...(isPerson && { client: named }),
    at: now(),
  } as Outcome;
}

/** The outcome of a request that the client cannot show. */
export const notShownOutcome = (): Outcome => othersOutcome({ status: "unavailable", reason: "unsupported" });

/** The answer to an approval that another client gave, as every client is told it (P-APR-2). */
export function othersApproval(status: OutcomeStatus, response: unknown) {
  const given = (response ?? {}) as { readonly response?: ApprovalKind; readonly feedback?: string };
  return {
    response: given.response ?? (status === "answered" ? "approve" : "reject"),
    feedback: given.feedback ?? "",
  };
}
