import type { CardWords } from "@askwire/client/words";
import type { OpenRequest } from "../hooks/open-requests.js";

/** A request in one line: its first question, or the heading of the approval. */
export const requestText = (
  { kind, request }: OpenRequest,
  words: Pick<CardWords, "question" | "asksTo">,
): string =>
  kind === "question"
    ? (request.questions[0]?.question ?? words.question)
    : words.asksTo(request.sender, request.action);
