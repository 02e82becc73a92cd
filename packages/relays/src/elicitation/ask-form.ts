import { type FormEnd, fillForm, Unshowable } from "@askwire/client/json-schema";
import type { QuestionInput } from "@askwire/protocol";
import { type AgentSession, QuestionRequest } from "@askwire/server";
import { patternSearch } from "@askwire/server/internal";
import { askElicited } from "./ask-person.js";
import type { Elicitation } from "./shapes.js";

/**
 * Asks a person to fill in a form. What does not fit the schema is asked again, with the mistake.
 *
 * @throws Unshowable for a form that cannot be shown as intended.
 */
export function askForm(
  asked: Elicitation,
  signal: AbortSignal,
  session: Pick<AgentSession, "open">,
): Promise<FormEnd> {
  const { message, requestedSchema: schema = {} } = asked;
  return fillForm({ message, schema, patternSearch }, async (questions) => {
    const { outcome, answer } = await askElicited(session, requestOf(asked, questions), signal);
    return { outcome, items: answer?.items };
  });
}

function requestOf({ toolCallId }: Elicitation, questions: QuestionInput[]): QuestionRequest {
  try {
    return new QuestionRequest({ tool_call_id: toolCallId ?? "", questions });
  } catch (error) {
    throw error instanceof TypeError ? new Unshowable(error.message) : error;
  }
}
