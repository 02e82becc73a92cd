// The checks of fields where a question is made, with its own path for each mistake (P-XFL-2).

import { expectedOf, isBoundOf, readField } from "./field-value.js";
import { expectedValues, type FieldType, fieldValues } from "./fields/tables.js";
import { linearPattern, MATCHED_LENGTH } from "./linear-pattern.js";
import type { Field } from "./messages/question-field.js";

/** A mistake: the member of the question, and what was expected there. */
export interface FieldMistake {
  readonly path: readonly string[];
  readonly message: string;
}

/** The members of a question that its field and its number of choices depend on. */
interface Fielded {
  readonly options: readonly { readonly id?: string | undefined }[];
  readonly multi_select: boolean;
  readonly own_text?: boolean | undefined;
  readonly default?: readonly string[] | undefined;
  readonly field?: Field | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Lists the mistakes of a question's field, and of its fewest and most choices. */
export function fieldMistakes(question: Fielded): FieldMistake[] {
  const { field } = question;
  return [
    ...(field === undefined ? [] : [...placeMistakes(field, question), ...ownMistakes(field)]),
    ...choiceMistakes(question),
  ];
}

const mistake = (message: string, ...path: string[]): FieldMistake => ({ path, message });

/** A field is the whole answer, so the question around it has no other way to answer. */
function placeMistakes({ type }: Field, question: Fielded): FieldMistake[] {
  const { options, multi_select, own_text, default: byDefault = [] } = question;
  const mistakes: FieldMistake[] = [];
  if (multi_select) mistakes.push(mistake("false beside a field, which has one value", "multi_select"));
  if (type !== "boolean") {
    if (options.length > 0) mistakes.push(mistake(`none beside a field of the type ${type}`, "options"));
    if (byDefault.length > 0) mistakes.push(mistake("none beside a field: prefill begins a form", "default"));
    if (own_text === false) mistakes.push(mistake("true beside a field, whose value is text", "own_text"));
  } else if (options.length > 0 && !areTrueAndFalse(options)) {
    mistakes.push(mistake('none, or two with the ids "true" and "false", for a boolean', "options"));
  }
  return mistakes;
}

function areTrueAndFalse(options: Fielded["options"]): boolean {
  const ids = options.map(({ id }) => id);
  return ids.length === 2 && ids.includes("true") && ids.includes("false");
}

/** Says what a bound of a type is. */
function boundOf(type: FieldType): string {
  const by = fieldValues[type].boundedBy;
  if (by === "none") return `none, as a ${type} has no bounds`;
  return by === "length" ? "a whole number of characters, 0 or more" : expectedValues[type];
}

function ownMistakes(field: Field): FieldMistake[] {
  const { type, bounds: { min, max } = {}, pattern, prefill } = field;
  const mistakes = Object.entries({ min, max }).flatMap(([name, bound]) =>
    bound === undefined || isBoundOf(type, bound) ? [] : [mistake(boundOf(type), "field", "bounds", name)],
  );
  if (mistakes.length === 0 && min !== undefined && max !== undefined && min > max) {
    mistakes.push(mistake(`a bound that max, ${max}, does not contradict`, "field", "bounds", "min"));
  }
  const problem = pattern === undefined ? undefined : patternMistake(type, pattern);
  if (problem !== undefined) mistakes.push(mistake(problem, "field", "pattern"));
  if (mistakes.length > 0 || prefill === undefined) return mistakes;
  const unfit = fieldProblem(field, prefill);
  return unfit === undefined ? [] : [mistake(unfit.expected, "field", "prefill")];
}

function patternMistake(type: FieldType, pattern: string): string | undefined {
  if (fieldValues[type].boundedBy !== "length") return `none for the type ${type}`;
  const compiled = linearPattern(pattern);
  return typeof compiled === "string" ? compiled : undefined;
}

/** A text that is no value of a field: the code of the first check that fails, and the values that pass. */
export interface FieldProblem {
  readonly code: "type" | "bounds" | "pattern";
  readonly expected: string;
}

/** Checks a text as the value of a field, its pattern included. Undefined for one that fits. */
export function fieldProblem(field: Field, text: string): FieldProblem | undefined {
  const { pattern } = field;
  const read = readField(field, text);
  if ("problem" in read) return { code: read.problem, expected: expectedOf(field) };
  if (pattern === undefined) return undefined;
  const expected = `${expectedOf(field)} that matches the pattern ${pattern}`;
  if (read.value.length > MATCHED_LENGTH) {
    return { code: "bounds", expected: `${expected}, of at most ${MATCHED_LENGTH} characters` };
  }
  const fits = linearPattern(pattern);
  return typeof fits === "function" && fits(read.value) ? undefined : { code: "pattern", expected };
}

function choiceMistakes({ options, multi_select, own_text, default: byDefault, min, max }: Fielded) {
  const most = options.length + (own_text === false ? 0 : 1);
  const mistakes: FieldMistake[] = [];
  for (const [name, value] of Object.entries({ min, max })) {
    if (value === undefined) continue;
    if (!multi_select) mistakes.push(mistake("none, unless multi_select is true", name));
    else if (value < 1) mistakes.push(mistake("1 or more", name));
  }
  if (mistakes.length > 0) return mistakes;
  if (min !== undefined && min > most)
    mistakes.push(mistake(`${most} at most, as there are no more choices`, "min"));
  if (min !== undefined && max !== undefined && min > max) {
    mistakes.push(mistake(`a number that max, ${max}, does not contradict`, "min"));
  }
  const chosen = byDefault?.length ?? 0;
  if (chosen > 0 && (chosen < (min ?? 0) || chosen > (max ?? chosen))) {
    mistakes.push(mistake("as many options as min and max allow", "default"));
  }
  return mistakes;
}
