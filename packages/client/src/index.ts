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
export type { ReplayHandlers, ReplayResult } from "./replay.js";
export { type ClientSession, type ConnectOptions, connect } from "./session.js";
export type { SessionStatus } from "./status.js";
export type { ClientTurn } from "./turn.js";
