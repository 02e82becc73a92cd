import { isAnswerKey, isSaid } from "@askwire/protocol/internal";
import * as z from "zod/mini";

/** A schema, with what it is for as a model is told. */
export const described = <S extends z.ZodMiniType>(schema: S, text: string) => schema.check(z.describe(text));

/** The text of a question: one that says something, and that an answer can be keyed by (P-QST-3). */
export const questionText = z
  .string()
  .check(
    z.refine(isAnswerKey, 'another text than "__proto__"'),
    z.refine(isSaid, "a text that is not blank"),
  );

/** The label of an option: one that can be chosen (P-KIM-4). */
export const optionLabel = z.string().check(z.refine(isSaid, "a label that is not blank"));

/** What a model is told of a question that had no room among the session's open requests. */
export const TOO_MANY = "Too many requests are open. Wait for their results first.";
