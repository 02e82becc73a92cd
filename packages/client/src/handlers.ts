import {
  type AnswerItem,
  type AnswerMap,
  type ApprovalKind,
  answersFromItems,
  approvalKinds,
  type CoreQuestion,
  coreQuestion,
  LocalError,
  type RequestPayload,
  type Unrecognized,
  type WireEvent,
} from "@askwire/protocol";

/** A question to show. Every question and option has an id: the server's, or one by position (`q1`, `q1_o2`). */
export interface QuestionView {
  /** A UUID of the server's, the same for every client that it asks. */
  readonly id: string;
  /** The tool call that asks, as the event ToolCall named it. */
  readonly tool_call_id: string;
  /** In the order in which they are to be asked. */
  readonly questions: readonly CoreQuestion[];
}
/** An approval to show. */
export type ApprovalView = RequestPayload<"ApprovalRequest">;

/** An answer to a question: by ids, by question text as on the base wire, or that the person closed it. */
export type QuestionReply = { items: readonly AnswerItem[] } | { answers: Readonly<AnswerMap> } | "declined";
/** An answer to an approval: the kind alone, or with the person's words. */
export type ApprovalReply = ApprovalKind | { response: ApprovalKind; feedback?: string };

/** What a handler may know of the request that it answers. */
export interface RequestContext {
  /** Aborted when an answer no longer counts: the turn ended, somebody else answered, the connection closed. */
  readonly signal: AbortSignal;
}

/** What a client does with what it is sent. Its capabilities follow from the handlers that are there (P-CLI-2). */
export interface ClientHandlers {
  /** Puts a question to the person. Without it the server is told that this client cannot show questions. */
  question?(request: QuestionView, context: RequestContext): QuestionReply | PromiseLike<QuestionReply>;
  /** Puts an approval to the person. Without it approvals are answered as not supported. */
  approval?(request: ApprovalView, context: RequestContext): ApprovalReply | PromiseLike<ApprovalReply>;
  /** Sees every event, also those between turns and those that are not recognized. */
  event?(event: WireEvent | Unrecognized): void;
}

export function viewQuestion(payload: RequestPayload<"QuestionRequest">): QuestionView {
  const { id, tool_call_id, questions } = payload;
  return { id, tool_call_id, questions: questions.map(coreQuestion) };
}

/**
 * The base wire's answer to a question. Declining is an empty map.
 *
 * @throws LocalError BAD_MESSAGE for what is no reply, or an id that is not in the question.
 */
export function replyToQuestion(
  view: QuestionView,
  reply: QuestionReply,
): { request_id: string; answers: AnswerMap } {
  if (reply === "declined") return { request_id: view.id, answers: {} };
  const { answers, items } = isObject(reply) ? (reply as { answers?: AnswerMap; items?: AnswerItem[] }) : {};
  if (isObject(answers)) return { request_id: view.id, answers: { ...answers } };
  if (!Array.isArray(items)) {
    throw new LocalError("BAD_MESSAGE", 'question handler: expected "declined", {items} or {answers}');
  }
  for (const item of items) checkItem(view, item);
  return { request_id: view.id, answers: { ...answersFromItems(view.questions, items) } };
}

function checkItem(view: QuestionView, item: AnswerItem): void {
  if (!isObject(item) || !Array.isArray(item.selected)) {
    throw badAnswer("items: expected {question_id, selected, own_text?} each");
  }
  const question = view.questions.find(({ id }) => id === item.question_id);
  if (question === undefined)
    throw badAnswer(`question_id: "${item.question_id}" is no question of this request`);
  for (const id of item.selected) {
    if (question.options.some((option) => option.id === id)) continue;
    throw badAnswer(`selected: "${id}" is no option of ${question.id}`);
  }
  if (!question.multi_select && item.selected.length > 1)
    throw badAnswer(`selected: at most one for ${question.id}`);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const badAnswer = (problem: string) =>
  new LocalError("BAD_MESSAGE", `the question handler's answer: ${problem}`);

/** @throws LocalError BAD_MESSAGE for what is no reply. */
export function replyToApproval(
  view: ApprovalView,
  reply: ApprovalReply,
): { request_id: string; response: ApprovalKind; feedback: string } {
  const { response, feedback = "" } = isObject(reply) ? reply : { response: reply };
  if (!approvalKinds.includes(response)) {
    const kinds = approvalKinds.map((kind) => `"${kind}"`).join(", ");
    throw new LocalError("BAD_MESSAGE", `approval handler: expected ${kinds} or {response, feedback?}`);
  }
  return { request_id: view.id, response, feedback };
}
