// The public surface of @askwire/client for any runtime: named exports only. What needs Node is in ./stdio.
export type { ClientTool, ExternalToolContext, ExternalToolOutput } from "./external-tools.js";
export type {
  ApprovalReply,
  ApprovalView,
  ClientHandlers,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "./handlers.js";
export type { ClientHook, HookReply, HookView } from "./hooks.js";
export type { Dial } from "./open-session.js";
export { partialQuestion } from "./partial-question.js";
export type { ConnectionChange, ConnectionState } from "./reconnect.js";
export type { ReplayHandlers, ReplayResult } from "./replay.js";
export { type ClientSession, type ConnectOptions, connect } from "./session.js";
export { RequestSettled } from "./settled.js";
export type { SessionStatus } from "./status.js";
export type { Timing } from "./timing.js";
export type { ClientTurn } from "./turn.js";
