// The questions of a card one after the other, as native picks and inputs ask them. No editor here: only what is next.

import { fieldWords } from "@askwire/client/text";
import type { Language } from "@askwire/client/words";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import { readField } from "@askwire/protocol/fields";

/** A person's way through the questions of a card. */
export interface QuickForm {
  readonly questions: readonly CoreQuestion[];
  /** The answers so far, by the position of their questions. */
  readonly items: readonly AnswerItem[];
}

/** The next thing to ask: a choice, a text, or nothing. */
export type QuickStep =
  | { readonly is: "choice"; readonly question: CoreQuestion; readonly many: boolean }
  | { readonly is: "text"; readonly question: CoreQuestion }
  | { readonly is: "done"; readonly items: readonly AnswerItem[] };

export const quickForm = (questions: readonly CoreQuestion[]): QuickForm => ({ questions, items: [] });

export function stepOf({ questions, items }: QuickForm): QuickStep {
  const question = questions[items.length];
  if (question === undefined) return { is: "done", items };
  if (question.options.length === 0) return { is: "text", question };
  return { is: "choice", question, many: question.multi_select };
}

/** The form with the answer to the question that is asked now. */
export const withAnswer = (form: QuickForm, item: AnswerItem): QuickForm => ({
  ...form,
  items: [...form.items, item],
});

/** The form at the question before, whose answer is asked anew. */
export const withoutLast = (form: QuickForm): QuickForm => ({ ...form, items: form.items.slice(0, -1) });

/** True for a number of choices that the question takes, own words among them. None is no answer. */
export function isEnough(
  { multi_select, min = 1, max = Number.POSITIVE_INFINITY }: CoreQuestion,
  choices: number,
) {
  return choices >= Math.max(1, min) && choices <= (multi_select ? max : 1);
}

/** The answer that options make. Undefined where they are too few or too many. */
export function chosen(question: CoreQuestion, ids: readonly string[]): AnswerItem | undefined {
  const { id, field } = question;
  if (!isEnough(question, ids.length)) return undefined;
  const selected = question.options.map((option) => option.id).filter((one) => ids.includes(one));
  const [first] = selected;
  if (first === undefined) return undefined;
  if (field !== undefined) return { question_id: id, selected: [], own_text: first };
  return { question_id: id, selected };
}

/** The answer that a text makes, or the reason why it makes none. */
export function written(
  question: CoreQuestion,
  text: string,
  language: Language,
  empty: string,
): { readonly value: AnswerItem } | { readonly problem: string } {
  const { id, field } = question;
  if (text.trim() === "") {
    if (field?.required === false) return { value: { question_id: id, selected: [], skipped: true } };
    return { problem: empty };
  }
  if (field === undefined) return { value: { question_id: id, selected: [], own_text: text } };
  const read = readField(field, text);
  if ("problem" in read) return { problem: fieldWords[language].value(field) };
  return { value: { question_id: id, selected: [], own_text: read.value } };
}
