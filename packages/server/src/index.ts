// The public surface of @askwire/server: named exports only.
export type {
  Agent,
  AgentFactory,
  AgentSession,
  History,
  SlashCommand,
  TurnEnding,
} from "./agent.js";
export type { AiSdkTool } from "./ai-sdk-tool.js";
export { type ApprovalInit, requireApproval } from "./approve.js";
export { type Choice, type Chosen, choose } from "./choose.js";
export { currentToolCall, getToolCall, getWire, type Wire, wireSend } from "./context.js";
export {
  type Asked,
  type Asking,
  type Dialect,
  type DialectSettings,
  type Ended,
  type Ending,
  type Endings,
  type NativeResult,
  type NativeTool,
  type PendingPolicy,
  pendingPolicies,
  type Told,
  type ToolDialect,
} from "./dialects/dialect.js";
export { askUserQuestion, kimi } from "./dialects/kimi/kimi.js";
export { questionTool } from "./dialects/question-tool.js";
export type { EventLogLimits } from "./event-log.js";
export { type ApprovalAnswer, ApprovalRequest } from "./interaction/approval-request.js";
export { type Clock, systemClock } from "./interaction/clock.js";
export {
  type AnyInteraction,
  type Attendance,
  attendances,
  type ClientRequest,
  type PersonRequest,
} from "./interaction/core.js";
export type { Deadline, DeadlineInit } from "./interaction/deadline.js";
export {
  QuestionExpired,
  QuestionNotSupported,
  QuestionUnavailable,
  QuestionWithdrawn,
} from "./interaction/errors.js";
export type { ExternalToolCall } from "./interaction/external-tool-call.js";
export type { HookAnswer, HookCall } from "./interaction/hook-call.js";
export type { Interaction, RequestOrigin, Settlement } from "./interaction/interaction.js";
export { type NativeCall, type QuestionAnswer, QuestionRequest } from "./interaction/question-request.js";
export type { Journal } from "./journal/journal.js";
export { keepIn } from "./journal/keep.js";
export { latestSession, sessionFolder, shareFolder } from "./journal/places.js";
export { type Log, type LogLevel, logLevels, standardErrorLog } from "./log.js";
export {
  type Message,
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelInput,
  type ModelPart,
  type ModelRequest,
  type TokenUsage,
  type ToolSpec,
} from "./model.js";
export { type ModelAgentOptions, type ModelConversation, modelAgent } from "./model-agent.js";
export { readScripts, scriptedModel } from "./models/scripted.js";
export type { Notice } from "./notice.js";
export {
  type AskwireServer,
  type ConnectedClient,
  type ConnectOptions,
  createServer,
  type ServerOptions,
} from "./server.js";
export type { Session } from "./session.js";
export type { KeptSession } from "./session-options.js";
export type { Subagent, SubagentEnding } from "./subagent.js";
export {
  type AiSdkToolDefinition,
  defineTool,
  type InText,
  type Tool,
  type ToolDefinition,
  type ToolOffer,
  type ToolReturn,
  type ToolRun,
} from "./tool.js";
export { ToolError } from "./tool-error.js";
export type { JsonSchemaObject } from "./tool-parameters.js";
export { planModeTools } from "./tools/plan-mode.js";
export { isLoopback } from "./transport/origin.js";
export { type StdioOptions, serveStdio } from "./transport/stdio.js";
export { tokenProblem } from "./transport/token.js";
export type { Turn } from "./turn.js";
export type { HookDetails, HookVerdict, TurnHooks } from "./turn-hooks.js";
export { SERVER_VERSION } from "./version.js";
