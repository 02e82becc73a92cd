import type { FormState, QuestionDraft } from "@askwire/client/form";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";

/** A person's unsent work on questions, which outlives the process. */
export interface KeptWork {
  /** The form of a question request as it was left, if that asked the same. */
  find(requestId: string, questions: readonly CoreQuestion[]): FormState | undefined;
  keep(requestId: string, form: FormState): void;
  /** Forgets the work on a settled request. */
  drop(requestId: string): void;
  /** Writes what is not written yet. */
  flush(): void;
}

/** Work that nobody keeps. */
export const noWork: KeptWork = { find: () => undefined, keep() {}, drop() {}, flush() {} };

/** The answers that were confirmed in a form. */
export const confirmedIn = (form: FormState | undefined): readonly AnswerItem[] =>
  (form?.drafts ?? []).flatMap(({ confirmed }) => confirmed ?? []);

/** A form with answers confirmed, as if they had been given in it. */
export const withConfirmed = (form: FormState, items: readonly AnswerItem[]): FormState => ({
  ...form,
  drafts: form.drafts.map((draft, at) => {
    const item = items.find(({ question_id }) => question_id === form.questions[at]?.id);
    return item === undefined ? draft : confirmed(draft, item);
  }),
});

function confirmed(draft: QuestionDraft, item: AnswerItem): QuestionDraft {
  const { own_text: text = "", note } = item;
  return {
    ...draft,
    ...{ chosen: item.selected, text: { text, caret: text.length }, confirmed: item },
    ...(note !== undefined && { note }),
    ...(item.skipped === true && { isSkipped: true }),
  };
}
