import { describe, expect, test } from "vitest";
import { DECLINE_AGAIN_MS, type FormState, reduceForm } from "../../src/form/index.js";
import { closed, formOf, issuesOf, multi, open, press, pressAt, seen, single } from "./press.js";

const three = formOf([single, multi, open]);
const two = formOf([single, { ...single, question: "Which for tests?" }]);

const refuse = (form: FormState, ...issues: [question: string | null, message: string][]) =>
  reduceForm(form, {
    type: "refused",
    issues: issues.map(([question_id, message]) => ({ question_id, message })),
  });

describe("the last thing that a person does wins", () => {
  test("after going back to a question that Enter answered, another option answers it", () => {
    const back = press(two, "enter", "left");
    expect(seen(back)).toMatchObject({ tabs: "✔☐", at: "PostgreSQL", chosen: ["PostgreSQL"] });
    expect(seen(press(back, "down", "enter", "1", "enter", "enter")).result).toEqual([
      ["SQLite"],
      ["PostgreSQL"],
    ]);
  });

  test("an option that is chosen after own text was typed is the answer, without the text", () => {
    const form = press(formOf([single]), "Oracle", "up", "enter");
    expect(seen(form).result).toEqual([["MySQL"]]);
    expect(seen(press(two, "Oracle", "up", "enter", "left"))).toMatchObject({ chosen: ["MySQL"], text: "|" });
  });

  test("own text that is confirmed after an option was chosen is the answer, without the option", () => {
    const form = press(two, "enter", "left", "Oracle");
    expect(seen(form)).toMatchObject({ tabs: "◐☐", chosen: ["Oracle"] });
    expect(seen(press(form, "enter", "1", "enter", "enter")).result).toEqual([["Oracle"], ["PostgreSQL"]]);
  });

  test("an option does not come back when own text that took its place is wiped", () => {
    const form = press(two, "enter", "left", "Oracle", "enter", "left", "left", "delete_to_start");
    expect(seen(form)).toMatchObject({ page: "Which database?", at: "Other", chosen: [], text: "|" });
  });

  test("several choices and own text go together", () => {
    const form = press(formOf([multi]), "3", "1", "Docs", "enter", "enter");
    expect(form.result).toEqual({
      items: [{ question_id: "q1", selected: ["q1_o1", "q1_o3"], own_text: "Docs" }],
    });
  });
});

describe("nothing blank counts", () => {
  test.each([
    ["a single choice", single, ["up", "enter"]],
    ["several choices", multi, ["up", "up", "  ", "enter", "up", "enter"]],
    ["an open question", open, [" ", "enter", "enter"]],
  ])("no key sends a blank answer to %s", (_what, question, keys) => {
    expect(press(formOf([question]), ...keys).result).toBeUndefined();
  });

  test("blank own text beside choices is left out", () => {
    const form = press(formOf([multi]), "1", "up", "up", "  ", "down", "enter");
    expect(form.result).toEqual({ items: [{ question_id: "q1", selected: ["q1_o1"] }] });
  });

  test("a closed question without options has a row that confirms nothing, and can be declined", () => {
    const form = formOf([{ ...open, own_text: false }]);
    expect(seen(press(form, "x", { paste: "x" }, "enter"))).toMatchObject({
      at: "Confirm",
      hint: "nothing_chosen",
      result: undefined,
    });
    expect(seen(press(form, "escape")).result).toBe("declined");
  });
});

describe("from question to question", () => {
  test("the next question that is not answered is shown, then those before, then all to review", () => {
    const last = press(three, "right", "right", "x", "enter");
    expect(seen(last)).toMatchObject({ page: "Which database?", tabs: "☐☐✔" });
    const middle = press(last, "enter");
    expect(seen(middle)).toMatchObject({ page: "Which checks?", tabs: "✔☐✔" });
    expect(seen(press(middle, "1", "up", "enter"))).toMatchObject({ page: "review", at: "Submit" });
    // Not the first of those that are open.
    expect(seen(press(three, "right", "1", "enter"))).toMatchObject({ page: "Which name?", tabs: "☐✔☐" });
  });

  test("nothing is sent before Submit, and one question alone is sent when it is confirmed", () => {
    const form = press(two, "1", "enter", "2", "enter");
    expect(seen(form)).toMatchObject({ page: "review", result: undefined });
    expect(seen(press(form, "enter")).result).toEqual([["PostgreSQL"], ["SQLite"]]);
    expect(seen(press(formOf([single]), "1", "enter")).result).toEqual([["PostgreSQL"]]);
  });

  test("each question keeps its cursor, choices and own text", () => {
    const form = press(three, "down", "right", "2", "Docs", "tab", "name", "back_tab", "back_tab");
    expect(seen(form)).toMatchObject({ page: "Which database?", at: "SQLite" });
    const second = press(form, "tab");
    expect(seen(second)).toMatchObject({ at: "Other", chosen: ["Types", "Docs"], text: "Docs|" });
    expect(seen(press(second, "tab")).text).toBe("name|");
  });

  test("an answer comes back by its ids, whatever is in the labels", () => {
    const labels = ["A, B", "A", "B"].map((label) => ({ label }));
    const form = press(formOf([{ ...multi, options: labels }, open]), "1", "enter", "left");
    expect(seen(form)).toMatchObject({ tabs: "✔☐", chosen: ["A, B"], text: "|" });
    expect(seen(press(form, "tab", "x", "enter", "enter")).result).toEqual([["A, B"], ["x"]]);
  });
});

describe("the page to review all", () => {
  test("Submit names the questions that are not answered, and sends nothing", () => {
    const form = press(three, "1", "enter", "back_tab", "back_tab", "enter");
    expect(form.hint).toEqual({ why: "unanswered", questions: [1, 2] });
    expect(form.result).toBeUndefined();
    expect(press(form, "up").hint).toBeUndefined();
  });

  test("a change after confirming shows, and what stands as the question is left is the answer", () => {
    const answered = press(formOf([multi, open]), "1", "enter", "x", "enter");
    const changed = press(answered, "tab", "2", "1");
    expect(seen(changed)).toMatchObject({ tabs: "◐✔", chosen: ["Types"] });
    expect(seen(press(changed, "back_tab", "enter")).result).toEqual([["Types"], ["x"]]);
    expect(seen(press(changed, "enter", "enter")).result).toEqual([["Types"], ["x"]]);
    expect(seen(press(changed, "1", "2")).tabs).toBe("✔✔");
  });

  test("choices that are all taken back after they were confirmed are no longer an answer", () => {
    const form = press(formOf([multi, open]), "1", "enter", "x", "enter", "tab", "1");
    expect(seen(form)).toMatchObject({ tabs: "◐✔", chosen: [] });
    expect(seen(press(form, "enter"))).toMatchObject({ hint: "nothing_chosen", tabs: "◐✔" });
    const review = press(form, "back_tab", "enter");
    expect(seen(review)).toMatchObject({ tabs: "☐✔", hint: "unanswered", result: undefined });
  });

  test.each<[string, readonly string[], string]>([
    ["checked", ["1", "tab"], "✔☐"],
    ["typed", ["tab", "x", "back_tab"], "☐✔"],
    ["neither checked nor typed", ["down", "tab", "back_tab"], "☐☐"],
  ])("an answer that is %s stands when the person continues by tabs", (_what, keys, tabs) => {
    expect(seen(press(formOf([multi, open]), ...keys)).tabs).toBe(tabs);
  });

  test("too few choices, and a prefill that nobody touched, are no answer by continuing", () => {
    const two = { ...multi, min: 2 };
    expect(seen(press(formOf([two, open]), "1", "tab")).tabs).toBe("☐☐");
    const field = { ...open, field: { type: "text" as const, prefill: "given" } };
    expect(seen(press(formOf([field, open]), "tab")).tabs).toBe("☐☐");
  });

  test("confirming on Cancel without a time declines nothing", () => {
    const form = press(formOf([single, open]), "1", "enter", "x", "enter", "down");
    expect(seen(form).at).toBe("Cancel");
    expect(reduceForm(form, { type: "confirm" }).result).toBeUndefined();
    expect(reduceForm(form, { type: "choose", row: 1 }).result).toBeUndefined();
    expect(seen(press(form, "enter", "enter")).result).toBe("declined");
  });
});

describe("Escape, with an answer to lose", () => {
  const escapeKey = { key: "escape" } as const;
  const once = pressAt(1_000, press(two, "1", "enter"), escapeKey);

  test("Escape declines all the second time within two seconds", () => {
    expect(seen(once)).toMatchObject({ hint: "decline_again", tabs: "✔☐", result: undefined });
    expect(pressAt(1_000 + DECLINE_AGAIN_MS - 1, once, escapeKey).result).toBe("declined");
  });

  test("Escape asks once more after two seconds", () => {
    const late = pressAt(1_000 + DECLINE_AGAIN_MS, once, escapeKey);
    expect(seen(late)).toMatchObject({ hint: "decline_again", result: undefined });
    expect(pressAt(1_001 + DECLINE_AGAIN_MS, late, escapeKey).result).toBe("declined");
  });

  test("the first Escape is forgotten when its time is over, and what else stands there is not", () => {
    expect(reduceForm(once, { type: "tick", at: 999 + DECLINE_AGAIN_MS })).toBe(once);
    expect(reduceForm(once, { type: "tick", at: 1_000 + DECLINE_AGAIN_MS }).hint).toBeUndefined();
    const other = press(two, "back_tab", "enter");
    expect(reduceForm(other, { type: "tick", at: 1e9 })).toBe(other);
  });

  test("Ctrl-C declines at once", () => {
    expect(press(once, "interrupt").result).toBe("declined");
    expect(press(two, "1", "enter", "interrupt").result).toBe("declined");
  });
});

describe("an answer that the server refuses", () => {
  const sentAll = press(three, "1", "enter", "2", "enter", "x", "enter", "enter");

  test("a refused answer opens the form at the first question that is named, with all that was in it (P-XAN-4)", () => {
    const form = refuse(sentAll, ["q3", "not that name"], ["q2", "not these checks"]);
    expect(seen(form)).toMatchObject({ page: "Which checks?", chosen: ["Types"], tabs: "✔☐☐" });
    expect(form.hint).toEqual({ why: "refused", messages: ["not that name", "not these checks"] });
    const corrected = press(form, "1", "enter");
    expect(seen(corrected)).toMatchObject({ page: "Which name?", text: "x|", hint: undefined });
    expect(seen(press(corrected, "y", "enter", "enter")).result).toEqual([
      ["PostgreSQL"],
      ["Lint", "Types"],
      ["xy"],
    ]);
  });

  test("a refusal about no question in particular opens the page to review all (P-XAN-4)", () => {
    expect(seen(refuse(sentAll, [null, "too much"]))).toMatchObject({ page: "review", tabs: "✔✔✔" });
    const alone = refuse(press(formOf([single]), "2", "enter"), [null, "no"]);
    expect(seen(alone)).toMatchObject({ at: "SQLite", hint: "refused", result: undefined });
    expect(seen(press(alone, "1", "enter")).result).toEqual([["PostgreSQL"]]);
  });

  test("a refused answer is not lost by one Escape", () => {
    const form = refuse(press(formOf([single]), "2", "enter"), ["q1", "no"]);
    expect(seen(press(form, "escape"))).toMatchObject({ hint: "decline_again", result: undefined });
  });
});

test("the cursor begins on what counts by default, which is not chosen by that (P-XQS-1)", () => {
  const options = [
    { id: "day", label: "Day" },
    { id: "night", label: "Night" },
  ];
  const form = formOf([{ question: "Which theme?", options, default: ["night"] }]);
  expect(seen(form)).toMatchObject({ at: "Night", chosen: [], result: undefined });
  const several = formOf([{ question: "Which themes?", options, default: ["night"], multi_select: true }]);
  expect(seen(several)).toMatchObject({ at: "Day", chosen: [] });
});

test("while all is read no key answers, and Escape goes back first", () => {
  const form = press(formOf([single]), "read");
  const answering = [{ type: "confirm" }, { type: "choose", row: 1 }, { type: "move", by: 1 }] as const;
  for (const action of answering) expect(reduceForm(form, action)).toEqual(form);
  expect(seen(reduceForm(form, { type: "escape", at: 0 }))).toMatchObject({
    at: "PostgreSQL",
    result: undefined,
  });
});

test("more own text than there is room for is cut, and the form says so", () => {
  const form = press(formOf([open]), { paste: "字".repeat(65_537) });
  expect(seen(form).hint).toBe("text_too_long");
  expect(form.drafts[0]?.text.text.length).toBe(65_536);
  expect(seen(press(form, "x")).hint).toBe("text_too_long");
  expect(seen(press(form, "backspace", "x")).hint).toBeUndefined();
});

test("the sent answer fits its questions, closed ones too (P-XAN-4)", () => {
  const form = formOf([single, closed(single), multi, closed(multi), open]);
  const done = press(
    form,
    "own",
    "enter",
    "2",
    "enter",
    "1",
    "more",
    "enter",
    "enter",
    "12",
    "enter",
    "name",
    "enter",
    "1",
    "enter",
  );
  expect(seen(done).result).toEqual([["own"], ["SQLite"], ["Lint", "more"], ["Lint", "Types"], ["name"]]);
  expect(issuesOf(done)).toEqual([]);
});
