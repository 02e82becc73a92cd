import type { ApprovalCover, ApprovalKind, DisplayBlockInput } from "@askwire/protocol";
import { errorFor } from "./errors.js";
import { Interaction, outcomeNow } from "./interaction.js";
import { refusedApproval } from "./unanswered.js";

/** The decision on an approval: rejected unless the person, or a policy, approved. */
export interface ApprovalAnswer {
  /** For this once, for every equal action of the session, or not. */
  readonly response: ApprovalKind;
  /** The reason in the person's words; empty without any. */
  readonly feedback: string;
}

/** Asks a person to allow one action of a tool (P-APR-1). Put through `wireSend` and awaited with `wait()`. */
export class ApprovalRequest extends Interaction<ApprovalAnswer> {
  readonly kind = "approval";
  /** The tool call that asks. */
  readonly toolCallId: string;
  /** The tool that asks. */
  readonly sender: string;
  /** The action covered by `approve_for_session`: equal actions with equal `covers` are not asked again. */
  readonly action: string;
  /** The covered part of the action. Default: all. */
  readonly covers: ApprovalCover | undefined;
  /** The action in a sentence. */
  readonly description: string;
  /** The blocks to show beside the description. Default: nothing. */
  readonly display: readonly DisplayBlockInput[];
  /** The mark shared by approvals of a turn, or of a sub-agent. Set when the request is opened. */
  source: string | undefined;

  constructor(init: {
    tool_call_id: string;
    sender: string;
    action: string;
    covers?: ApprovalCover | undefined;
    description: string;
    display?: readonly DisplayBlockInput[];
  }) {
    super();
    this.toolCallId = init.tool_call_id;
    this.sender = init.sender;
    this.action = init.action;
    this.covers = init.covers;
    this.description = init.description;
    this.display = init.display ?? [];
  }

  /**
   * Resolves with the decision. Every outcome but an answer is a rejection whose feedback tells the model why
   * (P-OUT-6).
   *
   * @throws QuestionWithdrawn when the scope that asked has ended.
   */
  wait(): Promise<ApprovalAnswer> {
    return this.settled(({ outcome, answer }) => {
      if (answer !== undefined) return answer;
      if (outcome.status === "withdrawn") throw errorFor(outcome, "approval");
      return { response: "reject", feedback: refusedApproval(outcome).message };
    });
  }

  /** Answers it from this process. False if it was settled before. */
  resolve(response: ApprovalKind, feedback = ""): boolean {
    return this.settle({ outcome: outcomeNow("answered", { by: "human" }), answer: { response, feedback } });
  }

  /** Gives it up from this process. False if it was settled before. */
  reject(error: unknown): boolean {
    return this.settle({
      outcome: outcomeNow("withdrawn", { reason: "agent", by: "system", note: String(error) }),
    });
  }
}
