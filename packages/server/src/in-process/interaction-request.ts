import { describeIssues, type QuestionInput, type Schema } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { getToolCall } from "../agent/context.js";
import { ApprovalRequest } from "../requests/approval-request.js";
import { asText } from "../requests/as-text.js";
import type { PersonRequest } from "../requests/core.js";
import { QuestionRequest } from "../requests/question-request.js";
import {
  AskedApproval,
  AskedQuestions,
  type InteractionQuestion,
  type UserInteractionInit,
  type UserInteractionPayload,
  type UserInteractionRequest,
} from "./interaction-shapes.js";

/** The rule of the klaude dialect: a session has one open question of it at a time (P-KLA-8). */
const KLAUDE = { name: "klaude", pending: "reject" } as const;

/**
 * The request that is opened for what a program asks by the channel. Its questions count as those of the klaude dialect,
 * so that one is open at a time (P-KLA-8).
 *
 * @throws TypeError that names what does not fit.
 */
export function requestOf({ source, tool_call_id, payload }: UserInteractionInit): PersonRequest {
  const toolCall = getToolCall();
  const toolCallId = tool_call_id ?? toolCall?.id ?? "";
  switch (source) {
    case "tool": {
      const { questions } = fitting(AskedQuestions, payload);
      return new QuestionRequest({
        tool_call_id: toolCallId,
        questions: questions.map(questionInput),
        native: { dialect: KLAUDE, input: null },
      });
    }
    case "approval": {
      const { header, question } = fitting(AskedApproval, payload);
      return new ApprovalRequest({
        tool_call_id: toolCallId,
        sender: header,
        action: header,
        description: question,
      });
    }
    default:
      throw new TypeError(`Unsupported user interaction source: ${String(source)}`);
  }
}

function fitting<S extends Schema>(schema: S, payload: unknown): z.output<S> {
  const parsed = z.safeParse(schema, payload);
  if (!parsed.success) throw new TypeError(`payload: ${describeIssues(parsed.error.issues)}`);
  return parsed.data;
}

function questionInput({
  id,
  header,
  question,
  options,
  multi_select,
  input_placeholder,
}: z.output<typeof AskedQuestions>["questions"][number]): QuestionInput {
  return {
    ...(id !== undefined && { id }),
    header,
    question,
    options: options.map(({ id, label, description, markdown }) => ({
      ...(id !== undefined && { id }),
      label,
      description,
      ...(markdown !== undefined && !multi_select && { preview: markdown }),
    })),
    multi_select,
    ...(typeof input_placeholder === "string" && { placeholder: input_placeholder }),
  };
}

/** A request as it comes out of the channel, with everything that a person has to see (P-KLA-7). */
export function shownInteraction(
  request: PersonRequest,
  sessionId: string,
  requestId: string,
): UserInteractionRequest {
  return {
    session_id: sessionId,
    request_id: requestId,
    source: request.kind === "question" ? "tool" : "approval",
    tool_call_id: request.toolCallId === "" ? null : request.toolCallId,
    payload: request.kind === "question" ? questionsPayload(request) : approvalPayload(request),
  };
}

function questionsPayload({ questions }: QuestionRequest): UserInteractionPayload {
  return {
    kind: "ask_user_question",
    questions: questions.map((question) => interactionQuestion(asText(question))),
  };
}

function interactionQuestion(question: QuestionRequest["questions"][number]): InteractionQuestion {
  const { body, other_label, other_description, own_text } = question;
  return {
    id: question.id,
    header: question.header,
    question: question.question,
    options: question.options.map(({ preview, ...option }) =>
      preview === undefined ? option : { ...option, markdown: preview },
    ),
    multi_select: question.multi_select,
    input_placeholder: question.placeholder ?? null,
    ...(body !== "" && { body }),
    ...(other_label !== "" && { other_label }),
    ...(other_description !== "" && { other_description }),
    ...(!own_text && { own_text }),
    ...(question.default !== undefined && { default: question.default }),
  };
}

function approvalPayload({
  sender,
  action,
  description,
  display,
  options,
}: ApprovalRequest): UserInteractionPayload {
  return {
    kind: "operation_select",
    header: sender,
    question: description,
    options: options?.map(({ id, label, scope }) => ({ id, label, description: scope?.text ?? "" })) ?? [
      { id: "approve", label: "Approve", description: "" },
      { id: "approve_for_session", label: "Approve for this session", description: action },
      { id: "reject", label: "Reject", description: "" },
    ],
    ...(display.length > 0 && { display }),
  };
}
