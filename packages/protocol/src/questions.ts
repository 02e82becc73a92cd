import type { AnswerItem } from "./answer-item.js";
import { options as yesOrNo } from "./fields/boolean.js";
import type { Field } from "./messages/question-field.js";
import type { QuestionItem } from "./messages/requests.js";

/** A question for the core and a UI: the base fields, and fields for richer clients only. */
export interface CoreQuestion {
  /** Its own, or by position: `q1` (P-QST-2). */
  readonly id: string;
  /** The text of the question. */
  readonly question: string;
  /** A short tag, possibly empty. */
  readonly header: string;
  /** The options, empty for an open question. Ids are their own, or by position: `q1_o2`. */
  readonly options: readonly CoreOption[];
  /** True if several options may be chosen. */
  readonly multi_select: boolean;
  /** Markdown to show above the options, possibly empty. */
  readonly body: string;
  /** The name of the own-text row, and its explanation; both may be empty. */
  readonly other_label: string;
  readonly other_description: string;
  /** True if own text counts as an answer; false for a closed choice. */
  readonly own_text: boolean;
  /** The text to show in an empty field for own text. */
  readonly placeholder?: string;
  /** The ids of the options that count when a deadline passes (P-XDL-2). Never empty, and a single choice has one. */
  readonly default?: readonly string[];
  /** The form of the answer (P-XFL-1). A boolean has two options with the ids `true` and `false`, others have none. */
  readonly field?: Field;
  /** The fewest and the most choices of several, own text counted as one (P-XFL-7). */
  readonly min?: number;
  readonly max?: number;
  /** True if a picture is wanted with the answer, which counts without one too (P-XAN-6). */
  readonly picture?: boolean;
}

/** An option of a {@link CoreQuestion}. */
export interface CoreOption {
  /** Its own, or by position: `q1_o2` (P-QST-2). */
  readonly id: string;
  /** The text of the option. */
  readonly label: string;
  /** A line on the meaning of the option, possibly empty. */
  readonly description: string;
  /** Markdown to look at before choosing it. */
  readonly preview?: string;
  /** True if the agent advises the option. */
  readonly recommended?: boolean;
}

/** True if a question has a field, or a fewest or a most of choices. */
export const isTyped = (question: { [M in "field" | "min" | "max"]?: unknown }): boolean =>
  question.field !== undefined || question.min !== undefined || question.max !== undefined;

/** True if a text is more than blanks. */
export const isSaid = (text: string): boolean => text.trim() !== "";

/** The answers of the base profile: question text to value. Made without a prototype: its keys are foreign text. */
export type AnswerMap = Record<string, string>;

/** True if a text can be the key of an answer. JSON readers treat `__proto__` as something else (P-QST-3). */
export const isAnswerKey = (text: string): boolean => text !== "__proto__";

/** A question that its author or a message may give without an id and without the fields for richer clients. */
type ReadQuestion = Partly<Omit<CoreQuestion, "options">, "id" | "own_text" | Richer> & {
  readonly options: readonly ReadOption[];
};
type Richer = "placeholder" | "default" | "field" | "min" | "max" | "picture";
type ReadOption = Partly<CoreOption, "id" | "preview" | "recommended">;
type Partly<T, Members extends keyof T> = Omit<T, Members> & { [M in Members]?: T[M] | undefined };

/**
 * Gives a question and its options the missing ids: `q1`, `q1_o2`, by position from 1 (P-QST-2). Copies the given
 * fields of the extended profile, except an empty `default`. A boolean gets its two options.
 */
export function coreQuestion(input: ReadQuestion, index: number): CoreQuestion {
  const id = input.id ?? `q${index + 1}`;
  const { field, min, max, picture } = input;
  const isBoolean = field?.type === "boolean";
  const options = isBoolean && input.options.length === 0 ? yesOrNo : input.options;
  const question: Writable<CoreQuestion> = {
    id,
    question: input.question,
    header: input.header,
    options: options.map((option, o) => coreOption(option, option.id ?? `${id}_o${o + 1}`)),
    multi_select: input.multi_select,
    body: input.body,
    other_label: input.other_label,
    other_description: input.other_description,
    own_text: isBoolean ? false : (input.own_text ?? true),
  };
  if (input.placeholder !== undefined) question.placeholder = input.placeholder;
  if (input.default !== undefined && input.default.length > 0) question.default = input.default;
  if (field !== undefined) question.field = field;
  if (min !== undefined) question.min = min;
  if (max !== undefined) question.max = max;
  if (picture === true) question.picture = true;
  return question;
}

/** The parts of a question that clients of both profiles know. */
type CommonParts = Omit<CoreQuestion, "id" | "own_text" | "options"> & {
  readonly options: readonly { readonly label: string; readonly description: string }[];
};

/** The fields of a question that a base client knows (P-MSG-6). */
export const baseItem = (item: CommonParts): QuestionItem => ({
  question: item.question,
  header: item.header,
  options: item.options.map(({ label, description }) => ({ label, description })),
  multi_select: item.multi_select,
  body: item.body,
  other_label: item.other_label,
  other_description: item.other_description,
});

/** Makes a core question of a base question, whose further fields mean nothing here. */
export function baseQuestion(item: QuestionItem, index: number): CoreQuestion {
  const id = `q${index + 1}`;
  return {
    id,
    question: item.question,
    header: item.header,
    options: item.options.map(({ label, description }, o) => ({ id: `${id}_o${o + 1}`, label, description })),
    multi_select: item.multi_select,
    body: item.body,
    other_label: item.other_label,
    other_description: item.other_description,
    own_text: true,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function coreOption({ label, description, preview, recommended }: ReadOption, id: string): CoreOption {
  const option: Writable<CoreOption> = { id, label, description };
  if (preview !== undefined) option.preview = preview;
  if (recommended !== undefined) option.recommended = recommended;
  return option;
}

/**
 * Writes items as the base profile does (P-ANS-6): the chosen labels in the order of the options, own text last. Labels
 * are joined with `", "`. Skipped questions are left out.
 */
export function answersFromItems(
  questions: readonly { id: string; question: string; options: readonly { id: string; label: string }[] }[],
  items: readonly AnswerItem[],
): AnswerMap {
  const answers: AnswerMap = Object.create(null);
  for (const question of questions) {
    const item = items.find((candidate) => candidate.question_id === question.id);
    if (item === undefined) continue;
    const words = question.options.filter((o) => item.selected.includes(o.id)).map((o) => o.label);
    if (item.own_text !== undefined && item.own_text.trim() !== "") words.push(item.own_text);
    if (words.length > 0) answers[question.question] = words.join(", ");
  }
  return answers;
}

/**
 * Reads the map of a base client into items (P-ANS-2). A value equal to a label comes first. In a multi-select the
 * value is then cut at `", "`, the longest label first, and the rest is own text. A blank value is a skipped question.
 */
export function itemsFromAnswers(
  questions: readonly CoreQuestion[],
  answers: Readonly<AnswerMap>,
): AnswerItem[] {
  return questions.map((question) => {
    const value = Object.hasOwn(answers, question.question) ? (answers[question.question] as string) : "";
    if (value.trim() === "") return { question_id: question.id, selected: [], skipped: true };
    const whole = question.options.find((option) => option.label === value);
    if (whole !== undefined) return { question_id: question.id, selected: [whole.id] };
    if (!question.multi_select) return { question_id: question.id, selected: [], own_text: value };
    return { question_id: question.id, ...readChoices(question.options, value) };
  });
}

function readChoices(
  options: readonly { id: string; label: string }[],
  value: string,
): { selected: string[]; own_text?: string } {
  const longestFirst = [...options].sort((a, b) => b.label.length - a.label.length);
  const selected = new Set<string>();
  let rest = value;
  while (rest !== "") {
    const match = longestFirst.find(({ label }) => rest === label || rest.startsWith(`${label}, `));
    if (match === undefined) break;
    selected.add(match.id);
    rest = rest.slice(match.label.length + ", ".length);
  }
  return rest.trim() === "" ? { selected: [...selected] } : { selected: [...selected], own_text: rest };
}
