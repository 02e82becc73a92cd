// The public face of @askwire/react: cards that take a request and give its reply, and the conversation around them.
export { ApprovalCard, type ApprovalCardProps } from "./cards/approval-card.js";
export { QuestionCard, type QuestionCardProps } from "./cards/question-card.js";
export { requestText } from "./cards/request-text.js";
export { cardAbilities } from "./hooks/abilities.js";
export {
  type AnswerDraft,
  type ApprovalDraft,
  type OpenApproval,
  type OpenQuestion,
  type OpenRequest,
  type OpenRequests,
  openRequests,
} from "./hooks/open-requests.js";
export { type Store, store, useStore } from "./hooks/store.js";
export { CardFold, type CardFoldProps } from "./lists/card-fold.js";
export { leadTo } from "./lists/lead-to.js";
export { OpenList, type OpenListProps } from "./lists/open-list.js";
export { SessionList, type SessionListProps } from "./lists/session-list.js";
export { type KnownSessions, useSessions } from "./lists/use-sessions.js";
export { PromptBox, type PromptBoxProps } from "./prompt/prompt-box.js";
export type { Bounds, Conversation } from "./transcript/conversation.js";
export type { CallResult, Entry, NotedEvent, Said, Settled } from "./transcript/entries.js";
export { type TranscriptOptions, type TranscriptStore, transcript } from "./transcript/store.js";
export { Transcript, type TranscriptProps } from "./transcript/transcript.js";
export { type CardWords, cardWords } from "./words/card-words.js";
export { type TalkWords, talkWords } from "./words/talk-words.js";
