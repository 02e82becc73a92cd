import {
  type AnswerIssue,
  type AnswerItem,
  type AnswerMap,
  type AnswerParams,
  type ApprovalKind,
  answersFromItems,
  approvalKinds,
  baseQuestion,
  type CoreQuestion,
  coreQuestion,
  type Deadline,
  type ExtendedApprovalRequest,
  type ExtendedQuestionRequest,
  itemsFromAnswers,
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
  /** The sub-agent that asks, where one does; of the extended profile, as the deadline is. */
  readonly agent?: {
    readonly id: string;
    readonly type: string;
    readonly parent_tool_call_id: string | null;
  };
  /** By when it is to be answered. The event InteractionUpdated tells when that changes (P-XST-3). */
  readonly deadline?: Deadline;
}
/** An approval to show. */
export type ApprovalView = RequestPayload<"ApprovalRequest"> & Pick<ExtendedApprovalRequest, "covers">;

/**
 * An answer to a question: by ids, by question text as on the base wire, or that the person closed it; `discuss` is that
 * they would rather talk about it, `note` what they said. The base wire says of both only that it was closed.
 */
export type QuestionReply =
  | { items: readonly AnswerItem[] }
  | { answers: Readonly<AnswerMap> }
  | "declined"
  | { declined: "dismissed" | "discuss"; note?: string };
/** An answer to an approval: the kind alone, or with the person's words. */
export type ApprovalReply = ApprovalKind | { response: ApprovalKind; feedback?: string };

/** What a handler may know of the request that it answers. */
export interface RequestContext {
  /**
   * Aborted when an answer no longer counts: the turn ended, somebody else answered, the session closed. In the extended
   * profile its reason is a `RequestSettled`.
   */
  readonly signal: AbortSignal;
  /**
   * Why the server refused the last answer: the handler is called again to have it corrected (P-XAN-4). Empty the first
   * time, and always in the base profile.
   */
  readonly issues: readonly AnswerIssue[];
  /**
   * To be called when the person begins to answer: a deadline is taken away then (P-XDL-3). Does nothing where there is
   * none.
   */
  touch(): void;
}

/**
 * What a client does with what it is sent. Its capabilities follow from the handlers that are there (P-CLI-2).
 *
 * A handler that fails takes this client off the request, and so does one that gives an answer that is none: others may
 * still answer it. What fails after a promise was returned is told to `onProblem` too, in the extended profile (P-XAN-9).
 */
export interface ClientHandlers {
  /** Puts a question to the person. Without it the server is told that this client cannot show questions. */
  question?(request: QuestionView, context: RequestContext): QuestionReply | PromiseLike<QuestionReply>;
  /** Puts an approval to the person. Without it approvals are answered as not supported. */
  approval?(request: ApprovalView, context: RequestContext): ApprovalReply | PromiseLike<ApprovalReply>;
  /** Sees every event, also those between turns and those that are not recognized. */
  event?(event: WireEvent | Unrecognized): void;
}

/** A question of a server of the base profile. */
export function viewBaseQuestion({
  id,
  tool_call_id,
  questions,
}: RequestPayload<"QuestionRequest">): QuestionView {
  return { id, tool_call_id, questions: questions.map(baseQuestion) };
}

export function viewQuestion(payload: ExtendedQuestionRequest): QuestionView {
  const { id, tool_call_id, questions, agent, deadline } = payload;
  return {
    id,
    tool_call_id,
    questions: questions.map(coreQuestion),
    ...(agent !== undefined && { agent }),
    ...(deadline != null && { deadline }),
  };
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
  const { answers, items, declined } = readReply(reply);
  if (declined !== undefined) return { request_id: view.id, answers: {} };
  if (answers !== undefined) return { request_id: view.id, answers: { ...answers } };
  for (const item of items) checkItem(view, item);
  return { request_id: view.id, answers: { ...answersFromItems(view.questions, items) } };
}

/** What an `answer` of the extended profile says beside its ids. */
export type AnswerWords = Pick<AnswerParams, "outcome" | "items" | "response" | "feedback">;

/**
 * The same in the extended profile, where the server checks it (P-XAN-2, P-XAN-7). A map becomes items: a question that
 * it leaves out is skipped, where `skip` was negotiated; one that answers nothing declines, as on the base wire.
 *
 * @throws LocalError BAD_MESSAGE for what is no reply.
 */
export function answerToQuestion(view: QuestionView, reply: QuestionReply, skip: boolean): AnswerWords {
  const { answers, items, declined, note } = readReply(reply);
  const outcome = { ...(note !== undefined && { note }) };
  if (declined !== undefined) return { outcome: { status: "declined", reason: declined, ...outcome } };
  if (answers === undefined) return { outcome: { status: "answered" }, items: [...items] };
  const said = itemsFromAnswers(view.questions, answers);
  if (said.every(({ skipped }) => skipped)) return { outcome: { status: "declined", reason: "dismissed" } };
  return { outcome: { status: "answered" }, items: skip ? said : said.filter(({ skipped }) => !skipped) };
}

type ReadReply =
  | { declined: string; note?: string | undefined; answers?: undefined; items?: undefined }
  | { answers: AnswerMap; declined?: undefined; items?: undefined; note?: undefined }
  | { items: readonly AnswerItem[]; declined?: undefined; answers?: undefined; note?: undefined };

function readReply(reply: QuestionReply): ReadReply {
  if (reply === "declined") return { declined: "dismissed" };
  const { answers, items, declined, note } = (isObject(reply) ? reply : {}) as {
    [K in "answers" | "items" | "declined" | "note"]?: unknown;
  };
  if (isObject(answers)) return { answers: answers as AnswerMap };
  if (Array.isArray(items)) return { items };
  if (declined === "dismissed" || declined === "discuss") {
    return { declined, ...(typeof note === "string" && { note }) };
  }
  throw new LocalError("BAD_MESSAGE", 'question handler: expected "declined", {items} or {answers}');
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
  return { request_id: view.id, ...readApproval(reply) };
}

/**
 * The same in the extended profile.
 *
 * @throws LocalError BAD_MESSAGE for what is no reply.
 */
export function answerToApproval(reply: ApprovalReply): AnswerWords {
  const { response, feedback } = readApproval(reply);
  return { outcome: { status: "answered" }, response, ...(feedback !== "" && { feedback }) };
}

function readApproval(reply: ApprovalReply): { response: ApprovalKind; feedback: string } {
  const { response, feedback = "" } = isObject(reply) ? reply : { response: reply };
  if (!approvalKinds.includes(response)) {
    const kinds = approvalKinds.map((kind) => `"${kind}"`).join(", ");
    throw new LocalError("BAD_MESSAGE", `approval handler: expected ${kinds} or {response, feedback?}`);
  }
  return { response, feedback };
}
