import { isLasting, rejectionOf } from "@askwire/protocol";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { ApprovalRequest } from "../requests/approval-request.js";
import { optionsForCall } from "../requests/call-alone.js";
import type { Profile } from "./profile.js";

/**
 * The profile of a base client whose answers reach no further than the call that asks: it is not offered more, and what
 * says more counts for that call (P-XRL-6).
 *
 * @param onNarrowed called for such an answer.
 */
export const callProfile = (
  profile: Profile,
  onNarrowed: (request: ApprovalRequest, said: string) => void,
): Profile => ({
  ...profile,
  request(request, id, misfit) {
    const asked = profile.request(request, id, misfit);
    if (request.kind !== "approval" || asked.type !== "QuestionRequest") return asked;
    const labels = new Set(optionsForCall(request).map(({ label }) => label));
    const questions = asked.payload.questions.map((question) => ({
      ...question,
      options: question.options?.filter(({ label }) => labels.has(label)),
    }));
    return { ...asked, payload: { ...asked.payload, questions } };
  },
  reply(request, response, client) {
    const word = profile.reply(request, response, client);
    if (request.kind !== "approval" || "issues" in word || word.answer === undefined) return word;
    const said = word.answer as ApprovalAnswer;
    const answer = answerForCall(request, said);
    if (answer !== said) onNarrowed(request, said.option ?? said.response);
    return { ...word, answer };
  },
});

/** An answer without its extent: what allows beyond the call allows the call, where a word of three said so. */
function answerForCall(request: ApprovalRequest, answer: ApprovalAnswer): ApprovalAnswer {
  const { options = [], words } = request;
  const chosen = answer.option === undefined ? undefined : request.option(answer.option);
  const lasts = chosen === undefined ? answer.response === "approve_for_session" : isLasting(chosen.scope);
  if (!lasts) return answer;
  if (chosen === undefined) return { ...answer, response: "approve" };
  // A choice that was not among the offered ones is no choice: its label is own words, which reject.
  const reject = rejectionOf(options) ?? chosen;
  const isWord = words !== undefined && chosen.kind === "allow";
  return isWord ? request.answerBy(words.approve) : request.answerBy(reject, answer.feedback || chosen.label);
}
