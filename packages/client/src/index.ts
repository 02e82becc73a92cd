// The public surface of @askwire/client for any runtime: named exports only. Node's part is in ./stdio.
export type { ApprovalToAsk, Asked, AskedOption, AskedToEnd, AskInit, AskOrigin } from "./contract/ask.js";
export { commandOf } from "./contract/command-of.js";
export type { Delivery, DeliveryState, Outbox } from "./contract/delivery.js";
export {
  type ApprovalReply,
  type ApprovalView,
  type ClientHandlers,
  type DeclinedReply,
  type HandlerReply,
  type HistoryHandlers,
  NotShown,
  type QuestionReply,
  type QuestionView,
  type RelayedAnswer,
  type RequestContext,
} from "./contract/handlers.js";
export { innerEvent } from "./contract/inner-event.js";
export type {
  ClientHook,
  ClientTool,
  ExternalToolContext,
  ExternalToolOutput,
  HookReply,
  HookView,
} from "./contract/offers.js";
export { partialQuestion } from "./contract/partial-question.js";
export type { ReplayHandlers, ReplayResult } from "./contract/replay.js";
export { isKeyOf, requestKey } from "./contract/request-key.js";
export { requestsInOrder } from "./contract/requests-in-order.js";
export type {
  Abortable,
  ClaimedRequest,
  ClientSession,
  ConnectionChange,
  ConnectionState,
  ConnectOptions,
  Dial,
  ListedKeptSessions,
  ListedRequests,
  Offers,
  PageOfSessions,
  WantedCode,
  WantedPage,
  WantedRequests,
} from "./contract/session.js";
export { sessionsInOrder } from "./contract/sessions-in-order.js";
export { RequestSettled } from "./contract/settled.js";
export type { SessionStatus } from "./contract/status.js";
export type { ClientTurn } from "./contract/turn.js";
export type { Timing } from "./runtime/timing.js";
export { type AskApprovalInit, type AskedDecision, askApproval } from "./session/ask-approval.js";
export { connect } from "./session/connect.js";
export { say } from "./session/say.js";
