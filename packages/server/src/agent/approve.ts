import type { ApprovalCover, DisplayBlockInput, Outcome } from "@askwire/protocol";
import { ApprovalRequest } from "../requests/approval-request.js";
import { refusedApproval } from "../requests/unanswered.js";
import { currentToolCall, wireSend } from "./context.js";

/** What a person is asked to allow. */
export interface ApprovalInit {
  /** What `approve_for_session` covers: equal actions are not asked again in the session (P-APR-3). */
  readonly action: string;
  /**
   * What of the action it covers: further plain commands of a program, or the same command again. The tool sees to it
   * that equal ones are so. Default: all of it.
   */
  readonly covers?: ApprovalCover;
  /** What is about to happen, in a sentence. */
  readonly description: string;
  /** Default: nothing. */
  readonly display?: readonly DisplayBlockInput[];
}

/**
 * Asks a person to allow what the running tool call is about to do, and returns once it is allowed (P-APR-1).
 *
 * @throws ToolError when it is not (P-OUT-6): let it end the tool, it tells the model why and not to go around it.
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
