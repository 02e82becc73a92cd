import type { DecidedRequest, KeptDecision } from "./decisions.js";

/** The words that were asked: all questions, or what is to be approved. Foreign text, of any length. */
export function askedWords(request: DecidedRequest | undefined): string {
  const questions = questionsOf(request);
  if (questions.length > 0) return questions.map(({ question }) => String(question)).join(" / ");
  const { description, action } = request ?? {};
  return (
    ([description, action].find((text) => typeof text === "string" && text.trim() !== "") as string) ?? ""
  );
}

/** The answer in words: labels and own text, or what was said to an approval; empty without one. Foreign text. */
export function answeredWords({
  kind,
  request,
  response,
}: Pick<KeptDecision, "kind" | "request" | "response">): string {
  if (!isMembers(response)) return "";
  return kind === "question" ? toQuestions(request, response) : toApproval(request, response);
}

function toQuestions(request: DecidedRequest | undefined, { answers }: DecidedRequest): string {
  if (!isMembers(answers)) return "";
  const given = Object.entries(answers);
  const headers = new Map(questionsOf(request).map(({ question, header }) => [question, header]));
  return given
    .map(([question, answer]) => {
      const header = headers.get(question);
      return given.length > 1 && typeof header === "string" && header !== ""
        ? `${header}: ${answer}`
        : String(answer);
    })
    .join("; ");
}

/** The words of the three answers that every approval has. */
const approvals = {
  approve: "approved",
  approve_for_session: "approved for the session",
  reject: "rejected",
} as const;

function toApproval(request: DecidedRequest | undefined, answer: DecidedRequest): string {
  const { response, option, edited, feedback } = answer;
  const options = Array.isArray(request?.options) ? request.options.filter(isMembers) : [];
  const label = options.find(({ id }) => id === option)?.label;
  const said =
    typeof label === "string" ? label : (approvals[response as keyof typeof approvals] ?? String(response));
  return [
    said,
    ...(edited === undefined ? [] : [`changed to: ${edited}`]),
    ...(typeof feedback === "string" && feedback.trim() !== "" ? [feedback] : []),
  ].join("; ");
}

const questionsOf = (request: DecidedRequest | undefined): readonly DecidedRequest[] =>
  Array.isArray(request?.questions) ? request.questions.filter(isMembers) : [];

const isMembers = (value: unknown): value is DecidedRequest =>
  typeof value === "object" && value !== null && !Array.isArray(value);
