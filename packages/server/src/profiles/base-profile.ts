import {
  approvalDegradations,
  baseItem,
  type CoreQuestion,
  degradations,
  itemsFromAnswers,
  LocalError,
  type RequestPayloadInput,
  type RequestResponse,
  type RequestType,
  type ToolReturnValue,
  WireError,
} from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import { asText } from "../requests/as-text.js";
import type { AnyInteraction } from "../requests/core.js";
import { type ExternalToolCall, failedToolResult } from "../requests/external-tool-call.js";
import type { HookAnswer, HookCall } from "../requests/hook-call.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import {
  type Misfit,
  type QuestionAnswer,
  type QuestionRequest,
  readAnswers,
} from "../requests/question-request.js";
import type { ClientName, Profile, RequestFailure, WireRequestInput } from "./profile.js";

/** The words of the wire for one kind of request. */
interface Words<R extends AnyInteraction, T extends RequestType> {
  readonly type: T;
  payload(request: R, id: string, misfit?: Misfit): RequestPayloadInput<T>;
  read(request: R, response: RequestResponse<T>, client: ClientName): Settlement<unknown> | Misfit;
  /**
   * Reads an error that is no error of the protocol or of a limit. Default, and for undefined: the client failed
   * (P-ANS-5).
   */
  refused?(error: WireError, client: ClientName): Settlement<unknown> | undefined;
}

const words = {
  question: {
    type: "QuestionRequest",
    payload: questionPayload,
    read: readQuestionAnswer,
    refused: closedByError,
  } satisfies Words<QuestionRequest, "QuestionRequest">,
  approval: {
    type: "ApprovalRequest",
    payload: approvalPayload,
    read: readApprovalAnswer,
    refused: closedByError,
  } satisfies Words<ApprovalRequest, "ApprovalRequest">,
  tool_call: {
    type: "ToolCallRequest",
    payload: (request, id) => ({ id, name: request.name, arguments: request.arguments }),
    read: (_, response, client) => toolResult(response.return_value, client),
    refused: ({ message }, client) => toolResult(failedToolResult(message, "Tool failed"), client),
  } satisfies Words<ExternalToolCall, "ToolCallRequest">,
  hook: {
    type: "HookRequest",
    payload: hookPayload,
    read: (_, { action, reason }, client) => hookAnswer({ action, reason }, client),
  } satisfies Words<HookCall, "HookRequest">,
};

/** An approval for which three words do not suffice, as a question with its options (P-XAO-5). */
const approvalAsQuestion = {
  type: "QuestionRequest",
  payload: (request, id) => ({
    id,
    tool_call_id: request.toolCallId,
    questions: askedAs(request).map(baseItem),
  }),
  read: readChosenOption,
  refused: closedByError,
} satisfies Words<ApprovalRequest, "QuestionRequest">;

/** The words for a request. The cast is safe, since a request is given only to the words of its own kind. */
const wordsOf = (request: AnyInteraction) =>
  (request.kind === "approval" && request.asQuestion !== undefined
    ? approvalAsQuestion
    : words[request.kind]) as Words<AnyInteraction, RequestType>;

const askedAs = ({ asQuestion }: ApprovalRequest) => (asQuestion === undefined ? [] : [asQuestion]);

/**
 * A request in exactly the fields that a base client knows (P-MSG-2, P-MSG-6).
 *
 * @param id its JSON-RPC id, which the payload repeats.
 * @param misfit the answer that was not taken, if it is asked again. Default: none.
 */
export function wireRequest(request: AnyInteraction, id: string, misfit?: Misfit): WireRequestInput {
  const { type, payload } = wordsOf(request);
  return { type, payload: payload(request, id, misfit) } as WireRequestInput;
}

/** An approval in exactly the fields of the base profile, whatever its options. */
export const baseApproval = (request: ApprovalRequest): WireRequestInput => ({
  type: "ApprovalRequest",
  payload: approvalPayload(request, request.id),
});

/** The profile of every Kimi Wire client. */
export const baseProfile: Profile = {
  request: wireRequest,
  reply: (request, response, client) => wordsOf(request).read(request, response, client),
  failure: readFailure,
};

/** The id repeated in a reply. The reply's JSON-RPC id alone decides which request is meant (P-ID-2). */
export function repliedId(response: RequestResponse<RequestType>): string {
  return String("tool_call_id" in response ? response.tool_call_id : response.request_id);
}

/** Reads an error instead of an answer. An error that is the client's word is a settlement (P-ANS-5, P-EXT-8). */
function readFailure(
  request: AnyInteraction,
  error: unknown,
  client: ClientName,
): Settlement<unknown> | RequestFailure | undefined {
  if (error instanceof WireError) {
    if (error.is("MethodNotFound")) return { reason: "unsupported", note: error.message };
    if (error.is("Overloaded")) return { reason: "limit", note: error.message };
    const protocolLevel = error.code >= -32700 && error.code <= -32600;
    const settlement = protocolLevel ? undefined : wordsOf(request).refused?.(error, client);
    return settlement ?? { reason: "protocol_error", note: error.message };
  }
  if (error instanceof LocalError && error.code === "CLOSED") return undefined;
  return { reason: "protocol_error", note: error instanceof Error ? error.message : errorText(error) };
}

function questionPayload(
  { questions, toolCallId }: QuestionRequest,
  id: string,
  misfit?: Misfit,
): RequestPayloadInput<"QuestionRequest"> {
  return {
    id,
    tool_call_id: toolCallId,
    questions: questions.map((question) => baseItem(asText(question, {}, misfit))),
  };
}

function approvalPayload(request: ApprovalRequest, id: string): RequestPayloadInput<"ApprovalRequest"> {
  const { origin } = request;
  return {
    id,
    tool_call_id: request.toolCallId,
    sender: request.sender,
    action: request.action,
    description: request.description,
    source_kind: "foreground_turn",
    source_id: request.source ?? null,
    agent_id: origin?.agent_id ?? null,
    subagent_type: origin?.subagent_type ?? null,
    source_description: origin?.description ?? null,
    display: [...request.display],
  };
}

function hookPayload(request: HookCall, id: string): RequestPayloadInput<"HookRequest"> {
  const { subscriptionId, event, target, inputData } = request;
  return { id, subscription_id: subscriptionId, event, target, input_data: { ...inputData } };
}

/** Reads a base client's few words about a question (P-ANS-1 to P-ANS-4, P-ANS-7). */
function readQuestionAnswer(
  request: QuestionRequest,
  { answers: received }: RequestResponse<"QuestionRequest">,
  client: ClientName,
): Settlement<QuestionAnswer> | Misfit {
  const { questions, deadline } = request;
  if (Object.values(received).every((value) => value.trim() === "")) return dismissed(client);
  const read = readAnswers(request, Object.assign(Object.create(null), received));
  if ("issues" in read) return read;
  const refused = read.items.find(
    (item) => item.own_text !== undefined && isClosed(questions, item.question_id),
  );
  if (refused?.own_text !== undefined) {
    return {
      outcome: outcomeNow("declined", { reason: "discuss", by: "human", client, note: refused.own_text }),
    };
  }
  const degraded = degradations(questions, deadline !== undefined, {});
  const details = { by: "human" as const, client, ...(degraded.length > 0 && { degraded }) };
  return { outcome: outcomeNow("answered", details), answer: read };
}

const isClosed = (questions: readonly CoreQuestion[], id: string) =>
  questions.some((question) => question.id === id && !question.own_text && question.field === undefined);

function readApprovalAnswer(
  request: ApprovalRequest,
  { response, feedback }: RequestResponse<"ApprovalRequest">,
  client: ClientName,
): Settlement<ApprovalAnswer> {
  return approvalAnswered(request, request.answerInWords(response, feedback), client);
}

/** Reads the choice of an option by its label. Other words reject, with the words as the reason (P-XAO-5). */
function readChosenOption(
  request: ApprovalRequest,
  { answers: received }: RequestResponse<"QuestionRequest">,
  client: ClientName,
): Settlement<ApprovalAnswer> {
  const [item] = itemsFromAnswers(askedAs(request), received);
  const answer = item && request.answerByItem(item);
  return answer === undefined ? dismissed(client) : approvalAnswered(request, answer, client);
}

function approvalAnswered(
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  client: ClientName,
): Settlement<ApprovalAnswer> {
  const degraded = approvalDegradations(request, {});
  const details = { by: "human" as const, client, ...(degraded.length > 0 && { degraded }) };
  return { outcome: outcomeNow("answered", details), answer };
}

/** The result of a client's tool, in the fields that the wire knows (P-EXT-4). */
function toolResult(value: ToolReturnValue, client: ClientName): Settlement<ToolReturnValue> {
  const { is_error, output, message, display, extras } = value;
  return {
    outcome: outcomeNow("answered", { by: "system", client }),
    answer: { is_error, output, message, display, extras },
  };
}

function hookAnswer(answer: HookAnswer, client: ClientName): Settlement<HookAnswer> {
  return { outcome: outcomeNow("answered", { by: "hook", client }), answer };
}

/** The words by which a client of Kimi's says in an error that the person closed the dialog. */
const CLOSED_BY_PERSON = "User cancelled";

function closedByError(error: WireError, client: ClientName): Settlement<never> | undefined {
  return error.is("InvalidState") && error.message === CLOSED_BY_PERSON ? dismissed(client) : undefined;
}

/** The person closed it without an answer. */
const dismissed = (client: ClientName): Settlement<never> => ({
  outcome: outcomeNow("declined", { reason: "dismissed", by: "human", client }),
});
