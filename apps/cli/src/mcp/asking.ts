import type { ApprovalToAsk } from "@askwire/client";
import type { AnswerItem, AnswerMap, HeardOutcome } from "@askwire/protocol";
import type { AskedQuestion } from "../ask/questions.js";

/** Questions of a call. */
export interface QuestionsToAsk {
  readonly questions: readonly AskedQuestion[];
  /** The people's time in milliseconds. Default: none. */
  readonly deadlineMs?: number;
}

/** The content of a call: questions, or an action to allow. */
export type ContentToAsk = QuestionsToAsk | { readonly approval: ApprovalToAsk };

/** The content of a call, or the handle of what was asked before. */
export type ToAsk = ContentToAsk | { readonly handle: string };

/** The agent that asks. */
export interface GatewayAsker {
  /** The name for the person, such as `claude-code in shop`. */
  readonly name: string;
  /** The whole path of the agent's folder, since folders share names. */
  readonly folder: string;
}

/** The call that asks. */
export interface AskContext {
  /** Aborted when the host cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** The time that the call may wait for a person, in milliseconds. */
  readonly waitMs: number;
  readonly asker: GatewayAsker;
}

/** The decision on an action. */
export interface Decision {
  /** `approve` where it was approved; undefined while it is open, or without a decision. */
  readonly response: string | undefined;
  /** The person's words. */
  readonly feedback: string | undefined;
}

/** The request as a call leaves it. */
export interface Result {
  /** Undefined while the request is open. */
  readonly outcome: HeardOutcome | undefined;
  readonly answers: Readonly<AnswerMap>;
  readonly items: readonly AnswerItem[];
  /** The questions; undefined for an approval, and where they are no longer known here. */
  readonly questions?: readonly AskedQuestion[];
  /** The decision, of an approval alone. */
  readonly decision?: Decision;
  /** The handle to come back with; undefined where nobody can come back. */
  readonly handle?: string;
  /** The time of an end that came before this call, to an earlier one of the same words, in ISO 8601. */
  readonly earlier?: string;
  /** The losses on the way, each as a sentence. */
  readonly lost?: readonly string[];
}

/** Puts questions or an action to a person, by whatever way. */
export type Ask = (what: ToAsk, context: AskContext) => Promise<Result>;

/** A request that is open. */
export interface OpenQuestions {
  readonly handle: string;
  /** The texts of its questions, or the sentence that says what is to be allowed. */
  readonly questions: readonly string[];
}

/** A request that has ended, and whose outcome no call has fetched. */
export interface AnsweredQuestions extends OpenQuestions {
  /** The time of its end, in ISO 8601. */
  readonly at: string;
}

/** A part of the requests of a kind, and the number of those that are left out. */
export interface Listed<T> {
  readonly listed: readonly T[];
  readonly more: number;
}

/** A mistake in a call that the model can correct: the message says how. */
export class CallMistake extends Error {}
