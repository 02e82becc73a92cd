import {
  type AnswerIssue,
  answerIssues,
  type CoreQuestion,
  coreQuestion,
  QuestionInputs,
  validate,
} from "@askwire/protocol";
import {
  type FormKey,
  type FormOptions,
  type FormState,
  formAction,
  isChosen,
  keyNames,
  questionForm,
  questionRows,
  reduceForm,
  shownQuestion,
  statusOf,
} from "../../src/form/index.js";

/** A question as a server sends it. */
export type Asked = Parameters<typeof validate<typeof QuestionInputs>>[1];

/** Questions as a client has them. Throws what is wrong with them. */
export function asked(...questions: Asked[]): CoreQuestion[] {
  const parsed = validate(QuestionInputs, questions);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value.map(coreQuestion);
}

const labelled = (...labels: string[]) => labels.map((label) => ({ label }));

/** A single choice, several choices, and a question without options; the first two in a closed form too. */
export const single = { question: "Which database?", options: labelled("PostgreSQL", "SQLite", "MySQL") };
export const multi = {
  question: "Which checks?",
  options: labelled("Lint", "Types", "Tests"),
  multi_select: true,
};
export const open = { question: "Which name?", options: [] };
export const closed = (question: { question: string; options: object[] }) => ({
  ...question,
  own_text: false,
});

export const formOf = (questions: readonly Asked[], options?: FormOptions): FormState =>
  questionForm(asked(...questions), options);

/** A press: the name of a key, a text to type key by key, or a key. */
export type Pressed = string | FormKey;

const isName = (text: string): text is (typeof keyNames)[number] =>
  (keyNames as readonly string[]).includes(text);

/** Presses a key at this time. */
export function pressAt(at: number, form: FormState, key: FormKey): FormState {
  const action = formAction(form, key, at);
  return action === undefined ? form : reduceForm(form, action);
}

/** Presses keys in turn, all at the same time. */
export function press(form: FormState, ...pressed: readonly Pressed[]): FormState {
  const keys = pressed.flatMap((one): FormKey[] => {
    if (typeof one !== "string") return [one];
    return isName(one) ? [{ key: one }] : [...one].map((text) => ({ text }));
  });
  return keys.reduce((state, key) => pressAt(0, state, key), form);
}

/** The person's view of a form. */
export function seen(form: FormState) {
  const here = shownQuestion(form);
  return {
    /** The place of the cursor. */
    at: form.reading ? "reading" : cursorAt(form),
    /** The question that is shown, or the page to review all. */
    page: here?.question.question ?? "review",
    /** A mark for each question: open, answered, or edited since. */
    tabs: form.questions.map((question, index) => marks[statusOf(question, draftOf(form, index))]).join(""),
    chosen:
      here === undefined
        ? []
        : questionRows(here.question, form.options)
            .filter((row) => isChosen(here.question, here.draft, row))
            .map((row) =>
              row.is === "option" ? here.question.options[row.index]?.label : here.draft.text.text,
            ),
    /** Own text with its caret. */
    text:
      here &&
      `${here.draft.text.text.slice(0, here.draft.text.caret)}|${here.draft.text.text.slice(here.draft.text.caret)}`,
    hint: form.hint?.why,
    result: sent(form),
  };
}

const marks = { open: "☐", answered: "✔", edited: "◐" };

const draftOf = (form: FormState, index: number) => {
  const draft = form.drafts[index];
  if (draft === undefined) throw new Error(`the form has no question ${index}`);
  return draft;
};

function cursorAt(form: FormState): string {
  const here = shownQuestion(form);
  if (here === undefined) return form.reviewRow === 0 ? "Submit" : "Cancel";
  const { row, question } = here;
  if (row.is === "own_text") return "Other";
  if (row.is === "discuss") return "Discuss";
  return row.is === "confirm" ? "Confirm" : (question.options[row.index]?.label ?? "nothing");
}

/** The sent answer, a list of labels and own text for each question. */
function sent({ result, questions }: FormState) {
  if (result === undefined) return undefined;
  if (result === "declined" || "declined" in result) return result;
  return result.items.map(({ question_id, selected, own_text }) => {
    const options = questions.find(({ id }) => id === question_id)?.options ?? [];
    const labels = selected.map((id) => options.find((option) => option.id === id)?.label ?? `unknown ${id}`);
    return own_text === undefined ? labels : [...labels, own_text];
  });
}

/** A server's issues with the sent answer. Throws without an answer. */
export function issuesOf({ questions, result }: FormState): AnswerIssue[] {
  if (result === undefined || result === "declined" || "declined" in result)
    throw new Error("the form has sent nothing");
  const answered = { status: "answered" } as const;
  const answer = { request_id: "r", answer_id: "a", outcome: answered, items: [...result.items] };
  return answerIssues({ kind: "question", questions }, answer, {
    skip: true,
    notes: true,
    attachments: false,
  });
}
