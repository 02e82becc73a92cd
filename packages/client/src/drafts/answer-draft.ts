import type { RequestDraft } from "@askwire/protocol";
import { type FormState, isBegun, type QuestionDraft, questionForm, questionRows } from "../form/index.js";

type DraftItem = NonNullable<RequestDraft["items"]>[number];
type Question = FormState["questions"][number];

/**
 * The work in a form as it follows a person to their other devices: what was begun, without pictures, and not where the
 * cursor was (P-XDR-1).
 *
 * @param discuss the words to talk about first. Default: none.
 * @returns undefined where nothing was begun.
 */
export function draftOfForm({ questions, drafts }: FormState, discuss = ""): RequestDraft | undefined {
  const empty = questionForm(questions).drafts;
  const items = questions.flatMap((question, at) => {
    const draft = drafts[at];
    return draft === undefined ? [] : itemOfDraft(question, draft, empty[at]?.text.text ?? "");
  });
  if (items.length === 0 && discuss.trim() === "") return undefined;
  return { ...(items.length > 0 && { items }), ...(discuss.trim() !== "" && { discuss }) };
}

/** @param prefill the text that the question begins with. */
function itemOfDraft(question: Question, draft: QuestionDraft, prefill: string): DraftItem[] {
  const { chosen, text, isSkipped = false, note = "" } = draft;
  const isOwn = text.text !== prefill;
  if (!isOwn && !isSkipped && !isBegun(question, { ...draft, attachments: [] })) return [];
  return [
    {
      question_id: question.id,
      selected: [...chosen],
      ...(isOwn && { own_text: text.text }),
      ...(isSkipped && { skipped: true }),
      ...(note.trim() !== "" && { note }),
    },
  ];
}

/**
 * A form with the work of a person from another device. Nothing in it is confirmed: the person confirms what they see.
 * Choices and words that the questions do not take are left out.
 *
 * @param form the work here, whose pictures stay.
 */
export function formWithDraft(form: FormState, { items = [] }: RequestDraft): FormState {
  const empty = questionForm(form.questions, form.options);
  const drafts = form.questions.map((question, at) => {
    const item = items.find(({ question_id }) => question_id === question.id);
    const base = empty.drafts[at] as QuestionDraft;
    const attachments = form.drafts[at]?.attachments;
    return {
      ...(item === undefined ? base : draftOfItem(question, item, base)),
      ...(attachments !== undefined && { attachments }),
    };
  });
  return { ...empty, drafts, tab: Math.min(form.tab, form.questions.length) };
}

function draftOfItem(question: Question, item: DraftItem, base: QuestionDraft): QuestionDraft {
  const { options, multi_select, own_text: takesText } = question;
  const { own_text, note, skipped } = item;
  const known = item.selected.filter((id) => options.some((option) => option.id === id));
  const chosen = multi_select ? known : known.slice(0, 1);
  const text = takesText && own_text !== undefined ? own_text : base.text.text;
  const isTextAside = !multi_select && chosen.length > 0 && text.trim() !== "";
  const isAtText = takesText && text !== base.text.text && !isTextAside;
  const rows = questionRows(question);
  const row = rows.findIndex((one) =>
    isAtText ? one.is === "own_text" : one.is === "option" && options[one.index]?.id === chosen[0],
  );
  return {
    ...base,
    chosen,
    text: { text, caret: text.length },
    row: row === -1 ? base.row : row,
    ...(isTextAside && { isTextAside }),
    ...(note !== undefined && { note }),
    ...(skipped === true && { isSkipped: true }),
  };
}
