import {
  type Field,
  type FieldType,
  fieldTypes,
  type QuestionInput,
  QuestionInputs,
  validate,
} from "@askwire/protocol";
import { defined, fieldSchemas, fieldValues } from "@askwire/protocol/internal";
import { type FormField, type KeyedProperty, Unshowable, wordsOf } from "./form-field.js";
import type { PatternSearch } from "./pattern-search.js";

/** A time in RFC 3339. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** A property of text, of a number or of yes and no, as a question with a field. */
export function typedField(
  keyed: KeyedProperty,
  message: string | undefined,
  patternSearch: PatternSearch = noSearch,
): FormField {
  const { key, property, required } = keyed;
  const type = fieldType(keyed);
  const field: Field = {
    type,
    ...boundsOf(type, keyed),
    ...(!required && { required }),
    ...prefillOf(keyed),
    ...(property.pattern != null && { pattern: property.pattern }),
  };
  const words = wordsOf(keyed, message);
  const checks = checksOf(keyed);
  const body = checks.map(({ expected }) => `Expected: ${expected}`).join("\n\n");
  const fitting = fittingField(words, field);
  const unread = field.pattern !== undefined && fitting.pattern === undefined;
  const own = unread ? [...checks, patternCheck(field.pattern as string, patternSearch)] : checks;
  const question: QuestionInput = { ...words, field: fitting, ...(body !== "" && { body }) };
  return {
    key,
    question,
    read(item, content) {
      const text = item.own_text ?? "";
      if (item.skipped === true || text === "") return required ? "a value is needed" : undefined;
      const wrong = own.find(({ fits }) => !fits(text));
      if (wrong !== undefined) return `expected ${wrong.expected}`;
      content.set(key, typedValue(type, text));
      return undefined;
    },
  };
}

/** A pattern that takes too long could hold up its program, so it is searched only by what bounds its time. */
function noSearch(pattern: string): never {
  throw new Unshowable(`its pattern ${pattern} cannot be searched in bounded time`);
}

/** The type of a property's field. Strings of a format that no field has are read as any text. */
function fieldType({ key, property: { type, format } }: KeyedProperty): FieldType {
  const found = fieldTypes.find((name) => {
    const schema = fieldSchemas[name];
    return schema.type === type && (type !== "string" || schema.format === (format ?? undefined));
  });
  if (found !== undefined) return found;
  if (type === "string") return "text";
  throw new Unshowable(`the property ${JSON.stringify(key)} is of the type ${JSON.stringify(type)}`);
}

function boundsOf(type: FieldType, { property }: KeyedProperty): Pick<Field, "bounds"> {
  const { minLength, maxLength, minimum, maximum } = property;
  const by = fieldValues[type].boundedBy;
  const [min, max] = by === "length" ? [minLength, maxLength] : by === "number" ? [minimum, maximum] : [];
  if (min == null && max == null) return {};
  const isWhole = fieldSchemas[type].type !== "number";
  return {
    bounds: {
      ...(min != null && { min: isWhole ? Math.max(Math.ceil(min), Number.MIN_SAFE_INTEGER) : min }),
      ...(max != null && { max: isWhole ? Math.min(Math.floor(max), Number.MAX_SAFE_INTEGER) : max }),
    },
  };
}

function prefillOf({ property }: KeyedProperty): Pick<Field, "prefill"> {
  const { default: value } = property;
  return ["string", "number", "boolean"].includes(typeof value) ? { prefill: String(value) } : {};
}

/** A check of a text that no field has. */
interface Check {
  readonly expected: string;
  fits(text: string): boolean;
}

function checksOf({ property: { format } }: KeyedProperty): Check[] {
  if (format !== "date-time") return [];
  const expected = "a time such as 2026-03-01T09:30:00Z";
  return [{ expected, fits: (text) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)) }];
}

/** The check of a pattern that the protocol does not search. */
function patternCheck(pattern: string, patternSearch: PatternSearch): Check {
  return { expected: `a text that matches the pattern ${pattern}`, fits: patternSearch(pattern) };
}

/**
 * The field without a prefill that does not fit, and without a pattern that the protocol does not search.
 *
 * @throws Unshowable for a field that nothing could answer.
 */
function fittingField(words: QuestionInput, field: Field): Field {
  const { prefill: _prefill, ...empty } = field;
  const { pattern, ...unbound } = empty;
  const candidates = [
    field,
    empty,
    ...(isPattern(pattern) ? [{ ...unbound, ...withPrefill(field) }, unbound] : []),
  ];
  const found = candidates.find((candidate) => problemOf(words, candidate) === undefined);
  if (found !== undefined) return found;
  throw new Unshowable(problemOf(words, empty));
}

const withPrefill = ({ prefill }: Field) => defined({ prefill });

function isPattern(pattern: string | undefined): boolean {
  if (pattern === undefined) return false;
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function problemOf(words: QuestionInput, field: Field): string | undefined {
  const parsed = validate(QuestionInputs, [{ ...words, field }]);
  return parsed.ok ? undefined : parsed.problem;
}

/** The canonical text of a field as the value of its property. */
function typedValue(name: FieldType, text: string): string | number | boolean {
  const { type } = fieldSchemas[name];
  if (type === "string") return text;
  return type === "boolean" ? text === "true" : Number(text);
}
