import type { AnswerItem, HeardOutcome, Outcome, QuestionInput } from "@askwire/protocol";

/** The end of questions: the items where a person answered. */
export interface QuestionsEnd {
  readonly outcome: Outcome | HeardOutcome;
  readonly items?: readonly AnswerItem[] | undefined;
}

/** Questions to be asked, and the call that they belong to. */
export interface ElicitedQuestions {
  readonly questions: readonly QuestionInput[];
  /** The id of the call; empty for none. */
  readonly toolCallId: string;
}

/**
 * Puts questions to people, wherever they are asked.
 *
 * @param signal withdraws them when aborted; a text as its reason says why.
 * @throws TypeError for questions that do not fit.
 */
export type AsksQuestions = (asked: ElicitedQuestions, signal: AbortSignal) => Promise<QuestionsEnd>;
