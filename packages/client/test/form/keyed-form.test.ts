import { describe, expect, test } from "vitest";
import {
  dropKey,
  type FormState,
  HELD_MS,
  type KeyedForm,
  keyedForm,
  keyNames,
  passTime,
  pressKey,
  reduceForm,
  wakeAt,
} from "../../src/form/index.js";
import { closed, formOf, multi, open, seen, single } from "./press.js";

/** A key by its name, a character, a paste, or milliseconds that pass. */
type Step = string | number | { readonly paste: string };

/** The work of a user interface: keys at their times, and the form's waits. */
function after(start: FormState | KeyedForm, ...steps: readonly Step[]): KeyedForm {
  let keyed = "form" in start ? start : keyedForm(start);
  let now = 0;
  for (const step of steps) {
    if (typeof step === "number") {
      now += step;
      for (let at = wakeAt(keyed); at !== undefined && at <= now; at = wakeAt(keyed))
        keyed = passTime(keyed, at);
    } else if (typeof step !== "string") keyed = pressKey(keyed, step, now);
    else {
      const name = keyNames.find((key) => key === step);
      keyed = pressKey(keyed, name === undefined ? { text: step } : { key: name }, now);
    }
  }
  return keyed;
}

type Cell = [form: FormState, steps: readonly Step[], then: Partial<ReturnType<typeof seen>>];
const check = (...[form, steps, then]: Cell) => {
  expect(seen(after(form, ...steps).form)).toMatchObject(then);
};

const prefilled = { ...open, question: "Which port?", field: { type: "integer", prefill: "8080" } as const };
const optional = { ...open, question: "Until when?", field: { type: "date", required: false } as const };
const approval = formOf([single], { enterOnly: true, shortcuts: { y: 0, a: 1, n: 2 } });
const onReview = after(formOf([open, open]), "x", "enter", 1_000, "y", "enter", 1_000).form;
const [many, sole, shut] = [formOf([multi]), formOf([single]), formOf([closed(single)])];
const none = { result: undefined, chosen: [] };

describe("a character that stands alone for its time", () => {
  test.each<Cell>([
    [sole, ["2", HELD_MS - 1], { ...none, at: "PostgreSQL" }],
    [sole, ["2", HELD_MS], { ...none, at: "SQLite" }],
    [shut, ["2", HELD_MS, "enter"], { result: [["SQLite"]] }],
    [sole, ["down", " ", HELD_MS], { ...none, at: "SQLite" }],
    [sole, ["4", HELD_MS], { at: "Other", text: "|" }],
    [many, ["2", HELD_MS], { chosen: ["Types"] }],
    [many, ["2", HELD_MS, "2", HELD_MS], { chosen: [] }],
    [onReview, ["2", HELD_MS], { at: "Cancel", hint: undefined }],
    [onReview, ["2", HELD_MS, "1", HELD_MS, "enter"], { result: [["x"], ["y"]] }],
  ])(
    "a character that stands alone for its time moves there, or toggles one of several, and answers nothing (%#: %j)",
    check,
  );

  test.each<Cell>([
    [sole, [..."2 weeks"].flatMap((text) => [text, 400]), { text: "2 weeks|", result: undefined }],
    [sole, [..."12 files"].flatMap((text) => [text, 400]), { text: "12 files|", result: undefined }],
    [
      formOf([closed(multi)]),
      ["down", "down", "down", "x", "enter"],
      { at: "Confirm", hint: "no_words_here" },
    ],
    [sole, ["1", 900, "个", 900], { text: "1个|", result: undefined }],
    [shut, [..."2 weeks"].flatMap((text) => [text, 400]), none],
  ])("a character answers nothing where words follow, however slowly they are typed (%#: %j)", check);

  test.each<Cell>([
    [approval, ["n", HELD_MS], { at: "MySQL", result: undefined }],
    [approval, ["n", HELD_MS - 1], { at: "PostgreSQL" }],
    [approval, ["a", HELD_MS, "enter"], { result: [["SQLite"]] }],
    [approval, ["3", HELD_MS], { at: "MySQL", result: undefined }],
    [approval, ["4", HELD_MS], { at: "Other" }],
    [approval, ["a", 400, "n", 400, "y", 400], { at: "PostgreSQL", text: "|", result: undefined }],
    [approval, [" ", HELD_MS], { at: "PostgreSQL", ...none }],
  ])("a character moves the cursor where only Enter chooses, and a blank does nothing (%#: %j)", check);
});

describe("a character with another one less than 300 ms before or after it", () => {
  test.each<Cell>([
    [sole, ["3", 299, " ", "w"], { at: "Other", text: "3 w|" }],
    [sole, ["1", { paste: ".5\n" }], { text: "1.5\n|" }],
    [many, [" ", 100, "a"], { at: "Other", text: " a|", chosen: [" a"] }],
    [many, ["1", 200, "2", HELD_MS], { text: "12|", chosen: ["12"] }],
    [approval, ["y", 100, "n", HELD_MS], { at: "Other", text: "yn|" }],
    [approval, [..."wait a minute"], { at: "Other", text: "wait a minute|" }],
    [approval, [{ paste: "y" }], { at: "Other", text: "y|" }],
    [sole, ["5", 100, "x"], { text: "5x|" }],
  ])("a character close to another one is the beginning of own text (%#: %j)", check);

  test.each<Cell>([
    [approval, ["a", 600, " ", 600, "m"], { text: "a m|" }],
    [approval, ["n", 1_000, "w"], { text: "w|" }],
    [many, [" ", 400, "w"], { text: "w|", chosen: ["Lint", "w"] }],
  ])("a letter that only moved the cursor begins what follows within a second (%#: %j)", check);

  test.each<Cell>([
    [shut, ["x"], { ...none, at: "PostgreSQL", hint: "no_words_here" }],
    [onReview, ["3"], { page: "review", hint: "no_words_here" }],
    [shut, ["x", 5_000, "2", 5_000, "enter"], { ...none, at: "PostgreSQL", hint: "no_words_here" }],
    [shut, ["2", 100, "x", 5_000], { ...none, at: "PostgreSQL" }],
    [shut, ["x", 100, "enter", 100, "enter"], { ...none, hint: "enter_again" }],
    [shut, ["x", 100, "enter", 299, "2", HELD_MS], none],
    [formOf([closed(multi)]), ["a", 400, " ", 400], none],
    [onReview, [..."wait", 400, "1", 400, " ", 400, "enter"], { ...none, page: "review" }],
    [formOf([single], { typeAnywhere: false }), ["x", 400, "2", 400], { ...none, text: "|" }],
  ])("a character does nothing where no own text is taken, and Enter behind it neither (%#: %j)", check);

  test.each<Cell>([
    [shut, ["x", "enter", HELD_MS, "enter"], { result: [["PostgreSQL"]] }],
    [shut, ["x", "down", "enter"], { result: [["SQLite"]] }],
    [shut, ["x", "escape", "2", HELD_MS, "enter"], { result: [["SQLite"]] }],
  ])("Enter, an arrow and Escape end what refused characters began (%#: %j)", check);
});

describe("Enter", () => {
  test.each<Cell>([
    [approval, ["y", 299, "enter", HELD_MS], { hint: "enter_again", at: "PostgreSQL", result: undefined }],
    [approval, ["a", "enter", HELD_MS], { hint: "enter_again", at: "SQLite", result: undefined }],
    [approval, ["y", 400], { hint: "enter_confirms", at: "PostgreSQL", result: undefined }],
    [approval, ["a", 400], { at: "SQLite", result: undefined }],
    [approval, ["a", 400, "a", 400], { hint: "enter_confirms", at: "SQLite", result: undefined }],
    [approval, ["1", 400], { hint: "enter_confirms", at: "PostgreSQL", result: undefined }],
    [approval, ["a", "enter", HELD_MS, "enter"], { result: [["SQLite"]] }],
    [approval, ["a", "tab", "tab", "enter", HELD_MS], { at: "SQLite", result: undefined }],
    [approval, ["y", "enter", 100, "x"], { text: "y\nx|", result: undefined }],
  ])("Enter right behind a character confirms nothing that was not shown before (%#: %j)", check);
  test.each<Cell>([
    [sole, ["2", "enter", HELD_MS], { ...none, at: "SQLite", hint: "enter_again" }],
    [sole, ["2", "enter", HELD_MS, "enter"], { result: [["SQLite"]] }],
    [many, ["2", "enter", HELD_MS], { result: [["Types"]] }],
    [many, ["2", "enter", "enter", HELD_MS], { result: [["Types"]] }],
    [many, ["2", "enter", 100, "x"], { text: "2\nx|", result: undefined }],
    [formOf([multi, single, open]), ["2", "tab", "tab", HELD_MS], { page: "Which name?" }],
    [formOf([multi, single]), ["2", "tab", "enter", HELD_MS], { tabs: "✔☐", hint: "enter_again" }],
  ])("Enter right behind a choice waits with it (%#: %j)", check);
  test.each<Cell>([
    [formOf([open, single]), ["x", "enter", 299, "enter"], { tabs: "✔☐", hint: "enter_again" }],
    [formOf([open, single]), ["x", "enter", 299, "2", HELD_MS], { tabs: "✔☐", text: "2|" }],
    [formOf([open, single]), ["x", "enter", HELD_MS, "enter"], { page: "review", tabs: "✔✔" }],
    [formOf([open, open]), ["x", "enter", "y", "enter", "enter"], { page: "review", result: undefined }],
    [formOf([open, prefilled]), ["x", "enter", 299, "enter"], { tabs: "✔☐", hint: "enter_again" }],
    [formOf([open, prefilled]), ["x", "enter", HELD_MS, "enter"], { tabs: "✔✔" }],
    [formOf([open, prefilled]), ["x", "enter", "1", "enter"], { tabs: "✔✔" }],
    [formOf([open, optional]), ["x", "enter", 299, "enter"], { tabs: "✔☐", hint: "enter_again" }],
  ])("Enter right behind words answers no further question (%#: %j)", check);
  test.each<Cell>([
    [formOf([single, multi]), ["enter", 299, "enter"], { page: "Which checks?", hint: "enter_again" }],
    [formOf([single, single]), ["enter", 299, "enter", 299, "enter"], { tabs: "✔☐", hint: "enter_again" }],
    [formOf([single, single]), ["enter", 299, "enter", HELD_MS, "enter"], { tabs: "✔✔", page: "review" }],
    [formOf([single, single]), ["enter", "down", "enter"], { tabs: "✔✔", page: "review" }],
    [
      formOf([single, single]),
      ["enter", HELD_MS, "enter", 299, "enter"],
      { page: "review", result: undefined },
    ],
  ])("Enter of a double press answers no further question (%#: %j)", check);
});

describe("a key that prose does not have", () => {
  test.each<Cell>([
    [many, [" ", "down", " ", "down"], { chosen: ["Lint", "Types"] }],
    [approval, ["n", "up"], { at: "SQLite" }],
    [sole, ["2", "up", HELD_MS], { ...none, at: "PostgreSQL" }],
    [sole, ["2", "escape", HELD_MS], { ...none, at: "PostgreSQL" }],
    [many, ["2", "backspace", HELD_MS], { ...none, at: "Lint" }],
    [many, ["x", "up", " "], { chosen: ["Tests", "x"] }],
    [sole, ["2", "interrupt"], { result: "declined" }],
  ])(
    "a key that prose does not have confirms what is checked, and takes back what would answer (%#: %j)",
    check,
  );
  test("Tab is in prose too: it waits with what is held, and leaves no words where only Enter chooses", () => {
    expect(seen(after(approval, "a", "tab", HELD_MS).form)).toMatchObject({ at: "Other" });
    expect(seen(after(approval, "a", "tab", "b").form)).toMatchObject({ text: "a\tb|" });
    expect(seen(after(approval, ..."ls", 400, "tab", 400, "enter").form)).toMatchObject({ result: [["ls"]] });
    expect(seen(after(approval, "tab", 400, "tab").form)).toMatchObject({ at: "PostgreSQL" });
  });
});

describe("while all is read", () => {
  test.each<Cell>([
    [sole, ["read", "q"], { at: "PostgreSQL" }],
    [sole, ["read", "q", 100, "u"], { at: "Other", text: "qu|" }],
    [sole, ["read", "f", "a", "q"], { at: "reading" }],
    [onReview, ["read", "enter"], { page: "review", at: "Submit", result: undefined }],
    [sole, ["read", "x", "enter", "enter"], { at: "PostgreSQL", hint: "enter_again", result: undefined }],
  ])("q goes back alone while all is read, and begins words (%#: %j)", check);
});

test("an approval that would be given unread is shown instead, with the reason, and only once", () => {
  const shown = reduceForm(sole, { type: "unread" });
  expect(shown).toMatchObject({ reading: true, wasRead: true, hint: { why: "unread" } });
  expect(shown.result).toBeUndefined();
  const back = reduceForm(shown, { type: "read", reading: false });
  expect(back).toMatchObject({ reading: false, wasRead: true });
  expect(back.hint).toBeUndefined();
});

describe("words that began before the form took keys", () => {
  const droppedAt = (form: FormState, ...steps: readonly string[]) =>
    steps.reduce(
      (keyed, text) => dropKey(keyed, text === "enter" || text === "tab" ? { key: text } : { text }),
      keyedForm(form),
    );
  const dropped = (...steps: readonly string[]) => droppedAt(approval, ...steps);
  test("Enter behind words that began before the form took keys confirms nothing, the next one does", () => {
    const first = after(dropped("s", "t"), 5_000, "enter");
    expect(seen(first.form)).toMatchObject({ hint: "enter_again", result: undefined });
    expect(seen(after(first, 10_000, "enter").form)).toMatchObject({ result: [["PostgreSQL"]] });
    expect(seen(after(dropped("l", "tab"), "enter").form)).toMatchObject({ result: undefined });
    expect(seen(after(dropped("h"), 400, "y", 400, "enter").form)).toMatchObject({ result: undefined });
  });
  test("Enter behind words that began before the form took keys sends no prefill, and leaves no field empty (P-XFL-6)", () => {
    const first = after(droppedAt(formOf([prefilled]), "s", "t"), 5_000, "enter");
    expect(seen(first.form)).toMatchObject({ hint: "enter_again", result: undefined });
    expect(seen(after(first, 10_000, "enter").form)).toMatchObject({ result: [["8080"]] });
    const empty = after(droppedAt(formOf([optional]), "s"), "enter");
    expect(seen(empty.form)).toMatchObject({ hint: "enter_again", result: undefined });
  });
  test("words after those that began before the form took keys are own text, and a whole line of the earlier ones is forgotten", () => {
    expect(seen(after(dropped("s"), 400, ..."top it", "enter").form)).toMatchObject({ result: [["top it"]] });
    expect(seen(after(dropped("o", "k", "enter"), "enter").form)).toMatchObject({ result: [["PostgreSQL"]] });
  });
});

test("a form that is done, and keys of an input method that composes, change nothing", () => {
  const done = keyedForm(reduceForm(sole, { type: "decline" }));
  expect(after(done, "2", "enter", 1_000)).toBe(done);
  const keyed = keyedForm(sole);
  expect(pressKey(keyed, { text: "2", composing: true }, 0)).toBe(keyed);
  expect(pressKey(keyed, { text: "" }, 0)).toBe(keyed);
});

test("the earlier of two keys that wait is due first", () => {
  const asked = after(sole, "x", HELD_MS, "up", "escape");
  expect(asked.form).toMatchObject({ hint: { why: "decline_again" } });
  const both = pressKey(asked, { text: "2" }, 1_000);
  expect(wakeAt(both)).toBe(1_000 + HELD_MS);
});
