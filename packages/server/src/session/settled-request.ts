import { recordUnasked } from "../journal/record-interaction.js";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import type { AnyInteraction } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import { approvalResponse } from "./approvals.js";
import type { SessionParts } from "./session-parts.js";

type Parts = Pick<
  SessionParts,
  "core" | "events" | "id" | "journal" | "listing" | "options" | "rules" | "turns"
>;

/** Tells clients that a request is settled, and does what follows from that. */
export function requestSettled(
  parts: Parts,
  request: AnyInteraction,
  settlement: Settlement<unknown>,
  sent: boolean,
): void {
  const { events, id, listing, options } = parts;
  options.drafts?.settled({ session: id, request: request.id });
  if (sent) {
    events.settled(request, settlement.outcome, settlement.answer);
    if (request.kind === "question" && request.background) events.overForBase(request);
    listing.act();
  } else unasked(parts, request, settlement);
  if (request.kind === "approval") approvalSettled(parts, request, settlement, sent);
}

/** Keeps that nobody was asked, and why. Of an approval by a rule the decision of the rule is kept. */
function unasked({ journal }: Parts, request: AnyInteraction, { outcome }: Settlement<unknown>): void {
  const isPersons = request.kind === "question" || request.kind === "approval";
  // A request that could not be kept at its opening has no record of its end either.
  if (journal === undefined || !isPersons || outcome.reason === "not_kept") return;
  if (outcome.status !== "answered") recordUnasked(journal, request, outcome);
}

/** Keeps an approval that was given for the session, and tells every client of a settled approval (P-APR-2). */
function approvalSettled(
  { core, events, rules, turns }: Parts,
  request: ApprovalRequest,
  { outcome, answer }: Settlement<unknown>,
  sent: boolean,
): void {
  const { response, feedback } = approvalResponse(answer);
  const isAnswered = outcome.status === "answered";
  if (!sent && isAnswered) {
    rules.passed(request);
    if (outcome.by === "policy") events.policyDecided(rules.decision(request, response));
  }
  const { origin, program } = request;
  const isOfAgent = origin === undefined && program === undefined;
  const isWordless = response === "reject" && feedback.trim() === "" && isOfAgent;
  if (isWordless && isAnswered && outcome.by === "human") turns.endAfterStep();
  if (sent)
    events.broadcast({ type: "ApprovalResponse", payload: { request_id: request.id, response, feedback } });
  if (answer !== undefined && outcome.by === "human" && !request.relayed) {
    rules.decided(request, answer as ApprovalAnswer, core.pending());
  }
}
