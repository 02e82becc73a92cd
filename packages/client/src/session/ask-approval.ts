import { type HeardOutcome, type OutcomeWords, outcomeWords } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { ApprovalToAsk, AskInit } from "../contract/ask.js";
import type { ClientSession } from "../contract/session.js";

/** An approval of this program: what is to be allowed, and the options of its ask. */
export interface AskApprovalInit
  extends ApprovalToAsk,
    Pick<AskInit, "key" | "origin" | "calls" | "here" | "onLost" | "signal"> {}

/** The decision on an approval of this program. */
export interface AskedDecision {
  /** True only if a person, or a policy, approved. */
  readonly approved: boolean;
  /** The id of the chosen option, where the approval has its own. */
  readonly option: string | undefined;
  /** The text to go on with where the person changed it; undefined if it stays as it was. */
  readonly edited: string | undefined;
  /** The person's words; undefined without any. */
  readonly feedback: string | undefined;
  readonly outcome: HeardOutcome;
  /** The words for a model whose action was not approved, and not done; undefined where it was approved. */
  readonly words: OutcomeWords | undefined;
}

/**
 * Asks the people of a session to allow an action, as `session.ask({approval})` does, and resolves with the decision
 * (P-XAK-11). Any other end than an approval counts as not approved, and does not throw.
 * Rejects as `session.ask` does.
 *
 * @throws LocalError as `session.ask` does, and BAD_PEER for a reply without an outcome.
 */
export async function askApproval(
  session: Pick<ClientSession, "ask">,
  { key, origin, calls, here, onLost, signal, ...approval }: AskApprovalInit,
): Promise<AskedDecision> {
  const { outcome, response, option, edited, feedback } = await session.ask({
    approval,
    ...defined({ key, origin, calls, here, onLost, signal }),
  });
  const isAnswered = outcome.status === "answered";
  const approved = isAnswered && (response === "approve" || response === "approve_for_session");
  const words = approved ? undefined : outcomeWords(outcome, "approval", feedback);
  return { approved, option, edited, feedback, outcome, words };
}
