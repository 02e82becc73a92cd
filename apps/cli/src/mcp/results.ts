import { outcomeWords } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { AnsweredQuestions, OpenQuestions, Result } from "./asking.js";

/** The result of a call of a tool, for the host and its model. */
export interface McpCallResult {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * Writes how questions ended, or that they are open.
 *
 * @param way the person's way to their questions, where that is told.
 */
export function askResult(
  { outcome, answers, items, handle, earlier, lost = [] }: Result,
  way?: string,
): McpCallResult {
  const structuredContent = {
    outcome: outcome === undefined ? null : { ...outcome },
    answers: { ...answers },
    items: [...items],
    ...defined({ handle, earlier }),
    ...(lost.length > 0 && { lost: [...lost] }),
  };
  const said = outcome === undefined ? stillOpen(handle) : ended(outcome, answers, items.length > 0);
  const when = earlier === undefined ? [] : [toEarlierCall(earlier, items.length > 0)];
  const words = [said, ...when, ...lost, ...(way === undefined ? [] : [way])].join("\n");
  return {
    content: [{ type: "text", text: words }],
    structuredContent,
    ...(outcome?.status === "unavailable" && { isError: true }),
  };
}

const stillOpen = (handle: string | undefined) =>
  `The questions are not answered yet, and stay open. Do not take that for an answer. To wait on, call ask_user_question with only {"handle": ${JSON.stringify(handle)}}; to look without waiting, ask_user_status.`;

/** Says that an end is not one of this call's. Hours and minutes are this machine's. */
function toEarlierCall(at: string, isAnswered: boolean): string {
  const [, time] = /(\d{2}:\d{2})/.exec(new Date(at).toTimeString()) ?? [];
  return `${isAnswered ? "Answered" : "Ended"} at ${time}, to your earlier call.`;
}

function ended(
  outcome: NonNullable<Result["outcome"]>,
  answers: Result["answers"],
  isAnswered: boolean,
): string {
  return isAnswered ? JSON.stringify({ answers: { ...answers } }) : outcomeWords(outcome, "question").message;
}

/** Writes which questions are open, and which have ended without a call that fetched their outcome. */
export function openResult(
  open: readonly OpenQuestions[],
  answered: readonly AnsweredQuestions[] = [],
): McpCallResult {
  const lines = open.map(
    ({ handle, questions }) =>
      `- ${handle}: ${questions.map((question) => JSON.stringify(question)).join(", ")}`,
  );
  const words =
    lines.length === 0
      ? "None of your questions is open."
      : `These questions are open; call ask_user_question with a handle to wait:\n${lines.join("\n")}`;
  const kept = answered.map(
    ({ handle, questions, at }) =>
      `- ${handle}: ${questions.map((question) => JSON.stringify(question)).join(", ")}, ended at ${at}`,
  );
  const waiting =
    kept.length === 0
      ? []
      : [`The outcome of these was not fetched; ask_user_status with a handle has it:\n${kept.join("\n")}`];
  return {
    content: [{ type: "text", text: [words, ...waiting].join("\n") }],
    structuredContent: {
      open: open.map(({ handle, questions }) => ({ handle, questions: [...questions] })),
      ...(answered.length > 0 && {
        not_fetched: answered.map(({ handle, questions, at }) => ({ handle, questions: [...questions], at })),
      }),
    },
  };
}

/** Writes a mistake that the model can correct, or a failure that it can report. */
export const failedResult = (message: string): McpCallResult => ({
  content: [{ type: "text", text: message }],
  isError: true,
});
