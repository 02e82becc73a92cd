// Apart from questions.ts, so that a client, which needs only the types, does not carry these schemas.

import { fieldMistakes } from "./field-input.js";
import { optionExtras, questionExtras } from "./messages/extended.js";
import { QuestionItem, QuestionOption } from "./messages/requests.js";
import { type CoreQuestion, coreQuestion, isAnswerKey, isSaid, isTyped } from "./questions.js";
import * as z from "./zod.js";

/** The most options of a question. */
const MOST_OPTIONS = 1000;

/** A question as its author writes it: ids, `options` and `own_text` may be left out. */
export const QuestionInput = z.object({
  ...QuestionItem.shape,
  ...questionExtras,
  options: z._default(
    z.array(z.object({ ...QuestionOption.shape, ...optionExtras })).check(z.maxLength(MOST_OPTIONS)),
    () => [],
  ),
  question: z
    .string()
    .check(
      z.refine(isAnswerKey, 'another text than "__proto__"'),
      z.refine(isSaid, "a text that is not blank"),
    ),
});
export type QuestionInput = z.input<typeof QuestionInput>;

/**
 * The questions of one call as their author writes them, one at least (P-QST-3, P-QST-5, P-XQS-1). Options have labels
 * that differ, or separate ids. Each id, also by position, occurs once. A `default` names own options of the
 * question, and a single choice has one at most. Fields and numbers of choices contradict nothing (P-XFL-2).
 */
export const QuestionInputs = z.array(QuestionInput).check(
  z.minLength(1),
  z.check(({ value, issues }) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      void issues.push({ code: "custom", input: value, path, message });
    value.forEach((question, index) => {
      for (const o of unanswerable(question.options)) refuse(OTHER_LABEL, index, "options", o, "label");
      if (!isTyped(question)) return;
      for (const { message, path } of fieldMistakes(question)) refuse(message, index, ...path);
    });
    if (!value.some(namesIds)) return;
    const questions = value.map(coreQuestion);
    for (const index of repeated(questions)) refuse("an id that no other question has", index, "id");
    questions.forEach((question, index) => {
      for (const o of repeated(question.options)) {
        refuse("an id that no other option of the question has", index, "options", o, "id");
      }
      const problem = defaultProblem(question);
      if (problem !== undefined) refuse(problem, index, "default");
    });
  }),
);

const OTHER_LABEL =
  "another label than an earlier option has, as clients of the base profile answer by label; or give both options ids";

/** Characters that no font draws: labels that differ in nothing else look the same (P-QST-5). */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** Finds options with the label of an earlier option, as a person sees it, if either has no separate id. */
function unanswerable(options: z.output<typeof QuestionInput>["options"]): number[] {
  const labels = new Map<string, boolean>();
  const found: number[] = [];
  options.forEach(({ label: written, id }, index) => {
    const label = written.normalize("NFC").replace(unseen, "");
    const named = labels.get(label);
    labels.set(label, named !== false && id !== undefined);
    if (named !== undefined && !(named && id !== undefined)) found.push(index);
  });
  return found;
}

/** Most questions name no id, and those by position are right. */
const namesIds = (question: z.output<typeof QuestionInput>) =>
  question.id !== undefined ||
  question.default !== undefined ||
  question.options.some(({ id }) => id !== undefined);

/** Finds the parts with the id of an earlier part, by position. */
function repeated(parts: readonly { readonly id: string }[]): number[] {
  const ids = new Set<string>();
  return parts.flatMap(({ id }, index) => {
    if (ids.has(id)) return [index];
    ids.add(id);
    return [];
  });
}

function defaultProblem({ default: chosen, multi_select, options }: CoreQuestion): string | undefined {
  if (chosen === undefined) return undefined;
  const ids = options.map(({ id }) => id);
  const unknown = chosen.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const known = ids.map((id) => JSON.stringify(id)).join(", ");
    return `ids of its options (${known || "it has none"}), not ${JSON.stringify(unknown)}`;
  }
  if (!multi_select && chosen.length > 1) return "one id at most, since it is a single choice";
  return undefined;
}
