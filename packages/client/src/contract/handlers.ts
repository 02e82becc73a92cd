import {
  type AnswerIssue,
  type AnswerItem,
  type AnswerMap,
  type ApprovalKind,
  answersFromItems,
  approvalKinds,
  baseQuestion,
  type CallOutput,
  type CoreQuestion,
  coreQuestion,
  type ExtendedApprovalRequest,
  type ExtendedQuestionRequest,
  type HeardDeadline,
  isLasting,
  itemsFromAnswers,
  LocalError,
  type Outcome,
  type RequestPayload,
  rejectionOf,
  type Unrecognized,
  type WireEvent,
} from "@askwire/protocol";
import type { AskOrigin } from "./ask.js";
import type { AnswerWords, DeliveryState } from "./delivery.js";
import type { ReplayHandlers } from "./replay.js";

/**
 * A question to show. Each question and option has an id, the server's or one made from its position (`q1`, `q1_o2`).
 */
export interface QuestionView {
  /** A UUID from the server, the same for every client. */
  readonly id: string;
  /** The tool call that asks, as named by the event ToolCall. */
  readonly tool_call_id: string;
  /** The questions, in the order in which to ask them. */
  readonly questions: readonly CoreQuestion[];
  /** The sub-agent that asks, if any, in the extended profile. */
  readonly agent?: {
    readonly id: string;
    readonly type: string;
    readonly parent_tool_call_id: string | null;
  };
  /**
   * The connected program that asks, if any, with the key of its ask and where that comes from, in the extended profile
   * (P-XAK-2, P-XAK-12).
   */
  readonly program?: {
    readonly key: string;
    readonly name: string;
    readonly connection: string;
    readonly origin?: AskOrigin | undefined;
  };
  /** True if the agent continues while the question is open, in the extended profile (P-XBG-1). */
  readonly background?: boolean;
  /** The time limit for an answer, in the extended profile. The event InteractionUpdated reports a change (P-XST-3). */
  readonly deadline?: HeardDeadline;
}
/**
 * An approval to show. `options` are the ways to answer it, where they are not approve, approve for the session and
 * reject (P-XAO-1); they come only to a client that shows `approvalOptions`. `edit` is a text that the person may
 * change first (P-XAO-3), for a client that shows `edits`. With `person_only` no policy may answer it
 * (P-XAO-10); with `quorum` that many people must approve (P-XQU-1). `program` is the connected program that asks, if any, with the key of its ask (P-XAK-11).
 */
export type ApprovalView = RequestPayload<"ApprovalRequest"> &
  Pick<ExtendedApprovalRequest, "options" | "edit" | "person_only" | "quorum" | "program">;

/** The parts of an answer that only a client which passes requests on may state (P-XAN-10). */
export interface RelayedAnswer {
  /** The features that the person who answered was not shown. Default: none. */
  readonly degraded?: Outcome["degraded"];
  /** The answers by question text, as a client of the base profile gave them. Default: those that the items mean. */
  readonly answers?: Readonly<AnswerMap> | undefined;
}

/**
 * An answer to a question: items by id, answers by question text as on the base wire, or a refusal.
 * `discuss` asks to talk instead, and `note` has the person's words. On the base wire every refusal is the same.
 */
export type QuestionReply =
  | { items: readonly AnswerItem[]; relayed?: RelayedAnswer }
  | { answers: Readonly<AnswerMap> }
  | "declined"
  | DeclinedReply;
/**
 * An answer to an approval: the kind alone, or with the person's words. Of an approval with `options` it is the id of
 * the chosen one, or `reject` for the first that rejects, or `approve` for the only one that allows this call alone.
 * `edited` is the text of `edit` as the person changed it.
 */
export type ApprovalReply =
  | ApprovalKind
  | { response: ApprovalKind; feedback?: string; edited?: string; relayed?: RelayedAnswer }
  | { option: string; feedback?: string; edited?: string; relayed?: RelayedAnswer };

/** The word of a person who closed a request, or would rather talk. On the base wire it rejects an approval. */
export interface DeclinedReply {
  declined: "dismissed" | "discuss";
  /** The person's words. Default: none. */
  note?: string;
}

/**
 * A reply that a handler gives at once or later. TypeScript widens the literal of a function such as
 * `async () => "approve"` to a string; the client checks the word when it comes.
 */
export type HandlerReply<R> = R | PromiseLike<R | string>;

/** The circumstances in which a handler answers a request. */
export interface RequestContext {
  /**
   * Aborted when an answer no longer counts: the turn ended, another client answered, or the session closed.
   * In the extended profile the reason is a `RequestSettled`.
   */
  readonly signal: AbortSignal;
  /**
   * The server's reasons for refusing the last answer, when the handler is called again to correct it (P-XAN-4).
   * Empty the first time, and always in the base profile.
   */
  readonly issues: readonly AnswerIssue[];
  /**
   * Call this when the person begins to answer: the server then removes the deadline (P-XDL-3). Without a deadline it
   * is told only where both sides declare `presence` (P-XST-5). Who else answers is in `answering` of the event
   * InteractionUpdated, without this connection.
   */
  touch(): void;
  /**
   * Calls the listener with each state of the reply that this call of the handler gives, on its way to the server: to
   * be called before the reply. After `refused` the handler is called again; no state follows `taken`, `sent`, `late`
   * and `failed`.
   */
  onDelivery(listener: (state: DeliveryState) => void): void;
}

/**
 * A handler throws this for a request that nobody can be shown here. Another error says that the client failed, which
 * the agent is told as another reason (P-XAN-9).
 */
export class NotShown extends Error {
  override readonly name = "NotShown";
  /** `limit` where too much is open. Default: `unsupported`. */
  readonly reason: "unsupported" | "limit";

  constructor(message: string, reason: "unsupported" | "limit" = "unsupported") {
    super(message);
    this.reason = reason;
  }
}

/**
 * The reactions of a client to messages. The handlers that are present decide the client's capabilities (P-CLI-2).
 *
 * A handler that fails, or that returns no valid answer, takes this client off the request; other clients may still
 * answer.
 * In the extended profile `onProblem` also hears of the failure (P-XAN-9).
 */
export interface ClientHandlers {
  /** Puts a question to the person. Without this handler the server learns that this client cannot show questions. */
  question?(request: QuestionView, context: RequestContext): HandlerReply<QuestionReply>;
  /** Puts an approval to the person. Without this handler approvals are answered as not supported. */
  approval?(request: ApprovalView, context: RequestContext): HandlerReply<ApprovalReply | DeclinedReply>;
  /**
   * Receives the conversation so far when this client joins a session, and again after a `reset`; live events follow
   * without a gap (P-XHI-1). Without this member the server is not asked for it.
   */
  history?: HistoryHandlers;
  /**
   * Receives what a running call has printed, as it is now: its last lines, in the place of those told before. Forget
   * them at the call's ToolResult (P-XCO-1, P-XCO-2). Without this member the server does not tell it.
   */
  callOutput?(output: CallOutput): void;
  /** Receives every event, also those between turns and those not recognized. */
  event?(event: WireEvent | Unrecognized): void;
}

/** The receiver of the conversation so far. A request in it cannot be answered; open ones are shown to the person. */
export interface HistoryHandlers extends ReplayHandlers {
  /**
   * All of it has come.
   *
   * @param whole false if its beginning is not kept.
   */
  end?(whole: boolean): void;
}

/** The view of a question from a server of the base profile. */
export function viewBaseQuestion({
  id,
  tool_call_id,
  questions,
}: RequestPayload<"QuestionRequest">): QuestionView {
  return { id, tool_call_id, questions: questions.map(baseQuestion) };
}

export function viewQuestion(payload: ExtendedQuestionRequest): QuestionView {
  const { id, tool_call_id, questions, agent, program, background, deadline } = payload;
  return {
    id,
    tool_call_id,
    questions: questions.map(coreQuestion),
    ...(agent !== undefined && { agent }),
    ...(program !== undefined && { program }),
    ...(background === true && { background }),
    ...(deadline != null && { deadline }),
  };
}

/**
 * Makes the base wire's answer to a question. Declining is an empty map.
 *
 * @throws LocalError BAD_MESSAGE for an invalid reply, or an id that is not in the question.
 */
export function replyToQuestion(
  view: QuestionView,
  reply: QuestionReply | string,
): { request_id: string; answers: AnswerMap } {
  const { answers, items, declined } = readReply(reply);
  if (declined !== undefined) return { request_id: view.id, answers: {} };
  if (answers !== undefined) return { request_id: view.id, answers: { ...checkedAnswers(view, answers) } };
  for (const item of items) checkItem(view, item);
  return { request_id: view.id, answers: { ...answersFromItems(view.questions, items) } };
}

/**
 * Makes the extended profile's answer to a question, which the server checks (P-XAN-2, P-XAN-7).
 * A map becomes items. A question missing there is skipped if `skip` was negotiated; a map without answers declines,
 * as on the base wire.
 *
 * @throws LocalError BAD_MESSAGE for an invalid reply.
 */
export function answerToQuestion(
  view: QuestionView,
  reply: QuestionReply | string,
  skip: boolean,
): AnswerWords {
  const { answers, items, declined, note } = readReply(reply);
  if (declined !== undefined) return declinedWith({ declined, note });
  if (answers === undefined) return { outcome: { status: "answered" }, items: [...items] };
  const said = itemsFromAnswers(view.questions, checkedAnswers(view, answers));
  if (said.every(({ skipped }) => skipped)) return { outcome: { status: "declined", reason: "dismissed" } };
  return { outcome: { status: "answered" }, items: skip ? said : said.filter(({ skipped }) => !skipped) };
}

/** Answers by question text. What is no answer must not count as the word of a person, such as a dismissal. */
function checkedAnswers({ questions }: QuestionView, answers: AnswerMap): AnswerMap {
  const texts = Object.keys(answers);
  for (const text of texts) {
    if (typeof answers[text] !== "string")
      throw badAnswer(`answers: expected a text for ${JSON.stringify(text)}`);
  }
  if (texts.length === 0 || questions.some(({ question }) => texts.includes(question))) return answers;
  throw badAnswer(`answers: ${JSON.stringify(texts[0])} is no question of this request`);
}

type ReadReply =
  | { declined: string; note?: string | undefined; answers?: undefined; items?: undefined }
  | { answers: AnswerMap; declined?: undefined; items?: undefined; note?: undefined }
  | { items: readonly AnswerItem[]; declined?: undefined; answers?: undefined; note?: undefined };

function readReply(reply: QuestionReply | string): ReadReply {
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

type Declined = { readonly declined: string; readonly note?: string | undefined };

const isDeclined = (reply: unknown): reply is Declined => isObject(reply) && "declined" in reply;

const declinedWith = ({ declined, note }: Declined): AnswerWords => ({
  outcome: { status: "declined", reason: declined, ...(note !== undefined && { note }) },
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const badAnswer = (problem: string) =>
  new LocalError("BAD_MESSAGE", `the question handler's answer: ${problem}`);

/**
 * Makes the base wire's answer to an approval.
 *
 * @throws LocalError BAD_MESSAGE for an invalid reply.
 */
export function replyToApproval(
  view: ApprovalView,
  reply: ApprovalReply | DeclinedReply | string,
): { request_id: string; response: ApprovalKind; feedback: string } {
  const { response, feedback, edited } = readApproval(reply);
  // A changed text that got lost would approve another one.
  if (response === undefined || edited !== undefined) throw badApproval();
  return { request_id: view.id, response, feedback };
}

/**
 * Makes the extended profile's answer to an approval, which the server checks (P-XAO-1, P-XAO-3).
 *
 * @throws LocalError BAD_MESSAGE for an invalid reply.
 */
export function answerToApproval(
  view: Pick<ApprovalView, "options">,
  reply: ApprovalReply | DeclinedReply | string,
): AnswerWords {
  if (isDeclined(reply)) return declinedWith(reply);
  const { response, option, feedback, edited } = readApproval(reply);
  const rest = { ...(edited !== undefined && { edited }), ...(feedback !== "" && { feedback }) };
  if (option !== undefined) return { outcome: { status: "answered" }, option, ...rest };
  if (view.options === undefined) return { outcome: { status: "answered" }, response, ...rest };
  if (response === "reject") {
    const option = rejectionOf(view.options)?.id;
    const note = feedback === "" ? undefined : feedback;
    return option === undefined
      ? declinedWith({ declined: "dismissed", note })
      : { outcome: { status: "answered" }, option, ...rest };
  }
  const [first, ...others] = view.options.filter(({ kind, scope }) => kind === "allow" && !isLasting(scope));
  if (first === undefined || others.length > 0 || response === "approve_for_session") {
    throw new LocalError(
      "BAD_MESSAGE",
      "approval handler: expected {option} with the id of one of its options",
    );
  }
  return { outcome: { status: "answered" }, option: first.id, ...rest };
}

interface ReadApproval {
  readonly response?: ApprovalKind;
  readonly option?: string;
  readonly feedback: string;
  readonly edited?: string;
}

function readApproval(reply: ApprovalReply | DeclinedReply | string): ReadApproval {
  if (isDeclined(reply)) return { response: "reject", feedback: reply.note ?? "" };
  if (!isObject(reply)) return { response: approvalKind(reply), feedback: "" };
  const { feedback = "", edited } = reply;
  const rest = { feedback, ...(typeof edited === "string" && { edited }) };
  if ("option" in reply && typeof reply.option === "string") return { option: reply.option, ...rest };
  return { response: approvalKind("response" in reply ? reply.response : undefined), ...rest };
}

function approvalKind(response: string | undefined): ApprovalKind {
  const kind = approvalKinds.find((one) => one === response);
  if (kind === undefined) throw badApproval();
  return kind;
}

function badApproval(): LocalError {
  const kinds = approvalKinds.map((kind) => `"${kind}"`).join(", ");
  return new LocalError(
    "BAD_MESSAGE",
    `approval handler: expected ${kinds}, {response, feedback?}, {option, feedback?, edited?} or {declined}`,
  );
}
