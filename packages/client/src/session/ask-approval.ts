import { type HeardOutcome, type OutcomeWords, outcomeWords } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { ApprovalToAsk, AskInit } from "../contract/ask.js";
import type { ClientSession } from "../contract/session.js";

/** An approval of this program: what is to be allowed, and the options of its ask. */
export interface AskApprovalInit
  extends ApprovalToAsk,
    Pick<AskInit, "key" | "origin" | "calls" | "here" | "onLost" | "signal"> {}

/** The members of a decision on an approval of this program, either way. */
interface Decided {
  /** The id of the chosen option, where the approval has its own. */
  readonly option: string | undefined;
  /** The text to go on with where the person changed it; undefined if it stays as it was. */
  readonly edited: string | undefined;
  /** The person's words; undefined without any. */
  readonly feedback: string | undefined;
  readonly outcome: HeardOutcome;
}

/** A decision that approved: only a person's, or a policy's. */
interface Approved extends Decided {
  readonly approved: true;
  readonly words: undefined;
}

/** Any other end. */
interface NotApproved extends Decided {
  readonly approved: false;
  /** The words for a model whose action was not approved, and not done. */
  readonly words: OutcomeWords;
}

/** The decision on an approval of this program: compare `approved`, and where it is false there are `words`. */
export type AskedDecision = Approved | NotApproved;

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
  const decided = { option, edited, feedback, outcome };
  if (isAnswered && (response === "approve" || response === "approve_for_session"))
    return { ...decided, approved: true, words: undefined };
  return { ...decided, approved: false, words: outcomeWords(outcome, "approval", feedback) };
}
