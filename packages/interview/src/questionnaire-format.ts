import * as z from "zod";
import type { Position, QuestionnaireError, QuestionnairePath } from "./questionnaire-error.js";

/** The first line of every questionnaire: the format and its version. */
export const questionnaireFormat = "interview/1";

const maxOptions = 4;

/** A fact has exactly one of these keys, which names its reader. The value is a path or, for `value`, a template. */
const factShape = {
  /** The parsed content of a JSON file; nil without a file. */
  json: z.string().optional(),
  /** A text file, trimmed; nil without a file, or if it is blank. */
  text: z.string().optional(),
  /** True if a file or a folder is there. */
  exists: z.string().optional(),
  /** The sorted names in a folder; nil without a folder. */
  folder: z.string().optional(),
  /** Text derived from the facts above it, trimmed; nil if it is blank. */
  value: z.string().optional(),
};
export const factKinds = Object.keys(factShape) as (keyof typeof factShape)[];
export const Fact = z.strictObject(factShape);
export type Fact = z.output<typeof Fact>;

/** A plain text is short for `{ label: TEXT }`. */
export const QuestionnaireOption = z.preprocess(
  (option) => (typeof option === "string" ? { label: option } : option),
  z.strictObject({
    label: z.string(),
    description: z.string().optional(),
    /** The value for conditions and templates; the label if absent. */
    value: z.string().optional(),
    when: z.string().optional(),
  }),
);
export type QuestionnaireOption = z.output<typeof QuestionnaireOption>;

export const Question = z.strictObject({
  /** The answer's name in later conditions and templates. */
  id: z.string(),
  ask: z.string(),
  header: z.string().optional(),
  when: z.string().optional(),
  multi_select: z.boolean().default(false),
  /** The options. An open question has none, and is answered in the person's own words. */
  options: z.array(QuestionnaireOption).max(maxOptions).default([]),
  /** The answer, in values, of a question that was skipped or not asked; nil, or an empty list, if absent. */
  default: z.union([z.string(), z.array(z.string())]).optional(),
});
export type Question = z.output<typeof Question>;

export const FileTemplate = z.strictObject({
  /** Relative to the work folder. */
  path: z.string(),
  when: z.string().optional(),
  template: z.string(),
});

/**
 * A questionnaire as its author writes it. Every text but `askwire`, `title`, `id` and a fact's path is a Liquid
 * template.
 */
export const QuestionnaireSource = z.strictObject({
  askwire: z.literal(questionnaireFormat),
  title: z.string().min(1),
  intro: z.string().optional(),
  facts: z.record(z.string(), Fact).default({}),
  questions: z.array(Question).min(1).max(100),
  files: z.array(FileTemplate).max(100).default([]),
  done: z.string().optional(),
});
export type QuestionnaireSource = z.output<typeof QuestionnaireSource>;

/** A checked questionnaire. */
export interface Questionnaire extends QuestionnaireSource {
  /** Its name in messages. */
  readonly file: string;
  /** An error that names a place of this questionnaire, with the line and column of that place. */
  readonly problemAt: ProblemAt;
}

/** `within` is a position inside the text at that place. */
export type ProblemAt = (
  place: QuestionnairePath,
  problem: string,
  within?: Position,
  cause?: unknown,
) => QuestionnaireError;
