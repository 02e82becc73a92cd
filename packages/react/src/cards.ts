// The face @askwire/react/cards: what the first question needs, so that a page may load the rest after it.

export { type FailureWords, failureWords, type TalkWords, talkWords } from "@askwire/client/words";
export type { QuestionCardProps } from "./cards/card-props.js";
export { QuestionCard } from "./cards/question-card.js";
export { ErrorBoundary, type ErrorBoundaryProps } from "./failures/error-boundary.js";
export { Failures, type FailuresProps } from "./failures/failures.js";
export { useStore } from "./hooks/use-store.js";
export { CardFold, type CardFoldProps } from "./lists/card-fold.js";
export { leadTo } from "./lists/lead-to.js";
export * from "./stores.js";
