import { ContentPart } from "./messages/content.js";
import * as z from "./zod.js";

/**
 * An answer to one question by ids. In the base profile an item without choice and text counts as skipped. `note` holds
 * the person's words next to a choice; `attachments` are image parts with data URLs (P-XAN-6).
 */
export const AnswerItem = z.looseObject({
  question_id: z.string(),
  selected: z.array(z.string()),
  own_text: z.optional(z.string()),
  skipped: z.optional(z.boolean()),
  note: z.optional(z.string()),
  attachments: z.optional(z.array(ContentPart)),
});
export type AnswerItem = z.output<typeof AnswerItem>;
