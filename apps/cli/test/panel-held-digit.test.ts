import { type FormAction, type FormKey, formAction, questionForm, reduceForm } from "@askwire/client/form";
import { expect, test } from "vitest";
import { DIGIT_MS, heldDigit } from "../src/panel/held-digit.js";
import { question } from "./panel-forms.js";
import { handClock } from "./panel-room.js";

const options = ["A day", "A week", "A month"].map((label, index) => ({
  id: `o${index}`,
  label,
  description: "",
}));

/** A form whose keys come one after the other, some after a pause. */
function pressed(more: object, ...keys: (FormKey | "pause")[]) {
  const clock = handClock();
  let form = questionForm([question("How long?", { options, ...more })]);
  const act = (action: FormAction) => {
    form = reduceForm(form, action);
  };
  const digit = heldDigit(clock, act);
  for (const key of keys) {
    if (key === "pause") clock.pass(DIGIT_MS);
    else for (const action of digit.next(form, key, formAction(form, key, clock.now()))) act(action);
  }
  return { result: form.result, text: form.drafts[0]?.text.text };
}

const chosen = (id: string) => ({ items: [{ question_id: expect.any(String), selected: [id] }] });

test("a digit answers by itself after a moment, and at once with Enter, which then does no more", () => {
  expect(pressed({}, { text: "2" }).result).toBeUndefined();
  expect(pressed({}, { text: "2" }, "pause").result).toMatchObject(chosen("o1"));
  expect(pressed({}, { text: "2" }, { key: "enter" }).result).toMatchObject(chosen("o1"));
});

test("own words that begin with a digit are own words", () => {
  expect(pressed({}, { text: "3" }, { text: "w" }, { text: "2" }, "pause")).toEqual({
    result: undefined,
    text: "3w2",
  });
  expect(pressed({}, { text: "1" }, { paste: ".5 days" }, "pause").text).toBe("1.5 days");
  expect(pressed({}, { text: "3" }, { text: " " }, { text: "w" }, "pause").text).toBe("3 w");
});

test("Escape takes a digit back", () => {
  expect(pressed({}, { text: "2" }, { key: "escape" }, "pause").result).toBeUndefined();
});

test("no digit waits where there are no own words, or where it only checks", () => {
  expect(pressed({ own_text: false }, { text: "2" }).result).toMatchObject(chosen("o1"));
  const several = pressed({ multi_select: true }, { text: "2" }, { text: "3" }, { key: "enter" });
  expect(several.result).toMatchObject({ items: [{ selected: ["o1", "o2"] }] });
});
