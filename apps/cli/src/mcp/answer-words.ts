// Answers in words for a model, in which nothing is lost: choices, own words, notes, skips.
import type { AnswerItem } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { AskedQuestion } from "../ask/questions.js";
import type { Result } from "./asking.js";

/** The answer to a question, by ids and in words. */
export interface ToldAnswer {
  readonly question_id: string;
  readonly question?: string;
  readonly selected: readonly string[];
  /** The labels of `selected`. */
  readonly labels?: readonly string[];
  readonly own_text?: string;
  readonly note?: string;
  readonly skipped?: boolean;
  /** The number of pictures that came with it. */
  readonly pictures?: number;
}

type Answered = Pick<Result, "answers" | "items" | "questions">;

/** The answers by ids, each with its labels. Without the questions the labels are not known. */
export const toldAnswers = ({ items, questions = [] }: Answered): ToldAnswer[] =>
  items.map((item) => {
    const { question_id, selected, own_text, note, skipped } = item;
    const asked = questionOf(questions, question_id);
    const labels = asked && labelsOf(asked, item);
    const pictures = item.attachments?.length || undefined;
    return {
      question_id,
      ...defined({ question: asked?.question }),
      selected: [...selected],
      ...defined({ labels, own_text, note, skipped, pictures }),
    };
  });

/** The answers by question text: a list where several could be chosen, since labels may have commas. */
export function answerValues({
  answers,
  items,
  questions = [],
}: Answered): Record<string, string | string[]> {
  const values = Object.entries(answers).map(([text, value]): [string, string | string[]] => {
    const at = questions.findIndex(({ question }) => question === text);
    const asked = questions[at];
    const item = items.find(({ question_id }) => question_id === `q${at + 1}`);
    return [text, asked?.multi_select && item ? chosen(asked, item) : value];
  });
  return Object.fromEntries(values);
}

/** The answers as lines, each with its ids, note or skip. */
export function linesOfAnswer(answered: Answered): string[] {
  const { answers, questions } = answered;
  // A text of the wire is all that is left of questions which are no longer known here.
  if (questions === undefined)
    return [
      ...Object.entries(answers).map(
        ([text, value]) => `- ${JSON.stringify(text)}: ${JSON.stringify(value)}`,
      ),
      ...toldAnswers(answered).flatMap((told) =>
        besides(told).map((words) => `- ${told.question_id}: ${words}`),
      ),
    ];
  const values = answerValues(answered);
  return toldAnswers(answered).map((told) => {
    const { question = told.question_id, selected } = told;
    const value = values[question];
    const ids = selected.length > 0 ? ` (${selected.join(", ")})` : "";
    const own =
      told.own_text !== undefined && selected.length > 0
        ? ` with ${JSON.stringify(told.own_text)} in their own words`
        : "";
    const said = value === undefined ? "no answer" : `${JSON.stringify(value)}${ids}${own}`;
    return `- ${JSON.stringify(question)}: ${[said, ...besides(told)].join(". ")}`;
  });
}

function besides({ note, skipped, pictures }: ToldAnswer): string[] {
  return [
    ...(skipped === true ? ["They skipped it, which is no consent"] : []),
    ...(note !== undefined && note.trim() !== "" ? [`Their note: ${JSON.stringify(note)}`] : []),
    ...(pictures !== undefined ? [`Pictures that came with it: ${pictures}`] : []),
  ];
}

const questionOf = (questions: readonly AskedQuestion[], id: string) => questions[Number(id.slice(1)) - 1];

/** Ids of options are those by position (P-QST-2). */
const labelsOf = ({ options }: AskedQuestion, { question_id, selected }: AnswerItem) =>
  options.filter((_, at) => selected.includes(`${question_id}_o${at + 1}`)).map(({ label }) => label);

const chosen = (asked: AskedQuestion, item: AnswerItem) => [
  ...labelsOf(asked, item),
  ...(item.own_text?.trim() ? [item.own_text] : []),
];
