import type { ApprovalReply, QuestionReply } from "@askwire/client";
import type { FormState } from "@askwire/client/form";
import { answerChoices } from "@askwire/client/text";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { AnswerDraft, ApprovalDraft } from "../hooks/open-requests.js";

/** The parts of an answer that a person may want to have back. */
type Given = Pick<AnswerItem, "question_id" | "selected" | "own_text" | "note">;

/**
 * A person's answer to questions as text to copy: of the reply, or of the work that was not sent. Empty where the person
 * gave nothing.
 */
export function answerAsText(
  questions: readonly CoreQuestion[],
  reply: QuestionReply | undefined,
  { form, discuss = "" }: AnswerDraft,
): string {
  if (typeof reply === "object" && "declined" in reply) return reply.note ?? "";
  const items = typeof reply === "object" && "items" in reply ? reply.items : workIn(form);
  const lines = questions.flatMap((question) => {
    const item = items.find(({ question_id }) => question_id === question.id);
    const text = item === undefined ? "" : itemAsText(question, item);
    if (text === "") return [];
    return questions.length === 1 ? [text] : [`${question.question}\n${text}`];
  });
  return [...lines, ...(reply === undefined && discuss.trim() !== "" ? [discuss] : [])].join("\n\n");
}

/** A person's words at an approval as text to copy: the changed text, and why they rejected. */
export function approvalAsText(
  reply: ApprovalReply | undefined,
  { why, note = "", edit }: ApprovalDraft,
): string {
  const given = typeof reply === "object" ? reply : undefined;
  const edited = given?.edited ?? (edit !== undefined && edit.text !== edit.of ? edit.text : "");
  return [edited, given?.feedback ?? [why, note].join("\n\n").trim()]
    .filter((text) => text.trim() !== "")
    .join("\n\n");
}

/** A person's unsent work on a request, as it was kept, as text to copy. Empty where they gave nothing. */
export const draftAsText = (draft: AnswerDraft | ApprovalDraft): string =>
  "form" in draft ? answerAsText(draft.form.questions, undefined, draft) : approvalAsText(undefined, draft);

const workIn = ({ questions, drafts }: FormState): readonly Given[] =>
  questions.flatMap(({ id }, at) => {
    const draft = drafts[at];
    if (draft === undefined) return [];
    const { chosen, text, note } = draft;
    return [
      { question_id: id, selected: [...chosen], own_text: text.text, ...(note !== undefined && { note }) },
    ];
  });

function itemAsText(question: CoreQuestion, given: Given): string {
  const choices = answerChoices(question, given);
  const [only = ""] = choices;
  // A single choice of several lines could read like several.
  const isPlain = choices.length < 2 && !(question.multi_select && only.includes("\n"));
  const answer = isPlain ? only : choices.map(asElement).join("\n");
  return [answer, given.note ?? ""].filter((part) => part.trim() !== "").join("\n");
}

/** An element of a list, with its further lines below the first. */
const asElement = (text: string) => `- ${text.replaceAll("\n", "\n  ")}`;
