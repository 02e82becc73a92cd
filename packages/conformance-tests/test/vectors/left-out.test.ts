import { type FormAction, questionForm, reduceForm } from "@askwire/client/form";
import { type AnswerItem, answerIssues, coreQuestion, QuestionInput, validate } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";

/** A question, a person's answer to it, and how that counts. */
interface LeftOut {
  readonly question: object;
  readonly said: Partial<AnswerItem>;
  readonly then: "answered" | "left_out" | "refused";
}

const cases = vectors<LeftOut>("askwire-draft/left-out.json");
const other = { question: "Anything else?", options: [] };

function asked(question: object) {
  return [question, other].map((one, index) => {
    const parsed = validate(QuestionInput, one);
    if (!parsed.ok) throw new Error(parsed.problem);
    return coreQuestion(parsed.value, index);
  });
}

describe("absent, empty and valid are one thing to the server and to the form (P-XFL-5, P-XAN-4)", () => {
  test.each(cases)("an answer is taken as the vector says: $name", ({ question, said, then }) => {
    const items = [
      { question_id: "q1", selected: [], ...said },
      { question_id: "q2", selected: [], own_text: "x" },
    ];
    const answer = { request_id: "r", answer_id: "a", outcome: { status: "answered" }, items } as const;
    const may = { skip: true, notes: false, attachments: false };
    const issues = answerIssues({ kind: "question", questions: asked(question) }, answer, may);
    expect(issues.map(({ question_id }) => question_id)).toEqual(then === "refused" ? ["q1"] : []);
  });

  test.each(cases)("the form confirms what the vector says: $name", ({ question, said, then }) => {
    const questions = asked(question);
    const rows = questions[0]?.options.map(({ id }) => id) ?? [];
    const chosen = [...(said.selected ?? []), ...(rows.includes(said.own_text ?? "") ? [said.own_text] : [])];
    const acts: readonly FormAction[] = [
      ...chosen.map((id) => ({ type: "select", row: rows.indexOf(id as string) }) as const),
      ...(said.own_text === undefined || chosen.length > 0
        ? []
        : [{ type: "set", text: said.own_text, caret: said.own_text.length } as const]),
      said.skipped === true ? { type: "skip" } : { type: "send" },
    ];
    const after = acts.reduce(reduceForm, questionForm(questions));
    const item = after.drafts[0]?.confirmed;
    if (then === "refused") expect([item, after.tab]).toEqual([undefined, 0]);
    else if (then === "left_out") expect(item).toEqual({ question_id: "q1", selected: [], skipped: true });
    else expect(item).toEqual({ question_id: "q1", selected: [], ...said });
  });
});
