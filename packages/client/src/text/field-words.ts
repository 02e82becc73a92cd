import type { CoreQuestion } from "@askwire/protocol";
import { expectedChoices, expectedOf, type Field } from "@askwire/protocol/fields";
import { chineseNames, fieldValues } from "@askwire/protocol/internal";

type Choices = Pick<CoreQuestion, "min" | "max">;

const en = {
  /** The values that a field takes. */
  value: (field: Field): string => expectedOf(field),
  /** The number of options that are to be chosen. Undefined for any number. */
  choices: (choices: Choices): string | undefined => expectedChoices(choices),
  /** The note on a field that may be left empty, and such an answer. */
  mayBeEmpty: "may stay empty",
  /** The mark of a field among other questions that is to be answered. */
  required: "required",
  leftEmpty: "left empty",
  /** The value that goes to the agent, where another text was typed. */
  sentAs: (value: string) => `sent as ${value}`,
};

/** The words on the answers that a question takes, in one language. */
export type FieldWords = typeof en;

function zhRange({ type, bounds: { min, max } = {} }: Field): string {
  if (min === undefined && max === undefined) return "";
  switch (fieldValues[type].boundedBy) {
    case "number":
      if (max === undefined) return `，不小于 ${min}`;
      return min === undefined ? `，不大于 ${max}` : `，${min} 到 ${max}`;
    case "text":
      if (max === undefined) return `，不早于 ${min}`;
      return min === undefined ? `，不晚于 ${max}` : `，${min} 到 ${max}`;
    case "length":
      if (max === undefined) return `，至少 ${min} 个字符`;
      return min === undefined ? `，最多 ${max} 个字符` : `，${min} 到 ${max} 个字符`;
    case "none":
      return "";
  }
}

const zh: FieldWords = {
  value: (field) => `${chineseNames[field.type]}${zhRange(field)}`,
  choices({ min, max }) {
    if (min === undefined) return max === undefined ? undefined : `最多选 ${max} 项`;
    if (max === undefined) return `至少选 ${min} 项`;
    return min === max ? `选 ${max} 项` : `选 ${min} 到 ${max} 项`;
  },
  mayBeEmpty: "可留空",
  required: "必填",
  leftEmpty: "留空",
  sentAs: (value) => `将作为 ${value} 发送`,
};

/** The words on typed fields and on numbers of choices, by language. */
export const fieldWords: Readonly<Record<"en" | "zh", FieldWords>> = { en, zh };
