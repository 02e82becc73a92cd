// The face of @askwire/react without React: stores that collect the requests for cards in another process.

export { type CardWords, cardWords } from "@askwire/client/words";
export { shownWays } from "./cards/approval-ways.js";
export { requestText } from "./cards/request-text.js";
export { cardAbilities } from "./hooks/abilities.js";
export { askingSwitch, beginAsking } from "./hooks/asking.js";
export {
  type AnswerDraft,
  type ApprovalDraft,
  isOnItsWay,
  isWaiting,
  type OpenApproval,
  type OpenQuestion,
  type OpenRequest,
  type OpenRequests,
  openRequests,
  saidLast,
} from "./hooks/open-requests.js";
export { type Store, store } from "./hooks/store.js";
export { watchWaiting } from "./hooks/watch-waiting.js";
export type { Bounds, Conversation } from "./transcript/conversation.js";
export type { CallResult, Entry, NotedEvent, Said, Settled } from "./transcript/entries.js";
export { type TranscriptOptions, type TranscriptStore, transcript } from "./transcript/store.js";
