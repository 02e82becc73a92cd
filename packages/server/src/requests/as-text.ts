import { type CoreQuestion, expectedChoices, expectedOf } from "@askwire/protocol";
import { isTyped } from "@askwire/protocol/internal";
import type { Misfit } from "./question-request.js";

/**
 * A question for a client that shows no fields: without its field and its numbers of choices, which its body says in
 * words (P-XFL-8). Other questions stay as they are.
 *
 * @param misfit the answer that was not taken, if it is asked again. Default: none.
 */
export function asText(question: CoreQuestion, misfit?: Misfit): CoreQuestion {
  if (!isTyped(question)) return question;
  const { field, min, max, ...plain } = question;
  const issue = misfit?.issues.find(({ question_id }) => question_id === question.id);
  const note = issue === undefined ? expectation(question) : `Not taken: ${issue.message}.`;
  return { ...plain, body: [question.body, note].filter((text) => text !== "").join("\n\n") };
}

/** The options of a field, as a boolean has, say all that is expected. */
function expectation({ field, options, min, max }: CoreQuestion): string {
  if (field === undefined) return `Expected: ${expectedChoices({ min, max })}.`;
  return options.length > 0 ? "" : `Expected: ${expectedOf(field)}.`;
}
