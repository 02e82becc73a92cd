import * as z from "../zod.js";

/**
 * A person's unsent work on a question or approval (P-XDR-1). Members of a newer client are left out, and pictures with
 * them: nobody but that client could read them.
 */
export const RequestDraft = z.object({
  /** Of a question: the work on each of its questions that was begun. */
  items: z.optional(
    z.array(
      z.object({
        question_id: z.string(),
        /** The ids of the chosen options. */
        selected: z.array(z.string()),
        own_text: z.optional(z.string()),
        skipped: z.optional(z.boolean()),
        /** The words beside the choice. */
        note: z.optional(z.string()),
      }),
    ),
  ),
  /** Of a question: the words to talk about first. */
  discuss: z.optional(z.string()),
  /** Of an approval: the words of a rejection. */
  feedback: z.optional(z.string()),
  /** Of an approval: the words that go with it. */
  note: z.optional(z.string()),
  /** Of an approval: the changed text. */
  edited: z.optional(z.string()),
});
export type RequestDraft = z.output<typeof RequestDraft>;
