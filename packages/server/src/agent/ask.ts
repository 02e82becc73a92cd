import type { AnswerItem, CoreQuestion, Field, Outcome, QuestionInput } from "@askwire/protocol";
import {
  checkOptions,
  checkQuestionNames,
  defined,
  type OptionRules,
  option,
} from "@askwire/protocol/internal";
import { deadlineRules } from "../requests/deadline.js";
import { QuestionUnavailable, QuestionWithdrawn } from "../requests/errors.js";
import { QuestionRequest } from "../requests/question-request.js";
import type { ToolError } from "../requests/tool-error.js";
import { unansweredQuestion } from "../requests/unanswered.js";
import type {
  AskHow,
  AskOption,
  AskQuestion,
  QuestionResult,
  TurnAsk,
  UnansweredQuestion,
} from "./ask-types.js";
import { currentTurn } from "./context.js";
import { type AskingPlace, askSettingRules, put } from "./put.js";

/** {@link TurnAsk} by the turn around this code. */
export const ask = (async (...given: Parameters<TurnAsk>) => currentTurn("ask").ask(...given)) as TurnAsk;

const howRules: OptionRules<AskHow> = {
  ...askSettingRules,
  deadline: option.of(deadlineRules),
  background: option.flag,
};

/** The questions of a call of {@link TurnAsk}, in one form. */
interface AskedQuestions {
  /** True for one question, whose answer stands for itself. */
  readonly single: boolean;
  readonly questions: ReadonlyMap<string, AskQuestion>;
  readonly how: AskHow;
}

/** Asks as {@link TurnAsk} says, in the name of a turn or a call. */
export async function askPerson(
  asker: AskingPlace,
  ...given: Parameters<typeof askedOf>
): Promise<QuestionResult<unknown>> {
  const { single, questions, how } = askedOf(...given);
  checkOptions("ask", how, howRules);
  const { signal, ...init } = how;
  const request = new QuestionRequest({
    tool_call_id: asker.toolCall?.id ?? "",
    questions: [...questions.values()].map(questionInput),
    ...init,
  });
  try {
    put(asker, request, signal);
    const { items } = await request.waitForAnswer({ signal });
    const outcome = request.outcome as Outcome;
    const answers = [...questions].map(
      ([key, question], index) =>
        [key, answerTo(question, request.questions[index] as CoreQuestion, items)] as const,
    );
    if (answers.every(([, answer]) => answer === undefined))
      return unanswered(outcome, unansweredQuestion(outcome));
    return {
      answer: single ? answers[0]?.[1] : Object.fromEntries(answers),
      items,
      outcome,
      toolError: undefined,
    };
  } catch (error) {
    if (error instanceof QuestionWithdrawn || !(error instanceof QuestionUnavailable)) throw error;
    return unanswered(error.outcome, error.toolError);
  }
}

const unanswered = (outcome: Outcome, toolError: ToolError): UnansweredQuestion => ({
  answer: undefined,
  items: [],
  outcome,
  toolError,
});

type GivenQuestions = Readonly<Record<string, string | AskQuestion>>;

function askedOf(
  asked: string | AskQuestion | GivenQuestions,
  second: readonly AskOption[] | AskHow = {},
  third: AskHow = {},
): AskedQuestions {
  if (typeof asked === "string") {
    return Array.isArray(second)
      ? one({ question: asked, options: second }, third)
      : one({ question: asked }, second as AskHow);
  }
  if (typeof asked !== "object" || asked === null || Array.isArray(asked)) {
    throw new TypeError("ask: expected a question, or several by their keys");
  }
  const how = second as AskHow;
  if (typeof asked.question === "string") return one(asked as AskQuestion, how);
  const questions = Object.entries(asked as GivenQuestions).map(([id, given]) => {
    const question = typeof given === "string" ? { question: given } : given;
    if (typeof question !== "object" || question === null || Array.isArray(question)) {
      throw new TypeError(`ask: ${id}: expected a question`);
    }
    return [id, { ...question, id }] as const;
  });
  return { single: false, questions: new Map(questions), how };
}

const one = (question: AskQuestion, how: AskHow): AskedQuestions => ({
  single: true,
  questions: new Map([["", question]]),
  how,
});

/**
 * The question for the wire. What does not fit its shape is refused there, with its place.
 *
 * @throws TypeError for one that some clients could not answer, or nobody.
 */
function questionInput(given: AskQuestion): QuestionInput {
  checkQuestionNames("ask", given);
  const { options, default: chosen, ...question } = given;
  for (const one of options ?? []) {
    if (typeof one === "string") continue;
    if (typeof one !== "object" || one === null) {
      throw new TypeError(`ask: options: expected labels or options, found ${String(one)}`);
    }
  }
  const whole = options?.map((option) => (typeof option === "string" ? { label: option } : option));
  const labels = new Set(whole?.map(({ label }) => label));
  if (labels.size < (whole?.length ?? 0)) {
    throw new TypeError(
      "options: expected labels that differ, since clients of the base profile answer by label",
    );
  }
  if (labels.size === 0 && question.own_text === false && question.field === undefined) {
    throw new TypeError("options: expected one at least, since own_text is false");
  }
  return { ...question, ...defined({ options: whole, default: chosen && [...chosen] }) };
}

/** The answer to a question; undefined for one that was skipped. */
function answerTo(
  { options = [], multi_select = false }: AskQuestion,
  { id, field, options: known }: CoreQuestion,
  items: readonly AnswerItem[],
): unknown {
  const { selected = [], own_text: words = "" } = items.find(({ question_id }) => question_id === id) ?? {};
  if (field !== undefined) return words === "" ? undefined : fieldValue(field, words);
  const chosen = selected.map((id) => nameOf(options[known.findIndex((option) => option.id === id)]));
  if (words.trim() !== "") chosen.push(words);
  if (chosen.length === 0) return undefined;
  return multi_select ? chosen : chosen[0];
}

/** The value of a field, which comes as a text in canonical form (P-XFL-3). */
function fieldValue({ type }: Field, text: string): unknown {
  if (type === "boolean") return text === "true";
  return type === "number" || type === "integer" ? Number(text) : text;
}

const nameOf = (option: AskOption | undefined): string | undefined =>
  typeof option === "string" ? option : (option?.id ?? option?.label);
