import {
  type AnswerableRequest,
  type AnswerItem,
  type AnswerMap,
  AnswerParams,
  answerIssues,
  answersFromItems,
  coreQuestion,
  type Field,
  itemsFromAnswers,
  QuestionInput,
  type ReadField,
  readField,
  validate,
} from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";

interface Answered {
  readonly questions: readonly object[];
  readonly items: readonly AnswerItem[];
  readonly answers: Readonly<AnswerMap>;
}

/** A value that has to fit its schema. */
function fits<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
const asked = (questions: readonly object[]) =>
  questions.map((question, index) => coreQuestion(fits(validate(QuestionInput, question)), index));

test.each(vectors<Answered>("wire-1.10/items-to-answers.json"))(
  "answers are written as the vector says: $name (P-ANS-6)",
  ({ questions, items, answers }) => {
    expect({ ...answersFromItems(asked(questions), items) }).toEqual(answers);
  },
);

describe("answers in the vectors (P-ANS-1 to P-ANS-3)", () => {
  const inAnyOrder = (items: readonly AnswerItem[]) =>
    items.map((item) => ({ ...item, selected: [...item.selected].sort() }));
  test.each(vectors<Answered>("askwire-draft/answers-to-items.json"))(
    "answers are read as the vector says: $name",
    ({ questions, answers, items }) => {
      expect(inAnyOrder(itemsFromAnswers(asked(questions), answers))).toEqual(inAnyOrder(items));
    },
  );
});

interface Typed {
  readonly field: Field;
  readonly text: string;
  readonly value?: string;
  readonly problem?: string;
}
describe("values of fields in the vectors (P-XFL-1, P-XFL-3, P-XFL-4)", () => {
  test.each(vectors<Typed>("askwire-draft/fields.json"))(
    "the value of a field is read as the vector says: $name",
    ({ field, text, value, problem }) => {
      const questions = asked([{ question: "What?", options: [], field }]);
      const items = [{ question_id: "q1", selected: [], own_text: text }];
      const answer = { request_id: "r", answer_id: "a", outcome: { status: "answered" }, items } as const;
      const may = { skip: false, notes: false, attachments: false };
      const issues = answerIssues({ kind: "question", questions }, answer, may);
      expect(issues.map(({ code }) => code)).toEqual(problem === undefined ? [] : [problem]);
      const read: ReadField = readField(field, text);
      if (value !== undefined) expect(read).toEqual({ value });
      else if (problem === "type") expect(read).toEqual({ problem });
    },
  );
});

interface Issued {
  readonly request:
    | { readonly kind: "question"; readonly questions: readonly object[] }
    | Extract<AnswerableRequest, { kind: "approval" }>;
  readonly declared: readonly string[];
  readonly answer: object;
  readonly issues: readonly { readonly question_id: string | null; readonly code: string }[];
}
describe("issues in the vectors (P-XAN-4)", () => {
  test.each(vectors<Issued>("askwire-draft/answer-issues.json"))(
    "an answer has the issues that the vector says: $name",
    ({ request, declared, answer, issues }) => {
      const put = request.kind === "approval" ? request : { ...request, questions: asked(request.questions) };
      const said = fits(validate(AnswerParams, { request_id: "r", answer_id: "a", ...answer }));
      const has = (ability: string) => declared.includes(ability);
      const may = {
        skip: has("skip"),
        notes: has("notes"),
        attachments: has("attachments"),
        approval_options: has("approval_options"),
        edits: has("edits"),
      };
      const found = answerIssues(put, said, may).map(({ question_id, code }) => ({ question_id, code }));
      expect(found).toHaveLength(issues.length);
      expect(found).toEqual(expect.arrayContaining([...issues]));
    },
  );
});
