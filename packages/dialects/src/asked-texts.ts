import * as z from "@askwire/protocol/internal";
import { isAnswerKey, isSaid } from "@askwire/protocol/internal";

/** A schema, with its purpose for the model. */
export const described = <S extends z.ZodMiniType>(schema: S, text: string) => schema.check(z.describe(text));

/** The text of a question: not blank, and usable as the key of an answer (P-QST-3). */
export const questionTextSchema = z
  .string()
  .check(
    z.refine(isAnswerKey, 'another text than "__proto__"'),
    z.refine(isSaid, "a text that is not blank"),
  );

/** The label of an option that can be chosen (P-KIM-4). */
export const optionLabel = z.string().check(z.refine(isSaid, "a label that is not blank"));

/** The text for the model if a question finds no room among the session's open requests. */
export const TOO_MANY = "Too many requests are open. Wait for their results first.";
