import { type AnswerItem, answerIssues, type ContentPart, type UserInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { ClientName } from "../profiles/profile.js";
import type { PersonWithRoles } from "../requests/addressing.js";
import type { AnyInteraction } from "../requests/core.js";
import { outcomeNow } from "../requests/interaction.js";
import type { QuestionRequest } from "../requests/question-request.js";
import { NotKept } from "./not-kept.js";

/** One who says words in a running turn. */
export interface Speaker {
  readonly client: ClientName | undefined;
  /** Undefined for this process. */
  readonly person: PersonWithRoles | undefined;
  /** True for a question that they may answer at this moment (P-XTO-3, P-XTO-5). */
  readonly mayAnswer: (request: QuestionRequest) => boolean;
}

/**
 * Answers the oldest question whose dialect accepts the person's words as an answer (P-DIA-7). The words must be text,
 * with images as an answer may have them. Returns true if a question was answered.
 *
 * @throws WireError Overloaded if the answer cannot be kept.
 */
export function answeredBySteer(
  open: readonly AnyInteraction[],
  input: UserInput,
  { client, person, mayAnswer }: Speaker,
): boolean {
  const request = open.find((each): each is QuestionRequest => takesSteers(each) && mayAnswer(each));
  const [question] = request?.questions ?? [];
  if (request === undefined || question === undefined) return false;
  const parts: readonly ContentPart[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  const own_text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const attachments = parts.filter(({ type }) => type !== "text");
  const item: AnswerItem = {
    question_id: question.id,
    selected: [],
    own_text,
    ...(attachments.length > 0 && { attachments }),
  };
  const answer = { request_id: request.id, answer_id: "", outcome: { status: "answered" }, items: [item] };
  const issues = answerIssues(request, answer, { attachments: true, notes: false, skip: false });
  if (issues.length > 0) return false;
  const settled = request.settle({
    outcome: outcomeNow("answered", { by: "human", ...defined({ client, principal: person?.principal }) }),
    answer: request.answerOf([item]),
    message: {},
  });
  if (!settled) throw new NotKept("answer");
  return true;
}

const takesSteers = (request: AnyInteraction): request is QuestionRequest =>
  request.kind === "question" && request.native?.dialect.steersAnswer === true;
