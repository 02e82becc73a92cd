// The public surface of @askwire/client for any runtime: named exports only. What needs Node is in ./stdio.
export type {
  ApprovalReply,
  ApprovalView,
  ClientHandlers,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "./handlers.js";
export { type ClientSession, type ConnectOptions, connect } from "./session.js";
export type { ClientTurn } from "./turn.js";
