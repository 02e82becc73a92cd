// Apart from questions.ts, so that a client, which needs only the types, does not carry the schemas.
import * as z from "zod/mini";
import { QuestionItem, QuestionOption } from "./messages/requests.js";

/** An answer to one question by ids. A question with neither choice nor text counts as skipped. */
export const AnswerItem = z.looseObject({
  question_id: z.string(),
  selected: z.array(z.string()),
  own_text: z.optional(z.string()),
  skipped: z.optional(z.boolean()),
});
export type AnswerItem = z.output<typeof AnswerItem>;

/** The one text that no answer can be keyed by: JSON readers take it for something else (P-QST-3). */
const isKey = (text: string) => text !== "__proto__";

/** A question as it is asked: ids and `own_text` may be left out. */
export const QuestionInput = z.object({
  ...QuestionItem.shape,
  question: z.string().check(z.refine(isKey, 'another text than "__proto__"')),
  id: z.optional(z.string()),
  own_text: z.optional(z.boolean()),
  options: z.array(z.object({ ...QuestionOption.shape, id: z.optional(z.string()) })),
});
export type QuestionInput = z.input<typeof QuestionInput>;
