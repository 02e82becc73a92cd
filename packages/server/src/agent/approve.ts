import type { ApprovalCover, DisplayBlockInput, Outcome } from "@askwire/protocol";
import { ApprovalRequest } from "../requests/approval-request.js";
import { refusedApproval } from "../requests/unanswered.js";
import { currentToolCall, wireSend } from "./context.js";

/** An action for a person to allow. */
export interface ApprovalInit {
  /** The action covered by `approve_for_session`: equal actions are not asked again in the session (P-APR-3). */
  readonly action: string;
  /**
   * The covered part of the action: further plain commands of a program, or the same command again. Default: all of it.
   * The tool makes equal actions equal.
   */
  readonly covers?: ApprovalCover;
  /** The action in a sentence. */
  readonly description: string;
  /** Default: nothing. */
  readonly display?: readonly DisplayBlockInput[];
}

/**
 * Asks a person to allow the next action of the running tool call, and returns with the approval (P-APR-1).
 *
 * @throws ToolError without an approval (P-OUT-6). Let it end the tool: its text tells the model why, and not to go
 * around it.
 * @throws QuestionWithdrawn when the turn or session ended meanwhile; let it through.
 * @throws LocalError INVALID_STATE outside a tool call.
 */
export async function requireApproval({
  action,
  covers,
  description,
  display = [],
}: ApprovalInit): Promise<void> {
  const toolCall = currentToolCall();
  const request = new ApprovalRequest({
    tool_call_id: toolCall.id,
    sender: toolCall.function.name,
    action,
    covers,
    description,
    display,
  });
  wireSend(request);
  const { response, feedback } = await request.wait();
  if (response === "reject") throw refusedApproval(request.outcome as Outcome, feedback.trim());
}
