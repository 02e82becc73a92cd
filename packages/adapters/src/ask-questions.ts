import type { AskInit } from "@askwire/client";
import { type HeardOutcome, outcomeWords, type QuestionInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { askKey } from "./ask-key.js";
import type { AskingSession } from "./asking-session.js";

/** The end of an ask without an answer. */
export interface NoReply {
  readonly answered: false;
  /** The status of the outcome, such as `declined` by a person, or `unavailable` where nobody is there. */
  readonly status: string;
  /** For a model: what happened, and what to do next. It never stands for consent. */
  readonly message: string;
}

/** The answers of people to questions. */
export interface QuestionsReply {
  readonly answered: true;
  /** The labels that were chosen, or own words, by the text of the question. */
  readonly answers: Readonly<Record<string, string>>;
  /** The notes beside the answers, by the text of the question; absent without any. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** The end of questions without an answer, in words. */
export const noReply = (outcome: HeardOutcome): NoReply => ({
  ...{ answered: false, status: outcome.status },
  message: outcomeWords(outcome, "question").message,
});

/** The rest of an ask for questions. */
export type QuestionsInit = Pick<AskInit, "key" | "deadline" | "signal">;

/**
 * Puts questions to people, and waits.
 *
 * @throws LocalError and WireError as `session.ask`, so for questions that do not fit.
 */
export async function askQuestions(
  session: AskingSession,
  questions: readonly QuestionInput[],
  init: QuestionsInit,
): Promise<QuestionsReply | NoReply> {
  const { outcome, answers, items } = await session.ask({ questions, ...init });
  if (outcome.status !== "answered" || Object.keys(answers).length === 0) {
    return noReply(outcome);
  }
  const noted = items.flatMap(({ question_id, note }): [string, string][] => {
    const question = questions[Number(question_id.slice(1)) - 1]?.question;
    return question === undefined || note === undefined ? [] : [[question, note]];
  });
  const notes = noted.length > 0 ? Object.fromEntries(noted) : undefined;
  return { answered: true, answers: Object.fromEntries(Object.entries(answers)), ...defined({ notes }) };
}

/**
 * Puts the questions of a tool's call to people. The first of the signals that is aborted withdraws them.
 *
 * @param ids the ids that no other call has together; undefined where the framework does not tell it.
 * @throws LocalError and WireError as `session.ask`, so for questions that do not fit.
 */
export async function askForCall(
  session: AskingSession,
  ids: readonly string[] | undefined,
  questions: readonly QuestionInput[],
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<QuestionsReply | NoReply> {
  const given = signals.filter((signal) => signal !== undefined);
  const key = ids === undefined ? undefined : await askKey(...ids);
  return askQuestions(session, questions, { ...defined({ key }), signal: AbortSignal.any(given) });
}
