import type { ApprovalReply, ApprovalView, QuestionReply, QuestionView } from "@askwire/client";
import type { AnswerItem } from "@askwire/protocol";
import { answersOfFile } from "../ask/answers.js";
import { usageFailure } from "../input/failure.js";
import { readOptionFile } from "../input/read-file.js";

/** An answer as a script says it. */
export interface SaidAnswer {
  readonly choose?: readonly string[];
  readonly text?: string;
  readonly answers?: string;
  readonly decline?: boolean;
  readonly approve?: boolean;
  readonly option?: string;
  readonly reject?: string | boolean;
}

const ofQuestions = ["choose", "text", "answers", "decline"] as const;
const ofApprovals = ["approve", "option", "reject"] as const;

const flags = (names: readonly string[]) => names.map((name) => `--${name}`);
const oneOf = (names: readonly string[]) => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/**
 * Checks that a script says one thing, before anybody is connected to.
 *
 * @throws Failure that names what was said and what was expected.
 */
export function checkSaid(said: SaidAnswer): void {
  const given = [...ofQuestions, ...ofApprovals].filter((name) => said[name] !== undefined);
  const [first, second] = given.filter((name) => !(name === "text" && said.choose !== undefined));
  const all = oneOf(flags([...ofQuestions, ...ofApprovals]));
  if (first === undefined) throw usageFailure(`inbox answer: expected what to answer: ${all}`);
  if (second !== undefined)
    throw usageFailure(`inbox answer: --${first} and --${second} say two things: leave one out`);
  if (said.text?.trim() === "") throw usageFailure("--text: expected a text that is not blank");
  if (said.reject === "") throw usageFailure("--reject: expected a reason that is not blank, or none");
}

/**
 * The reply to questions that a script says, and nothing beyond it.
 *
 * @throws Failure that names the option, and what was expected there.
 */
export function saidReply({ questions }: QuestionView, said: SaidAnswer): QuestionReply {
  const { choose = [], text, answers, decline } = said;
  refuse(said, ofApprovals, "a question", ofQuestions);
  if (decline) return { declined: "dismissed" };
  if (answers !== undefined) {
    const items = answersOfFile(questions, readOptionFile("--answers", answers), answers);
    if (items.every(({ skipped }) => skipped))
      throw usageFailure(`${answers}: expected at least one answer; --decline declines all`);
    return { items };
  }
  const [question, another] = questions;
  if (question === undefined || another !== undefined)
    throw usageFailure(
      `inbox answer: the request has ${questions.length} questions: expected --answers FILE, with an answer for each`,
    );
  const selected = choose.map((wanted) => chosenOption(question.options, wanted, "--choose"));
  if (selected.length > 1 && !question.multi_select)
    throw usageFailure("--choose: expected one option: only one may be chosen");
  if (text !== undefined && selected.length > 0 && !question.multi_select)
    throw usageFailure("--text: expected --choose or --text: only one may be given here");
  if (text !== undefined && !question.own_text && question.field === undefined)
    throw usageFailure(
      `--text: no own words are taken here: expected --choose with ${labels(question.options)}`,
    );
  const ids = question.options.map(({ id }) => id).filter((id) => selected.includes(id));
  const item: AnswerItem = {
    question_id: question.id,
    selected: ids,
    ...(text !== undefined && { own_text: text }),
  };
  return { items: [item] };
}

/**
 * The reply to an approval that a script says. `--approve` allows this one call, never more.
 *
 * @throws Failure that names the option, and what was expected there.
 */
export function saidApproval({ options }: ApprovalView, said: SaidAnswer): ApprovalReply {
  const { approve, option, reject } = said;
  refuse(said, ofQuestions, "an approval", ofApprovals);
  if (reject !== undefined)
    return typeof reject === "string" ? { response: "reject", feedback: reject } : "reject";
  if (option !== undefined) {
    if (options === undefined)
      throw usageFailure("--option: this approval has no options of its own: expected --approve or --reject");
    return { option: chosenOption(options, option, "--option") };
  }
  const once = options?.filter(({ kind, scope }) => kind === "allow" && (scope?.kind ?? "call") === "call");
  if (approve && once !== undefined && once.length !== 1)
    throw usageFailure(
      `--approve: ${once.length} ways allow this call alone: expected --option with ${labels(options ?? [])}`,
    );
  return "approve";
}

function refuse(
  said: SaidAnswer,
  names: readonly (keyof SaidAnswer)[],
  what: string,
  expected: readonly string[],
): void {
  const given = names.find((name) => said[name] !== undefined);
  if (given !== undefined)
    throw usageFailure(`--${given}: the request is ${what}: expected ${oneOf(flags(expected))}`);
}

type Choice = { readonly id: string; readonly label: string };

/** The id of the option that is meant by its id, or by a label that no other has. */
function chosenOption(options: readonly Choice[], wanted: string, flag: string): string {
  const byId = options.find(({ id }) => id === wanted);
  const byLabel = options.filter(({ label }) => label === wanted);
  const found = byId ?? (byLabel.length === 1 ? byLabel[0] : undefined);
  if (found !== undefined) return found.id;
  const why = byLabel.length > 1 ? "is the label of several options" : "is no option";
  const ids = byLabel.length > 1 ? oneLine(byLabel.map(({ id }) => id)) : labels(options);
  throw usageFailure(`${flag}: ${JSON.stringify(wanted)} ${why}; expected ${ids}`);
}

const MOST_NAMED = 8;
const labels = (options: readonly Choice[]) => oneLine(options.map(({ label }) => label));

function oneLine(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_NAMED).map((text) => JSON.stringify(text));
  const all = [...shown, ...(texts.length > MOST_NAMED ? ["…"] : [])].join(", ");
  return all === "" ? "--text" : all;
}
