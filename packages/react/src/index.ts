// The public face of @askwire/react: cards that take a request and give its reply, and the conversation around them.

export { type FailureWords, failureWords, type TalkWords, talkWords } from "@askwire/client/words";
export { ApprovalCard } from "./cards/approval-card.js";
export type { ApprovalCardProps, QuestionCardProps } from "./cards/card-props.js";
export { QuestionCard } from "./cards/question-card.js";
export { ErrorBoundary, type ErrorBoundaryProps } from "./failures/error-boundary.js";
export { Failures, type FailuresProps } from "./failures/failures.js";
export { useStore } from "./hooks/use-store.js";
export { CardFold, type CardFoldProps } from "./lists/card-fold.js";
export { leadTo } from "./lists/lead-to.js";
export { OpenList, type OpenListProps } from "./lists/open-list.js";
export { SessionList, type SessionListProps } from "./lists/session-list.js";
export { type KnownSessions, useSessions } from "./lists/use-sessions.js";
export { PromptBox, type PromptBoxProps } from "./prompt/prompt-box.js";
export * from "./stores.js";
export { Transcript, type TranscriptProps } from "./transcript/transcript.js";
