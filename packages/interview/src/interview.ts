import { pathProblem, type RenderedFile } from "@askwire/agent/internal";
import { oneLine } from "@askwire/server/internal";
import type { Facts } from "./facts.js";
import { conditionHolds, LiquidProblem, type LiquidScope, renderText } from "./liquid.js";
import type { QuestionnairePath } from "./questionnaire-error.js";
import type { Question, Questionnaire } from "./questionnaire-format.js";

/** An answer for conditions and templates: a list for a multi-select question, `null` without an answer. */
export type AnswerValue = string | readonly string[] | null;

/** An answer: labels of the question's options, own text, or, in a multi-select question, both. */
export interface InterviewAnswer {
  readonly selected: readonly string[];
  readonly own_text?: string;
}

/** An interview at one moment: a value, which {@link recordAnswer} replaces by the next. */
export interface Interview {
  readonly questionnaire: Questionnaire;
  readonly facts: Facts;
  /** The answers so far, by question id. */
  readonly answers: ReadonlyMap<string, AnswerValue>;
}

/** A question with its texts rendered and its options filtered. */
export interface ReadyQuestion {
  readonly id: string;
  readonly question: string;
  readonly header?: string;
  /** The options, at most four. An open question has none. `value` is for templates, not for the person. */
  readonly options: readonly {
    readonly label: string;
    readonly description?: string;
    readonly value: string;
  }[];
  readonly multi_select: boolean;
}

/** Starts an interview with no answers. */
export function openInterview(questionnaire: Questionnaire, facts: Facts): Interview {
  return { questionnaire, facts, answers: new Map() };
}

/**
 * The question to ask now, or `undefined` when all are answered. A question is not asked if its condition is false, or
 * if none of its options is left. Its default is then its answer.
 *
 * @throws QuestionnaireError if its texts cannot be rendered, or its options have two equal labels or an empty one
 */
export function nextQuestion(interview: Interview): ReadyQuestion | undefined {
  return walk(interview).pending;
}

/**
 * The interview with the answer to its current question. `"skipped"` takes the question's default.
 *
 * @throws RangeError if the question is not the current one or the answer does not fit it
 */
export function recordAnswer(
  interview: Interview,
  questionId: string,
  answer: InterviewAnswer | "skipped",
): Interview {
  const { pending, scope } = walk(interview);
  if (!pending || pending.id !== questionId) {
    throw new RangeError(
      `expected an answer to ${pending ? `"${pending.id}"` : "nothing"}, found one to "${questionId}"`,
    );
  }
  const value =
    answer === "skipped" ? defaultValue(interview, questionId, scope) : answerValue(pending, answer);
  return { ...interview, answers: new Map(interview.answers).set(questionId, value) };
}

/** The words at the start, if any. Throws QuestionnaireError. */
export function introText({ questionnaire, facts }: Interview): string | undefined {
  return questionnaire.intro === undefined
    ? undefined
    : render(questionnaire, questionnaire.intro, facts, ["intro"]).trim();
}

/**
 * The words at the end, if any. The template sees the written paths as the list `written`. Throws QuestionnaireError.
 */
export function doneText(interview: Interview, written: readonly string[]): string | undefined {
  const { questionnaire } = interview;
  if (questionnaire.done === undefined) return undefined;
  return render(questionnaire, questionnaire.done, { ...finished(interview), written }, ["done"]).trim();
}

/**
 * The files with true conditions.
 *
 * @throws QuestionnaireError if a file cannot be rendered, or its path leaves the work folder or comes twice
 * @throws RangeError if questions are still open
 */
export function renderFiles(interview: Interview): RenderedFile[] {
  const scope = finished(interview);
  const { questionnaire } = interview;
  const files: RenderedFile[] = [];
  for (const [index, file] of questionnaire.files.entries()) {
    const place = ["files", index];
    if (!holds(questionnaire, file.when, scope, [...place, "when"])) continue;
    const path = render(questionnaire, file.path, scope, [...place, "path"]).trim();
    const problem = files.some((other) => other.path === path)
      ? `two files have the path ${path}`
      : pathProblem(path);
    if (problem) throw questionnaire.problemAt([...place, "path"], problem);
    files.push({ path, text: render(questionnaire, file.template, scope, [...place, "template"]) });
  }
  return files;
}

function finished(interview: Interview): LiquidScope {
  const { pending, scope } = walk(interview);
  if (pending) throw new RangeError(`expected all questions to be answered, "${pending.id}" is open`);
  return scope;
}

/** The first open question, and the values known before it. */
function walk(interview: Interview): { pending?: ReadyQuestion; scope: LiquidScope } {
  const scope: Record<string, unknown> = { ...interview.facts };
  for (const [index, question] of interview.questionnaire.questions.entries()) {
    const answer = interview.answers.get(question.id);
    const pending =
      answer === undefined ? prepare(interview.questionnaire, question, index, scope) : undefined;
    if (pending) return { pending, scope };
    scope[question.id] = answer === undefined ? defaultValue(interview, question.id, scope) : answer;
  }
  return { scope };
}

function prepare(
  of: Questionnaire,
  question: Question,
  index: number,
  scope: LiquidScope,
): ReadyQuestion | undefined {
  const place = ["questions", index];
  if (!holds(of, question.when, scope, [...place, "when"])) return undefined;
  const options: ReadyQuestion["options"][number][] = [];
  for (const [at, option] of question.options.entries()) {
    const optionPlace = [...place, "options", at];
    if (!holds(of, option.when, scope, [...optionPlace, "when"])) continue;
    const label = renderLine(of, option.label, scope, [...optionPlace, "label"]);
    if (options.some((other) => other.label === label)) {
      throw of.problemAt([...optionPlace, "label"], `two options have the label "${label}"`);
    }
    const description = optionalLine(of, option.description, scope, [...optionPlace, "description"]);
    const value =
      option.value === undefined ? label : render(of, option.value, scope, [...optionPlace, "value"]).trim();
    options.push({ label, ...(description && { description }), value });
  }
  if (question.options.length > 0 && options.length === 0) return undefined;
  const header = optionalLine(of, question.header, scope, [...place, "header"]);
  const ask = render(of, question.ask, scope, [...place, "ask"]).trim();
  if (!ask) throw of.problemAt([...place, "ask"], "expected a text that is not empty");
  return {
    id: question.id,
    question: ask,
    ...(header && { header }),
    options,
    multi_select: question.multi_select,
  };
}

function answerValue(question: ReadyQuestion, answer: InterviewAnswer): AnswerValue {
  const values = answer.selected.map((label) => {
    const option = question.options.find((candidate) => candidate.label === label);
    if (!option) throw new RangeError(`"${label}" is no option of "${question.id}"`);
    return option.value;
  });
  const ownText = answer.own_text?.trim();
  if (ownText) values.push(ownText);
  if (question.multi_select) return [...new Set(values)];
  const [value] = values;
  if (value === undefined || values.length > 1) {
    throw new RangeError(`"${question.id}" has one answer, found ${values.length}: pass "skipped" for none`);
  }
  return value;
}

function defaultValue({ questionnaire }: Interview, id: string, scope: LiquidScope): AnswerValue {
  const index = questionnaire.questions.findIndex((question) => question.id === id);
  const question = questionnaire.questions[index];
  const place = ["questions", index, "default"];
  const texts = [question?.default ?? []]
    .flat()
    .map((text) => render(questionnaire, text, scope, place).trim());
  const values = [...new Set(texts.filter(Boolean))];
  return question?.multi_select ? values : (values[0] ?? null);
}

function holds(
  of: Questionnaire,
  condition: string | undefined,
  scope: LiquidScope,
  place: QuestionnairePath,
): boolean {
  return condition === undefined || located(of, place, () => conditionHolds(condition, scope));
}

function render(of: Questionnaire, text: string, scope: LiquidScope, place: QuestionnairePath): string {
  return located(of, place, () => renderText(text, scope));
}

function renderLine(of: Questionnaire, text: string, scope: LiquidScope, place: QuestionnairePath): string {
  const line = oneLine(render(of, text, scope, place));
  if (!line) throw of.problemAt(place, "expected a text that is not empty");
  return line;
}

function optionalLine(
  of: Questionnaire,
  text: string | undefined,
  scope: LiquidScope,
  place: QuestionnairePath,
): string | undefined {
  return text === undefined ? undefined : oneLine(render(of, text, scope, place));
}

function located<T>(of: Questionnaire, place: QuestionnairePath, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof LiquidProblem)) throw error;
    throw of.problemAt(place, error.message, error.position, error);
  }
}
