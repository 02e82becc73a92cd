import { describe, expect, test } from "vitest";
import {
  editField,
  type FormAction,
  type FormState,
  hasWork,
  isChosen,
  OWN_TEXT_LENGTH,
  questionForm,
  questionRows,
  reduceForm,
  shownQuestion,
  statusOf,
} from "../../src/form/index.js";
import { asked, multi, open, single } from "./press.js";

const acted = (form: FormState, ...actions: FormAction[]) => actions.reduce(reduceForm, form);
const select = (row: number): FormAction => ({ type: "select", row });
const set = (text: string): FormAction => ({ type: "set", text, caret: text.length });
const send: FormAction = { type: "send" };

const begun = (...questions: Parameters<typeof asked>) => questionForm(asked(...questions));

/** The positions of the rows that are marked as chosen. */
function marked(form: FormState): number[] {
  const { question, draft } = shownQuestion(form) ?? {};
  if (question === undefined || draft === undefined) return [];
  return questionRows(question).flatMap((row, index) => (isChosen(question, draft, row) ? [index] : []));
}

describe("a click on a row", () => {
  test("a click chooses an option of a single choice, and neither confirms nor sends it", () => {
    const form = acted(begun(single), select(1));
    expect(marked(form)).toEqual([1]);
    expect(form.result).toBeUndefined();
    expect(acted(form, select(2), send).result).toEqual({
      items: [{ question_id: "q1", selected: ["q1_o3"] }],
    });
  });

  test("a click toggles an option of several", () => {
    const form = acted(begun(multi), select(2), select(0), select(2), select(1));
    expect(acted(form, send).result).toEqual({
      items: [{ question_id: "q1", selected: ["q1_o1", "q1_o2"] }],
    });
  });

  test("a click on an option sets typed words aside, and a click on the words brings them back", () => {
    const aside = acted(begun(single), set("MariaDB"), select(0));
    expect(marked(aside)).toEqual([0]);
    expect(shownQuestion(aside)?.draft.text.text).toBe("MariaDB");
    expect(acted(aside, send).result).toEqual({ items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    const back = acted(aside, select(3));
    expect(marked(back)).toEqual([3]);
    expect(acted(back, send).result).toEqual({
      items: [{ question_id: "q1", selected: [], own_text: "MariaDB" }],
    });
  });

  test("a click that set words aside is taken back by Enter on them, which sends them", () => {
    const onWords = acted(begun(single), set("MariaDB"), select(0), { type: "focus", row: 3 });
    expect(acted(onWords, { type: "confirm" }).result).toEqual({
      items: [{ question_id: "q1", selected: [], own_text: "MariaDB" }],
    });
  });

  test("a click on the row of own words takes the choice back, so that Send never sends another row than the marked", () => {
    const form = acted(begun(single), select(0), select(3));
    expect(marked(form)).toEqual([]);
    expect(acted(form, send)).toMatchObject({ hint: { why: "nothing_chosen" } });
  });

  test("a click on a row that does not exist changes nothing", () => {
    const form = begun(single);
    for (const row of [-1, 4, 0.5, Number.NaN]) expect(acted(form, select(row))).toEqual(form);
  });
});

describe("Send", () => {
  test("Send sends nothing that nobody chose, though the cursor is on an option", () => {
    expect(acted(begun(single), send)).toMatchObject({ hint: { why: "nothing_chosen" } });
  });

  test("Send goes to the next open question, then to the page to review, and there submits", () => {
    const two = acted(begun(single, multi), select(0), send);
    expect(two.tab).toBe(1);
    const review = acted(two, select(1), send);
    expect(review.tab).toBe(2);
    expect(acted(review, { type: "focus", row: 1 }, send).result).toEqual({
      items: [
        { question_id: "q1", selected: ["q1_o1"] },
        { question_id: "q2", selected: ["q2_o2"] },
      ],
    });
  });

  test("Send on the page to review names what is open, and submits nothing", () => {
    const form = acted(begun(single, multi), { type: "show", tab: 2 }, send);
    expect(form).toMatchObject({ hint: { why: "unanswered", questions: [0, 1] } });
    expect(form.result).toBeUndefined();
  });
});

describe("a text that is set", () => {
  test("a text that is set replaces the words as a text area has them, with its caret", () => {
    const first = acted(begun(open), { type: "set", text: "yes", caret: 0 });
    expect(first.drafts[0]?.text).toEqual({ text: "yes", caret: 0 });
    const form = acted(begun(open), set("no"), { type: "set", text: "yes, later", caret: 3 });
    expect(shownQuestion(form)?.draft.text).toEqual({ text: "yes, later", caret: 3 });
    expect(acted(form, send).result).toEqual({
      items: [{ question_id: "q1", selected: [], own_text: "yes, later" }],
    });
  });

  test("a text that is set has line feeds as line ends, its full length at most, and its caret within", () => {
    expect(editField({ text: "", caret: 0 }, { type: "set", text: "a\r\nb", caret: 9 }).field).toEqual({
      text: "a\nb",
      caret: 3,
    });
    const long = acted(begun(open), set("x".repeat(OWN_TEXT_LENGTH + 1)));
    expect(shownQuestion(long)?.draft.text.text).toHaveLength(OWN_TEXT_LENGTH);
    expect(long.hint).toEqual({ why: "text_too_long" });
  });

  test("a text that is set is taken by no question without own words", () => {
    const form = begun({ ...single, own_text: false });
    expect(acted(form, set("x"))).toEqual(form);
  });
});

describe("a note", () => {
  test("a note goes with the choice, and is nothing alone", () => {
    const noted = acted(begun(single), { type: "note", text: " for now " });
    expect(acted(noted, send).hint).toEqual({ why: "nothing_chosen" });
    expect(acted(noted, select(1), send).result).toEqual({
      items: [{ question_id: "q1", selected: ["q1_o2"], note: " for now " }],
    });
    expect(acted(noted, select(1), { type: "note", text: " " }, send).result).toEqual({
      items: [{ question_id: "q1", selected: ["q1_o2"] }],
    });
  });

  test("a note that changes after the answer was confirmed is an edit", () => {
    const form = acted(begun(single, multi), select(1), send, { type: "show", tab: 0 });
    const { question, draft } = shownQuestion(acted(form, { type: "note", text: "x" })) ?? {};
    expect(question && draft && statusOf(question, draft)).toBe("edited");
  });
});

const picture = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA", id: null } };

describe("a question that is left out", () => {
  test("a question that is left out is answered as skipped, and the next comes", () => {
    const form = acted(begun(single, multi), { type: "skip" });
    expect(form.tab).toBe(1);
    expect(acted(form, select(0), send, send).result).toEqual({
      items: [
        { question_id: "q1", selected: [], skipped: true },
        { question_id: "q2", selected: ["q2_o1"] },
      ],
    });
  });

  test("a question that is left out is answered again by a choice", () => {
    const form = acted(begun(single, multi), { type: "skip" }, { type: "show", tab: 0 }, select(0), send);
    expect(form.drafts[0]?.confirmed).toEqual({ question_id: "q1", selected: ["q1_o1"] });
  });

  test("the only question may not be left out, nor all of them", () => {
    expect(acted(begun(single), { type: "skip" })).toMatchObject({ hint: { why: "all_skipped" } });
    const all = acted(begun(single, multi), { type: "skip" }, { type: "skip" }, send);
    expect(all).toMatchObject({ tab: 2, hint: { why: "all_skipped" } });
    expect(all.result).toBeUndefined();
  });

  test("a field that has to be answered may not be left out", () => {
    const port = { question: "Which port?", options: [], field: { type: "integer" as const } };
    expect(acted(begun(port, single), { type: "skip" })).toMatchObject({
      tab: 0,
      hint: { why: "nothing_chosen" },
    });
  });

  test("a question that is left out takes the note with it that stands beside it", () => {
    const form = acted(begun(single, multi), { type: "note", text: "not mine to say" }, { type: "skip" });
    expect(form.drafts[0]?.confirmed).toEqual({
      ...{ question_id: "q1", selected: [], skipped: true },
      note: "not mine to say",
    });
  });

  test("a question that is left out keeps what was chosen, to come back to", () => {
    const form = acted(begun(single, multi), select(2), { type: "skip" }, { type: "show", tab: 0 });
    expect(form.drafts[0]).toMatchObject({ chosen: ["q1_o3"], confirmed: { skipped: true } });
  });
});

test("pictures beside an empty field that may be empty are an answer, and are sent", () => {
  const link = { question: "Which link?", options: [], field: { type: "uri" as const, required: false } };
  const form = acted(begun(link), { type: "attach", attachments: [picture] }, send);
  expect(form.result).toEqual({
    items: [{ question_id: "q1", selected: [], own_text: "", attachments: [picture] }],
  });
});

test("pictures go with the answer that they stand beside, are work that could be lost, and are no answer alone", () => {
  const alone = acted(begun(single), { type: "attach", attachments: [picture] });
  expect(hasWork(alone)).toBe(true);
  expect(acted(alone, send).hint).toEqual({ why: "nothing_chosen" });
  const { result } = acted(alone, select(0), send);
  expect(result).toEqual({ items: [{ question_id: "q1", selected: ["q1_o1"], attachments: [picture] }] });
  const two = acted(begun(single, multi), select(0), send, { type: "show", tab: 0 });
  const more = acted(two, { type: "attach", attachments: [picture] });
  const [question] = more.questions;
  const [draft] = more.drafts;
  expect(question && draft && statusOf(question, draft)).toBe("edited");
});
