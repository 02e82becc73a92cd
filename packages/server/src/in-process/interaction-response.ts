import {
  type AnswerItem,
  type AnswerParams,
  type ApprovalKind,
  approvalKinds,
  describeIssues,
  type Outcome,
  WireError,
} from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { PersonRequest } from "../requests/core.js";
import { errorFor, QuestionUnavailable } from "../requests/errors.js";
import type { Settlement } from "../requests/interaction.js";
import type { QuestionAnswer, QuestionRequest } from "../requests/question-request.js";
import { OTHER_OPTION, UserInteractionResponse } from "./interaction-shapes.js";

type Payload = NonNullable<UserInteractionResponse["payload"]>;
type Answers = Extract<Payload, { kind: "ask_user_question" }>["answers"];
/** The contents of an answer, without its names. */
type Said = Pick<AnswerParams, "outcome" | "items" | "response" | "option" | "feedback">;

const ANSWERED: Said["outcome"] = { status: "answered" };

/**
 * Reads a response to a request (L-03, L-26). Its fit with the questions is checked elsewhere.
 *
 * @throws WireError InvalidParams for an invalid response, InvalidAnswer for a response to another kind of request.
 */
export function saidBy(request: PersonRequest, response: unknown): Said {
  const parsed = z.safeParse(UserInteractionResponse, response);
  if (!parsed.success) {
    throw new WireError("InvalidParams", `response: ${describeIssues(parsed.error.issues)}`);
  }
  const { status, payload } = parsed.data;
  if (status === "cancelled") {
    if (payload !== null) throw misfit("unexpected", "Cancelled response must not include payload");
    return { outcome: { status: "declined", reason: "dismissed" } };
  }
  if (payload === null) throw misfit("missing", "Submitted response must include payload");
  if (request.kind === "question" && payload.kind === "ask_user_question") {
    return { outcome: ANSWERED, items: itemsOf(request, payload.answers) };
  }
  if (request.kind === "approval" && payload.kind === "operation_select") {
    const { selected_option_id: selected, note } = payload;
    // The answer's check knows the options.
    if (request.options !== undefined) return { outcome: ANSWERED, option: selected, feedback: note ?? "" };
    if (!isApprovalKind(selected)) {
      throw misfit("unknown_option", `selected_option_id: expected ${approvalKinds.join(" or ")}`);
    }
    return { outcome: ANSWERED, response: selected, feedback: note ?? "" };
  }
  const expected = request.kind === "question" ? "ask_user_question" : "operation_select";
  throw misfit("unexpected", `payload.kind: expected "${expected}"`);
}

const isApprovalKind = (id: string): id is ApprovalKind => (approvalKinds as readonly string[]).includes(id);

function misfit(code: string, message: string): WireError {
  return new WireError("InvalidAnswer", message, {
    data: { issues: [{ question_id: null, code, message }] },
  });
}

/** A question that no row answers was skipped; own text counts with its option and without (D1, L-25). */
function itemsOf({ questions }: QuestionRequest, answers: Answers): AnswerItem[] {
  const answered = new Set(answers.map(({ question_id }) => question_id));
  const skipped = questions
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => ({ question_id: id, selected: [], skipped: true }));
  return [...answers.map(itemOf), ...skipped];
}

function itemOf({ question_id, selected_option_ids, other_text, note }: Answers[number]): AnswerItem {
  const selected = selected_option_ids.filter((id) => id !== OTHER_OPTION);
  const chosenOther = selected.length < selected_option_ids.length;
  const text = other_text ?? "";
  const hasText = chosenOther || text.trim() !== "";
  return {
    question_id,
    selected,
    ...(hasText && { own_text: text }),
    ...(!hasText && selected.length === 0 && { skipped: true }),
    ...(typeof note === "string" && { note }),
  };
}

/**
 * The ending of a channel's request, for its asker.
 *
 * @throws QuestionUnavailable and the errors that extend it, if nobody answered or declined (P-OUT-5).
 */
export function responseOf(
  request: PersonRequest,
  { outcome, answer }: Settlement<unknown>,
): UserInteractionResponse {
  if (answer !== undefined) return { status: "submitted", payload: payloadOf(request, answer) };
  if (outcome.status === "declined") return { status: "cancelled", payload: null };
  throw refused(outcome) ?? errorFor(outcome, request.kind);
}

function refused(outcome: Outcome): QuestionUnavailable | undefined {
  if (outcome.reason === "subagent") {
    return new QuestionUnavailable("User interaction is available only for the main agent", outcome);
  }
  if (outcome.reason === "limit" && outcome.by === "policy") {
    return new QuestionUnavailable("Only one user interaction can be pending at a time", outcome);
  }
  return undefined;
}

function payloadOf(request: PersonRequest, answer: unknown): Payload {
  if (request.kind === "approval") {
    const { response, feedback, option } = answer as ApprovalAnswer;
    return {
      kind: "operation_select",
      selected_option_id: option ?? response,
      ...(feedback !== "" && { note: feedback }),
    };
  }
  const { items } = answer as QuestionAnswer;
  const answers = items
    .filter(({ skipped, note }) => skipped !== true || note !== undefined)
    .map((item) => answerOf(request, item));
  return { kind: "ask_user_question", answers };
}

function answerOf({ questions }: QuestionRequest, item: AnswerItem): Answers[number] {
  const { question_id, selected, own_text = "", note } = item;
  const question = questions.find(({ id }) => id === question_id);
  const [only] = selected;
  const markdown =
    question?.multi_select === false ? question.options.find(({ id }) => id === only)?.preview : undefined;
  const hasText = own_text.trim() !== "";
  return {
    question_id,
    selected_option_ids: hasText ? [...selected, OTHER_OPTION] : selected,
    ...(hasText && { other_text: own_text }),
    ...(note !== undefined && { note }),
    ...(markdown !== undefined && { annotation: { markdown } }),
  };
}
