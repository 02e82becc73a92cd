import type { ClientCapabilities } from "./messages/handshake.js";

/** What matters of a request for whether a client can show it. */
export type Showable =
  | { kind: "question"; questions: readonly { question: string }[] }
  | { kind: "approval" };

/**
 * Whether a base client can show a request (P-CAP-2). Approvals always; questions where the client declared
 * `supports_question` and no two of them have the same text, since its answer is keyed by text.
 */
export function canShow(request: Showable, client: Pick<ClientCapabilities, "supports_question">): boolean {
  if (request.kind === "approval") return true;
  if (request.questions.length === 1) return client.supports_question;
  const texts = new Set(request.questions.map((item) => item.question));
  return client.supports_question && texts.size === request.questions.length;
}
