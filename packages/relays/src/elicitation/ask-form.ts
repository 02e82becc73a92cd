import { type FormEnd, fillForm, Unshowable } from "@askwire/client/json-schema";
import type { HeardOutcome, Outcome } from "@askwire/protocol";
import { patternSearch } from "@askwire/server/internal";
import type { AsksQuestions } from "./ask-questions.js";
import type { Elicitation } from "./shapes.js";

/**
 * Asks a person to fill in a form. What does not fit the schema is asked again, with the mistake.
 *
 * @throws Unshowable for a form that cannot be shown as intended.
 */
export function askForm(
  { message, toolCallId, requestedSchema: schema = {} }: Elicitation,
  signal: AbortSignal,
  ask: AsksQuestions,
): Promise<FormEnd<Outcome | HeardOutcome>> {
  return fillForm({ message, schema, patternSearch }, async (questions) => {
    try {
      return await ask({ questions, toolCallId: toolCallId ?? "" }, signal);
    } catch (error) {
      throw error instanceof TypeError ? new Unshowable(error.message) : error;
    }
  });
}
