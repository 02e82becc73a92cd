import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { checkOptions, option } from "../src/internal.js";

interface Door {
  readonly name: string;
  readonly colour?: "red" | "green";
  readonly width?: number;
  readonly steps?: number;
  readonly open?: boolean;
  readonly opened?: () => void;
  readonly bell?: { readonly tone: string };
}

const rules = {
  name: option.required(option.text),
  colour: option.oneOf(["red", "green"]),
  width: option.amount,
  steps: option.whole(1, 9),
  open: option.flag,
  opened: option.callable,
  bell: option.of({ tone: option.required(option.text) }),
};

const check = (options: unknown) => () => checkOptions<Door>("makeDoor", options as Door, rules);

test.each([
  [{ nme: "a" }, 'makeDoor: unknown option "nme": did you mean "name"?'],
  [{ name: "a", colours: "red" }, 'makeDoor: unknown option "colours": did you mean "colour"?'],
  [{ name: "a", on_opened: 1 }, 'makeDoor: unknown option "on_opened": did you mean "opened"?'],
  [
    { name: "a", zzz: 1 },
    'makeDoor: unknown option "zzz": expected name, colour, width, steps, open, opened, bell',
  ],
  [{}, "makeDoor: name: expected a string, not undefined"],
  [{ name: 3 }, "makeDoor: name: expected a string, not 3"],
  [{ name: "a", colour: "blue" }, 'makeDoor: colour: expected "red" or "green", not "blue"'],
  [{ name: "a", width: -1 }, "makeDoor: width: expected a number from 0, not -1"],
  [{ name: "a", width: Number.NaN }, "makeDoor: width: expected a number from 0, not NaN"],
  [{ name: "a", steps: 1.5 }, "makeDoor: steps: expected a whole number from 1 to 9, not 1.5"],
  [{ name: "a", open: "yes" }, 'makeDoor: open: expected true or false, not "yes"'],
  [{ name: "a", opened: {} }, "makeDoor: opened: expected a function, not an object"],
  [{ name: "a", bell: "loud" }, 'makeDoor: bell: expected an object with tone, not "loud"'],
  [{ name: "a", bell: { tune: "a" } }, 'makeDoor: bell: unknown option "tune": did you mean "tone"?'],
  [{ name: "a", bell: { tone: [] } }, "makeDoor: bell: tone: expected a string, not an array"],
  [null, "makeDoor: expected an object with options, not null"],
  ["a", 'makeDoor: expected an object with options, not "a"'],
  [[], "makeDoor: expected an object with options, not an array"],
])("the options %j are refused with the place and what was expected", (options, message) => {
  expect(check(options)).toThrow(new TypeError(message));
});

test("a message shows the beginning of a long value", () => {
  expect(check({ name: "a", colour: "b".repeat(100_000) })).toThrow(/^.{1,200}$/);
});

describe("options that are taken", () => {
  test("options that are frozen, inherit nothing or leave one undefined are taken", () => {
    expect(check(Object.freeze({ name: "a", width: 0, steps: 9 }))).not.toThrow();
    expect(check(Object.assign(Object.create(null), { name: "a" }))).not.toThrow();
    expect(check({ name: "a", colour: undefined })).not.toThrow();
  });

  test("options that are getters, or members of a class with more than options, are taken", () => {
    class Named {
      readonly #name = "a";
      readonly of = "a house";
      get name() {
        return this.#name;
      }
      opened() {}
    }
    expect(check(new Named())).not.toThrow();
    expect(
      check({
        get name() {
          return "a";
        },
      }),
    ).not.toThrow();
  });

  test("options that another realm made are taken, and their slips found", () => {
    const realm = createContext({});
    expect(check(runInContext("({ name: 'a', bell: { tone: 'b' }, opened() {} })", realm))).not.toThrow();
    expect(check(runInContext("({ name: 'a', colours: 'red' })", realm))).toThrow(/did you mean "colour"/);
  });
});
