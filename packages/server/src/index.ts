// The public surface of @askwire/server: named exports only.

export type { ClientRole, NamedDevice } from "@askwire/protocol";
export type {
  Agent,
  CallOptions,
  LateResult,
  PastMessage,
  RefusedTool,
  ResumedTurn,
  SlashCommand,
  Subagent,
  SubagentEnding,
  TakesLater,
  ToldEvent,
  Tool,
  ToolOffer,
  ToolRestart,
  ToolReturn,
  ToolRun,
  ToolSet,
  Turn,
  TurnEnding,
} from "./agent/agent.js";
export type {
  AgentFactory,
  AgentMemory,
  AgentSession,
  ClientHook,
  History,
  KeptMessage,
  MessagePlace,
} from "./agent/agent-session.js";
export type { AiSdkTool } from "./agent/ai-sdk-tool.js";
export { approve, requireApproval } from "./agent/approve.js";
export type { Approval, ApprovalInit, Approved, Refused, TurnApprove } from "./agent/approve-types.js";
export { ask } from "./agent/ask.js";
export type {
  AnsweredQuestion,
  AnswersTo,
  AnswerTo,
  AskHow,
  AskOption,
  AskQuestion,
  QuestionResult,
  TurnAsk,
  UnansweredQuestion,
} from "./agent/ask-types.js";
export { currentToolCall, getToolCall, getWire, wireSend } from "./agent/context.js";
export { type AiSdkToolDefinition, defineTool, type ToolDefinition } from "./agent/define-tool.js";
export { Interrupted } from "./agent/interrupted.js";
export { MaxStepsReached } from "./agent/max-steps.js";
export type { InText } from "./agent/model.js";
export {
  type Message,
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelGiven,
  type ModelInput,
  type ModelPart,
  type ModelRequest,
  type TokenUsage,
  type ToolSpec,
} from "./agent/model.js";
export type { Notice } from "./agent/notice.js";
export type { JsonSchemaObject } from "./agent/tool-parameters.js";
export type { HookDetails, HookVerdict, TurnHooks } from "./agent/turn-hooks.js";
export type { Wire } from "./agent/wire.js";
export type {
  Asking,
  Dialect,
  DialectEnding,
  DialectSettings,
  Ended,
  Endings,
  NativeResult,
  QuestionsOfCall,
  Told,
  ToolDialect,
} from "./dialects/dialect.js";
export { questionTool } from "./dialects/question-tool.js";
export type { DecisionFinder, DecisionPage, DecisionQuery } from "./journal/decision-query.js";
export type { Disk, DiskFile, OpenMode } from "./journal/disk.js";
export {
  type FoundPosition,
  type FoundSession,
  type FoundState,
  foundSessions,
} from "./journal/found-sessions.js";
export type { Flush, Journal, WhenNotKept } from "./journal/journal.js";
export { type KeepOptions, keepIn } from "./journal/keep.js";
export type { ListedOpenRequest, UnfinishedSession } from "./journal/open-requests.js";
export { decisionsIn } from "./journal/past-decisions.js";
export { isKeptSession, latestSession, sessionFolder, shareFolder } from "./journal/places.js";
export { removeSession } from "./journal/remove-session.js";
export type {
  SessionStore,
  SharedLook,
  SharedRow,
  SharedRows,
  StoredQuery,
  StoredRow,
} from "./journal/session-store.js";
export type { StoredCommit, StoredSession } from "./journal/stored-session.js";
export type {
  EndCause,
  ObservedCommit,
  ObservedEnd,
  ObservedRequest,
  ObservedSession,
  ServerObserver,
} from "./measures/observer.js";
export {
  type Addressing,
  type AddressingInit,
  addressedName,
  type EscalationStepInit,
} from "./requests/addressing.js";
export type { ApprovalAnswer } from "./requests/approval-answer.js";
export type { ApprovalOptionInit, ApprovalScopeInit } from "./requests/approval-options.js";
export { type ApprovalEditInit, ApprovalRequest } from "./requests/approval-request.js";
export type { AskingProgram } from "./requests/asking-program.js";
export {
  type AnyInteraction,
  type Attendance,
  attendances,
  type ClientRequest,
  type PersonRequest,
} from "./requests/core.js";
export type { Deadline, DeadlineInit } from "./requests/deadline.js";
export {
  QuestionExpired,
  QuestionNotSupported,
  QuestionUnavailable,
  QuestionWithdrawn,
  SessionSuspended,
} from "./requests/errors.js";
export type { ExternalToolCall } from "./requests/external-tool-call.js";
export type { HookAnswer, HookCall } from "./requests/hook-call.js";
export type {
  CallPlace,
  Interaction,
  RequestOrigin,
  RequestPlace,
  Settlement,
} from "./requests/interaction.js";
export {
  type NativeCall,
  type NativeTool,
  type PendingPolicy,
  pendingPolicies,
  type QuestionAnswer,
  QuestionRequest,
} from "./requests/question-request.js";
export type { WaitOptions } from "./requests/taken-back.js";
export { ToolError } from "./requests/tool-error.js";
export { type Clock, systemClock } from "./runtime/clock.js";
export { type Log, type LogLevel, logLevels, standardErrorLog } from "./runtime/log.js";
export { personProblem } from "./runtime/person-name.js";
export { tenantProblem } from "./runtime/tenant-name.js";
export { SERVER_VERSION } from "./runtime/version.js";
export type { GrantedRole, PersonRoles } from "./server/person-roles.js";
export { type ServerPart, serverParts } from "./server/readiness.js";
export {
  type AskwireServer,
  type ConnectedClient,
  type ConnectOptions,
  createServer,
  type SessionThere,
} from "./server/server.js";
export type { NewSession, ServerOptions } from "./server/server-options.js";
export type { TakeOver } from "./server/take-over.js";
export type { EventLogLimits } from "./session/event-log.js";
export type { MadeCode, MakePairingCode, Pairing } from "./session/pairing-code.js";
export type { Session } from "./session/session.js";
export type { Keep, KeptSession } from "./session/session-options.js";
export { isLoopback, urlHost } from "./transport/origin.js";
export { type StdioOptions, serveStdio } from "./transport/stdio.js";
export { tokenProblem } from "./transport/token.js";
