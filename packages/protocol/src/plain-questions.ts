/** The name that a tool has for "several options may be chosen". */
type Several = "multi_select" | "multiSelect";

/**
 * Rewrites the arguments of a question tool where their meaning is plain (P-DIA-10): a list as its JSON text, one
 * element in the place of a list, a question or an option as its text alone, either spelling of `multi_select`, "true"
 * and "false", and null for a member that may be missing. The schema that reads the result judges all the rest.
 *
 * @param several the spelling of that schema.
 */
export function plainQuestions(args: unknown, several: Several): unknown {
  if (!isObject(args)) return args;
  const plain = withoutNulls(args);
  if (plain.questions !== undefined) {
    plain.questions = plainList(plain.questions, (question) => plainQuestion(question, several));
  }
  return plain;
}

function plainQuestion(written: unknown, several: Several): unknown {
  if (typeof written === "string") return { question: written };
  if (!isObject(written)) return written;
  const question = inOneSpelling(withoutNulls(written), several);
  if (question.options !== undefined) question.options = plainList(question.options, plainOption);
  if (isObject(question.field)) question.field = plainField(question.field);
  return question;
}

function plainOption(option: unknown): unknown {
  const label = plainText(option);
  if (label !== undefined) return { label };
  return isObject(option) ? withoutNulls(option) : option;
}

function plainField(written: Record<string, unknown>): Record<string, unknown> {
  const field = withoutNulls(written);
  if (isObject(field.bounds)) field.bounds = withoutNulls(field.bounds);
  return field;
}

/** Keeps both spellings where both are there: only their reader can tell what that means. */
function inOneSpelling(
  { multi_select, multiSelect, ...others }: Record<string, unknown>,
  several: Several,
): Record<string, unknown> {
  const both = multi_select !== undefined && multiSelect !== undefined && multi_select !== multiSelect;
  if (both) return { ...others, multi_select, multiSelect };
  const value = plainBoolean(multi_select ?? multiSelect);
  return value === undefined ? others : { ...others, [several]: value };
}

/** Reads a list that may be written as its JSON text, or as its only element; another value stays unchanged. */
export function plainList(value: unknown, element: (element: unknown) => unknown): unknown {
  const read = typeof value === "string" ? jsonIn(value) : value;
  if (Array.isArray(read)) return read.map(element);
  return isObject(read) ? [element(read)] : value;
}

/** Reads a text, a number or a truth value as text; undefined for any other value. */
export const plainText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;

/** Reads "true" and "false" as what they say; another value stays unchanged. */
export function plainBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : value;
}

/** The list or object whose JSON text this is; the text itself if it is not one. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const withoutNulls = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
