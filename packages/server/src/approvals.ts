import type { ApprovalKind } from "@askwire/protocol";
import type { ApprovalAnswer } from "./interaction/approval-request.js";
import type { AnyInteraction } from "./interaction/core.js";
import { outcomeNow, type Settlement } from "./interaction/interaction.js";

/** What a session approves without asking: everything, or the actions that a person approved for it (P-APR-3, P-APR-4). */
export class Approvals {
  /** Approves every approval by policy; questions are asked all the same. */
  yolo: boolean;
  #actions: Set<string> | undefined;

  constructor(yolo: boolean) {
    this.yolo = yolo;
  }

  /** The settlement of a request that nobody needs to be asked about. */
  policy(request: AnyInteraction): Settlement<never> | undefined {
    if (request.kind !== "approval") return undefined;
    return this.yolo || this.#actions?.has(request.action)
      ? (approvedByPolicy() as Settlement<never>)
      : undefined;
  }

  /** From now on, and what is open of the same action at this moment. */
  approveForSession(action: string, open: readonly AnyInteraction[]): void {
    this.#actions ??= new Set();
    this.#actions.add(action);
    for (const request of open) {
      if (request.kind === "approval" && request.action === action) request.settle(approvedByPolicy());
    }
  }
}

const approvedByPolicy = (): Settlement<ApprovalAnswer> => ({
  outcome: outcomeNow("answered", { by: "policy" }),
  answer: { response: "approve", feedback: "" },
});

/** What clients are told of a settled approval: every outcome but an answer is a rejection. */
export function approvalResponse(answer: unknown): { response: ApprovalKind; feedback: string } {
  return (answer as ApprovalAnswer | undefined) ?? { response: "reject", feedback: "" };
}
