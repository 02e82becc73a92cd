import type {
  AgentSession,
  ApprovalAnswer,
  ApprovalRequest,
  QuestionAnswer,
  QuestionRequest,
  Settlement,
} from "@askwire/server";

/** The end of a request to a person. */
type EndOf<R> = Settlement<R extends QuestionRequest ? QuestionAnswer : ApprovalAnswer>;

/**
 * Puts a request to the person and waits for its end. A request that the agent takes back is withdrawn.
 *
 * @param signal aborted when the agent takes the request back, or is gone.
 * @throws SessionSuspended when the process leaves the request to the next one.
 */
export async function askElicited<R extends QuestionRequest | ApprovalRequest>(
  session: Pick<AgentSession, "open">,
  request: R,
  signal: AbortSignal,
): Promise<EndOf<R>> {
  const takeBack = () => void request.reject("the agent took it back");
  signal.addEventListener("abort", takeBack, { once: true });
  try {
    if (signal.aborted) takeBack();
    else session.open(request);
    return (await request.ended()) as EndOf<R>;
  } finally {
    signal.removeEventListener("abort", takeBack);
  }
}
