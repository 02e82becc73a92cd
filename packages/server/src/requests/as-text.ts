import { type AskwireCapabilities, type CoreQuestion, expectedChoices, expectedOf } from "@askwire/protocol";
import { defined, isTyped } from "@askwire/protocol/internal";
import type { Misfit } from "./question-request.js";

/** The features of a client that decide which members of a question become words. */
export type ReadableParts = Partial<Pick<AskwireCapabilities, "fields" | "attachments">>;

const hidesField = (question: CoreQuestion, { fields }: ReadableParts): boolean =>
  fields !== true && isTyped(question);

const hidesPicture = ({ picture }: CoreQuestion, { attachments }: ReadableParts): boolean =>
  attachments !== true && picture === true;

/** True if a client reads words in place of a member of some of these questions. */
export const needsWords = (questions: readonly CoreQuestion[], shows: ReadableParts): boolean =>
  questions.some((question) => hidesField(question, shows) || hidesPicture(question, shows));

/**
 * A question for a client that shows no fields, or sends no pictures: its body says in words what its members said
 * (P-XFL-8, P-XQS-4). A question without them stays as it is.
 *
 * @param shows what the client shows. Default: neither.
 * @param misfit the answer that was not taken, if it is asked again. Default: none.
 */
export function asText(question: CoreQuestion, shows: ReadableParts = {}, misfit?: Misfit): CoreQuestion {
  const [isFieldTold, isPictureTold] = [hidesField(question, shows), hidesPicture(question, shows)];
  if (!isFieldTold && !isPictureTold) return question;
  const { field, min, max, picture, ...plain } = question;
  const issue = misfit?.issues.find(({ question_id }) => question_id === question.id);
  const notes = [
    ...(isPictureTold ? [PICTURE_WANTED] : []),
    ...(issue !== undefined ? [`Not taken: ${issue.message}.`] : isFieldTold ? [expectation(question)] : []),
  ];
  return {
    ...plain,
    ...(!isFieldTold && defined({ field, min, max })),
    ...(!isPictureTold && defined({ picture })),
    body: [question.body, ...notes].filter((text) => text !== "").join("\n\n"),
  };
}

const PICTURE_WANTED = "A picture is wanted. Where none can be sent, describe it or say where it is.";

/** The options of a field, as a boolean has, say all that is expected. */
function expectation({ field, options, min, max }: CoreQuestion): string {
  if (field === undefined) return `Expected: ${expectedChoices({ min, max })}.`;
  return options.length > 0 ? "" : `Expected: ${expectedOf(field)}.`;
}
