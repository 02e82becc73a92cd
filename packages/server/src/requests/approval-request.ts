import type { ApprovalCover, ApprovalKind, DisplayBlockInput } from "@askwire/protocol";
import { errorFor } from "./errors.js";
import { Interaction, outcomeNow } from "./interaction.js";
import { refusedApproval } from "./unanswered.js";

/** What an approval came to: rejected unless the person, or a policy, approved. */
export interface ApprovalAnswer {
  /** For this once, for every equal action of the session, or not. */
  readonly response: ApprovalKind;
  /** Why, in the person's words; empty if they gave none. */
  readonly feedback: string;
}

/** Asks a person to allow one action of a tool (P-APR-1). Put through `wireSend` and awaited with `wait()`. */
export class ApprovalRequest extends Interaction<ApprovalAnswer> {
  readonly kind = "approval";
  /** The tool call that asks. */
  readonly toolCallId: string;
  /** The tool that asks. */
  readonly sender: string;
  /** What `approve_for_session` covers: equal actions are not asked again, if `covers` is equal too. */
  readonly action: string;
  /** What of the action it covers. Default: all. */
  readonly covers: ApprovalCover | undefined;
  /** What is about to happen, in a sentence. */
  readonly description: string;
  /** What to show beside it. Default: nothing. */
  readonly display: readonly DisplayBlockInput[];
  /** What approvals of one turn, or of one sub-agent, have in common. Set when it is opened. */
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
   * What was answered. Every outcome but an answer is a rejection whose feedback tells the model why (P-OUT-6).
   *
   * @throws QuestionWithdrawn when the scope ended that asked.
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
