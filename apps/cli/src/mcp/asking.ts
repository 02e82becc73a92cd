import type { AnswerItem, AnswerMap, HeardOutcome } from "@askwire/protocol";
import type { AskedQuestion } from "../ask/questions.js";

/** The questions of a call, or the handle of questions that were asked before. */
export type ToAsk = { readonly questions: readonly AskedQuestion[] } | { readonly handle: string };

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

/** The questions as a call leaves them. */
export interface Result {
  /** Undefined while the questions are open. */
  readonly outcome: HeardOutcome | undefined;
  readonly answers: Readonly<AnswerMap>;
  readonly items: readonly AnswerItem[];
  /** The handle to come back with; undefined where nobody can come back. */
  readonly handle?: string;
  /** The time of an end that came before this call, to an earlier one of the same words, in ISO 8601. */
  readonly earlier?: string;
  /** The losses on the way, each as a sentence. */
  readonly lost?: readonly string[];
}

/** Puts questions to a person, by whatever way. */
export type Ask = (what: ToAsk, context: AskContext) => Promise<Result>;

/** Questions that are open. */
export interface OpenQuestions {
  readonly handle: string;
  readonly questions: readonly string[];
}

/** Questions that have ended, and whose outcome no call has fetched. */
export interface AnsweredQuestions extends OpenQuestions {
  /** The time of their end, in ISO 8601. */
  readonly at: string;
}

/** A mistake in a call that the model can correct: the message says how. */
export class CallMistake extends Error {}
