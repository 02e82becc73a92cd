import type { AnswerItem, QuestionInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import {
  type FormContent,
  type FormField,
  type FormOption,
  isSkipped,
  type KeyedProperty,
  wordsOf,
} from "./form-field.js";
import type { OwnText } from "./own-text.js";

/**
 * A property of choices as a question. Its own text, where the form has another property for that, belongs to it.
 *
 * @param options the options of the property.
 */
export function choiceField(
  keyed: KeyedProperty,
  options: readonly FormOption[],
  own: OwnText | undefined,
  message: string | undefined,
): FormField {
  const { key, property, required } = keyed;
  const isMany = property.type === "array";
  const [least, most] = [property.minItems ?? undefined, property.maxItems ?? undefined];
  const suggested = new Set([property.default].flat());
  // Own text counts as a choice for clients, and not in the form.
  const bounds = isMany &&
    own === undefined && {
      ...(least !== undefined && least > 0 && { min: least }),
      ...(most !== undefined && most > 0 && { max: most }),
    };
  const question: QuestionInput = {
    ...wordsOf(keyed, message),
    multi_select: isMany,
    options: options.map((option, index) => ({
      label: labelOf(option, index, options),
      ...defined({ description: option.description, preview: option.preview }),
      ...(suggested.has(option.value) && { recommended: true }),
    })),
    own_text: own !== undefined,
    ...own?.words,
    ...bounds,
  };

  /** The values of the options with these ids, which are numbered by position (P-QST-2). */
  const valuesOf = (item: AnswerItem) =>
    item.selected.map((id) => options[Number(/_o(\d+)$/.exec(id)?.[1]) - 1]?.value ?? "");

  function readMany(item: AnswerItem, content: FormContent): string | undefined {
    const values = valuesOf(item);
    if (isSkipped(item) && (!required || (least ?? 0) > 0)) return required ? missing : undefined;
    if (values.length < (least ?? 0)) return `expected at least ${least} choices`;
    if (values.length > (most ?? values.length)) return `expected at most ${most} choices`;
    content.set(key, values);
    return undefined;
  }

  function readOne(item: AnswerItem, content: FormContent): string | undefined {
    const [value] = valuesOf(item);
    if (value !== undefined) content.set(key, value);
    else if (required && own === undefined) return missing;
    return undefined;
  }

  return {
    key,
    question,
    read(item, content) {
      const problem = isMany ? readMany(item, content) : readOne(item, content);
      return problem ?? own?.read(item, content);
    },
  };
}

const missing = "a choice is needed";

/** Labels of one question differ, so that every client can answer. */
function labelOf({ label, value }: FormOption, index: number, options: readonly FormOption[]): string {
  const alike = options.filter((other) => other.label === label).length > 1;
  if (!alike && label.trim() !== "") return label;
  return options.filter((other) => other.label === label && other.value === value).length > 1
    ? `${label} (${index + 1})`
    : `${label} (${value})`;
}
