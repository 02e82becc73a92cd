import { type CoreQuestion, coreQuestion, fieldTypes } from "@askwire/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type FormAction,
  type FormKey,
  type FormState,
  hasWork,
  isBegun,
  itemOf,
  keyNames,
  questionForm,
  questionRows,
  questionsWith,
  reduceForm,
  shownQuestion,
} from "../../src/form/index.js";
import { issuesOf, pressAt } from "./press.js";

/** Questions of any shape. A closed question without options can only be declined. */
const question = (index: number) =>
  fc
    .record({ count: fc.nat({ max: 4 }), multi_select: fc.boolean(), own_text: fc.boolean() })
    .map(({ count, ...kind }): CoreQuestion => {
      const options = Array.from({ length: count }, (_, o) => ({
        id: `${index}.${o}`,
        label: ["A, B", "A", "B", " "][o] ?? "",
        description: "",
      }));
      const texts = { question: "Which?", header: "", body: "", other_label: "", other_description: "" };
      const most = count + (kind.own_text ? 1 : 0);
      const choices = kind.multi_select && count > 1 ? { min: 2, max: most } : {};
      return { id: `id ${index}`, options, ...texts, ...kind, ...choices };
    });

/** Questions with a field. */
const fielded = (index: number) =>
  fc
    .record({
      type: fc.constantFrom(...fieldTypes),
      required: fc.boolean(),
      prefill: fc.constantFrom(undefined, "1", "x", "yes"),
    })
    .map(({ type, required, prefill }) => {
      const field = { type, required, ...(prefill !== undefined && { prefill }) };
      return coreQuestion(
        {
          ...{
            id: `id ${index}`,
            question: "Which?",
            header: "",
            body: "",
            other_label: "",
            other_description: "",
          },
          options: [],
          multi_select: false,
          field,
        },
        index,
      );
    });

const options = fc.record({
  enterToggles: fc.boolean(),
  typeAnywhere: fc.boolean(),
  takesNotes: fc.boolean(),
  discusses: fc.boolean(),
  shortcuts: fc.constantFrom({}, { y: 0, n: 1, x: 9 }),
});

const form = fc
  .tuple(fc.integer({ min: 1, max: 3 }), options)
  .chain(([count, settings]) =>
    fc
      .tuple(...Array.from({ length: count }, (_, index) => fc.oneof(question(index), fielded(index))))
      .map((questions) => questionForm(questions, settings)),
  );

const RUNS = 250;

const composing = fc.constantFrom({}, {}, {}, { composing: true });
/** Keys that end a form or stop it are rare, so that most walks come far. */
const stopping = ["interrupt", "escape", "end_of_input", "read"] as const;
const named = (names: readonly (typeof keyNames)[number][]) =>
  fc.constantFrom(...names.map((name) => ({ key: name })));
const key: fc.Arbitrary<FormKey> = fc.oneof(
  { weight: 8, arbitrary: named(keyNames.filter((name) => !stopping.some((other) => other === name))) },
  { weight: 4, arbitrary: named(["enter", "down", "up", "tab"]) },
  { weight: 1, arbitrary: named(stopping) },
  { weight: 6, arbitrary: fc.constantFrom(..."  123459ynq").map((text) => ({ text })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("é", "\u0301", "🇩", "👩", "\u200d", "字"), composing)
      .map(([text, more]) => ({ text, ...more })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ key: "enter", composing: true } as const) },
  { weight: 2, arbitrary: fc.constantFrom({ paste: "\r\n " }, { paste: "a\r\nb" }, { paste: "🇪" }) },
);

/** A mouse's positions, at real and missing rows and tabs. */
const position = fc.oneof(fc.integer({ min: -2, max: 7 }), fc.constantFrom(0.5, Number.NaN));
const action: fc.Arbitrary<FormAction> = fc.oneof(
  position.map((by) => ({ type: "move" as const, by })),
  position.map((row) => ({ type: "focus" as const, row })),
  position.map((row) => ({ type: "choose" as const, row })),
  position.map((tab) => ({ type: "show" as const, tab })),
  fc.tuple(position, fc.boolean()).map(([by, wrap]) => ({ type: "tab" as const, by, wrap })),
  position.map((row) => ({ type: "select" as const, row })),
  fc
    .tuple(fc.constantFrom("", " ", "a\r\nb", "👩\u200d👧 x"), position)
    .map(([text, caret]) => ({ type: "set" as const, text, caret })),
  fc.constantFrom<FormAction[]>(
    { type: "confirm" },
    { type: "send" },
    { type: "skip" },
    { type: "note", text: "for now" },
    { type: "edit", edit: { type: "insert", text: "x " } },
  ),
);

type Done = FormKey | FormAction;
const step = fc.tuple(
  fc.oneof({ weight: 9, arbitrary: key }, { weight: 1, arbitrary: action }),
  fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(-1e6, Number.NaN)),
);
const steps = fc.array(step, { maxLength: 80, size: "max" });

/** Every form on the way, with what was done then. */
function* walk(start: FormState, list: readonly (readonly [Done, number])[]) {
  let before = start;
  let at = 0;
  for (const [done, ms] of list) {
    at += ms;
    const after = "type" in done ? reduceForm(before, done) : pressAt(at, before, done);
    yield { before, done, after };
    before = after;
  }
}

const end = (start: FormState, list: readonly (readonly [Done, number])[]) => {
  let last = start;
  for (const { after } of walk(start, list)) last = after;
  return last;
};

/** Checks something at each step, for any keys and clicks at any times. */
const always = (check: (step: { before: FormState; done: Done; after: FormState }) => void) =>
  fc.assert(
    fc.property(form, steps, (start, list) => {
      for (const one of walk(start, list)) check(one);
    }),
    { numRuns: RUNS },
  );

const isAnswerable = ({ questions }: FormState) =>
  questions.every(({ options: choices, own_text }) => own_text || choices.length > 0);

describe("any keys and rows, at any times", () => {
  test("the sent answer fits the questions: nothing blank, no unknown id, one choice where one is due", () => {
    always(({ after }) => {
      if (after.result === undefined || after.result === "declined" || "declined" in after.result) return;
      expect(issuesOf(after)).toEqual([]);
      for (const { own_text } of after.result.items) expect(own_text?.trim()).not.toBe("");
    });
  });

  test("the sent answer is the confirmed one, in the order of the questions", () => {
    always(({ after }) => {
      if (after.result === undefined || after.result === "declined" || "declined" in after.result) return;
      expect(after.result.items).toEqual(after.drafts.map(({ confirmed }) => confirmed));
      expect(after.result.items.map(({ question_id }) => question_id)).toEqual(
        after.questions.map(({ id }) => id),
      );
    });
  });

  test("the confirmed answer is the choice or text of that moment, and of the question that was shown", () => {
    always(({ before, after }) => {
      before.drafts.forEach((draft, index) => {
        const now = after.drafts[index];
        if (now === undefined || now.confirmed === draft.confirmed) return;
        expect(index).toBe(before.tab);
        if (now.confirmed === undefined) expect(after.tab).not.toBe(before.tab);
        else expect(now.confirmed).toEqual(itemOf(after.questions[index] as CoreQuestion, now));
      });
    });
  });

  test("what stands in a question that is left is its answer, and nothing else", () => {
    always(({ before, after }) => {
      const [question, now] = [after.questions[before.tab], after.drafts[before.tab]];
      if (before.tab === after.tab || question === undefined || now === undefined) return;
      const { field, min, max } = question;
      const isWhole = field === undefined && min === undefined && max === undefined;
      if (now.confirmed !== undefined || (isWhole && isBegun(question, now)))
        expect(now.confirmed).toEqual(itemOf(question, now));
    });
  });

  test("the form is declined only after the hint, save by Ctrl-C", () => {
    always(({ before, done, after }) => {
      if (after.result !== "declined" || before.result !== undefined) return;
      const isInterrupt = "key" in done && done.key === "interrupt";
      if (!isInterrupt && hasWork(before)) expect(before.hint).toEqual({ why: "decline_again" });
    });
  });

  test("the cursor is on a row that is there, and choices are in the order of the options", () => {
    always(({ after }) => {
      const last = after.questions.length > 1 ? after.questions.length : after.questions.length - 1;
      expect(after.tab).toBeGreaterThanOrEqual(0);
      expect(after.tab).toBeLessThanOrEqual(last);
      expect([0, 1]).toContain(after.reviewRow);
      after.questions.forEach((asked, index) => {
        const { row, chosen } = after.drafts[index] as FormState["drafts"][number];
        expect(questionRows(asked, after.options)[row]).toBeDefined();
        expect(asked.options.map(({ id }) => id).filter((id) => chosen.includes(id))).toEqual(chosen);
        if (!asked.multi_select) expect(chosen.length).toBeLessThanOrEqual(1);
      });
    });
  });

  test("the caret is between two characters, and closed questions have no own text", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    always(({ after }) => {
      after.drafts.forEach(({ text: { text, caret } }, index) => {
        const starts = [...segmenter.segment(text)].map((segment) => segment.index);
        expect([...starts, text.length]).toContain(caret);
        if (!after.questions[index]?.own_text) expect(text).toBe("");
      });
    });
  });

  test("a few more keys decline the form: there is no dead end", () => {
    fc.assert(
      fc.property(form, steps, (start, list) => {
        const last = end(start, list);
        if (last.result !== undefined) return;
        let now = last;
        for (let more = 0; more < 4 && now.result === undefined; more++) {
          now = pressAt(0, now, { key: "escape" });
        }
        expect(now.result).toBe("declined");
        expect(pressAt(0, last, { key: "interrupt" }).result).toBe("declined");
      }),
      { numRuns: RUNS },
    );
  });

  test("a few more keys send an answer, also one that was refused: there is no dead end", () => {
    fc.assert(
      fc.property(form, steps, fc.boolean(), (start, list, refused) => {
        let now = end(start, list);
        const { result } = now;
        if (!isAnswerable(now) || result === "declined" || (result !== undefined && "declined" in result))
          return;
        const issues = now.questions.slice(-1).map(({ id }) => ({ question_id: id, message: "no" }));
        if (refused) now = reduceForm(now, { type: "refused", issues });
        for (let more = 0; more < 100 && now.result === undefined; more++) {
          now = pressAt(0, now, towardsAnswer(now));
        }
        expect(issuesOf(now)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

/** A value of each type that is typed. */
const values = {
  text: "x",
  number: "1",
  integer: "1",
  boolean: "",
  date: "2026-01-01",
  email: "a@b",
  uri: "urn:x",
};

/** A key that somebody presses who wants to be done. */
function towardsAnswer(now: FormState): FormKey {
  if (now.reading || now.side !== undefined) return { key: "escape" };
  const here = shownQuestion(now);
  const wantsMore = now.drafts.every(({ confirmed }) => confirmed?.skipped === true);
  const isOpen = questionsWith(now, "open").includes(now.tab);
  if (here === undefined && questionsWith(now, "open").length === 0 && now.hint?.why !== "all_skipped") {
    return { key: now.reviewRow === 0 ? "enter" : "up" };
  }
  if (here === undefined || !(isOpen || wantsMore)) return { key: "tab" };
  const { question: asked, row } = here;
  if (wantsMore && asked.field?.required === false) return { key: "tab" };
  const draft = { ...here.draft, isSkipped: false };
  if (asked.field !== undefined && row.is === "own_text") {
    if (itemOf(asked, draft) !== undefined) return { key: "enter" };
    return draft.text.text === "" ? { paste: values[asked.field.type] } : { key: "delete_to_start" };
  }
  if (asked.min !== undefined && draft.chosen.length < asked.min) {
    const isNext = row.is === "option" && !draft.chosen.includes(asked.options[row.index]?.id as string);
    return isNext ? { text: " " } : { key: "down" };
  }
  const hasItem = itemOf(asked, draft) !== undefined;
  if (row.is === "own_text") {
    const isBlank = draft.text.text.trim() === "";
    return !isBlank ? { key: "enter" } : hasItem && asked.multi_select ? { key: "down" } : { text: "x" };
  }
  if (row.is === "discuss") return { key: "down" };
  if (row.is === "confirm") return { key: hasItem ? "enter" : "down" };
  if (!asked.multi_select) return { key: "enter" };
  return hasItem ? { key: "down" } : { text: " " };
}
