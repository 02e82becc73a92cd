import { type FormState, type QuestionDraft, questionForm, questionRows } from "@askwire/client/form";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { AnswerDraft, ApprovalDraft } from "../hooks/open-requests.js";

/** A value of which nothing is known: it was stored by another version, or the storage is damaged. */
type Kept<T> = { readonly [K in keyof T]?: unknown };

/** Work as it was read. `isWhole` is false where parts of it were left out. */
interface Read<Work> {
  readonly work: Work;
  readonly isWhole: boolean;
}

/**
 * The work on these questions as it was kept. Parts that no form of these questions has are left out: nothing is left of
 * what is no form of them.
 *
 * @param kept undefined where nothing was kept.
 */
export function keptAnswer(kept: unknown, questions: readonly CoreQuestion[]): Read<AnswerDraft> {
  const form = questionForm(questions);
  if (kept === undefined) return { work: { form }, isWhole: true };
  const { form: written, discuss } = record<AnswerDraft>(kept);
  const { questions: asked, drafts, tab } = record<FormState>(written);
  if (!Array.isArray(drafts) || JSON.stringify(asked) !== JSON.stringify(questions))
    return { work: { form }, isWhole: false };
  const read = form.drafts.map((empty, at) => {
    const kept = record<QuestionDraft>(drafts[at]);
    const parts = keptDraft(kept, questions[at] as CoreQuestion);
    const isWhole = isObject(drafts[at]) && names.every((name) => isKept(kept[name], parts[name]));
    return { draft: { ...empty, ...parts }, isWhole };
  });
  const isTab = isBelow(tab, questions.length + (questions.length > 1 ? 1 : 0));
  const said = typeof discuss === "string" ? { discuss } : {};
  return {
    work: { form: { ...form, drafts: read.map(({ draft }) => draft), ...(isTab && { tab }) }, ...said },
    isWhole: read.every(({ isWhole }) => isWhole) && isKept(discuss, said.discuss),
  };
}

/** The parts of a draft that hold the person's work. */
const names = ["chosen", "text", "isTextAside", "note", "attachments", "isSkipped", "confirmed"] as const;

const isObject = (value: unknown) => typeof value === "object" && value !== null;

/** True unless there was something that was not taken. */
const isKept = (written: unknown, taken: unknown) => written === undefined || taken !== undefined;

/**
 * The work on an approval as it was kept, where it is of this text.
 *
 * @param kept undefined where nothing was kept.
 */
export function keptApproval(kept: unknown, content: string | undefined): Read<ApprovalDraft> {
  if (kept === undefined) return { work: { why: "" }, isWhole: true };
  const { why, note, edit } = record<ApprovalDraft>(kept);
  const { of, text } = record<NonNullable<ApprovalDraft["edit"]>>(edit);
  const isOfIt = typeof text === "string" && typeof of === "string" && of === content;
  return {
    work: {
      why: typeof why === "string" ? why : "",
      ...(typeof note === "string" && { note }),
      ...(isOfIt && { edit: { of, text } }),
    },
    isWhole: typeof why === "string" && (edit === undefined || isOfIt),
  };
}

function keptDraft(kept: Kept<QuestionDraft>, question: CoreQuestion): Partial<QuestionDraft> {
  const { row, optionRow, chosen, text, isTextAside, note, attachments, isSkipped, confirmed } = kept;
  const rows = questionRows(question).length;
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
