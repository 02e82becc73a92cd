import type { DisplayBlockInput, Outcome } from "@askwire/protocol";
import { currentToolCall, wireSend } from "./context.js";
import { ApprovalRequest } from "./interaction/approval-request.js";
import { ToolError } from "./tool.js";

/** What a person is asked to allow. */
export interface ApprovalInit {
  /** What `approve_for_session` covers: equal actions are not asked again in the session (P-APR-3). */
  readonly action: string;
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
export async function requireApproval({ action, description, display = [] }: ApprovalInit): Promise<void> {
  const toolCall = currentToolCall();
  const request = new ApprovalRequest({
    tool_call_id: toolCall.id,
    sender: toolCall.function.name,
    action,
    description,
    display,
  });
  wireSend(request);
  const { response, feedback } = await request.wait();
  if (response === "reject") throw notAllowed(request.outcome as Outcome, feedback.trim());
}

/** Ends every text: a model that is refused one way otherwise looks for another. */
const NO_DETOUR = "Do not get the same effect in another way";

function notAllowed(outcome: Outcome, feedback: string): ToolError {
  const { status, by, reason, note } = outcome;
  if (status === "answered" && by === "human") {
    const next = feedback === "" ? "stop and wait for what they say." : `do what they said: ${feedback}`;
    return new ToolError({
      message: `The user rejected this call, and nothing was done. ${NO_DETOUR}; ${next}`,
      brief: "Rejected by user",
    });
  }
  if (status === "answered") {
    const why = feedback === "" ? "" : ` It says: ${feedback}`;
    return new ToolError({
      message: `A rule of this session rejected this call, and nothing was done. ${NO_DETOUR}; go on without it.${why}`,
      brief: "Rejected by policy",
    });
  }
  if (status === "declined") {
    const said = note === undefined ? "" : ` The client said: ${note}`;
    return new ToolError({
      message: `The user closed this approval without an answer, so nothing was done. ${NO_DETOUR}; go on without it, or say in your text what you need.${said}`,
      brief: "Rejected by user",
    });
  }
  if (by === "policy") {
    return new ToolError({
      message: `Nobody is present to approve this call, so it was rejected by policy and nothing was done. ${NO_DETOUR}; go on without it, and say at the end what is left to do.`,
      brief: "Nobody present",
    });
  }
  const why = [reason ?? status, ...(note === undefined ? [] : [note])].join(": ");
  return new ToolError({
    message: `Nobody could answer whether this call is approved (${why}), so nothing was done. ${NO_DETOUR}; go on without it, or say in your text what you need.`,
    brief: "Not approved",
  });
}
