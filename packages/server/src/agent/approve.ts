import type { Outcome } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import type { ApprovalOptionInit } from "../requests/approval-options.js";
import { ApprovalRequest } from "../requests/approval-request.js";
import { QUORUM } from "../requests/quorum.js";
import { refusedApproval } from "../requests/unanswered.js";
import type { Approval, ApprovalInit, Approved, IdOf, Refused, TurnApprove } from "./approve-types.js";
import { currentTurn } from "./context.js";
import { type AskingPlace, askSettingRules, put } from "./put.js";

/** {@link TurnApprove} by the turn around this code. */
export const approve: TurnApprove = async (init) => currentTurn("approve").approve(init);

const approveRules: OptionRules<ApprovalInit> = {
  ...askSettingRules,
  action: option.required(option.text),
  description: option.required(option.text),
  display: option.list,
  options: option.list,
  for_session: option.text,
  person_only: option.flag,
  quorum: option.whole(QUORUM.least, QUORUM.most),
  edit: option.object,
  sender: option.text,
};

/** Asks as {@link TurnApprove} says, in the name of a turn or a call. */
export async function approvePerson(asker: AskingPlace, given: ApprovalInit): Promise<Approved | Refused> {
  checkOptions("approve", given, approveRules);
  const { signal, sender = asker.toolCall?.function.name ?? "agent", ...init } = given;
  const request = new ApprovalRequest({ tool_call_id: asker.toolCall?.id ?? "", sender, ...init });
  put(asker, request, signal);
  const { response, option, edited } = await request.wait({ signal });
  const outcome = request.outcome as Outcome;
  if (response !== "reject") return { approved: true, option, edited, outcome, toolError: undefined };
  const feedback = request.answer?.feedback.trim() ?? "";
  return { approved: false, feedback, outcome, toolError: refusedApproval(outcome, feedback) };
}

/**
 * {@link approve} for a tool that ends without an approval: returns with the approval alone.
 *
 * @throws ToolError without an approval (P-OUT-6). Let it end the tool: its text tells the model why, and not to go
 * around it.
 * @throws all that `approve` throws.
 */
export async function requireApproval<const Option extends ApprovalOptionInit>(
  init: ApprovalInit<Option>,
): Promise<Approval<IdOf<Option>>> {
  const asked = await approve(init);
  if (!asked.approved) throw asked.toolError;
  return { option: asked.option, edited: asked.edited };
}
