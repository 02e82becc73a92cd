import { type CoreQuestion, coreQuestion } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import {
  type FormKey,
  type FormState,
  formAction,
  keyNames,
  questionForm,
  reduceForm,
} from "../../src/form/index.js";

const asked = (input: object, index = 0): CoreQuestion =>
  coreQuestion(
    {
      question: "?",
      header: "",
      options: [],
      multi_select: false,
      body: "",
      other_label: "",
      other_description: "",
      ...input,
    } as never,
    index,
  );
const option = (id: string, label = "same") => ({ id, label, description: "" });

function pressed(form: FormState, ...keys: FormKey[]): FormState {
  return keys.reduce((state, key) => {
    const action = formAction(state, key, 0);
    return action === undefined ? state : reduceForm(state, action);
  }, form);
}
const enter: FormKey = { key: "enter" };
const everyKey: FormKey[] = [
  ...keyNames.filter((key) => key !== "interrupt").map((key) => ({ key })),
  ...["1", "9", " ", "y", "__proto__"].map((text) => ({ text })),
  { paste: "text" },
];

describe("names that every object has", () => {
  const names = ["__proto__", "constructor", "toString"];

  test("names that every object has are ids like others", () => {
    const form = questionForm([
      asked({ id: "__proto__", options: names.map((name) => option(name)) }),
      asked({ id: "constructor", options: names.map((name) => option(name)), multi_select: true }, 1),
    ]);
    const done = pressed(
      form,
      enter,
      { text: "1" },
      { text: "3" },
      { key: "up" },
      { key: "up" },
      enter,
      enter,
    );
    expect(pressed(done, enter).result).toEqual({
      items: [
        { question_id: "__proto__", selected: ["__proto__"] },
        { question_id: "constructor", selected: ["__proto__", "toString"] },
      ],
    });
  });

  test("names that every object has are no shortcuts unless they were given", () => {
    const form = questionForm([asked({ options: [option("a")], own_text: false })], { shortcuts: { y: 0 } });
    for (const name of names) expect(formAction(form, { text: name }, 0)).toBeUndefined();
    expect(pressed(form, { text: "y" }, enter).result).toEqual({
      items: [{ question_id: "q1", selected: ["a"] }],
    });
  });
});

test("options with the same label are told apart", () => {
  const form = questionForm([asked({ options: [option("a"), option("b")] })]);
  expect(pressed(form, { key: "down" }, enter).result).toEqual({
    items: [{ question_id: "q1", selected: ["b"] }],
  });
});

test("questions with the same id keep their own answers", () => {
  const same = { id: "q", options: [option("a"), option("b")] };
  const form = questionForm([asked(same), asked(same, 1)]);
  expect(pressed(form, { text: "1" }, enter, { text: "2" }, enter, enter).result).toEqual({
    items: [
      { question_id: "q", selected: ["a"] },
      { question_id: "q", selected: ["b"] },
    ],
  });
});

describe("a form of nothing", () => {
  test("a form without questions takes every key, and is declined by Escape", () => {
    const form = questionForm([]);
    for (const key of everyKey) expect(() => pressed(form, key, key)).not.toThrow();
    expect(pressed(form, { key: "escape" }).result).toBe("declined");
  });

  test("a form without options and own text is never answered, whatever is pressed, only declined", () => {
    const form = questionForm([asked({ own_text: false, default: ["none"] })]);
    for (const key of everyKey) expect(pressed(form, key, key).result ?? "declined").toBe("declined");
    expect(pressed(form, enter)).toMatchObject({ hint: { why: "nothing_chosen" } });
    expect(pressed(form, { key: "escape" }).result).toBe("declined");
  });
});
