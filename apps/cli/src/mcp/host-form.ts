import { type AnswerItem, expectedOf, prefillOf, readField } from "@askwire/protocol";
import { defined, fieldSchemas, fieldValues } from "@askwire/protocol/internal";
import { patternSearch } from "@askwire/server/internal";
import type { AskedQuestion } from "../ask/questions.js";

/** A property of a form of MCP. */
export type HostProperty = Readonly<Record<string, unknown>> & { readonly type: string };

/** The schema of a form of MCP. */
export interface HostSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, HostProperty>>;
  readonly required: readonly string[];
}

/** A value that a form of MCP may hold. */
type Content = Readonly<Record<string, unknown>>;

/** The ids that the wire gives questions and options, by position from 1 (P-QST-2). */
const idOf = (index: number) => `q${index + 1}`;
const ownIdOf = (index: number) => `${idOf(index)}_own`;
const optionId = (index: number, option: number) => `${idOf(index)}_o${option + 1}`;

/**
 * The form of some questions: a property for each, and one for own words next to each choice.
 *
 * @param before the values with which the form begins, by property. Default: the prefills alone.
 */
export function hostSchema(questions: readonly AskedQuestion[], before: Content = {}): HostSchema {
  const properties = questions.flatMap((question, index) => {
    const own = {
      type: "string",
      title: `${inALine(question.question)} In your own words`,
      description: "Instead of a choice",
    };
    const filled = (id: string, property: HostProperty) =>
      [id, Object.hasOwn(before, id) ? { ...property, default: before[id] } : property] as const;
    const property = filled(idOf(index), propertyOf(question, index));
    return question.options.length > 0 ? [property, filled(ownIdOf(index), own)] : [property];
  });
  const required = questions.flatMap(({ field }, index) =>
    field !== undefined && field.required !== false ? [idOf(index)] : [],
  );
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function propertyOf(
  { question, header, body, options, multi_select, field }: AskedQuestion,
  index: number,
): HostProperty {
  // A host names a field by its title, else by its key. Claude Code shows an end of line as a broken character.
  const about = inALine([header, body ?? ""].filter((text) => text !== "").join(": "));
  const words = { title: inALine(question), ...(about !== "" && { description: about }) };
  if (field !== undefined) return { ...words, ...typedProperty(field) };
  if (options.length === 0) return { type: "string", ...words };
  const choices = options.map((option, at) => ({ const: optionId(index, at), title: titleOf(option) }));
  return multi_select
    ? { type: "array", ...words, items: { anyOf: choices } }
    : { type: "string", ...words, oneOf: choices };
}

/** An option in a line: hosts show no description of one. */
const titleOf = ({ label, description, recommended }: AskedQuestion["options"][number]) =>
  inALine(
    `${label}${recommended === true ? " (recommended)" : ""}${description === "" ? "" : `: ${description}`}`,
  );

const inALine = (text: string) => text.replace(/\s+/g, " ").trim();

type Field = NonNullable<AskedQuestion["field"]>;

function typedProperty(field: Field): HostProperty {
  const { type, bounds: { min, max } = {} } = field;
  const schema = fieldSchemas[type];
  const prefill = prefillOf(field);
  if (schema.type === "boolean") return { ...schema, ...(prefill === "true" && { default: true }) };
  if (schema.type !== "string")
    return {
      ...schema,
      ...defined({ minimum: min, maximum: max }),
      ...(prefill !== undefined && { default: Number(prefill) }),
    };
  const isCounted = fieldValues[type].boundedBy === "length";
  return {
    ...schema,
    ...(isCounted && typeof min === "number" && { minLength: min }),
    ...(isCounted && typeof max === "number" && { maxLength: max }),
    ...defined({ default: prefill }),
  };
}

/** The values of a form that fit, by property: those of a question that does not are left out. */
export function fittingContent(questions: readonly AskedQuestion[], content: Content): Content {
  const fitting = questions.flatMap((question, index) =>
    typeof readItem(question, index, content) === "string" ? [] : [idOf(index), ownIdOf(index)],
  );
  const kept = fitting.filter((id) => Object.hasOwn(content, id) && content[id] !== "");
  return Object.fromEntries(kept.map((id) => [id, content[id]]));
}

/** Reads the content of an accepted form. A text as result says which value does not fit. */
export function readHostForm(questions: readonly AskedQuestion[], content: Content): AnswerItem[] | string {
  const items: AnswerItem[] = [];
  for (const [index, question] of questions.entries()) {
    const item = readItem(question, index, content);
    if (typeof item === "string") return `${JSON.stringify(question.question)}: ${item}`;
    items.push(item);
  }
  return items;
}

function readItem(question: AskedQuestion, index: number, content: Content): AnswerItem | string {
  const question_id = idOf(index);
  const value = content[question_id] ?? "";
  if (question.field !== undefined) return readTyped(question_id, question.field, value);
  const said = content[ownIdOf(index)] ?? (question.options.length === 0 ? value : "");
  if (typeof said === "object") return "the host sent own words that are no text";
  const own = String(said).trim();
  const words = own === "" ? {} : { own_text: own };
  const chosen = question.options.length === 0 || value === "" ? [] : [value].flat();
  const selected = question.options.map((_, at) => optionId(index, at)).filter((id) => chosen.includes(id));
  if (selected.length < new Set(chosen).size) return "the host sent an option that was not offered";
  if (selected.length > 1 && !question.multi_select) return "the host sent several choices, expected one";
  const count = selected.length + (own === "" ? 0 : 1);
  if (count === 0) return { question_id, selected: [], skipped: true };
  const { min = 0, max = count } = question;
  if (count < min || count > max) return `expected ${min} to ${max} choices`;
  // The wire takes one choice or own words of a single choice; words with a choice are a note.
  if (!question.multi_select && selected.length === 1 && own !== "")
    return { question_id, selected, note: own };
  return { question_id, selected, ...words };
}

function readTyped(question_id: string, field: Field, value: unknown): AnswerItem | string {
  const isEmpty = typeof value === "string" && value.trim() === "";
  if (isEmpty && field.required === false) return { question_id, selected: [], skipped: true };
  const read = isEmpty || typeof value === "object" ? undefined : readField(field as never, String(value));
  if (read === undefined || "problem" in read) return `expected ${expectedOf(field as never)}`;
  if (field.pattern !== undefined && !patternSearch(field.pattern)(read.value))
    return `expected a text that matches ${field.pattern}`;
  return { question_id, selected: [], own_text: read.value };
}
