import { type ApprovalToAsk, type AskedDecision, askApproval } from "@askwire/client";
import { defined, type OptionRules, option } from "@askwire/protocol/internal";
import { askKey } from "./ask-key.js";
import type { AskingSession } from "./asking-session.js";

/** A call of a tool, as a framework tells it. */
export interface CallToApprove {
  /** The id of the call, which no other call of its run has. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments of the call, as JSON has them. */
  readonly input: unknown;
}

/** The way in which calls are put to people. Every member is optional. */
export interface ApproveCallOptions {
  /**
   * Words, blocks and options for a call. A call runs as the model made it, so there is no `edit`. Default: the name
   * of the tool as the `action`, and the arguments below it.
   */
  readonly approval?: (call: CallToApprove) => Omit<ApprovalToAsk, "edit">;
  /** Withdraws what is open when aborted. Default: none. */
  readonly signal?: AbortSignal;
}

export const callRules: OptionRules<ApproveCallOptions> = {
  approval: option.callable,
  signal: option.signal,
};

const shownPlainly = ({ name, input }: CallToApprove): ApprovalToAsk => ({
  action: name,
  description: `Call the tool ${name}`,
  display: [{ type: "shell", language: "json", command: JSON.stringify(input ?? null, null, 2) }],
});

/**
 * Asks people to approve a call of a tool.
 *
 * @param ids the ids that no other call has together: of the run, then of the call.
 * @throws TypeError for an `edit`, LocalError and WireError as `session.ask`.
 */
export async function approveCall(
  session: AskingSession,
  ids: readonly string[],
  call: CallToApprove,
  { approval = shownPlainly, signal }: ApproveCallOptions,
): Promise<AskedDecision> {
  const asked: ApprovalToAsk = approval(call);
  if (asked.edit !== undefined)
    throw new TypeError("approval: a call runs as the model made it; leave `edit` out");
  return askApproval(session, { ...asked, key: await askKey(...ids), ...defined({ signal }) });
}
