// The one reader of field values: the server, the client's form and the terminal agree on every text.

import type { AnswerItem } from "./answer-item.js";
import type { BoundedBy } from "./fields/field-kind.js";
import { expectedValues, type FieldType, fieldValues } from "./fields/tables.js";
import type { Field } from "./messages/question-field.js";

/** The value of a field in canonical form, or what is wrong with its text (P-XAN-4). */
export type ReadField = { readonly value: string } | { readonly problem: "type" | "bounds" };

/** The longest text of a field whose type is not `text`, in UTF-16 units. */
const MOST_TYPED = 2048;

/**
 * Reads a text as the value of a field. Patterns are checked by the server alone, and blank texts by the caller, since
 * a field may be left empty. Takes any text and does not throw.
 *
 * @returns the canonical form, or the code of the first check that fails.
 */
export function readField({ type, bounds }: Pick<Field, "type" | "bounds">, text: string): ReadField {
  const { boundedBy, read } = fieldValues[type];
  const value = read === undefined ? text : text.length > MOST_TYPED ? undefined : read(text.trim());
  if (value === undefined) return { problem: "type" };
  if (bounds === undefined) return { value };
  const size = sizeOf(boundedBy, value);
  const { min = size, max = size } = bounds;
  return size < min || size > max ? { problem: "bounds" } : { value };
}

/** The prefill of a field in canonical form, which every control can show. Undefined without one, or for no value. */
export function prefillOf(field: Field | undefined): string | undefined {
  const read = field?.prefill === undefined ? undefined : readField(field, field.prefill);
  return read !== undefined && "value" in read ? read.value : undefined;
}

/** The value that is sent for the text of a field, where it is another text than stands there. Undefined otherwise. */
export function sentAs(field: Field | undefined, text: string): string | undefined {
  const read = field === undefined || text.trim() === "" ? undefined : readField(field, text);
  return read !== undefined && "value" in read && ![text, text.trim()].includes(read.value)
    ? read.value
    : undefined;
}

function sizeOf(by: BoundedBy, value: string): number | string {
  if (by === "number") return Number(value);
  return by === "length" ? [...value].length : value;
}

/** True if a bound is of the kind that fits the type. */
export function isBoundOf(type: FieldType, bound: number | string): boolean {
  const by = fieldValues[type].boundedBy;
  if (by === "none") return false;
  if (by === "length") return Number.isSafeInteger(bound) && (bound as number) >= 0;
  const text = String(bound);
  return typeof bound === (by === "number" ? "number" : "string") && fieldValues[type].read?.(text) === text;
}

/** Describes the values of a field in words: `a whole number from 1 to 65535`. */
export function expectedOf({ type, bounds: { min, max } = {} }: Pick<Field, "type" | "bounds">): string {
  const name = expectedValues[type];
  if (min === undefined && max === undefined) return name;
  const by = fieldValues[type].boundedBy;
  if (by === "number" || by === "text") {
    if (max === undefined) return `${name}, ${min} or ${by === "text" ? "later" : "more"}`;
    if (min === undefined) return `${name}, ${max} or ${by === "text" ? "earlier" : "less"}`;
    return min === max ? `${name}, ${min}` : `${name} from ${min} to ${max}`;
  }
  const characters = (count: number | string) => (count === 1 ? "1 character" : `${count} characters`);
  if (max === undefined) return `${name} of at least ${characters(min as number)}`;
  if (min === undefined) return `${name} of at most ${characters(max)}`;
  return min === max ? `${name} of ${characters(max)}` : `${name} of ${min} to ${characters(max)}`;
}

/** The text of an item as the answer to a field: of a boolean also the id of an option. Undefined for none. */
export function fieldText({ selected, own_text }: AnswerItem): string | undefined {
  const text = own_text !== undefined && own_text.trim() !== "" ? own_text : selected[0];
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** True if the answer leaves its field empty. */
export const isLeftEmpty = (item: AnswerItem): boolean =>
  item.skipped === true || fieldText(item) === undefined;

/**
 * The items with the values of fields as own text in canonical form (P-XFL-3). The items fit their questions. A field that is
 * left empty is skipped, unless pictures stand in its place (P-XFL-5).
 */
export function canonicalItems(
  questions: readonly { readonly id: string; readonly field?: Field }[],
  items: readonly AnswerItem[],
): AnswerItem[] {
  return items.map((item) => {
    const field = questions.find(({ id }) => id === item.question_id)?.field;
    if (field === undefined) return item;
    const { own_text: _text, skipped: _skipped, ...rest } = item;
    const read = isLeftEmpty(item) ? undefined : readField(field, fieldText(item) as string);
    if (read !== undefined && "value" in read) return { ...rest, selected: [], own_text: read.value };
    const hasPictures = (rest.attachments ?? []).length > 0;
    return { ...rest, selected: [], ...(hasPictures ? { own_text: "" } : { skipped: true }) };
  });
}

/** Describes how many of the options are to be chosen: `2 to 3 choices`. Undefined for any number. */
export function expectedChoices({
  min,
  max,
}: {
  min?: number | undefined;
  max?: number | undefined;
}): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const choices = (count: number) => (count === 1 ? "1 choice" : `${count} choices`);
  if (max === undefined) return `at least ${choices(min as number)}`;
  if (min === undefined) return `at most ${choices(max)}`;
  return min === max ? choices(max) : `${min} to ${choices(max)}`;
}
