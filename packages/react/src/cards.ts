// The face @askwire/react/cards: what the first question needs, so that a page may load the rest after it.

export {
  type ConnectionWords,
  connectionWords,
  type FailureWords,
  failureWords,
  type TalkWords,
  talkWords,
} from "@askwire/client/words";
export type { QuestionCardProps } from "./cards/card-props.js";
export { draftAsText } from "./cards/own-words.js";
export { QuestionCard } from "./cards/question-card.js";
export { type QuestionForm, useQuestionForm } from "./cards/use-question-form.js";
export type { WordsControl } from "./cards/words-control.js";
export { ConnectionLine, type ConnectionLineProps } from "./connection/connection-line.js";
export {
  type ConnectionEnd,
  type ConnectionLink,
  type KeepConnectedOptions,
  keepConnected,
  type LastingConnection,
} from "./connection/keep-connected.js";
export { type UsedConnection, useConnection } from "./connection/use-connection.js";
export { ErrorBoundary, type ErrorBoundaryProps } from "./failures/error-boundary.js";
export { Failures, type FailuresProps } from "./failures/failures.js";
export { useStore } from "./hooks/use-store.js";
export { CardFold, type CardFoldProps } from "./lists/card-fold.js";
export { leadTo } from "./lists/lead-to.js";
export * from "./stores.js";
