import * as z from "zod/mini";
import { QuestionItem, QuestionOption } from "./messages/requests.js";

/** A question as the core knows it: the base fields, and those that only richer clients are shown. */
export const CoreQuestion = z.extend(QuestionItem, {
  id: z.string(),
  /** Whether own text counts as an answer; false for a closed choice. */
  own_text: z._default(z.boolean(), true),
  options: z.array(z.extend(QuestionOption, { id: z.string() })),
});
export type CoreQuestion = z.output<typeof CoreQuestion>;

/** An answer to one question by ids. A question with neither choice nor text counts as skipped. */
export const AnswerItem = z.looseObject({
  question_id: z.string(),
  selected: z.array(z.string()),
  own_text: z.optional(z.string()),
  skipped: z.optional(z.boolean()),
});
export type AnswerItem = z.output<typeof AnswerItem>;

/** The answers of the base profile: question text to value. Made without a prototype: its keys are foreign text. */
export type AnswerMap = Record<string, string>;

type WithId<T> = T & { id: string };
type WithIds<Q extends { options: readonly object[] }> = WithId<Q> & {
  options: WithId<Q["options"][number]>[];
};

/** Gives questions and options that have no id theirs: `q1`, `q1_o2`, by position from 1. */
export function withIds<Q extends { options: readonly object[] }>(questions: readonly Q[]): WithIds<Q>[] {
  return questions.map((question, q) => {
    const id = ownId(question) ?? `q${q + 1}`;
    const options = question.options.map((option, o) => ({
      ...option,
      id: ownId(option) ?? `${id}_o${o + 1}`,
    }));
    return { ...question, id, options } as WithIds<Q>;
  });
}

const ownId = (thing: object) => ("id" in thing && typeof thing.id === "string" ? thing.id : undefined);

/**
 * Writes items as the base profile does: the chosen labels in the order of the options, own text last, joined
 * with `", "` (K-17). Skipped questions are left out.
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
 * Reads the map of a base client into items (P-ANS-2): a value equal to a label first; in a multi-select then the
 * longest label first, cut at `", "`; the rest is own text. A blank value is a skipped question.
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
