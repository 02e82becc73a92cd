import type { AnswerItem, QuestionInput } from "@askwire/protocol";
import type { FormProperty } from "@askwire/protocol/internal";

/** A value of an answer in ACP and MCP. */
export type FormValue = string | number | boolean | readonly string[];

/** The content of an accepted form, by the keys of its properties. */
export type FormContent = Map<string, FormValue>;

/** A property of a form as a question. */
export interface FormField {
  readonly key: string;
  readonly question: QuestionInput;
  /**
   * Adds the values of an answer to the content.
   *
   * @returns what is wrong with the answer; undefined for one that fits the property.
   */
  read(item: AnswerItem, content: FormContent): string | undefined;
}

/** A form, or a part of one, that cannot be shown. The message says why. */
export class Unshowable extends Error {
  override readonly name = "Unshowable";
}

/** A property with its key, and whether the form must have a value of it. */
export interface KeyedProperty {
  readonly key: string;
  readonly property: FormProperty;
  readonly required: boolean;
}

/** An option of a property of choices. */
export interface FormOption {
  readonly value: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly preview: string | undefined;
}

/** The options of a property; undefined for one without choices. */
export function optionsOf({
  type,
  enum: plain,
  enumNames,
  oneOf,
  items,
}: FormProperty): FormOption[] | undefined {
  const titled = type === "array" ? items?.anyOf : oneOf;
  if (titled != null) {
    return titled.map(({ const: value, title, description, _meta }) => ({
      value,
      label: title ?? value,
      description: description ?? undefined,
      preview: previewIn(_meta),
    }));
  }
  const [values, names] = type === "array" ? [items?.enum, undefined] : [plain, enumNames];
  return values?.map((value, index) => ({
    value,
    label: names?.[index] ?? value,
    description: undefined,
    preview: undefined,
  }));
}

/** The names under which makers put the preview of an option. */
const previews = ["_claude/askUserQuestionOption", "askwire.dev/option"];

function previewIn(meta: unknown): string | undefined {
  for (const name of previews) {
    const { preview } = Object((Object(meta) as Record<string, unknown>)[name]) as {
      readonly preview?: unknown;
    };
    if (typeof preview === "string") return preview;
  }
  return undefined;
}

/** The texts of a property as those of a question. A title next to a description is the tag of the question. */
export function wordsOf({ key, property }: KeyedProperty, message: string | undefined) {
  const { title, description } = inOrder(property);
  const question = firstSaid(description, message, title) ?? key;
  const header = firstSaid(title);
  return { question, ...(header !== undefined && header !== question && { header }) };
}

/** Codex' adapter, which leaves its mark, has the question for the title and its tag for the description. */
function inOrder({ title, description, _meta }: FormProperty): Pick<FormProperty, "title" | "description"> {
  const isCodex = Object(_meta).codex !== undefined;
  return isCodex && description != null ? { title: description, description: title } : { title, description };
}

const firstSaid = (...texts: (string | null | undefined)[]) =>
  texts.find((text): text is string => text != null && text.trim() !== "");

/** True for an answer that leaves its question out. */
export const isSkipped = ({ selected, own_text, skipped }: AnswerItem) =>
  skipped === true || (selected.length === 0 && (own_text ?? "").trim() === "");
