import type { DisplayBlockInput, Outcome } from "@askwire/protocol";
import type { ApprovalOptionInit } from "../requests/approval-options.js";
import { type ApprovalEditInit, ApprovalRequest } from "../requests/approval-request.js";
import { refusedApproval } from "../requests/unanswered.js";
import { currentToolCall, wireSend } from "./context.js";

/** An action for a person to allow. */
export interface ApprovalInit {
  /** The action covered by `approve_for_session`: equal actions are not asked again in the session (P-APR-3). */
  readonly action: string;
  /** The action in a sentence. */
  readonly description: string;
  /** Default: nothing. */
  readonly display?: readonly DisplayBlockInput[];
  /**
   * The ways to answer; one that rejects this call alone is added where none does (P-XAO-1). Default: approve, approve
   * the action for the session, reject.
   */
  readonly options?: readonly ApprovalOptionInit[];
  /**
   * The id of the option that `approve_for_session` of a base client stands for, where several have a scope (P-XAO-5).
   * Default: the only one; with several, base clients are asked by a question.
   */
  readonly for_session?: string;
  /** True if no policy may answer it, such as for a plan (P-XAO-10). Default: false. */
  readonly person_only?: boolean;
  /** A text that the person may change before approving (P-XAO-3). Default: none. */
  readonly edit?: ApprovalEditInit;
}

/** The approval that a person, or a policy, gave. */
export interface Approval {
  /** The id of the chosen option; undefined where the approval has no options of its own. */
  readonly option: string | undefined;
  /** The text as the person changed it; undefined where they did not. Use this one, and tell the model. */
  readonly edited: string | undefined;
}

/**
 * Asks a person to allow the next action of the running tool call, and returns with the approval (P-APR-1).
 *
 * @throws ToolError without an approval (P-OUT-6). Let it end the tool: its text tells the model why, and not to go
 * around it.
 * @throws TypeError for options, or a text to change, that do not fit.
 * @throws QuestionWithdrawn when the turn or session ended meanwhile; let it through.
 * @throws LocalError INVALID_STATE outside a tool call.
 */
export async function requireApproval(init: ApprovalInit): Promise<Approval> {
  const toolCall = currentToolCall();
  const request = new ApprovalRequest({ tool_call_id: toolCall.id, sender: toolCall.function.name, ...init });
  wireSend(request);
  const { response, feedback, option, edited } = await request.wait();
  if (response === "reject") throw refusedApproval(request.outcome as Outcome, feedback.trim());
  return { option, edited };
}
