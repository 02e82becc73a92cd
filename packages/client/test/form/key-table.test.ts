import { describe, expect, test } from "vitest";
import { type FormState, formAction } from "../../src/form/index.js";
import { closed, formOf, multi, open, type Pressed, press, seen, single } from "./press.js";

/** Each place of the key table, reached by keys alone. In `one` the form has one question, else three. */
const places = {
  "O1 one": formOf([single]),
  "O1 many": formOf([single, multi, open]),
  "O1 closed": formOf([closed(single)]),
  "O2 one": formOf([multi]),
  "O2 many": press(formOf([single, multi, open]), "right"),
  "O2 closed": formOf([closed(multi)]),
  "T1 one": press(formOf([single]), "up"),
  "T1 many": press(formOf([single, multi, open]), "up"),
  "T1 alone": formOf([open]),
  "T2 one": press(formOf([multi]), "up", "up"),
  "T2 many": press(formOf([single, multi, open]), "right", "up", "up"),
  "B one": press(formOf([multi]), "up"),
  "B many": press(formOf([single, multi, open]), "right", "up"),
  "R open": press(formOf([single, multi, open]), "back_tab"),
  "R full": press(formOf([single, open]), "enter", "x", "enter"),
  P: press(formOf([single]), "read"),
} satisfies Record<string, FormState>;

type Place = keyof typeof places;
/** A cell of the key table, and an empty one. */
type Cell = [place: Place, keys: readonly Pressed[], then: Partial<ReturnType<typeof seen>>];
type Empty = [place: Place, keys: readonly Pressed[]];

/** The person's view after the keys. */
const check = (...[place, keys, then]: Cell) => {
  expect(seen(press(places[place], ...keys))).toMatchObject(then);
};

/** A key without effect returns the same state, not an equal one. */
const same = (...[place, keys]: Empty) => {
  expect(press(places[place], ...keys)).toBe(places[place]);
};

const paste = (text: string): Pressed => ({ paste: text });

describe("the arrows up and down", () => {
  test.each<Cell>([
    ["O1 one", ["down"], { at: "SQLite" }],
    ["O1 one", ["up"], { at: "Other" }],
    ["O1 one", ["down", "down", "down", "down"], { at: "PostgreSQL" }],
    ["O1 closed", ["up"], { at: "MySQL" }],
    ["O2 one", ["up"], { at: "Confirm" }],
    ["T1 one", ["up"], { at: "MySQL" }],
    ["T1 one", ["down"], { at: "PostgreSQL" }],
    ["T2 one", ["down"], { at: "Confirm" }],
    ["B one", ["down"], { at: "Lint" }],
    ["B one", ["up"], { at: "Other" }],
    ["T1 alone", ["down"], { at: "Other" }],
  ])("the arrows up and down move through all rows and on at the other end: %s, %j", check);
  test.each<Cell>([
    ["R open", ["down"], { at: "Cancel" }],
    ["R open", ["up"], { at: "Cancel" }],
    ["R open", ["down", "down"], { at: "Submit" }],
  ])("the arrows up and down reach Cancel on the page to review all: %s, %j", check);
  test.each<Cell>([["T1 one", ["ab", "up", "down"], { at: "Other", text: "ab|" }]])(
    "the arrows up and down leave own text unchanged: %s, %j",
    check,
  );
});

describe("the arrows left and right", () => {
  test.each<Cell>([
    ["O1 many", ["right"], { page: "Which checks?" }],
    ["O1 many", ["left"], { page: "Which database?" }],
    ["O2 many", ["left"], { page: "Which database?" }],
    ["B many", ["right"], { page: "Which name?" }],
    ["R open", ["left"], { page: "Which name?" }],
    ["R open", ["right"], { page: "review" }],
    ["O1 one", ["right"], { page: "Which database?", at: "PostgreSQL" }],
  ])("the arrows left and right go to the tab beside, and stop at the ends: %s, %j", check);
  test.each<Cell>([
    ["T1 many", ["right"], { page: "Which checks?" }],
    ["T2 many", ["left"], { page: "Which database?" }],
    ["T1 many", ["ab", "left"], { page: "Which database?", text: "a|b" }],
    ["T1 many", ["ab", "left", "left", "left"], { page: "Which database?", text: "|ab" }],
    ["T2 many", ["ab", "left", "right", "right"], { page: "Which checks?", text: "ab|" }],
    ["T1 many", [" ", "right"], { page: "Which database?", text: " |" }],
  ])(
    "the arrows left and right move the caret in own text, and go to a tab only where it is empty: %s, %j",
    check,
  );
});

describe("Tab and Shift-Tab", () => {
  test.each<Cell>([
    ["O1 many", ["tab"], { page: "Which checks?" }],
    ["T1 many", ["ab", "tab"], { page: "Which checks?" }],
    ["B many", ["tab"], { page: "Which name?" }],
    ["O1 many", ["back_tab"], { page: "review", at: "Submit" }],
    ["R open", ["tab"], { page: "Which database?" }],
    ["R open", ["down", "tab", "back_tab"], { page: "review", at: "Submit" }],
  ])("Tab and Shift-Tab go round all tabs, the page to review all too: %s, %j", check);
  test.each<Cell>([
    ["O1 one", ["down", "tab"], { at: "Other" }],
    ["O1 one", ["back_tab"], { at: "Other" }],
    ["T1 one", ["tab"], { at: "PostgreSQL" }],
    ["O1 one", ["down", "tab", "tab"], { at: "SQLite" }],
    ["O1 one", ["down", "x", "back_tab"], { at: "SQLite" }],
    ["O2 one", ["2", "tab", "down", "tab"], { at: "Types" }],
    ["B one", ["tab"], { at: "Lint" }],
  ])("Tab and Shift-Tab jump between the options and own text of a single question: %s, %j", check);
  test.each<Empty>([
    ["O1 closed", ["tab"]],
    ["O2 closed", ["back_tab"]],
    ["T1 alone", ["tab"]],
  ])("Tab and Shift-Tab mean nothing where there is nothing to jump to: %s, %j", same);
});

describe("Space", () => {
  test.each<Empty>([
    ["O1 one", [" "]],
    ["O1 many", [" "]],
    ["B one", [" "]],
    ["R full", [" "]],
  ])("Space answers nothing: %s, %j", same);
  test.each<Cell>([
    ["O2 one", ["down", " "], { chosen: ["Types"], at: "Types", result: undefined }],
    ["O2 one", [" ", "down", " ", " "], { chosen: ["Lint"] }],
    ["O2 one", ["down", "down", " ", "up", "up", " "], { chosen: ["Lint", "Tests"] }],
  ])("Space toggles one of several: %s, %j", check);
  test.each<Cell>([
    ["T1 one", ["a b"], { text: "a b|" }],
    ["T2 one", [" "], { text: " |", chosen: [] }],
  ])("Space is text in own text: %s, %j", check);
});

describe("Enter", () => {
  test.each<Cell>([
    ["O1 one", ["down", "enter"], { result: [["SQLite"]] }],
    ["O1 many", ["enter"], { tabs: "✔☐☐", page: "Which checks?" }],
  ])("Enter chooses and confirms a single choice: %s, %j", check);
  test.each<Cell>([
    ["O2 one", ["enter"], { hint: "nothing_chosen", chosen: [], result: undefined }],
    ["O2 one", ["3", "1", "enter"], { result: [["Lint", "Tests"]] }],
    ["B one", ["enter"], { hint: "nothing_chosen", result: undefined }],
    ["B one", ["2", "up", "up", "enter"], { result: [["Types"]] }],
    ["B many", ["2", "enter"], { tabs: "☐✔☐", page: "Which name?" }],
  ])("Enter confirms several choices, if there are any: %s, %j", check);
  test.each<Cell>([
    ["T1 one", ["enter"], { hint: "blank_text", result: undefined }],
    ["T1 one", ["  ", "enter"], { hint: "blank_text", text: "  |", result: undefined }],
    ["T1 alone", [paste(" \n\t"), "enter"], { hint: "blank_text", result: undefined }],
    ["T2 one", ["enter"], { hint: "blank_text", at: "Other", result: undefined }],
    ["T2 one", [" ", "down", "enter"], { hint: "nothing_chosen", result: undefined }],
    ["T2 one", ["up", " ", "down", "enter"], { hint: "blank_text", chosen: ["Tests"] }],
  ])("Enter takes no blank own text: %s, %j", check);
  test.each<Cell>([
    ["T1 one", ["Oracle", "enter"], { result: [["Oracle"]] }],
    ["T1 alone", ["x", "enter"], { result: [["x"]] }],
  ])("Enter confirms own text of a single choice, which is then all of the answer: %s, %j", check);
  test.each<Cell>([
    ["T2 one", ["Docs", "enter"], { at: "Confirm", chosen: ["Docs"], result: undefined }],
    ["O2 one", ["1", "Docs", "enter", "enter"], { result: [["Lint", "Docs"]] }],
  ])("Enter checks own text of several choices, visibly, and goes to the row that confirms: %s, %j", check);
  test.each<Cell>([
    ["R full", ["enter"], { result: [["PostgreSQL"], ["x"]] }],
    ["R full", ["down", "enter"], { hint: "decline_again", result: undefined }],
    ["R full", ["down", "enter", "enter"], { result: "declined" }],
    ["R open", ["down", "enter"], { result: "declined" }],
    ["R open", ["enter"], { hint: "unanswered", page: "review", result: undefined }],
  ])("Enter does what the row of the page to review all says: %s, %j", check);
});

describe("the digits", () => {
  test.each<Cell>([
    ["O1 one", ["2"], { at: "SQLite", chosen: [], result: undefined }],
    ["O1 many", ["3"], { at: "MySQL", tabs: "☐☐☐" }],
  ])("the digits move to the option with this number, and choose nothing: %s, %j", check);
  test.each<Cell>([
    ["O2 one", ["2"], { at: "Types", chosen: ["Types"] }],
    ["O2 one", ["2", "2"], { at: "Types", chosen: [] }],
    ["B one", ["1"], { at: "Lint", chosen: ["Lint"] }],
  ])("the digits toggle one of several options: %s, %j", check);
  test.each<Cell>([
    ["O1 one", ["4"], { at: "Other", text: "|", hint: undefined }],
    ["O2 one", ["4"], { at: "Other", text: "|" }],
    ["O2 one", ["1", "5"], { at: "Confirm", result: undefined }],
  ])("the digits go to own text and to the row that confirms, and do nothing there yet: %s, %j", check);
  test.each<Cell>([
    ["T1 one", ["12"], { text: "12|" }],
    ["T2 one", ["1"], { text: "1|", chosen: ["1"] }],
  ])("the digits are text in own text: %s, %j", check);
  test.each<Cell>([
    ["R full", ["down", "1"], { at: "Submit", result: undefined }],
    ["R full", ["2"], { at: "Cancel", hint: undefined, result: undefined }],
  ])("the digits move to Submit and Cancel on the page to review all: %s, %j", check);
  test.each<Empty>([
    ["O1 closed", ["4"]],
    ["O2 closed", ["9"]],
    ["R full", ["3"]],
    ["P", ["1"]],
  ])("the digits above the rows mean nothing where there are no words: %s, %j", same);
  test.each<Cell>([
    ["O1 one", ["5"], { at: "Other", text: "5|", result: undefined }],
    ["O2 one", ["6"], { at: "Other", text: "6|", result: undefined }],
  ])("the digits above the rows begin own text: %s, %j", check);
});

describe("typed and pasted text", () => {
  test.each<Cell>([
    ["O1 one", ["no"], { at: "Other", text: "no|" }],
    ["O2 one", ["x", "up", "y"], { at: "Other", text: "xy|" }],
    ["O1 one", [paste("a\nb")], { at: "Other", text: "a\nb|" }],
    ["B one", [paste("a")], { at: "Other", text: "a|" }],
    ["B one", ["n"], { at: "Other", text: "n|" }],
    ["T1 one", ["ad", "left", "b", paste("c")], { text: "abc|d" }],
  ])("typed and pasted text goes to own text from the options: %s, %j", check);
  test.each<Cell>([["T1 one", [paste("a\r\nb\rc\n"), "enter"], { result: [["a\nb\nc\n"]] }]])(
    "pasted text keeps its line ends, as line feeds: %s, %j",
    check,
  );
  test.each<Empty>([
    ["O1 closed", ["n"]],
    ["O2 closed", [paste("n")]],
    ["R full", ["n"]],
    ["R full", [paste("1")]],
    ["P", ["x"]],
    ["O1 one", [{ text: "" }, paste("")]],
  ])("typed and pasted text means nothing without a row for it: %s, %j", same);
});

describe("the keys that edit", () => {
  test.each<Cell>([
    ["T1 one", ["ab", "backspace"], { text: "a|" }],
    ["T1 one", ["ab", "left", "delete"], { text: "a|" }],
    ["T2 one", ["two words", "delete_word"], { text: "two |" }],
    ["T1 one", ["abc", "left", "delete_to_start"], { text: "|" }],
    ["T1 one", ["abc", "home", "right", "delete_to_end"], { text: "a|" }],
    ["T1 one", ["two words", "word_left"], { text: "two |words" }],
    ["T1 one", ["two words", "home", "word_right"], { text: "two| words" }],
    ["T1 one", ["ab", "home", "end"], { text: "ab|" }],
  ])("the keys that edit change own text: %s, %j", check);
  const edits = ["backspace", "delete", "delete_word", "delete_to_start", "delete_to_end"];
  test.each<Empty>((["O1 one", "O2 one", "B one", "R full", "P"] as const).map((place) => [place, edits]))(
    "the keys that edit mean nothing outside own text: %s, %j",
    same,
  );
});

describe("Escape", () => {
  test.each<Cell>([
    ["T1 one", ["ab", "escape"], { text: "|", result: undefined, hint: "cleared" }],
    ["T1 one", ["ab", "escape", "c", "bring_back"], { text: "cab|", hint: undefined }],
    ["T1 one", ["ab", "escape", "up", "bring_back", "bring_back"], { at: "Other", text: "ab|" }],
    ["T2 one", [" ", "escape"], { text: "|", result: undefined }],
  ])("Escape clears own text first: %s, %j", check);
  test.each<Cell>([
    ["O1 one", ["escape"], { result: "declined" }],
    ["T1 one", ["ab", "escape", "escape"], { result: "declined" }],
    ["B one", ["escape"], { result: "declined" }],
    ["R open", ["escape"], { result: "declined" }],
  ])("Escape declines at once where nothing would be lost: %s, %j", check);
  test.each<Cell>([
    ["O1 many", ["1", "enter", "escape"], { hint: "decline_again", result: undefined }],
    ["O1 many", ["1", "enter", "escape", "escape"], { result: "declined" }],
    ["O2 one", ["1", "escape"], { hint: "decline_again", result: undefined }],
    ["T1 one", ["ab", "up", "escape"], { hint: "decline_again", text: "ab|" }],
    ["O1 many", ["1", "enter", "escape", "down", "escape"], { hint: "decline_again", result: undefined }],
  ])("Escape asks once more where an answer or a draft would be lost: %s, %j", check);
});

describe("Ctrl-C, Ctrl-D and Ctrl-E", () => {
  test.each<Cell>([
    ["T1 one", ["ab", "interrupt"], { result: "declined" }],
    ["O1 many", ["1", "enter", "interrupt"], { result: "declined" }],
    ["R full", ["interrupt"], { result: "declined" }],
    ["P", ["interrupt"], { result: "declined" }],
  ])("Ctrl-C declines at once in any place: %s, %j", check);
  test.each<Cell>([
    ["O1 one", ["end_of_input"], { result: "declined" }],
    ["T1 one", ["end_of_input"], { result: "declined" }],
    ["O2 one", ["1", "end_of_input"], { hint: "decline_again", result: undefined }],
    ["R open", ["end_of_input"], { result: "declined" }],
    ["T1 one", ["ab", "end_of_input"], { text: "ab|", result: undefined, hint: undefined }],
  ])("Ctrl-D is Escape where no own text stands: %s, %j", check);
  test.each<Cell>([
    ["O1 one", ["read"], { at: "reading" }],
    ["T1 one", ["ab", "read", "q"], { at: "Other", text: "ab|" }],
    ["B one", ["read", "escape"], { at: "Confirm", result: undefined }],
    ["R full", ["read", "enter"], { at: "Submit", result: undefined }],
    ["P", ["read"], { at: "PostgreSQL" }],
  ])("Ctrl-E shows all that there is to read, and one of its keys the rows again: %s, %j", check);
  test.each<Empty>([
    [
      "P",
      [
        "page_up",
        "page_down",
        "down",
        "up",
        "left",
        "right",
        "tab",
        "back_tab",
        " ",
        "2",
        paste("x"),
        "end_of_input",
      ],
    ],
  ])("the keys that answer mean nothing while all is read: %s, %j", same);
});

describe("text composed by an input method", () => {
  const composed: Pressed[] = [
    { key: "enter", composing: true },
    { text: "n", composing: true },
  ];
  test.each<Empty>([
    ["T1 alone", composed],
    ["O1 one", composed],
    ["R full", composed],
  ])("the keys of an input method that composes mean nothing: %s, %j", same);
  test.each<Cell>([["T1 alone", [{ text: "数据库" }, "enter"], { result: [["数据库"]] }]])(
    "text of an input method counts when it is composed: %s, %j",
    check,
  );
});

describe("a form with options of its own", () => {
  test("only Enter chooses, also one of several, where that is asked for (enterOnly)", () => {
    const one = formOf([single], { enterOnly: true });
    expect(seen(press(one, "2"))).toMatchObject({ at: "SQLite", result: undefined });
    expect(press(one, " ")).toBe(one);
    expect(seen(press(one, "2", "enter"))).toMatchObject({ result: [["SQLite"]] });
    const several = press(formOf([multi], { enterOnly: true }), "2", "up", "up");
    expect(seen(several)).toMatchObject({ at: "Confirm", chosen: [] });
    expect(press(several, " ")).toBe(several);
    const all = press(formOf([single, open], { enterOnly: true }), "enter", "x", "enter");
    expect(press(all, " ")).toBe(all);
    expect(seen(press(all, "2"))).toMatchObject({ at: "Cancel", hint: undefined });
    expect(seen(press(all, "2", "1", "enter"))).toMatchObject({ result: [["PostgreSQL"], ["x"]] });
  });

  test("Enter toggles where it is to, and Space too (enterToggles)", () => {
    const form = formOf([multi], { enterToggles: true });
    expect(seen(press(form, "enter", "down", "enter", " "))).toMatchObject({ at: "Types", chosen: ["Lint"] });
    expect(seen(press(form, "enter", "up", "enter"))).toMatchObject({ result: [["Lint"]] });
    expect(seen(press(formOf([single], { enterToggles: true }), "enter")).result).toEqual([["PostgreSQL"]]);
  });

  test("letters move to an option, and typing goes nowhere but on the own-text row (typeAnywhere, shortcuts)", () => {
    const form = formOf([single], { typeAnywhere: false, shortcuts: { y: 0, n: 2, z: 7 } });
    expect(seen(press(form, "n"))).toMatchObject({ at: "MySQL", chosen: [], result: undefined });
    expect(seen(press(form, "n", "enter")).result).toEqual([["MySQL"]]);
    expect(press(form, "x", "z", "Y", paste("y"), { text: "toString" })).toBe(form);
    expect(seen(press(form, "4", "ny", "enter")).result).toEqual([["ny"]]);
  });

  test("a letter moves to one of several, from the row that confirms too (shortcuts)", () => {
    const form = press(formOf([multi], { shortcuts: { t: 1 } }), "up");
    expect(seen(press(form, "t"))).toMatchObject({ at: "Types", chosen: [] });
    expect(seen(press(form, "x")).text).toBe("x|");
  });

  test("all of twenty options can be reached", () => {
    const labels = Array.from({ length: 20 }, (_, index) => `Option ${index + 1}`);
    const form = formOf([{ question: "Which?", options: labels.map((label) => ({ label })) }]);
    expect(seen(press(form, "up", "up", "enter")).result).toEqual([["Option 20"]]);
    expect(seen(press(form, "9", "enter")).result).toEqual([["Option 9"]]);
    expect(seen(press(form, ...labels.map(() => "down"))).at).toBe("Other");
  });
});

test("after a result no key means anything", () => {
  const form = press(places["O1 one"], "1", "enter");
  expect(press(form, "down", "enter", "interrupt", "escape", "x", paste("x"))).toBe(form);
  expect(formAction(form, { key: "interrupt" }, 0)).toBeUndefined();
});
