// The names of what a program writes of a question, checked where it writes them: a reader of the wire passes over a name
// that it does not know, so a misspelt bound would bind nothing.
import type { Field } from "./messages/question-field.js";
import { checkOptionNames } from "./options.js";
import type { QuestionInput } from "./question-input.js";

type Names<T> = Record<keyof { [N in keyof T as string extends N ? never : N]: T[N] }, true>;

const question = {
  ...{ id: true, question: true, header: true, options: true, multi_select: true, body: true },
  ...{ other_label: true, other_description: true, own_text: true, placeholder: true, default: true },
  ...{ field: true, min: true, max: true, picture: true },
} satisfies Names<QuestionInput>;
const option = {
  ...{ label: true, description: true, id: true, preview: true, recommended: true },
} satisfies Names<NonNullable<QuestionInput["options"]>[number]>;
const field = {
  type: true,
  bounds: true,
  pattern: true,
  required: true,
  prefill: true,
} satisfies Names<Field>;
const bounds = { min: true, max: true } satisfies Names<NonNullable<Field["bounds"]>>;

/**
 * Checks the names of a question's members, and of its options', its field's and its bounds'. Values that are no objects
 * are left to the schema.
 *
 * @param place the function, with which a message begins.
 * @throws TypeError that names the one that is not known, and the one that was probably meant.
 */
export function checkQuestionNames(place: string, given: object): void {
  const check = (within: string, value: unknown, names: object) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      checkOptionNames(`${place}${within}`, value, Object.keys(names));
  };
  check("", given, question);
  const { options, field: form } = given as { readonly options?: unknown; readonly field?: unknown };
  for (const one of Array.isArray(options) ? options : []) check(": options", one, option);
  check(": field", form, field);
  check(": field: bounds", Object(form).bounds, bounds);
}
