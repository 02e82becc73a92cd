import { fieldTypes } from "../fields/tables.js";
import * as z from "../zod.js";

const bound = z.optional(z.union([z.number(), z.string()]));

/** The form of a question's answer (P-XFL-1). */
export const Field = z.looseObject({
  type: z.literal(fieldTypes),
  /**
   * The least and the greatest value: of a number the number, of a date an ISO 8601 date. Of a text, an email or a uri
   * the fewest and the most characters. A boolean has none.
   */
  bounds: z.optional(z.looseObject({ min: bound, max: bound })),
  /** A regular expression that a text, an email or a uri contains; `^` and `$` bind it. The server alone checks it. */
  pattern: z.optional(z.string()),
  /** False if the field may be left empty (P-XFL-5). Default: true. */
  required: z.optional(z.boolean()),
  /** The text that a form begins with, in any form that the type reads. Silence does not choose it (P-XFL-6). */
  prefill: z.optional(z.string()),
});
export type Field = z.output<typeof Field>;
