import type { CoreQuestion } from "@askwire/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type FormKey,
  type FormState,
  foundRows,
  itemOf,
  type KeyedForm,
  keyedForm,
  keyNames,
  passTime,
  pressKey,
} from "../../src/form/index.js";
import { type Asked, asked, formOf, multi, open, press, seen, single } from "./press.js";

const cities = ["Amsterdam", "Bergen", "Caen", "Berlin", "Delft", "大阪"].map((label, index) => ({
  id: `c${index}`,
  label,
  description: label === "Delft" ? "near Rotterdam" : "",
}));
const long: Asked = { ...single, options: cities };

const withOptions = (form: FormState, options: FormState["options"]): FormState => ({
  ...form,
  options: { ...form.options, ...options },
});
const noting = withOptions(formOf([single]), { takesNotes: true });
const talking = (questions: readonly Asked[]) => withOptions(formOf(questions), { discusses: true });

describe("a search in the options", () => {
  test.each([
    ["ber", "Bergen"],
    ["BERL", "Berlin"],
    ["rotter", "Delft"],
    ["大", "大阪"],
    ["ｂｅｒｇ", "Bergen"],
    ["no such city", "Amsterdam"],
  ])("typing %s in a search moves the cursor to %s and chooses nothing", (words, at) => {
    const form = press(formOf([long]), "find", words);
    expect(seen(form)).toMatchObject({ at, chosen: [], text: "|", result: undefined });
  });

  test("the arrows go through what is found, around the ends", () => {
    const form = press(formOf([long]), "find", "ber", "down");
    expect(seen(form).at).toBe("Berlin");
    expect(seen(press(form, "down")).at).toBe("Bergen");
    expect(seen(press(form, "up", "up")).at).toBe("Berlin");
    expect(foundRows(form)).toEqual([1, 3]);
  });

  test("Enter ends a search at what was found and answers nothing, and Escape goes back to where the cursor was", () => {
    const found = press(formOf([long]), "down", "down", "find", "berl");
    expect(seen(press(found, "enter"))).toMatchObject({ at: "Berlin", result: undefined });
    expect(press(found, "enter").side).toBeUndefined();
    expect(seen(press(found, "escape"))).toMatchObject({ at: "Caen", result: undefined });
    expect(seen(press(found, "enter", "enter")).result).toEqual([["Berlin"]]);
  });

  test("a second Enter right behind the one that ends a search or a note answers nothing", () => {
    for (const name of ["find", "note"] as const) {
      const keys: FormKey[] = [{ key: name }, { text: "b" }, { key: "enter" }, { key: "enter" }];
      const start = keyedForm(withOptions(formOf([long]), { takesNotes: true }));
      const twice = keys.reduce((state, key, at) => pressKey(state, key, at < 3 ? at * 1_000 : 2_100), start);
      expect(twice.form).toMatchObject({ hint: { why: "enter_again" } });
      expect(twice.form.result).toBeUndefined();
      expect(pressKey(twice, { key: "enter" }, 3_000).form.result).toBeDefined();
    }
  });

  test("a question with a single option, an open question and the page to review all have no search", () => {
    expect(press(formOf([open]), "find").side).toBeUndefined();
    const review = press(formOf([single, open]), "back_tab");
    expect(press(review, "find").side).toBeUndefined();
  });
});

describe("the keys of a long list", () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    id: `m${index}`,
    label: `Number ${index + 1}`,
    description: "",
  }));
  const form = formOf([{ ...single, options: many }]);

  test.each([
    [["page_down"], "Number 11"],
    [["page_down", "page_down", "page_up"], "Number 11"],
    [["page_up"], "Number 1"],
    [["page_down", "page_down", "page_down", "page_down", "page_down"], "Other"],
    [["end"], "Other"],
    [["down", "home"], "Number 1"],
  ])("%j moves by ten rows or to an end, and stops there: %s", (keys, at) => {
    expect(seen(press(form, ...keys))).toMatchObject({ at, result: undefined, chosen: [] });
  });
});

describe("a note", () => {
  test("a note goes with the choice that Enter confirms after it", () => {
    const form = press(noting, "down", "note", "for now", "enter", "enter");
    expect(form.result).toEqual({
      items: [expect.objectContaining({ selected: ["q1_o2"], note: "for now" })],
    });
  });

  test("a note is edited again, with line ends, and Escape leaves it as it stands", () => {
    const form = press(noting, "note", "one", "new_line", "two", "escape", "note", "!");
    expect(form.drafts[0]?.note).toBe("one\ntwo!");
    expect(seen(form).result).toBeUndefined();
  });

  test("a note is no answer by itself, and the key does nothing where no notes are taken", () => {
    const noted = press(noting, "note", "for now", "enter");
    const [draft] = noted.drafts;
    expect(draft && itemOf(asked(single)[0] as CoreQuestion, draft)).toBeUndefined();
    const form = formOf([single]);
    expect(press(form, "note")).toBe(form);
  });
});

describe("the row that asks to talk first", () => {
  test("the row that asks to talk first comes last, and Enter there declines with all that was typed", () => {
    const form = press(talking([single, open]), "up");
    expect(seen(form).at).toBe("Discuss");
    expect(press(form, "enter").result).toEqual({ declined: "discuss" });
    const typed = press(talking([single, open]), "which one is faster?", "tab", "why now?", "down");
    expect(seen(typed).at).toBe("Discuss");
    expect(press(typed, "enter").result).toEqual({
      declined: "discuss",
      note: "which one is faster?\nwhy now?",
    });
  });

  test("words typed on that row go to own text, and a digit or a blank there sends nothing", () => {
    const form = press(talking([multi]), "up");
    expect(seen(form).at).toBe("Discuss");
    expect(seen(press(form, " ")).result).toBeUndefined();
    expect(seen(press(form, "1")).result).toBeUndefined();
    expect(seen(press(form, "x"))).toMatchObject({ at: "Other", text: "x|", result: undefined });
  });

  test("a form without it has no such row", () => {
    expect(seen(press(formOf([single]), "up")).at).toBe("Other");
  });
});

test("no key but Enter and those that decline ends a form, wherever the cursor is and whatever is open", () => {
  const deciding = ["enter", "escape", "interrupt", "end_of_input"];
  const keys = fc.oneof(
    fc.constantFrom(...keyNames).map((key): FormKey => ({ key })),
    fc.constantFrom(..." 19yab\u5b57").map((text): FormKey => ({ text })),
  );
  const forms = fc
    .constantFrom([long], [single, multi], [multi], [open])
    .map((questions: readonly Asked[]) =>
      formOf(questions, { takesNotes: true, discusses: true, leavesOut: true }),
    );
  fc.assert(
    fc.property(forms, fc.array(fc.tuple(keys, fc.nat({ max: 900 })), { maxLength: 40 }), (form, list) => {
      let keyed: KeyedForm = keyedForm(form);
      let at = 0;
      for (const [key, ms] of list) {
        at += ms;
        const before = passTime(keyed, at);
        keyed = pressKey(before, key, at);
        const decides = "key" in key && deciding.includes(key.key);
        // A lone choice that was left out is sent at once, where nothing else is asked.
        const isLeftOut = "key" in key && key.key === "leave_out";
        if (!decides && !isLeftOut) expect(keyed.form.result).toBe(before.form.result);
        if (before.form.side !== undefined && "key" in key && key.key !== "interrupt")
          expect(keyed.form.result).toBe(before.form.result);
      }
    }),
    { numRuns: 300 },
  );
});
