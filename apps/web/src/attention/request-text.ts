import type { CardWords, OpenRequest } from "@askwire/react";

/** A request in one line: its first question, or the approval's heading. */
export const requestText = (one: OpenRequest, words: CardWords): string =>
  one.kind === "question"
    ? (one.request.questions[0]?.question ?? words.question)
    : words.asksTo(one.request.sender, one.request.action);
