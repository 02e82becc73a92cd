import { describe } from "vitest";
import { key, lookAndEnter } from "./at-panel.js";
import { AGAIN, chose, colour, DECLINED, type KeyRow, name, said, sizes, WITHDRAWN } from "./key-rows.js";
import { keysInRoom } from "./key-rows-in-room.js";

const { up, down, left, right, tab, backTab, enter, space, escape: esc, backspace, ctrl, paste } = key;
const wordLeft = "\u001b[1;5D";
const wordRight = "\u001b[1;5C";
const SUBMIT = /❯ 1\. Submit answers/;

const single: KeyRow[] = [
  {
    does: "own words may begin with a digit",
    pressed: [["3 weeks", "Other: 3 weeks"], enter],
    items: [said(1, "3 weeks")],
  },
  {
    does: "← and → do nothing on an option of one question",
    pressed: [down, right, left, left, enter],
    items: [chose(1, 2)],
  },
  {
    does: "Shift-Tab goes to own text and back",
    pressed: [down, [backTab, /❯ 4\./], [backTab, /❯ 2\./], enter],
    items: [chose(1, 2)],
  },
  {
    does: "Ctrl-P and Ctrl-N leave own text, which stays",
    pressed: ["x", [ctrl("p"), /❯ 3\./], ctrl("n"), ["y", "Other: xy"], enter],
    items: [said(1, "xy")],
  },
  {
    does: "a paste stands where the cursor is in own text",
    pressed: ["ad", left, paste("bc"), enter],
    items: [said(1, "abcd")],
  },
  { does: "n is a letter like any other", pressed: [["n", /❯ 4\. Other: n/], enter], items: [said(1, "n")] },
  {
    does: "a digit without a row begins own text",
    pressed: [down, ["5", /❯ 4\. Other: 5/], enter],
    items: [said(1, "5")],
  },
  {
    does: "Esc clears own text, and Ctrl-Y brings it back",
    pressed: ["five", [esc, /Cleared\. Ctrl-Y brings it back\./], [ctrl("y"), /❯ 4\. Other: five/], enter],
    items: [said(1, "five")],
  },
  {
    does: "Ctrl-← and Ctrl-→ go a word on in own text",
    asked: [name],
    pressed: ["one two", wordLeft, "X", wordLeft, wordLeft, wordRight, "Y", enter],
    items: [said(1, "oneY Xtwo")],
  },
  {
    does: "Enter on own text that was never typed says what to do",
    pressed: [tab, [enter, "Type an answer first"], "x", enter],
    items: [said(1, "x")],
  },
  { does: "Esc in empty own text declines", pressed: [[tab, /❯ 4\./], esc], exitCode: DECLINED },
  { does: "Ctrl-D in empty own text declines", pressed: [[tab, /❯ 4\./], ctrl("d")], exitCode: DECLINED },
  {
    does: "Esc on an option asks before it loses what was typed",
    pressed: [["mauve", "mauve"], up, [esc, AGAIN], esc],
    exitCode: DECLINED,
  },
  {
    does: "Ctrl-E in own text shows all, and keeps it",
    pressed: [["ma", "Other: ma"], [ctrl("e"), "Esc back"], ["q", /❯ 4\. Other: ma/], "uve", enter],
    items: [said(1, "mauve")],
  },
];

const several: KeyRow[] = [
  {
    does: "↓ on the row that submits goes to the first, and Ctrl-P and Ctrl-N do the same as ↑ and ↓",
    pressed: [
      [up, /❯ ✔/],
      [down, /❯ 1\./],
      [ctrl("p"), /❯ ✔/],
      [ctrl("p"), /❯ 4\./],
      ctrl("n"),
      ctrl("n"),
      space,
      enter,
    ],
    items: [chose(1, 1)],
  },
  {
    does: "← and → move in own text",
    pressed: ["ac", left, "b", right, "d", [enter, /❯ ✔/], enter],
    items: [said(1, "abcd")],
  },
  {
    does: "Backspace, Ctrl-W and Ctrl-U edit own text",
    pressed: [
      "wrong",
      ctrl("u"),
      "one twoo",
      backspace,
      ctrl("w"),
      ["2", "Other: one 2"],
      [enter, /❯ ✔/],
      enter,
    ],
    items: [said(1, "one 2")],
  },
  {
    does: "Tab goes to own text and back, from the row that submits to the options",
    pressed: [down, [tab, /❯ 4\./], [backTab, /❯ 2\./], [up + up, /❯ ✔/], [tab, /❯ 1\./], space, enter],
    items: [chose(1, 1)],
  },
  {
    does: "Enter on an option submits own text alone",
    pressed: [["XXL", "XXL"], [up, /❯ 3\. \[ \]/], enter],
    items: [said(1, "XXL")],
  },
  {
    does: "the digit of own text goes there, and there digits are text",
    pressed: [["4", /❯ 4\. \[ \]/], ["42", /\[✔\] Other: 42/], [enter, /❯ ✔/], enter],
    items: [said(1, "42")],
  },
  {
    does: "the digit of the row that submits goes there and submits nothing; one without a row begins own text",
    pressed: ["1", down, ["5", /❯ ✔/], ["6", /❯ 4\. \[✔\] Other: 56/], [enter, /❯ ✔/], enter],
    items: [{ ...chose(1, 1), own_text: "56" }],
  },
  {
    does: "a paste on the row that submits goes to own text",
    pressed: [up, [paste("XS"), /❯ 4\. \[✔\] Other: XS/], [enter, /❯ ✔/], enter],
    items: [said(1, "XS")],
  },
  {
    does: "Space on the row that submits does nothing, and Esc declines",
    pressed: [[up, /❯ ✔/], space, esc],
    exitCode: DECLINED,
  },
  {
    does: "the keys that edit do nothing on options and on the row that submits",
    pressed: [
      space,
      ctrl("u"),
      backspace,
      key.delete,
      key.home,
      [up, /❯ ✔/],
      backspace,
      ctrl("u"),
      ctrl("w"),
      enter,
    ],
    items: [chose(1, 1)],
  },
  { does: "Esc declines where nothing was done", pressed: [esc], exitCode: DECLINED },
  {
    does: "Esc wipes own text, and asks before it loses what is checked",
    pressed: [space, down, ["XXL", "XXL"], [esc, /❯ 4\. \[ \] Other(?!.*XXL)/], [esc, AGAIN], esc],
    exitCode: DECLINED,
  },
  {
    does: "Ctrl-D asks too, on an option and on the row that submits",
    pressed: [space, [ctrl("d"), AGAIN], [up, /^(?![\s\S]*again)[\s\S]*❯ ✔/], [ctrl("d"), AGAIN], ctrl("d")],
    exitCode: DECLINED,
  },
  {
    does: "Ctrl-D in own text declines only while it is empty",
    pressed: [["x", "Other: x"], ctrl("d"), [backspace, /\[ \] Other/], ctrl("d")],
    exitCode: DECLINED,
  },
  {
    does: "Ctrl-C on the row that submits ends at once",
    pressed: [space, [up, /❯ ✔/], ctrl("c")],
    exitCode: WITHDRAWN,
  },
  {
    does: "Ctrl-E shows all from an option and from the row that submits, and keeps what is checked",
    pressed: [
      space,
      [ctrl("e"), "Esc back"],
      [ctrl("e"), /❯ 1\. \[✔\]/],
      [up, /❯ ✔/],
      [ctrl("e"), "Esc back"],
      [esc, /❯ ✔/],
      enter,
    ],
    items: [chose(1, 1)],
  },
];

const tabs: KeyRow[] = [
  {
    does: "Tab and Shift-Tab leave own text, and the row that submits, as they are",
    pressed: [
      ["mauve", "mauve"],
      [tab, "Which sizes?"],
      [up, /❯ ✔/],
      [tab, SUBMIT],
      [backTab, /❯ ✔ Submit/],
      [backTab, /❯ 4\. Other: mauve/],
      [enter, "Which sizes?"],
      "1",
      [enter, SUBMIT],
      lookAndEnter,
    ],
    items: [said(1, "mauve"), chose(2, 1)],
  },
  {
    does: "← and → change the tab from own text of several only while it is empty",
    pressed: [
      [tab, "Which sizes?"],
      [up + up, /❯ 4\./],
      [left, "Which colour?"],
      [right, /❯ 4\./],
      "ab",
      left,
      ["X", "Other: aXb"],
      ctrl("u"),
      [right, SUBMIT],
      ctrl("c"),
    ],
    exitCode: WITHDRAWN,
  },
  {
    does: "after an answer the next open question is shown, then those before it",
    asked: [colour, sizes, name],
    pressed: [
      [tab, "Which sizes?"],
      space,
      [enter, "What name?"],
      ["x", "x"],
      [enter, "Which colour?"],
      [down, /❯ 2\./],
      [up + enter, SUBMIT],
      lookAndEnter,
    ],
    items: [chose(1, 1), chose(2, 1), said(3, "x")],
  },
  {
    does: "own text of several that was typed and left is the answer",
    asked: [sizes, name],
    pressed: [["XXL", "XXL"], [tab, "What name?"], ["x", "x"], [enter, SUBMIT], [down, /❯ 2\./], up, enter],
    items: [said(1, "XXL"), said(2, "x")],
  },
];

/** To the page to review, with one question answered or with both. */
const oneAnswered = [
  [enter, "Which sizes?"],
  [right, SUBMIT],
] as const;
const allAnswered = [[enter, "Which sizes?"], space, [enter, SUBMIT]] as const;

const review: KeyRow[] = [
  {
    does: "Submit says which question is open",
    pressed: [...oneAnswered, [enter, "Not answered yet: Sizes"], ctrl("c")],
    exitCode: WITHDRAWN,
  },
  {
    does: "text, pastes, other digits and the keys that edit do nothing",
    pressed: [
      ...allAnswered,
      "xn039",
      paste("2"),
      backspace,
      ctrl("u"),
      key.delete,
      key.home,
      [ctrl("n"), /❯ 2\. Cancel/],
      [ctrl("p"), SUBMIT],
      enter,
    ],
    items: [chose(1, 1), chose(2, 1)],
  },
  {
    does: "Enter on Cancel cancels, once more",
    pressed: [...oneAnswered, ["2", /❯ 2\. Cancel/], down, up, [enter, AGAIN], enter],
    exitCode: DECLINED,
  },
  {
    does: "Cancel and Esc decline at once where nothing was done",
    pressed: [[backTab, SUBMIT], down, enter],
    exitCode: DECLINED,
  },
  {
    does: "Esc and Ctrl-D ask before they lose an answer",
    pressed: [...oneAnswered, [esc, AGAIN], [down, /^(?![\s\S]*again)/], [ctrl("d"), AGAIN], esc],
    exitCode: DECLINED,
  },
  {
    does: "Ctrl-C ends at once, whatever was answered",
    pressed: [...allAnswered, ctrl("c")],
    exitCode: WITHDRAWN,
  },
  {
    does: "Ctrl-E shows all answers in full, and Enter there submits nothing",
    asked: [colour, { ...sizes, question: `Which sizes?${" Well?".repeat(30)} END` }],
    pressed: [...allAnswered, [ctrl("e"), /END\n[\s\S]*Esc back/], [enter, SUBMIT], enter],
    items: [chose(1, 1), chose(2, 1)],
  },
];

const pager: KeyRow[] = [
  {
    does: "Ctrl-C ends at once there too",
    pressed: [[ctrl("e"), "Esc back"], ctrl("c")],
    exitCode: WITHDRAWN,
  },
];

describe("the further keys of one choice", () => keysInRoom([colour], single));
describe("the further keys of several choices", () => keysInRoom([sizes], several));
describe("the further keys of several questions", () => keysInRoom([colour, sizes], tabs));
describe("the further keys of the page to review", () => keysInRoom([colour, sizes], review));
describe("the further keys of all there is to read", () => keysInRoom([colour], pager));
