import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnswerItem,
  answersFromItems,
  type CoreQuestion,
  coreQuestion,
  itemsFromAnswers,
  QuestionInput,
  QuestionInputs,
  QuestionResponse,
  validate,
} from "../src/index.js";
import { validateCompiled } from "../src/node/index.js";

type Choice = Pick<AnswerItem, "selected" | "own_text" | "skipped">;

/** A question with options `o1`, `o2` and so on. */
function question(labels: readonly string[], multi_select = true, text = "Q?", id = "q1"): CoreQuestion {
  const options = labels.map((label, i) => ({ label, id: `o${i + 1}` }));
  const parsed = validate(QuestionInput, { id, question: text, options, multi_select });
  if (!parsed.ok) throw new Error(parsed.problem);
  return coreQuestion(parsed.value, 0);
}

const read = (labels: readonly string[], value: string, multi = true) =>
  itemsFromAnswers([question(labels, multi)], { "Q?": value });

describe("an answer of a base client (P-ANS-2)", () => {
  test.each<[string, string[], string, boolean, Choice]>([
    ["one label", ["A", "B"], "B", false, { selected: ["o2"] }],
    ["own text", ["A", "B"], "neither", false, { selected: [], own_text: "neither" }],
    ["one choice only, so a comma is text", ["A", "B"], "A, B", false, { selected: [], own_text: "A, B" }],
    ["a label with a comma", ["Yes, now", "No"], "Yes, now", false, { selected: ["o1"] }],
    ["another case is other text", ["A"], "a", false, { selected: [], own_text: "a" }],
    ["nothing", ["A"], "", false, { selected: [], skipped: true }],
    ["blanks", ["A"], " \t\n", true, { selected: [], skipped: true }],
    ["two labels", ["A", "B", "C"], "A, C", true, { selected: ["o1", "o3"] }],
    ["two labels in another order", ["A", "B"], "B, A", true, { selected: ["o2", "o1"] }],
    ["labels and own text", ["A", "B"], "A, my own", true, { selected: ["o1"], own_text: "my own" }],
    ["own text with a comma", ["A"], "A, one, two", true, { selected: ["o1"], own_text: "one, two" }],
    ["own text first ends the choices", ["A"], "mine, A", true, { selected: [], own_text: "mine, A" }],
    ["a whole value that is a label", ["A", "B", "A, B"], "A, B", true, { selected: ["o3"] }],
    ["the longest label first", ["A", "A, B"], "A, B, x", true, { selected: ["o2"], own_text: "x" }],
    [
      "a label with a comma among others",
      ["Yes, now", "No"],
      "No, Yes, now",
      true,
      { selected: ["o2", "o1"] },
    ],
    ["a label that begins another", ["go", "gone"], "gone, go", true, { selected: ["o2", "o1"] }],
    ["a text that begins like a label", ["go"], "going", true, { selected: [], own_text: "going" }],
    ["a comma without a blank is text", ["A", "B"], "A,B", true, { selected: [], own_text: "A,B" }],
    ["a comma at the end", ["A", "B"], "A, ", true, { selected: ["o1"] }],
    ["a label twice", ["A", "B"], "A, A, B", true, { selected: ["o1", "o2"] }],
  ])("an answer of a base client is read as the person meant it: %s", (_, labels, value, multi, expected) => {
    expect(read(labels, value, multi)).toEqual([{ question_id: "q1", ...expected }]);
  });

  test("own text that equals a label is read as that option, in a choice of several too", () => {
    for (const multi of [false, true]) {
      const asked = [question(["A", "B"], multi)];
      const map = answersFromItems(asked, [{ question_id: "q1", selected: [], own_text: "B" }]);
      expect({ ...map }).toEqual({ "Q?": "B" });
      expect(itemsFromAnswers(asked, map)).toEqual([{ question_id: "q1", selected: ["o2"] }]);
    }
  });

  test("every question gets an item, in order; unknown keys are left alone", () => {
    const questions = [question(["A"], false, "First?", "a"), question(["B"], false, "Second?", "b")];
    expect(itemsFromAnswers(questions, { "Second?": "B", "Third?": "C" })).toEqual([
      { question_id: "a", selected: [], skipped: true },
      { question_id: "b", selected: ["o1"] },
    ]);
  });
});

describe("an answer for a base client (P-ANS-6)", () => {
  const write = (labels: readonly string[], item: Choice) => ({
    ...answersFromItems([question(labels)], [{ question_id: "q1", ...item }]),
  });

  test.each<[string, Choice, object]>([
    ["labels in the order of the options", { selected: ["o3", "o1"] }, { "Q?": "A, C" }],
    ["own text last", { selected: ["o2"], own_text: "mine" }, { "Q?": "B, mine" }],
    ["own text alone", { selected: [], own_text: "mine" }, { "Q?": "mine" }],
    ["blank own text is none", { selected: ["o1"], own_text: " " }, { "Q?": "A" }],
    ["a skipped question is left out", { selected: [], skipped: true }, {}],
    ["so is one with blank text only", { selected: [], own_text: "" }, {}],
    ["an option that does not exist adds nothing", { selected: ["o9"] }, {}],
  ])("an answer is written for a base client: %s", (_, item, expected) => {
    expect(write(["A", "B", "C"], item)).toEqual(expected);
  });

  test("a question without an item is left out, an item without a question too", () => {
    expect({ ...answersFromItems([question(["A"])], [{ question_id: "other", selected: ["o1"] }]) }).toEqual(
      {},
    );
  });
});

describe("foreign words as keys", () => {
  const texts = ["__proto__", "constructor", "toString", "hasOwnProperty", ""];
  // Set afterwards: a server of ours does not ask the first, others may.
  const questions = texts.map((text, i) => ({
    ...question(["A", "B"], false, "Q?", `q${i}`),
    question: text,
  }));

  test("each question keeps its answer under foreign words as keys, written and read back", () => {
    const items = questions.map(({ id }, i) => ({ question_id: id, selected: [i % 2 === 0 ? "o1" : "o2"] }));
    const answers = answersFromItems(questions, items);
    expect(Object.getPrototypeOf(answers)).toBeNull();
    expect(Object.keys(answers)).toEqual(texts);
    expect(itemsFromAnswers(questions, answers)).toEqual(items);
    expect(itemsFromAnswers(questions, JSON.parse(JSON.stringify(answers)))).toEqual(items);
  });

  test("a map without foreign words as keys has no answer for them", () => {
    for (const item of itemsFromAnswers(questions, {})) expect(item.skipped).toBe(true);
  });

  test("a response with foreign words as keys changes no prototype", () => {
    const response = JSON.parse('{"request_id":"q","answers":{"__proto__":"x","constructor":"A"}}');
    const parsed = validate(QuestionResponse, response);
    if (!parsed.ok) throw new Error(parsed.problem);
    expect(parsed.value.answers.constructor).toBe("A");
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(Object.getPrototypeOf(parsed.value.answers)).toBe(Object.prototype);
  });
});

describe("whatever the words are", () => {
  const word = fc
    .oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[ab, ]{0,6}$/))
    .filter((text) => text.trim() !== "");
  const plain = word.filter((text) => !text.includes(", "));

  test("labels without a comma and blank, and own text, come back exactly (P-ANS-2)", () => {
    const arbitrary = fc
      .tuple(fc.uniqueArray(plain, { maxLength: 6 }), fc.option(word, { nil: undefined }))
      .filter(([labels, own]) => own === undefined || !labels.some((label) => own.split(", ")[0] === label))
      .chain(([labels, own]) =>
        fc.record({
          labels: fc.constant(labels),
          own: fc.constant(own),
          chosen: fc.array(fc.boolean(), { minLength: labels.length, maxLength: labels.length }),
        }),
      );
    fc.assert(
      fc.property(arbitrary, ({ labels, own, chosen }) => {
        const questions = [question(labels)];
        const selected = labels.flatMap((_, i) => (chosen[i] ? [`o${i + 1}`] : []));
        const item: AnswerItem = { question_id: "q1", selected, ...(own !== undefined && { own_text: own }) };
        const expected =
          selected.length === 0 && own === undefined
            ? { question_id: "q1", selected: [], skipped: true }
            : item;
        expect(itemsFromAnswers(questions, answersFromItems(questions, [item]))).toEqual([expected]);
      }),
    );
  });

  test("a choice comes back exactly, commas or not, unless own text is a label (P-ANS-2)", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        word,
        fc.boolean(),
        (labels, n, own, multi) => {
          const questions = [question(labels, multi)];
          const choice = { question_id: "q1", selected: [`o${(n % labels.length) + 1}`] };
          expect(itemsFromAnswers(questions, answersFromItems(questions, [choice]))).toEqual([choice]);
          fc.pre(!multi && !labels.includes(own));
          const text = { question_id: "q1", selected: [], own_text: own };
          expect(itemsFromAnswers(questions, answersFromItems(questions, [text]))).toEqual([text]);
        },
      ),
    );
  });

  test("an answer that is read invents nothing: it has known options, then the rest of the very words (P-ANS-2)", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), word, fc.boolean(), (labels, value, multi) => {
        const [item] = read(labels, value, multi) as [AnswerItem];
        for (const id of item.selected) expect(value).toContain(labels[Number(id.slice(1)) - 1]);
        expect(new Set(item.selected).size).toBe(item.selected.length);
        expect(value.endsWith(item.own_text ?? "")).toBe(true);
        expect(item.selected.length > 0 || item.own_text !== undefined).toBe(true);
      }),
    );
  });
});

describe("a question as it is asked", () => {
  const complete = (input: object, index: number) => {
    const parsed = validate(QuestionInput, input);
    return parsed.ok ? coreQuestion(parsed.value, index) : parsed.problem;
  };

  test("a question needs only its text and its labels; the rest has defaults and ids by position (P-QST-2)", () => {
    expect(complete({ question: "Which?", options: [{ label: "A" }, { label: "B" }] }, 1)).toEqual({
      id: "q2",
      question: "Which?",
      header: "",
      options: [
        { id: "q2_o1", label: "A", description: "" },
        { id: "q2_o2", label: "B", description: "" },
      ],
      multi_select: false,
      body: "",
      other_label: "",
      other_description: "",
      own_text: true,
    });
  });

  test("a question keeps the ids and the closed choice that it states (P-QST-2)", () => {
    const options = [{ label: "A", id: "mine" }, { label: "B" }];
    expect(complete({ id: "own", question: "Which?", options, own_text: false }, 0)).toMatchObject({
      id: "own",
      options: [{ id: "mine" }, { id: "own_o2" }],
      own_text: false,
    });
  });

  test("a question carries what only the extended profile shows, and leaves out what is not given (P-XQS-1)", () => {
    const options = [{ label: "A", preview: "# A", recommended: true }, { label: "B" }];
    const asked = { question: "Which?", options, placeholder: "a name", default: ["q1_o1"] };
    const question = complete(asked, 0) as CoreQuestion;
    expect(question).toMatchObject({ placeholder: "a name", default: ["q1_o1"] });
    expect(question.options).toStrictEqual([
      { id: "q1_o1", label: "A", description: "", preview: "# A", recommended: true },
      { id: "q1_o2", label: "B", description: "" },
    ]);
    const bare = complete({ question: "Which?", options: [], default: [] }, 0) as object;
    expect(Object.keys(bare)).not.toContain("placeholder");
    expect(Object.keys(bare)).not.toContain("default");
  });

  test("a question that does not fit is refused with what is wrong", () => {
    expect(complete({ question: "Which?", options: [{}] }, 0)).toBe("options[0].label: expected string");
    expect(complete({ question: "Which?", options: [], default: "A" }, 0)).toBe("default: expected array");
  });
});

describe("the questions of one call", () => {
  const problem = (...questions: object[]) => {
    const parsed = validate(QuestionInputs, questions);
    return parsed.ok ? undefined : parsed.problem;
  };
  const which = { question: "Which?", options: [{ label: "A" }, { label: "B", id: "b" }] };

  test.each<[string, object[]]>([
    ["ids by position", [which, { ...which, default: ["q2_o1"] }]],
    ["own ids, and ids by position within an own one", [{ ...which, id: "own", default: ["own_o1"] }]],
    ["several of a choice of several", [{ ...which, multi_select: true, default: ["b", "q1_o1"] }]],
    ["nothing", [{ ...which, default: [] }]],
  ])("the questions of one call may have as their default %s (P-XQS-1, P-QST-2)", (_, questions) => {
    expect(problem(...questions)).toBeUndefined();
  });

  test.each<[string, object[], string]>([
    ["no question", [], "expected at least 1 entry"],
    [
      "a default that is another question's option",
      [which, { ...which, default: ["q1_o1"] }],
      '[1].default: expected ids of its options ("q2_o1", "b"), not "q1_o1"',
    ],
    [
      "a default that is a label",
      [{ ...which, default: ["A"] }],
      '[0].default: expected ids of its options ("q1_o1", "b"), not "A"',
    ],
    [
      "a default of an open question",
      [{ question: "Why?", options: [], default: ["b"] }],
      '[0].default: expected ids of its options (it has none), not "b"',
    ],
    [
      "two defaults of a single choice",
      [{ ...which, default: ["q1_o1", "b"] }],
      "[0].default: expected one id at most, since it is a single choice",
    ],
    [
      "two questions with one id, one of them by position",
      [which, { ...which, id: "q1" }],
      "[1].id: expected an id that no other question has",
    ],
    [
      "a text that is blank",
      [{ ...which, question: " \n" }],
      "[0].question: expected a text that is not blank",
    ],
    [
      "two options with one label",
      [which, { question: "Else?", options: [{ label: "A" }, { label: "B" }, { label: "A" }] }],
      "[1].options[2].label: expected another label than an earlier option has, as clients of the base profile answer by label; or give both options ids",
    ],
    [
      "two options with one label and one id",
      [{ question: "Which?", options: [{ label: "A", id: "a" }, { label: "A" }] }],
      "[0].options[1].label: expected another label than an earlier option has, as clients of the base profile answer by label; or give both options ids",
    ],
    [
      "two options with one id",
      [{ question: "Which?", options: [{ label: "A", id: "q1_o2" }, { label: "B" }] }],
      "[0].options[1].id: expected an id that no other option of the question has",
    ],
  ])(
    "the questions of one call are refused with %s, and the place is said (P-XQS-1)",
    (_, questions, expected) => {
      expect(problem(...questions)).toBe(expected);
      expect(validateCompiled(QuestionInputs, questions)).toEqual({ ok: false, problem: expected });
    },
  );

  test("the questions of one call may have two options with one label that have ids, and two labels that differ by a blank (P-QST-5)", () => {
    const ids = [
      { label: "A", id: "a" },
      { label: "A", id: "b" },
      { label: "A ", id: "c" },
    ];
    expect(problem({ question: "Which?", options: ids })).toBeUndefined();
    expect(problem({ question: "Which?", options: [{ label: "A" }, { label: "A " }] })).toBeUndefined();
  });

  test.each(["A\u200b", "A\u00ad", "\u2060A", "A\ufe0f", "\u202aA"])(
    "the questions of one call may not have the label A and one that looks like it, %j, without ids (P-QST-5)",
    (label) => {
      const options = [{ label: "A" }, { label }];
      expect(problem({ question: "Which?", options })).toMatch(
        /^\[0\]\.options\[1\]\.label: expected another/,
      );
      const named = [
        { label: "A", id: "a" },
        { label, id: "b" },
      ];
      expect(problem({ question: "Which?", options: named })).toBeUndefined();
    },
  );

  test("the questions of one call may not have one label in two compositions of its accent (P-QST-5)", () => {
    const options = [{ label: "caf\u00e9" }, { label: "cafe\u0301" }];
    expect(problem({ question: "Which?", options })).toMatch(/^\[0\]\.options\[1\]\.label/);
  });

  test("questions of no shape at all are refused where they are wrong, without another error (P-XQS-1)", () => {
    expect(problem({ ...which, default: ["x"] }, {})).toMatch(/^\[1\]\.question: expected string/);
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        expect(validateCompiled(QuestionInputs, value)).toEqual(validate(QuestionInputs, value));
      }),
    );
  });
});
