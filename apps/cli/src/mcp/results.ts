import { unansweredQuestion } from "@askwire/server/internal";
import type { OpenQuestions, Result } from "./asking.js";

/** The result of a call of a tool, for the host and its model. */
export interface CallResult {
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
export function askResult({ outcome, answers, items, handle, lost = [] }: Result, way?: string): CallResult {
  const structuredContent = {
    outcome: outcome === undefined ? null : { ...outcome },
    answers: { ...answers },
    items: [...items],
    ...(handle !== undefined && { handle }),
    ...(lost.length > 0 && { lost: [...lost] }),
  };
  const said = outcome === undefined ? stillOpen(handle) : ended(outcome, answers, items.length > 0);
  const words = [said, ...lost, ...(way === undefined ? [] : [way])].join("\n");
  return {
    content: [{ type: "text", text: words }],
    structuredContent,
    ...(outcome?.status === "unavailable" && { isError: true }),
  };
}

const stillOpen = (handle: string | undefined) =>
  `The questions are not answered yet, and stay open. Do not take that for an answer. To wait on, call ask_user_question with only {"handle": ${JSON.stringify(handle)}}; to look without waiting, ask_user_status.`;

function ended(
  outcome: NonNullable<Result["outcome"]>,
  answers: Result["answers"],
  isAnswered: boolean,
): string {
  return isAnswered ? JSON.stringify({ answers: { ...answers } }) : unansweredQuestion(outcome).message;
}

/** Writes which questions are open. */
export function openResult(open: readonly OpenQuestions[]): CallResult {
  const lines = open.map(
    ({ handle, questions }) =>
      `- ${handle}: ${questions.map((question) => JSON.stringify(question)).join(", ")}`,
  );
  const words =
    lines.length === 0
      ? "None of your questions is open."
      : `These questions are open; call ask_user_question with a handle to wait:\n${lines.join("\n")}`;
  return {
    content: [{ type: "text", text: words }],
    structuredContent: { open: open.map(({ handle, questions }) => ({ handle, questions: [...questions] })) },
  };
}

/** Writes a mistake that the model can correct, or a failure that it can tell of. */
export const failedResult = (message: string): CallResult => ({
  content: [{ type: "text", text: message }],
  isError: true,
});
