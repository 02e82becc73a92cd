import type { ApprovalKind } from "@askwire/protocol";
import type { ApprovalAnswer, ApprovalRequest } from "../requests/approval-request.js";
import type { AnyInteraction } from "../requests/core.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";

/** The approvals that a session gives without asking: everything, or actions approved for it (P-APR-3, P-APR-4). */
export class Approvals {
  /** Approves every approval by policy. Questions are still asked. */
  yolo: boolean;
  #scopes: Set<string> | undefined;

  constructor(yolo: boolean) {
    this.yolo = yolo;
  }

  /** The settlement of a request that nobody needs to be asked about. */
  policy(request: ApprovalRequest): Settlement<never> | undefined {
    return this.yolo || this.#scopes?.has(scopeOf(request))
      ? (approvedByPolicy() as Settlement<never>)
      : undefined;
  }

  /** Approves the action from now on, and open approvals of the same scope at this moment. */
  approveForSession(approved: ApprovalRequest, open: readonly AnyInteraction[]): void {
    const scope = scopeOf(approved);
    this.#scopes ??= new Set();
    this.#scopes.add(scope);
    for (const request of open) {
      if (request.kind === "approval" && scopeOf(request) === scope) request.settle(approvedByPolicy());
    }
  }
}

/** The key that actions share under one approval for the session. */
const scopeOf = ({ action, covers }: ApprovalRequest) =>
  JSON.stringify([action, covers?.program ?? null, covers?.command ?? null]);

const approvedByPolicy = (): Settlement<ApprovalAnswer> => ({
  outcome: outcomeNow("answered", { by: "policy" }),
  answer: { response: "approve", feedback: "" },
});

/** The response told to clients after a settled approval. Every outcome but an answer is a rejection. */
export function approvalResponse(answer: unknown): { response: ApprovalKind; feedback: string } {
  return (answer as ApprovalAnswer | undefined) ?? { response: "reject", feedback: "" };
}
