import { type UserInteractionResponse, userInteractions } from "@askwire/server/user-interactions";
import { klaudeAsks, klaudeScenario, say, storage } from "./klaude-scenario.js";

/** A session without a client, and the channel to it. */
export function joined(
  scripts: readonly string[] = [klaudeAsks(), say],
  options: Parameters<typeof klaudeScenario>[1] = {},
  onRequest?: (request: unknown) => unknown,
) {
  const set = klaudeScenario(scripts, options);
  const session = set.server.createSession();
  const channel = userInteractions(session, onRequest === undefined ? {} : { onRequest });
  const next = async () => {
    const request = await channel.nextRequest();
    if (request === undefined) throw new Error("the channel has closed");
    return request;
  };
  const respond = (request: { request_id: string }, response: unknown) =>
    channel.respond(request.request_id, session.id, response as UserInteractionResponse);
  return { ...set, session, channel, next, respond };
}

/** A person's response, also if it does not fit. */
export const submitted = (...answers: object[]) =>
  ({ status: "submitted", payload: { kind: "ask_user_question", answers } }) as UserInteractionResponse;
export const chose = (id: string, question_id = "q1") =>
  submitted({ question_id, selected_option_ids: [id] });
export const selected = (selected_option_id: string, more: object = {}) => ({
  status: "submitted" as const,
  payload: { kind: "operation_select" as const, selected_option_id, ...more },
});
export const cancelled = { status: "cancelled" as const, payload: null };

/** Questions that a program asks by the channel, and an approval. */
export const asked = {
  source: "tool" as const,
  payload: { kind: "ask_user_question" as const, questions: [storage] },
};
export const approval = (header: string) => ({
  source: "approval" as const,
  payload: { kind: "operation_select" as const, header, question: "ls" },
});
