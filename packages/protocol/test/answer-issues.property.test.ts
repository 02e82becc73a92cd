import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnswerIssue,
  type AnswerItem,
  AnswerParams,
  answerIssueCodes,
  answerIssues,
  answersFromItems,
  approvalKinds,
  type CoreQuestion,
  type Field,
  itemsFromAnswers,
  QuestionInputs,
  validate,
} from "../src/index.js";
import { asked, declared } from "./asked.js";

const word = fc.string({ unit: "binary", minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== "");
const may = declared({ skip: true, notes: true, attachments: true });
const image = { type: "image_url" as const, image_url: { url: "data:image/gif;base64,AAAA", id: null } };

/** Questions that can be answered, of any shape, texts and labels different and without commas. */
const questions = fc
  .uniqueArray(
    word.filter((text) => text !== "__proto__"),
    { minLength: 1, maxLength: 4 },
  )
  .chain((texts) =>
    fc.tuple(
      ...texts.map((question) =>
        fc
          .record({
            labels: fc.uniqueArray(
              word.filter((text) => !text.includes(", ")),
              { maxLength: 4 },
            ),
            multi_select: fc.boolean(),
            closed: fc.boolean(),
          })
          .map(({ labels, multi_select, closed }) => ({
            question,
            options: labels.map((label) => ({ label })),
            multi_select,
            own_text: labels.length === 0 || !closed,
          })),
      ),
    ),
  )
  // Labels that look alike are equal too.
  .filter((inputs) => validate(QuestionInputs, inputs).ok)
  .map((inputs) => asked(...inputs));

/** An item that answers the question. */
function answering(question: CoreQuestion): fc.Arbitrary<AnswerItem> {
  const labels = question.options.map(({ label }) => label);
  const text = word.filter((own) => !labels.some((label) => own === label || own.startsWith(`${label}, `)));
  const ids = question.options.map(({ id }) => id);
  const ways: fc.Arbitrary<Pick<AnswerItem, "selected" | "own_text">>[] = [];
  if (ids.length > 0 && !question.multi_select) {
    ways.push(fc.constantFrom(...ids).map((id) => ({ selected: [id] })));
  }
  if (ids.length > 0 && question.multi_select) {
    ways.push(fc.subarray(ids, { minLength: 1 }).map((selected) => ({ selected })));
  }
  if (question.own_text) ways.push(text.map((own_text) => ({ selected: [], own_text })));
  const more = fc.record(
    {
      note: fc.string(),
      attachments: fc.constantFrom<NonNullable<AnswerItem["attachments"]>[]>([], [image]),
    },
    { requiredKeys: [] },
  );
  return fc
    .tuple(fc.oneof(...ways), more)
    .map(([way, rest]) => ({ question_id: question.id, ...way, ...rest }));
}

/** Questions with items that answer them, one of them at least, in any order. */
const answered = questions.chain((list) =>
  fc
    .tuple(
      fc.tuple(...list.map(answering)),
      fc.array(fc.boolean(), { minLength: list.length, maxLength: list.length }),
    )
    .map(([items, skip]) => ({
      questions: list,
      items: items.map((item, i) =>
        i > 0 && skip[i] ? { question_id: item.question_id, selected: [], skipped: true } : item,
      ),
    })),
);

const answer = (items: readonly AnswerItem[]): AnswerParams => ({
  request_id: "r",
  answer_id: "a",
  outcome: { status: "answered" },
  items: [...items],
});
const issuesOf = (list: readonly CoreQuestion[], items: readonly AnswerItem[], allowed = may) =>
  answerIssues({ kind: "question", questions: list }, answer(items), allowed);

describe("whatever is asked", () => {
  test("a right answer fits, whatever is asked, in any order of the items (P-XAN-4)", () => {
    fc.assert(
      fc.property(answered, ({ questions: list, items }) => {
        expect(issuesOf(list, items)).toEqual([]);
        expect(issuesOf(list, items.toReversed())).toEqual([]);
      }),
    );
  });

  test("a right answer fits too when it was written for a base client and read again (P-XAN-4, P-XAN-7)", () => {
    fc.assert(
      fc.property(answered, ({ questions: list, items }) => {
        const again = itemsFromAnswers(list, answersFromItems(list, items));
        expect(issuesOf(list, again)).toEqual([]);
        expect(again).toEqual(items.map(({ note, attachments, ...item }) => item));
      }),
    );
  });

  /** Each way of spoiling a good answer, with what is to be said of it. Undefined where the question has no such way. */
  type Spoiled = {
    items: AnswerItem[];
    issue: Pick<AnswerIssue, "question_id" | "code">;
    /** The questions that it answers. Default: those of the right answer. */
    questions?: CoreQuestion[];
  };
  const spoil: Record<string, (list: CoreQuestion[], items: AnswerItem[]) => Spoiled | undefined> = {
    missing: (list, items) => about(list, "missing", items.slice(1)),
    unknown_question: (_, items) => ({
      items: [...items, { question_id: "elsewhere", selected: [] }],
      issue: { question_id: "elsewhere", code: "unknown_question" },
    }),
    repeated_question: (list, items) => about(list, "repeated_question", [...items, ...items.slice(0, 1)]),
    unknown_option: (list, items) => change(list, items, "unknown_option", { selected: ["elsewhere"] }),
    too_many: (list, items) => {
      const [question] = list;
      if (question === undefined || question.multi_select || question.options.length < 2) return undefined;
      return change(list, items, "too_many", { selected: question.options.map(({ id }) => id) });
    },
    too_few: (list, items) => {
      const [{ question_id }] = items as [AnswerItem];
      const several = { multi_select: true, own_text: true, min: 2 };
      return retyped(list, items, "too_few", several, { question_id, selected: [], own_text: "x" });
    },
    own_text: (list, items) =>
      list[0]?.own_text ? undefined : change(list, items, "own_text", { own_text: "x" }),
    blank: (list, items) => change(list, items, "blank", { selected: [], own_text: "\n " }),
    type: (list, items) => valued(list, items, "type", { type: "integer" }, "many"),
    bounds: (list, items) => valued(list, items, "bounds", { type: "integer", bounds: { max: 9 } }, "10"),
    pattern: (list, items) => valued(list, items, "pattern", { type: "text", pattern: "^v" }, "x"),
    skipped: (list, items) => change(list, items, "skipped", { skipped: true }),
    nothing_answered: (list) => ({
      items: list.map(({ id }) => ({ question_id: id, selected: [], skipped: true })),
      issue: { question_id: null, code: "nothing_answered" },
    }),
    attachment: (list, items) =>
      change(list, items, "attachment", { attachments: [{ type: "text", text: "no image" }] }),
  };
  function about(list: CoreQuestion[], code: string, items: AnswerItem[]): Spoiled {
    return { items, issue: { question_id: list[0]?.id ?? null, code } };
  }
  function change(list: CoreQuestion[], [first, ...others]: AnswerItem[], code: string, by: object): Spoiled {
    return about(list, code, [{ ...(first as AnswerItem), ...by }, ...others]);
  }

  /** The first question as another one, with its item. */
  function retyped(
    [question, ...others]: CoreQuestion[],
    items: AnswerItem[],
    code: string,
    as: Partial<CoreQuestion>,
    item: AnswerItem,
  ): Spoiled {
    const changed = { ...(question as CoreQuestion), ...as };
    const questions = [changed, ...others];
    return { ...about(questions, code, [item, ...items.slice(1)]), questions };
  }
  function valued(list: CoreQuestion[], items: AnswerItem[], code: string, field: Field, own_text: string) {
    const as = { field, options: [], multi_select: false, own_text: true };
    const [{ question_id }] = items as [AnswerItem];
    return retyped(list, items, code, as, { question_id, selected: [], own_text });
  }

  test.each(Object.entries(spoil))(
    "an answer spoiled as %s is refused with that code (P-XAN-4)",
    (_, spoiled) => {
      fc.assert(
        fc.property(answered, ({ questions: list, items }) => {
          const found = spoiled(list, items);
          fc.pre(found !== undefined);
          expect(issuesOf(found.questions ?? list, found.items)).toContainEqual(
            expect.objectContaining(found.issue),
          );
        }),
      );
    },
  );

  test("every code can be met in these ways, or in those of approvals, not negotiated, not allowed or of another kind (P-XAN-4)", () => {
    const others = ["edited", "not_negotiated", "not_allowed", "other_choice", "taken", "unexpected"];
    expect([...Object.keys(spoil), ...others]).toEqual([...answerIssueCodes]);
  });
});

describe("foreign words", () => {
  const id = fc.oneof(fc.constantFrom("q1", "q2", "q1_o1", "q2_o1", "__proto__", "constructor"), fc.string());
  const part = fc.oneof(
    fc.constant({ type: "text" as const, text: "x" }),
    fc.record({
      type: fc.constant("image_url" as const),
      image_url: fc.record({
        url: fc.oneof(
          fc.webUrl({ validSchemes: ["data", "http"] }),
          fc.string(),
          fc.constant(image.image_url.url),
        ),
        id: fc.constant(null),
      }),
    }),
  );
  const foreign = fc.record(
    {
      request_id: fc.string(),
      answer_id: fc.string({ minLength: 1, maxLength: 128 }),
      outcome: fc.record(
        {
          status: fc.oneof(fc.constantFrom("answered", "declined", "expired", "__proto__"), fc.string()),
          reason: fc.oneof(fc.constantFrom("dismissed", "constructor"), fc.string()),
          note: fc.string(),
        },
        { requiredKeys: ["status"] },
      ),
      items: fc.array(
        fc.record(
          {
            question_id: id,
            selected: fc.array(id),
            own_text: fc.string(),
            skipped: fc.boolean(),
            note: fc.string(),
            attachments: fc.array(part),
            more: fc.jsonValue(),
          },
          { requiredKeys: ["question_id", "selected"] },
        ),
      ),
      response: fc.constantFrom(...approvalKinds),
      feedback: fc.string(),
      more: fc.jsonValue(),
    },
    { requiredKeys: ["request_id", "answer_id", "outcome"] },
  );
  const list = asked(
    { question: "Which?", options: [{ label: "A" }] },
    { question: "Why?", options: [], multi_select: true },
  );

  test("foreign words never throw, and each issue has a code of the table, a message and a question or null (P-XAN-4)", () => {
    fc.assert(
      fc.property(foreign, fc.boolean(), fc.boolean(), (said, isQuestion, allowed) => {
        const parsed = validate(AnswerParams, said);
        if (!parsed.ok) throw new Error(parsed.problem);
        const request = isQuestion
          ? ({ kind: "question", questions: list } as const)
          : ({ kind: "approval" } as const);
        const issues = answerIssues(request, parsed.value, allowed ? may : declared());
        for (const issue of issues) {
          expect(answerIssueCodes).toContain(issue.code);
          expect(issue.message).toContain("expected");
          if (!isQuestion) expect(issue.question_id).toBeNull();
        }
        const pairs = issues.map(({ question_id, code }) => `${code} ${question_id}`);
        const perQuestion = pairs.filter((pair) => !pair.startsWith("unexpected") && !pair.startsWith("att"));
        expect(new Set(perQuestion).size).toBe(perQuestion.length);
      }),
      { numRuns: 100 },
    );
  });

  test("foreign words of any length are refused in few words (P-XAN-4)", () => {
    const long = "x".repeat(1_000_000);
    const items = Array.from({ length: 10_000 }, (_, n) => ({
      question_id: `${n}${n < 3 ? long : ""}`,
      selected: [long],
    }));
    const issues = issuesOf(list, [...items, { question_id: "q1", selected: [long], own_text: long }]);
    expect(issues.map(({ code }) => code).filter((code) => code !== "unknown_question")).toEqual([
      "unknown_option",
      "too_many",
      "missing",
    ]);
    expect(issues.length).toBeLessThan(100);
    expect(JSON.stringify(issues).length).toBeLessThan(40_000);
  });

  test("foreign words of 30 MB as an image are told apart without an error of the runtime (P-XAN-6)", () => {
    for (const url of [
      `data:image/png;base64,${"A".repeat(30_000_000)}!`,
      `data:image/png${";".repeat(30_000_000)}`,
      `data:image/${"x".repeat(30_000_000)},AAAA`,
    ]) {
      const attachments = [{ type: "image_url" as const, image_url: { url, id: null } }];
      const issues = issuesOf(list.slice(0, 1), [{ question_id: "q1", selected: ["q1_o1"], attachments }]);
      expect(issues.map(({ code }) => code)).toContain("attachment");
    }
  });
});
