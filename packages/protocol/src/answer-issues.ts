// The problems of an answer in the extended profile. Code that settles requests uses this table; clients do not carry
// it.
import type { AnswerItem } from "./answer-item.js";
import { answerLimits, mebibytes } from "./answer-limits.js";
import { attachmentsProblem, imageBytes } from "./attachments.js";
import { fieldProblem } from "./field-input.js";
import { expectedChoices, expectedOf, fieldText, isLeftEmpty } from "./field-value.js";
import type { ApprovalOption } from "./messages/approval-options.js";
import { approvalKinds } from "./messages/events.js";
import type { AnswerIssue, AnswerParams } from "./messages/extended.js";
import type { AskwireCapabilities } from "./messages/handshake.js";
import type { Field } from "./messages/question-field.js";
import { outcomeReasons } from "./outcome.js";
import { type CoreQuestion, isSaid } from "./questions.js";

/** The codes of {@link answerIssues}, in the order of the table of P-XAN-4. */
export const answerIssueCodes = [
  /**
   * A question has no item, nothing is chosen and it is not skipped, or a field is empty that must not be. Or an
   * approval has no `response`, or no `option` where it has options.
   */
  "missing",
  /** There is no such question. */
  "unknown_question",
  /** A question has two items. */
  "repeated_question",
  /** The question or approval has no such option. */
  "unknown_option",
  /** A single choice has two options, or one and own text; several have more than `max`; a field has two values. */
  "too_many",
  /** Several choices have fewer than `min`. */
  "too_few",
  /** Own text for a question that takes none. */
  "own_text",
  /** Own text of nothing but spaces, and nothing chosen. */
  "blank",
  /** The text is not a value of the field's type. */
  "type",
  /** The value is outside the field's bounds, or too long for its pattern. */
  "bounds",
  /** The field's pattern does not find the value. */
  "pattern",
  /** A skipped item has an answer too. */
  "skipped",
  /** Every question is skipped, and not every one is a field that may be left empty: that is `declined`. */
  "nothing_answered",
  /** An attachment is not an image in a data URL, or too large. It is named where all together become too large. */
  "attachment",
  /**
   * A changed text where there is none to change, where the answer rejects, that is too long, or that whoever asks does
   * not take (P-XAO-3).
   */
  "edited",
  /** A use of `skipped`, `note`, `attachments`, `option` or `edited` that client and server did not both declare. */
  "not_negotiated",
  /** The role of the client does not allow it; the error is then `-32014` (P-XRL-6). */
  "not_allowed",
  /** Those who have approved before chose another option, or another text: the same, or a rejection, counts (P-XQU-2). */
  "other_choice",
  /** Somebody else has taken an exclusive request; the error is then `-32014` (P-XTO-5). */
  "taken",
  /** A member of another status or kind, or a reason that the status does not have. */
  "unexpected",
] as const;
type Code = (typeof answerIssueCodes)[number];

/** The members of a request that decide which answers fit it. */
export type AnswerableRequest =
  | { kind: "question"; questions: readonly CoreQuestion[] }
  /** The options and the text that the client was sent; undefined without any (P-XAO-1, P-XAO-3). */
  | { kind: "approval"; options?: readonly ApprovalOption[] | undefined; edit?: OfferedEdit | undefined };

/** A text that a person may change. */
export interface OfferedEdit {
  readonly max_length: number;
  /** Says what is wrong with a changed text; undefined if nothing is. */
  check?(text: string): string | undefined;
}

/** The abilities that client and server both declared, so that an answer may use them (P-XNG-2). */
type May = Pick<AskwireCapabilities, "skip" | "notes" | "attachments"> &
  Partial<Pick<AskwireCapabilities, "approval_options" | "edits">>;

/** Issues of items that belong to no question: the others have a bound in the request itself. */
const unknownQuestions = 64;

/**
 * Lists the problems of an answer to a question or approval, each with a code and the expected value (P-XAN-4,
 * P-XAN-6). Returns an empty list for an answer that fits. Takes any text and does not throw.
 *
 * @param answer its `status` is `answered` or `declined`. The right of a client to state a status is checked elsewhere.
 */
export function answerIssues(request: AnswerableRequest, answer: AnswerParams, may: May): AnswerIssue[] {
  const stray = strayFields(request, answer, may);
  if (answer.outcome.status !== "answered") return stray;
  if (request.kind === "question") {
    return [...questionsIssues(request.questions, answer.items ?? [], may), ...stray];
  }
  if (request.options !== undefined || request.edit !== undefined || answer.edited !== undefined) {
    return [...ownApprovalIssues(request, answer), ...stray];
  }
  if (answer.response !== undefined) return stray;
  return [noResponse(), ...stray];
}

const noResponse = () => issue(null, "missing", `response: expected ${quoted(approvalKinds, " or ")}`);

const issue = (question_id: string | null, code: Code, message: string): AnswerIssue => ({
  question_id,
  code,
  message,
});

type Approval = Extract<AnswerableRequest, { kind: "approval" }>;

/** Lists the problems of an answer to an approval with its own options or text. */
function ownApprovalIssues({ options, edit }: Approval, answer: AnswerParams): AnswerIssue[] {
  const { option: id, response, edited } = answer;
  const issues: AnswerIssue[] = [];
  const chosen = options?.find((option) => option.id === id);
  if (options === undefined) {
    if (response === undefined) issues.push(noResponse());
  } else if (chosen === undefined) {
    const known = quoted(
      options.map((option) => option.id),
      " or ",
    );
    issues.push(
      id === undefined
        ? issue(null, "missing", `option: expected ${known}`)
        : issue(null, "unknown_option", `option: expected ${known}, found ${quote(id)}`),
    );
  }
  if (edited === undefined) return issues;
  const rejects = options === undefined ? response === "reject" : chosen?.kind === "reject";
  const problem = rejects ? "expected none beside a rejection" : editProblem(edit, edited);
  return problem === undefined ? issues : [...issues, issue(null, "edited", `edited: ${problem}`)];
}

function editProblem(edit: OfferedEdit | undefined, edited: string): string | undefined {
  if (edit === undefined) return "expected none, as there is no text to change";
  if (edited.length > edit.max_length) {
    return `expected at most ${edit.max_length} characters, found ${edited.length}`;
  }
  if (edited.includes("\0")) return "expected a text without the character NUL (U+0000)";
  return edit.check?.(edited);
}

/** The members of an answer to a request. */
const membersOf = (request: AnswerableRequest): readonly Member[] =>
  request.kind === "question"
    ? ["items"]
    : [request.options === undefined ? "response" : "option", "feedback"];

const members = ["items", "response", "option", "feedback"] as const;
type Member = (typeof members)[number];

/** Lists fields that belong to another status, or to the other kind of request, and those that were not negotiated. */
function strayFields(request: AnswerableRequest, answer: AnswerParams, may: May): AnswerIssue[] {
  const { kind } = request;
  const { status, reason } = answer.outcome;
  const belong = status !== "answered" ? [] : membersOf(request);
  const expected = belong.length === 0 ? "only its outcome" : quoted(belong, " and ");
  const stray = (field: string) =>
    issue(null, "unexpected", `${field}: of ${describe(kind, status)} expected ${expected}`);
  const issues = members
    .filter((field) => answer[field] !== undefined && !belong.includes(field))
    .map((field) =>
      field === "option" && kind === "approval" && belong.length > 0 && !may.approval_options
        ? issue(null, "not_negotiated", "expected no option: approval_options was not declared by both sides")
        : stray(field),
    );
  if (answer.edited !== undefined) {
    if (belong.length === 0 || kind === "question") issues.push(stray("edited"));
    else if (!may.edits) {
      issues.push(issue(null, "not_negotiated", "expected no edited: edits was not declared by both sides"));
    }
  }
  const reasons: readonly string[] = status === "answered" ? [] : outcomeReasons.declined;
  if (reason === undefined || reasons.includes(reason)) return issues;
  const wanted = reasons.length === 0 ? "none" : quoted(reasons, " or ");
  const message = `outcome.reason: of ${describe(kind, status)} expected ${wanted}`;
  return [...issues, issue(null, "unexpected", message)];
}

const describe = (kind: AnswerableRequest["kind"], status: string) =>
  status !== "answered" ? "what is declined" : `an answered ${kind}`;

function questionsIssues(
  questions: readonly CoreQuestion[],
  items: readonly AnswerItem[],
  may: May,
): AnswerIssue[] {
  const given = new Map<string, AnswerItem[]>(questions.map(({ id }) => [id, []]));
  const strangers = new Set<string>();
  for (const item of items) {
    const found = given.get(item.question_id);
    if (found !== undefined) found.push(item);
    else if (strangers.size < unknownQuestions) strangers.add(item.question_id);
  }
  const issues: AnswerIssue[] = [];
  let bytes = 0;
  for (const question of questions) {
    const found = given.get(question.id) ?? [];
    if (found.length > 1) {
      const message = `expected one item for the question, found ${found.length}`;
      issues.push(issue(question.id, "repeated_question", message));
    }
    const [item] = found;
    issues.push(...itemIssues(question, item, may));
    const more = (item?.attachments ?? []).reduce((sum, part) => sum + (imageBytes(part) ?? 0), 0);
    const most = answerLimits.pictures;
    if (bytes <= most && bytes + more > most) {
      const message = `attachments: expected at most ${mebibytes(most)} in one answer`;
      issues.push(issue(question.id, "attachment", message));
    }
    bytes += more;
  }
  const known = quoted(questions.map(({ id }) => id));
  for (const id of strangers) {
    issues.push(issue(short(id), "unknown_question", `question_id: expected ${known}, found ${quote(id)}`));
  }
  const isSkipped = ({ id }: CoreQuestion) => given.get(id)?.[0]?.skipped === true;
  if (questions.length > 0 && questions.every(isSkipped) && !questions.every(mayBeEmpty)) {
    const message = 'every question is skipped: expected an answer to one of them, or the status "declined"';
    issues.push(issue(null, "nothing_answered", message));
  }
  return issues;
}

/** True for a field that may be left empty (P-XFL-5). */
const mayBeEmpty = ({ field }: CoreQuestion) => field?.required === false;

type Say = (code: Code, message: string) => AnswerIssue;

/** At most one issue of each code. */
function itemIssues(question: CoreQuestion, item: AnswerItem | undefined, may: May): AnswerIssue[] {
  const say: Say = (code, message) => issue(question.id, code, message);
  if (item === undefined) return [say("missing", `items: expected ${whatCounts(question)}`)];
  const { field } = question;
  const issues =
    field === undefined ? choiceIssues(question, item, say) : fieldIssues(field, question, item, say);
  const problem = attachmentsProblem(item.attachments ?? []);
  if (problem !== undefined) issues.push(say("attachment", problem));
  const used = [
    ...(item.skipped === true && !may.skip && field === undefined ? ["skipped"] : []),
    ...(item.note !== undefined && item.note !== "" && !may.notes ? ["note"] : []),
    ...(hasImages(item) && !may.attachments ? ["attachments"] : []),
  ];
  if (used.length > 0) {
    issues.push(say("not_negotiated", `expected no ${used.join(", no ")}: not declared by both sides`));
  }
  return issues;
}

const hasText = ({ own_text }: AnswerItem) => own_text !== undefined && isSaid(own_text);
const hasImages = ({ attachments }: AnswerItem) => attachments !== undefined && attachments.length > 0;

/** The issues of options and words of any kind. */
function choiceIssues(question: CoreQuestion, item: AnswerItem, say: Say): AnswerIssue[] {
  const text = item.own_text;
  const isTold = hasText(item);
  const chosen = new Set(item.selected);
  const issues: AnswerIssue[] = [];

  if (item.skipped === true) {
    if (chosen.size > 0 || isTold || hasImages(item)) {
      issues.push(say("skipped", "skipped: expected no choice, own text or attachments beside it"));
    }
  } else if (chosen.size === 0 && !isTold) {
    const code = text === undefined ? "missing" : "blank";
    issues.push(say(code, `expected ${whatCounts(question)}`));
  }

  issues.push(...strangeOption(question, item, say));
  if (isTold && !question.own_text) {
    issues.push(say("own_text", `own_text: expected none, only ${whatCounts(question)}`));
  }
  const choices = chosen.size + (isTold && question.own_text ? 1 : 0);
  if (choices > (question.multi_select ? (question.max ?? choices) : 1)) {
    issues.push(say("too_many", `expected ${howMany(question)}`));
  } else if (question.min !== undefined && choices > 0 && choices < question.min) {
    issues.push(say("too_few", `expected ${howMany(question)}, found ${choices}`));
  }
  return issues;
}

const howMany = (question: CoreQuestion) =>
  expectedChoices(question) ?? `one choice: ${whatCounts(question)}`;

function strangeOption({ options }: CoreQuestion, { selected }: AnswerItem, say: Say): AnswerIssue[] {
  const ids = new Set(options.map(({ id }) => id));
  const strange = selected.find((id) => !ids.has(id));
  if (strange === undefined) return [];
  const known = ids.size === 0 ? "nothing, since there are no options" : quoted([...ids]);
  return [say("unknown_option", `selected: expected ${known}, found ${quote(strange)}`)];
}

/** The issues of the value of a field (P-XFL-4). */
function fieldIssues(field: Field, question: CoreQuestion, item: AnswerItem, say: Say): AnswerIssue[] {
  const text = fieldText(item);
  const issues: AnswerIssue[] = [];
  if (item.skipped === true && (text !== undefined || hasImages(item))) {
    issues.push(say("skipped", "skipped: expected no choice, own text or attachments beside it"));
  }
  issues.push(...strangeOption(question, item, say));
  if (new Set(item.selected).size + (hasText(item) ? 1 : 0) > 1) {
    issues.push(say("too_many", `expected one value: ${expectedOf(field)}`));
  }
  if (isLeftEmpty(item)) {
    if (mayBeEmpty(question)) return issues;
    const code = item.skipped === true || item.own_text === undefined ? "missing" : "blank";
    return [...issues, say(code, `expected ${expectedOf(field)}`)];
  }
  const problem = issues.length > 0 ? undefined : fieldProblem(field, text as string);
  if (problem === undefined) return issues;
  return [say(problem.code, `expected ${problem.expected}, found ${quote(text as string)}`)];
}

/** Describes the possible answers to a question, in words. */
function whatCounts({ options, multi_select, own_text, field }: CoreQuestion): string {
  if (field !== undefined) return expectedOf(field);
  const choice = multi_select ? "one or more of the options" : "one of the options";
  const ways = [...(options.length > 0 ? [choice] : []), ...(own_text ? ["own text"] : [])];
  return ways.length > 0 ? ways.join(" or ") : '"declined", since nothing can be chosen';
}

/** Foreign text in a message: enough of it to be found. */
const quote = (text: string) => JSON.stringify(short(text));
const short = (text: string) => (text.length > 128 ? `${text.slice(0, 128)}…` : text);
const quoted = (texts: readonly string[], between = ", ") => {
  const first = texts.slice(0, 16).map(quote);
  return texts.length > first.length ? `${first.join(between)} and others` : first.join(between);
};
