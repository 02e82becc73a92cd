import {
  type AgentSession,
  type ApprovalAnswer,
  type ApprovalRequest,
  type QuestionAnswer,
  QuestionRequest,
  type Settlement,
} from "@askwire/server";
import type { AsksQuestions } from "./ask-questions.js";

/** The end of a request to a person. */
type EndOf<R> = Settlement<R extends QuestionRequest ? QuestionAnswer : ApprovalAnswer>;

/**
 * Puts a request to the person and waits for its end. A request that the agent takes back is withdrawn.
 *
 * @param signal aborted when the agent takes the request back, or is gone; a text as its reason says why.
 * @throws SessionSuspended when the process leaves the request to the next one.
 */
export async function askElicited<R extends QuestionRequest | ApprovalRequest>(
  session: Pick<AgentSession, "open">,
  request: R,
  signal: AbortSignal,
): Promise<EndOf<R>> {
  const takeBack = () => {
    const { reason } = signal as { readonly reason: unknown };
    request.reject(typeof reason === "string" ? reason : "the agent took it back");
  };
  signal.addEventListener("abort", takeBack, { once: true });
  try {
    if (signal.aborted) takeBack();
    else session.open(request);
    return (await request.ended()) as EndOf<R>;
  } finally {
    signal.removeEventListener("abort", takeBack);
  }
}

/** Asks the people of a session. */
export function askIn(session: Pick<AgentSession, "open">): AsksQuestions {
  return async ({ questions, toolCallId }, signal) => {
    const request = new QuestionRequest({ tool_call_id: toolCallId, questions: [...questions] });
    const { outcome, answer } = await askElicited(session, request, signal);
    return { outcome, items: answer?.items };
  };
}
