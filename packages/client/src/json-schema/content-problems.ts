import type { AnswerItem } from "@askwire/protocol";
import { expectedOf, readField } from "@askwire/protocol/fields";
import type { FormToAsk } from "./form.js";
import { type KeyedProperty, optionsOf, Unshowable } from "./form-field.js";
import { typedField } from "./typed-field.js";

/**
 * The values of a form's content that do not fit its schema, as somebody else sent it: what is wrong by property, and
 * nothing for content that fits. Properties that the schema does not describe are passed over.
 */
export function contentProblems(
  { schema, patternSearch }: Omit<FormToAsk, "message">,
  content: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const required = new Set(schema.required ?? []);
  const problems = new Map<string, string>();
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const keyed = { key, property, required: required.has(key) };
    const problem = problemOf(keyed, content[key], patternSearch);
    if (problem !== undefined) problems.set(key, problem);
  }
  return problems;
}

function problemOf(
  keyed: KeyedProperty,
  value: unknown,
  patternSearch: FormToAsk["patternSearch"],
): string | undefined {
  const { property, required } = keyed;
  if (value === undefined || value === null) return required ? "a value is needed" : undefined;
  const values = optionsOf(property)?.map((option) => option.value);
  if (property.type === "array") return problemOfMany(property, values, value);
  if (values !== undefined)
    return values.includes(value as string) ? undefined : `expected ${listed(values)}`;
  return problemOfTyped(keyed, value, patternSearch);
}

function problemOfMany(
  { minItems, maxItems }: KeyedProperty["property"],
  values: readonly string[] | undefined,
  value: unknown,
): string | undefined {
  if (!Array.isArray(value)) return "expected a list of choices";
  if (values !== undefined && !value.every((one) => values.includes(one)))
    return `expected some of ${listed(values)}`;
  if (value.length < (minItems ?? 0)) return `expected at least ${minItems} choices`;
  if (value.length > (maxItems ?? value.length)) return `expected at most ${maxItems} choices`;
  return undefined;
}

/** The check of a value by the field that a person would fill in. One of a type that no field has is not checked. */
function problemOfTyped(
  keyed: KeyedProperty,
  value: unknown,
  patternSearch: FormToAsk["patternSearch"],
): string | undefined {
  const { type } = keyed.property;
  const expectedType = type === "integer" ? "number" : type;
  try {
    const { question, read } = typedField(keyed, undefined, patternSearch);
    const { field } = question;
    if (field === undefined) return undefined;
    const text = String(value);
    const isOfType = typeof value === expectedType && (text !== "" || !keyed.required);
    if (!isOfType || (text !== "" && "problem" in readField(field, text)))
      return `expected ${expectedOf(field)}`;
    const { pattern } = field;
    if (text !== "" && pattern !== undefined && patternSearch?.(pattern)(text) === false)
      return `expected a text that matches the pattern ${pattern}`;
    const item: AnswerItem = { question_id: "q1", selected: [], own_text: text };
    return read(item, new Map());
  } catch (error) {
    if (error instanceof Unshowable) return undefined;
    throw error;
  }
}

const listed = (values: readonly string[]) => values.map((value) => JSON.stringify(value)).join(", ");
