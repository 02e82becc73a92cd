import {
  type AnswerableRequest,
  type AnswerParams,
  answersFromItems,
  baseItem,
  coreQuestion,
  ExtendedApprovalRequest,
  ExtendedQuestionRequest,
  itemsFromAnswers,
  LocalError,
  type Outcome,
  type RequestResponse,
  type Schema,
  validate,
  wordOf,
} from "@askwire/protocol";

/** The part of an answer that a person decides. In the base profile it is read from the client's few words. */
export type AnswerSaid = Pick<
  AnswerParams,
  "outcome" | "items" | "response" | "option" | "edited" | "feedback"
>;

/** A question or approval of a scripted server. */
export interface ScriptedRequest {
  readonly id: string;
  readonly kind: "question" | "approval";
  readonly type: "QuestionRequest" | "ApprovalRequest";
  /** As an extended client is sent it. */
  readonly payload: ExtendedQuestionRequest | ExtendedApprovalRequest;
  /** The members that decide which answers fit. */
  readonly answerable: AnswerableRequest;
  /** Undefined while it is open. */
  outcome?: Outcome;
}

/** @throws LocalError BAD_MESSAGE for questions that do not fit the protocol. */
export function questionPut(given: unknown): ScriptedRequest {
  const payload = fitting(ExtendedQuestionRequest, given, "ask");
  const questions = payload.questions.map(coreQuestion);
  const answerable = { kind: "question", questions } as const;
  return { id: payload.id, kind: "question", type: "QuestionRequest", payload, answerable };
}

/** @throws LocalError BAD_MESSAGE for an approval that does not fit the protocol. */
export function approvalPut(given: unknown): ScriptedRequest {
  const payload = fitting(ExtendedApprovalRequest, given, "approve");
  const answerable = { kind: "approval", options: payload.options, edit: payload.edit } as const;
  return { id: payload.id, kind: "approval", type: "ApprovalRequest", payload, answerable };
}

function fitting<T>(schema: Schema<T>, given: unknown, what: string): T {
  const parsed = validate(schema, given);
  if (parsed.ok) return parsed.value;
  throw new LocalError("BAD_MESSAGE", `${what}: ${parsed.problem}`);
}

/** The request in the fields of the base profile. */
export function basePayload({ type, payload, answerable }: ScriptedRequest) {
  const { id, tool_call_id } = payload;
  if (answerable.kind === "question") {
    return {
      type: "QuestionRequest",
      payload: { id, tool_call_id, questions: answerable.questions.map(baseItem) },
    } as const;
  }
  const {
    options: _options,
    edit: _edit,
    person_only: _only,
    program: _program,
    ...base
  } = payload as ExtendedApprovalRequest;
  return { type: type as "ApprovalRequest", payload: base };
}

/** The few words of a base client as an answer. */
export function wordsOfReply(
  { answerable }: ScriptedRequest,
  reply: RequestResponse<"QuestionRequest"> | RequestResponse<"ApprovalRequest">,
): AnswerSaid {
  if ("response" in reply) {
    const { response, feedback } = reply as RequestResponse<"ApprovalRequest">;
    return { outcome: { status: "answered" }, response, feedback };
  }
  const { answers } = reply as RequestResponse<"QuestionRequest">;
  const items = answerable.kind === "question" ? itemsFromAnswers(answerable.questions, answers) : [];
  return items.every(({ skipped }) => skipped)
    ? { outcome: { status: "declined", reason: "dismissed" } }
    : { outcome: { status: "answered" }, items };
}

/** The answer as other clients are told it; undefined for a request that was declined. */
export function toldResponse({ answerable }: ScriptedRequest, said: AnswerSaid): object | undefined {
  if (said.outcome.status !== "answered") return undefined;
  if (answerable.kind === "question") {
    const items = said.items ?? [];
    return { answers: answersFromItems(answerable.questions, items), items };
  }
  const { response, option, edited, feedback = "" } = said;
  const chosen = answerable.options?.find(({ id }) => id === option);
  if (chosen === undefined) return { response, feedback, ...(edited !== undefined && { edited }) };
  return {
    response: wordOf(chosen),
    feedback,
    option,
    ...(edited !== undefined && { edited }),
  };
}
