// The words in English that a page has in each language from the start.

export const failure = {
  /** Says that a part cannot be shown, by its name. */
  failed: (part: string) => `${part} cannot be shown. What you entered is kept.`,
  /** The reason, as the program gave it. */
  why: (message: string) => `The reason: ${message}`,
  again: "Show it again",
  wentWrong: "Something went wrong. What you entered is kept.",
  close: "Close",
  parts: {
    question: "This question",
    approval: "This approval",
    aside: "This card",
    conversation: "The conversation",
    entry: "This part of the conversation",
    prompt: "The place to write",
    sessions: "The list of sessions",
    session: "This session",
    waiting: "The list of what waits for you",
    request: "This request",
    connection: "The state of the connection",
  },
};
/** The words for what fails, in one language. */
export type FailureWords = typeof failure;

/** The word behind the label of an option that the agent recommends. */
export const recommended = "recommended";
