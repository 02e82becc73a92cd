// The public surface of @askwire/protocol: named exports only. Runs in any JavaScript runtime.

export { type AnswerableRequest, answerIssueCodes, answerIssues, type OfferedEdit } from "./answer-issues.js";
export { AnswerItem } from "./answer-item.js";
export { mebibytes } from "./answer-limits.js";
export {
  approvalDegradations,
  canShow,
  degradations,
  type LostFeature,
  type Showable,
  type Shows,
  showsOptions,
} from "./can-show.js";
export type {
  ExchangeTable,
  In,
  Marks,
  MethodTable,
  NotificationSpec,
  Out,
  PayloadTable,
  RequestSpec,
  Schema,
  Tagged,
  TaggedInput,
  TaggedNotificationSpec,
  TaggedRequestSpec,
  Unrecognized,
} from "./contract.js";
export { type EndedAs, type Ending, type EndingName, endings, type Standing, standings } from "./endings.js";
export {
  closeCodes,
  type ErrorObject,
  LocalError,
  type LocalErrorCode,
  WireError,
  type WireErrorName,
  wireErrorCodes,
} from "./errors.js";
export { fieldTypes } from "./fields/tables.js";
export * from "./fields.js";
export type { Decode } from "./framing/bytes.js";
export type { ChannelSink, MessageChannel } from "./framing/channel.js";
export type { Call, IncomingCall } from "./framing/engine.js";
export type { WireId } from "./framing/envelope.js";
export { LineDecoder, type LineSink } from "./framing/lines.js";
export { linkedPair, type Sniffer } from "./framing/linked-pair.js";
export {
  type HeardAgentMethods,
  type HeardAskResult,
  type HeardAttached,
  type HeardClaim,
  type HeardClientMethods,
  HeardDeadline,
  type HeardIntroduction,
  HeardOutcome,
  HeardPromptResult,
  HeardRequest,
  HeardSession,
  heardAgentMethods,
  heardAsked,
  heardClientMethods,
  heardEvents,
  outcomeInOwnWords,
  type WireEvent,
  type Word,
} from "./heard.js";
export { defaultLimits, type Limits } from "./limits.js";
export { Addressees } from "./messages/addressees.js";
export {
  ApprovalEdit,
  ApprovalOption,
  type ApprovalOptionKind,
  ApprovalScope,
  approvalOptionKinds,
  isLasting,
  rejectionOf,
  standardLabel,
  standardScopeText,
  wordOf,
} from "./messages/approval-options.js";
export { AskParams } from "./messages/ask-params.js";
export { ContentPart, type ContentPartInput, contentParts, UserInput } from "./messages/content.js";
export { ListedDecision } from "./messages/decisions.js";
export { DisplayBlock, type DisplayBlockInput, displayBlocks, type FileChange } from "./messages/display.js";
export {
  ApprovalKind,
  ApprovalResponse,
  approvalKinds,
  type EventType,
  events,
  olderEventNames,
  StatusUpdate,
  turnStatuses,
  type WireEventInput,
} from "./messages/events.js";
export {
  AnswerIssue,
  AnswerParams,
  Deadline,
  deadlineExpiries,
  ExtendedApprovalRequest,
  ExtendedQuestionRequest,
  HeardOrigin,
  ListedRequest,
  ListedSession,
  OldestRequest,
  PolicyDecision,
  type ReleaseReason,
  type RequestKind,
  RequestNumbers,
  releaseReasons,
  requestKinds,
  statedStatuses,
} from "./messages/extended.js";
export {
  AnswerReply,
  AskResult,
  askedEvents,
  ClaimResult,
  type ExtendedEventInput,
  extendedEvents,
  ToldAnswering,
  ToldRequest,
} from "./messages/extended-sent.js";
export {
  AskwireCapabilities,
  AttachedSession,
  ClientCapabilities,
  EXTENDED_REVISION,
  everyFeature,
  extendedOffer,
  type HookEvent,
  hookEvents,
  InitializeParams,
  InitializeResult,
  type SessionState,
  sessionStates,
} from "./messages/handshake.js";
export {
  ActingClient,
  type AnsweringClient,
  type Approver,
  type ClaimTime,
  type HeardActingClient,
  type HeardAnsweringClient,
  Principal,
  type PrincipalWay,
  principalWays,
} from "./messages/principal.js";
export { Field } from "./messages/question-field.js";
export { RequestDraft } from "./messages/request-draft.js";
export {
  ApprovalRequestPayload,
  QuestionItem,
  type QuestionItemInput,
  QuestionNotSupportedReply,
  QuestionOption,
  QuestionRequestPayload,
  QuestionResponse,
  type RequestPayload,
  type RequestPayloadInput,
  type RequestResponse,
  type RequestResponseInput,
  type RequestType,
  requests,
  type WireRequest,
} from "./messages/requests.js";
export { ExternalTool, ToolCall, ToolCallPart, ToolResult, ToolReturnValue } from "./messages/tool.js";
export {
  type AgentMethods,
  agentMethods,
  allAgentMethods,
  type ClientMethods,
  clientMethods,
  extendedAgentMethods,
} from "./methods.js";
export {
  Degradation,
  Outcome,
  type OutcomeActor,
  type OutcomeReason,
  type OutcomeStatus,
  outcomeActors,
  outcomeReasons,
} from "./outcome.js";
export { type OutcomeWords, outcomeWords } from "./outcome-words.js";
export {
  type Answered,
  bindPeer,
  type Handlers,
  type Peer,
  type PeerOptions,
} from "./peer.js";
export { type ClientRole, clientRoles, type Permission, permissions } from "./permissions.js";
export { type CallOutput, type NamedDevice, type PairingCode, PromptResult } from "./plain-methods.js";
export { QuestionInput, QuestionInputs } from "./question-input.js";
export {
  type AnswerMap,
  answersFromItems,
  baseItem,
  baseQuestion,
  type CoreOption,
  type CoreQuestion,
  coreQuestion,
  itemsFromAnswers,
} from "./questions.js";
export { type ServedAgentMethods, servedAgentMethods } from "./served.js";
export { describeIssues, type Parsed, type Validate, validate } from "./validation.js";
export {
  compareVersions,
  effectiveVersion,
  PROTOCOL_VERSION,
  SUBPROTOCOL,
  TOKEN_SUBPROTOCOL,
} from "./version.js";
export { eventIntroduced, knowsEvent } from "./vocabulary.js";
