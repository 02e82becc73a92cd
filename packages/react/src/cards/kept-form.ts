import { type FormState, type QuestionDraft, questionForm, rowsOf } from "@askwire/client/form";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { ApprovalDraft } from "../hooks/open-requests.js";

/** A value of which nothing is known: it was stored by another version, or the storage is damaged. */
type Kept<T> = { readonly [K in keyof T]?: unknown };

/**
 * The form with the work on these questions as it was kept. Parts of a draft that no form of these questions has are left
 * out, and with them what was confirmed. Undefined for anything that is no form of them.
 */
export function keptForm(kept: unknown, questions: readonly CoreQuestion[]): FormState | undefined {
  const { questions: asked, drafts, tab, result: _result } = record<FormState>(kept);
  if (!Array.isArray(drafts) || JSON.stringify(asked) !== JSON.stringify(questions)) return undefined;
  const empty = questionForm(questions);
  return {
    ...empty,
    drafts: empty.drafts.map((draft, at) => ({
      ...draft,
      ...keptDraft(record<QuestionDraft>(drafts[at]), questions[at] as CoreQuestion),
    })),
    ...(isBelow(tab, questions.length + (questions.length > 1 ? 1 : 0)) && { tab }),
  };
}

/** The work on an approval as it was kept, where it is of this text. */
export function keptApproval(kept: unknown, content: string | undefined): ApprovalDraft {
  const { why, edit } = record<ApprovalDraft>(kept);
  const { of, text } = record<NonNullable<ApprovalDraft["edit"]>>(edit);
  const isOfIt = typeof text === "string" && typeof of === "string" && of === content;
  return { why: typeof why === "string" ? why : "", ...(isOfIt && { edit: { of, text } }) };
}

function keptDraft(kept: Kept<QuestionDraft>, question: CoreQuestion): Partial<QuestionDraft> {
  const { row, optionRow, chosen, text, isTextAside, note, attachments, isSkipped, confirmed } = kept;
  const rows = rowsOf(question).length;
  return {
    ...(isBelow(row, rows) && { row }),
    ...(isBelow(optionRow, rows) && { optionRow }),
    ...(areOptions(chosen, question) && { chosen }),
    ...(isField(text) && { text }),
    ...(typeof isTextAside === "boolean" && { isTextAside }),
    ...(typeof note === "string" && { note }),
    ...(arePictures(attachments) && { attachments }),
    ...(typeof isSkipped === "boolean" && { isSkipped }),
    ...(isItem(confirmed, question) && { confirmed }),
  };
}

const record = <T>(value: unknown): Kept<T> => Object(value);

const isBelow = (value: unknown, count: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;

const areOptions = (ids: unknown, { options }: CoreQuestion): ids is string[] =>
  Array.isArray(ids) && ids.every((id) => options.some((option) => option.id === id));

function isField(value: unknown): value is QuestionDraft["text"] {
  const { text, caret } = record<QuestionDraft["text"]>(value);
  return typeof text === "string" && isBelow(caret, text.length + 1);
}

const arePictures = (value: unknown): value is NonNullable<QuestionDraft["attachments"]> =>
  Array.isArray(value) &&
  value.every((part) => {
    const { type, image_url } = Object(part);
    return type === "image_url" && typeof Object(image_url).url === "string";
  });

function isItem(value: unknown, question: CoreQuestion): value is AnswerItem {
  const { question_id, selected, own_text, skipped, note, attachments } = record<AnswerItem>(value);
  return (
    question_id === question.id &&
    areOptions(selected, question) &&
    [own_text, note].every((text) => text === undefined || typeof text === "string") &&
    (skipped === undefined || typeof skipped === "boolean") &&
    (attachments === undefined || arePictures(attachments))
  );
}
