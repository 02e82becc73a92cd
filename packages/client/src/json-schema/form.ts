import type { AnswerItem } from "@askwire/protocol";
import type { FormProperty, FormSchema } from "@askwire/protocol/internal";
import { choiceField } from "./choice-field.js";
import { type FormContent, type FormField, type KeyedProperty, optionsOf, Unshowable } from "./form-field.js";
import { ownTexts } from "./own-text.js";
import type { PatternSearch } from "./pattern-search.js";
import { typedField } from "./typed-field.js";

/** The most properties of a form. */
const MOST_PROPERTIES = 100;

/** The fields of a form, and what a person reads before all of them. */
export interface Form {
  readonly fields: readonly FormField[];
  readonly intro: string;
}

/** A form to be asked. */
export interface FormToAsk {
  /** The words of the asker about the form: the question, where it has one property that is not described. */
  readonly message: string;
  readonly schema: FormSchema;
  /** Searches the patterns that the protocol does not. Default: a form with one of them cannot be shown. */
  readonly patternSearch?: PatternSearch;
}

/**
 * Makes questions of the schema of a form.
 *
 * @throws Unshowable for a form that cannot be shown as intended.
 */
export function formOf({ message, schema, patternSearch }: FormToAsk): Form {
  const { type = "object" } = schema as { readonly type?: unknown };
  if (type !== "object")
    throw new Unshowable(`it is of the type ${JSON.stringify(type)}, and a form is an object`);
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]) => ({
    key,
    property,
    required: required.has(key),
  }));
  if (properties.length > MOST_PROPERTIES)
    throw new Unshowable(`it has more than ${MOST_PROPERTIES} properties`);
  for (const name of required) {
    if (!properties.some(({ key }) => key === name)) {
      throw new Unshowable(`it requires the property ${JSON.stringify(name)}, which it does not describe`);
    }
  }
  const own = ownTexts(properties);
  const shown = properties.filter(({ key }) => !own.some((text) => text.key === key));
  const only = shown.length === 1 ? message : undefined;
  const fields = shown.map((keyed) => {
    refuseSecret(keyed);
    const options = optionsOf(keyed.property);
    if (options === undefined) return typedField(keyed, only, patternSearch);
    if (options.length === 0)
      throw new Unshowable(`the property ${JSON.stringify(keyed.key)} has no choices`);
    return choiceField(
      keyed,
      options,
      own.find(({ of }) => of === keyed.key),
      only,
    );
  });
  const isAsked = fields.some(({ question }) => question.question === message);
  const intro = [schema.title, schema.description, isAsked ? undefined : message];
  return {
    fields: distinct(fields),
    intro: intro.filter((text) => text != null && text !== "").join("\n\n"),
  };
}

/** A form is no place for a secret: answers are kept and shown as they are. */
function refuseSecret({ key, property }: KeyedProperty): void {
  if (!isSecret(property)) return;
  throw new Unshowable(
    `the property ${JSON.stringify(key)} is a secret, for which an agent sends an address`,
  );
}

function isSecret({ format, _meta }: FormProperty): boolean {
  const { codex } = Object(_meta) as { readonly codex?: { readonly isSecret?: unknown } };
  return format === "password" || codex?.isSecret === true;
}

/** Questions whose texts differ, so that every client can answer. */
function distinct(fields: readonly FormField[]): FormField[] {
  const texts = fields.map(({ question }) => question.question);
  return fields.map((field, index) => {
    const { question } = field;
    if (texts.indexOf(question.question) === index && question.question !== "__proto__") return field;
    return {
      ...field,
      question: { ...question, question: `${question.question} (${field.key}, ${index + 1})` },
    };
  });
}

/** The mistakes of an answer, by the keys of its properties; empty for one that fits. */
export type FieldMistakes = ReadonlyMap<string, string>;

/** Reads the answers of some fields of a form into the content. */
export function readForm(
  fields: readonly FormField[],
  items: readonly AnswerItem[],
  content: FormContent,
): FieldMistakes {
  const mistakes = new Map<string, string>();
  fields.forEach((field, index) => {
    const found = items.find(({ question_id }) => question_id === `q${index + 1}`);
    const item = found ?? { question_id: "", selected: [], skipped: true };
    const taken: FormContent = new Map();
    const problem = field.read(item, taken);
    if (problem !== undefined) mistakes.set(field.key, problem);
    else for (const [key, value] of taken) content.set(key, value);
  });
  return mistakes;
}
