import type { AnswerItem, QuestionInput } from "@askwire/protocol";
import { type FormContent, isSkipped, type KeyedProperty, optionsOf } from "./form-field.js";

/** The property of a form that takes a person's own words next to the choices of another property. */
export interface OwnText {
  /** The property of the words. */
  readonly key: string;
  /** The property of the choices. */
  readonly of: string;
  /** The words of the row for own text. */
  readonly words: Pick<QuestionInput, "other_label" | "other_description">;
  /** Adds the words of an answer to the content. Returns what is wrong with them. */
  read(item: AnswerItem, content: FormContent): string | undefined;
}

/** The ends of keys for own words: those of Claude's and JetBrains' agents, of Codex, and of other vendors. */
const SUFFIX = /^(.+?)(?:_custom|_note|__?other)$/;

/** The option that Codex wants in addition to own words. */
const NONE = /^none of the above$/i;

/** Finds the properties of own words, each with the property that it belongs to. */
export function ownTexts(properties: readonly KeyedProperty[]): OwnText[] {
  return properties.flatMap((keyed, index) => {
    const { key, property } = keyed;
    if (property.type !== "string" || optionsOf(property) !== undefined) return [];
    const of = [
      namedBy(keyed),
      SUFFIX.exec(key)?.[1],
      markedBy(keyed) ? properties[index - 1]?.key : undefined,
    ]
      .map((name) => properties.find((other) => other.key === name))
      .find((other) => other !== undefined && optionsOf(other.property) !== undefined);
    const own = of && ownTextOf(keyed, of);
    return own === undefined ? [] : [own];
  });
}

/** Own words instead of a choice: an option of the form says that none was chosen, or the choice is left out. */
function ownTextOf({ key, property, required }: KeyedProperty, of: KeyedProperty): OwnText | undefined {
  const none = optionsOf(of.property)?.find(
    ({ value, label }) => NONE.test(value) || NONE.test(label),
  )?.value;
  if (none === undefined && (of.required || required)) return undefined;
  const label = property.title ?? "";
  const description = property.description ?? "";
  const words = {
    ...(label !== "" && { other_label: label }),
    ...(description !== "" && { other_description: description }),
  };
  function read(item: AnswerItem, content: FormContent): string | undefined {
    const said = (item.own_text ?? "").trim() === "" ? (item.note ?? "") : (item.own_text as string);
    if (of.required && isSkipped(item)) return "a choice or own words are needed";
    const length = [...said].length;
    if (said === "" && !required) return undefined;
    if (length < (property.minLength ?? 0))
      return `expected own words of at least ${property.minLength} characters`;
    if (length > (property.maxLength ?? length))
      return `expected own words of at most ${property.maxLength} characters`;
    content.set(key, said);
    if (none !== undefined && item.selected.length === 0 && said !== "") {
      content.set(of.key, of.property.type === "array" ? [none] : none);
    }
    return undefined;
  }
  return { key, of: of.key, words, read };
}

/** Our own mark, which names the property of the choices. */
function namedBy({ property: { _meta } }: KeyedProperty): string | undefined {
  const name = (Object(_meta) as Record<string, unknown>)["askwire.dev/own_text_of"];
  return typeof name === "string" ? name : undefined;
}

/** True for the marks of JetBrains and of Claude's older adapters: the property before has the choices. */
function markedBy({ property: { _meta } }: KeyedProperty): boolean {
  const { _askUserQuestionCustomAnswer: older, jetbrains } = Object(_meta) as Record<string, unknown>;
  const { air } = Object(jetbrains) as { readonly air?: { readonly customAnswer?: unknown } };
  return Boolean(older ?? air?.customAnswer);
}
