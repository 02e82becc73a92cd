import {
  type AnswerMap,
  type CoreQuestion,
  itemsFromAnswers,
  LocalError,
  type Outcome,
  type OutcomeReason,
  type RequestPayloadInput,
  type RequestResponse,
  WireError,
} from "@askwire/protocol";
import type { ApprovalAnswer, ApprovalRequest } from "./interaction/approval-request.js";
import { outcomeNow, type Settlement } from "./interaction/interaction.js";
import type { QuestionAnswer, QuestionRequest } from "./interaction/question-request.js";

/** Who answers. */
export type ClientName = NonNullable<Outcome["client"]>;

/** The payload of a question in exactly the fields that a base client knows (P-MSG-6). */
export function questionPayload(request: QuestionRequest): RequestPayloadInput<"QuestionRequest"> {
  return {
    id: request.id,
    tool_call_id: request.toolCallId,
    questions: request.questions.map((item) => ({
      question: item.question,
      header: item.header,
      options: item.options.map(({ label, description }) => ({ label, description })),
      multi_select: item.multi_select,
      body: item.body,
      other_label: item.other_label,
      other_description: item.other_description,
    })),
  };
}

export function approvalPayload(request: ApprovalRequest): RequestPayloadInput<"ApprovalRequest"> {
  return {
    id: request.id,
    tool_call_id: request.toolCallId,
    sender: request.sender,
    action: request.action,
    description: request.description,
    source_kind: "foreground_turn",
    display: [...request.display],
  };
}

/** What a base client's few words about a question mean (P-ANS-1 to P-ANS-4, P-ANS-7). */
export function readQuestionAnswer(
  questions: readonly CoreQuestion[],
  { answers: received }: RequestResponse<"QuestionRequest">,
  client: ClientName,
): Settlement<QuestionAnswer> {
  if (Object.values(received).every((value) => value.trim() === "")) return dismissed(client);
  const answers: AnswerMap = Object.assign(Object.create(null), received);
  const items = itemsFromAnswers(questions, answers);
  const refused = items.find((item) => item.own_text !== undefined && isClosed(questions, item.question_id));
  if (refused?.own_text !== undefined) {
    return {
      outcome: outcomeNow("declined", { reason: "discuss", by: "human", client, note: refused.own_text }),
    };
  }
  return { outcome: outcomeNow("answered", { by: "human", client }), answer: { answers, items } };
}

const isClosed = (questions: readonly CoreQuestion[], id: string) =>
  questions.some((question) => question.id === id && !question.own_text);

export function readApprovalAnswer(
  { response, feedback }: RequestResponse<"ApprovalRequest">,
  client: ClientName,
): Settlement<ApprovalAnswer> {
  return { outcome: outcomeNow("answered", { by: "human", client }), answer: { response, feedback } };
}

/** The person closed it without an answer. */
export function dismissed(client: ClientName, note?: string): Settlement<never> {
  const details = { reason: "dismissed" as const, by: "human" as const, client };
  return { outcome: outcomeNow("declined", note === undefined ? details : { ...details, note }) };
}

/** How a base client failed at a request, or that its error is the person's refusal (P-ANS-5). */
export function readFailure(
  error: unknown,
): { reason: OutcomeReason<"unavailable">; note: string } | { dismissed: string } | { gone: true } {
  if (error instanceof WireError) {
    if (error.is("MethodNotFound")) return { reason: "unsupported", note: error.message };
    if (error.is("Overloaded")) return { reason: "limit", note: error.message };
    const protocolLevel = error.code >= -32700 && error.code <= -32600;
    return protocolLevel ? { reason: "protocol_error", note: error.message } : { dismissed: error.message };
  }
  if (error instanceof LocalError && error.code === "CLOSED") return { gone: true };
  return { reason: "protocol_error", note: error instanceof Error ? error.message : String(error) };
}
