import { describe } from "vitest";
import { type AskedQuestion, key, lookAndEnter } from "./at-panel.js";
import {
  AGAIN,
  chose,
  colour,
  DECLINED,
  type KeyRow,
  keys,
  name,
  said,
  sizes,
  WITHDRAWN,
} from "./key-rows.js";
import { keysInRoom } from "./key-rows-in-room.js";

const { up, down, left, right, tab, backTab, enter, space, escape: esc, backspace, ctrl, paste } = key;
const NOT_AGAIN = /^(?![\s\S]*again)/;

const single: KeyRow[] = [
  { does: "Enter chooses and confirms", pressed: [down, enter], items: [chose(1, 2)] },
  { does: "Space answers nothing", pressed: [down, down, space, down, up, enter], items: [chose(1, 3)] },
  {
    does: "a digit moves there, and answers nothing",
    pressed: [["2", /❯ 2\./], down, enter],
    items: [chose(1, 3)],
  },
  { does: "↑ wraps to own text", pressed: [up, "x", enter], items: [said(1, "x")] },
  { does: "↓ wraps to the first", pressed: [down, down, down, down, enter], items: [chose(1, 1)] },
  {
    does: "Ctrl-N and Ctrl-P move as ↓ and ↑ do",
    pressed: [ctrl("n"), ctrl("n"), ctrl("p"), enter],
    items: [chose(1, 2)],
  },
  {
    does: "the digit of own text goes there, and there digits are text",
    pressed: [["4", /❯ 4\. Other/], "42", enter],
    items: [said(1, "42")],
  },
  {
    does: "a letter goes to own text, and Enter sends it",
    pressed: [["mauve", "mauve"], enter],
    items: [said(1, "mauve")],
  },
  {
    does: "a blank in own text is text, and blanks alone are no answer",
    pressed: [tab, space, [enter, /❯ 4\./], "a b", enter],
    items: [said(1, " a b")],
  },
  { does: "Tab goes to own text and back", pressed: [down, tab, tab, enter], items: [chose(1, 2)] },
  {
    does: "the last choice counts, not the typed text",
    pressed: [["mauve", "mauve"], up, enter],
    items: [chose(1, 3)],
  },
  {
    does: "← and → move in own text",
    pressed: ["ac", left, "b", right, "d", enter],
    items: [said(1, "abcd")],
  },
  {
    does: "Home, End, Ctrl-A, Ctrl-W, Ctrl-K, Delete and Backspace edit own text",
    asked: [name],
    pressed: [
      "one two three",
      ctrl("w"),
      key.home,
      "X",
      key.delete,
      key.end,
      backspace,
      "!",
      ctrl("a"),
      "Y",
      key.end,
      left,
      ctrl("k"),
      "?",
      enter,
    ],
    items: [said(1, "YXne two?")],
  },
  {
    does: "Ctrl-U wipes own text",
    asked: [name],
    pressed: [["wrong", "wrong"], ctrl("u"), "right", enter],
    items: [said(1, "right")],
  },
  {
    does: "a paste is taken whole, with its line ends",
    pressed: [[paste("two\r\nlines\rof 1, 2"), /two\n +lines\n +of/], enter],
    items: [said(1, "two\nlines\nof 1, 2")],
  },
  {
    does: "wide characters are edited one by one",
    asked: [name],
    pressed: [["你好吗", "你好吗"], left, backspace, ["👩‍👩‍👧x", "x"], enter],
    items: [said(1, "你👩‍👩‍👧x吗")],
  },
  { does: "Esc declines where nothing was done", pressed: [esc], exitCode: DECLINED },
  {
    does: "Esc wipes own text, then declines",
    pressed: [["mauve", "mauve"], [esc, /❯ 4\. (?!.*mauve)/], esc],
    exitCode: DECLINED,
  },
  { does: "Ctrl-C ends at once", pressed: ["mauve", ctrl("c")], exitCode: WITHDRAWN },
  {
    does: "Ctrl-D declines, but not in own text",
    pressed: ["mauve", [ctrl("d"), "mauve"], up, ctrl("d"), [ctrl("d"), ""]],
    exitCode: DECLINED,
  },
  {
    does: "Backspace and Ctrl-U on an option do nothing",
    pressed: [down, backspace, ctrl("u"), enter],
    items: [chose(1, 2)],
  },
];

const several: KeyRow[] = [
  {
    does: "Space checks and Enter submits",
    pressed: [space, down, down, space, enter],
    items: [chose(1, 1, 3)],
  },
  {
    does: "a digit checks, once more unchecks",
    pressed: ["1", down, "2", down, "1", enter],
    items: [chose(1, 2)],
  },
  {
    does: "Enter with nothing checked says what to do, and nothing is sent",
    pressed: [[enter, /at least one/i], space, enter],
    items: [chose(1, 1)],
  },
  {
    does: "own text is typed in its row and goes with what is checked",
    pressed: [space, down, ["XXL", "XXL"], [enter, /❯ ✔/], enter],
    items: [said(1, "XXL", 1)],
  },
  {
    does: "blank own text never counts",
    pressed: [up, up, "  ", [enter, /❯ 4\./], up, space, down, down, enter],
    items: [chose(1, 3)],
  },
  {
    does: "Space on the row that submits submits nothing",
    pressed: ["1", [up, /❯ ✔/], space, up, down, enter],
    items: [chose(1, 1)],
  },
  {
    does: "the row that submits does nothing while nothing is chosen",
    pressed: [up, [enter, /at least one/i], "3", up, space, up, esc, [esc, ""]],
    exitCode: DECLINED,
  },
  {
    does: "a paste goes to own text beside what is checked",
    pressed: ["2", down, [paste("extra\nlarge"), /extra\n +large/], [enter, /❯ ✔/], enter],
    items: [said(1, "extra\nlarge", 2)],
  },
  {
    does: "n is a letter like any other",
    pressed: [["n", /❯ 4\. \[✔\] Other: n/], enter, enter],
    items: [said(1, "n")],
  },
  {
    does: "on the row that submits digits check, and letters go to own text",
    pressed: [up, ["3", /❯ 3\. \[✔\]/], down, [down, /❯ ✔/], ["x", /\[✔\] Other: x/], [enter, /❯ ✔/], enter],
    items: [said(1, "x", 3)],
  },
  {
    does: "↑ leaves own text, which stays",
    pressed: [["XXL", "XXL"], up, [space, /❯ 3\. \[✔\]/], enter],
    items: [said(1, "XXL", 3)],
  },
];

const tabs: KeyRow[] = [
  {
    does: "the page to review is gone around with ↑ and ↓, and Space does nothing",
    pressed: [
      [enter, "Which sizes?"],
      space,
      [enter, /❯ 1\. Submit answers/],
      [up, /❯ 2\. Cancel/],
      [down, /❯ 1\. Submit answers/],
      space,
      [down, /❯ 2\. Cancel/],
      [up, /❯ 1\. Submit answers/],
      enter,
    ],
    items: [chose(1, 1), chose(2, 1)],
  },
  {
    does: "← and → change the tab on the row that submits, Tab and Shift-Tab in own text too",
    pressed: [
      [tab, "Which sizes?"],
      "1",
      [up, /❯ ✔ Submit/],
      [left, "Which colour?"],
      [right, /❯ ✔ Submit/],
      [`${up}L`, /Other: L/],
      [tab, "Submit answers"],
      [backTab, /Other: L/],
      esc,
      ["", /❯ 4\. \[ \] Other/],
      ctrl("c"),
    ],
    exitCode: WITHDRAWN,
  },
  {
    does: "a choice shows the next question, the last one the page to review, and Enter submits",
    pressed: [[down + enter, "Which sizes?"], space, [enter, /Submit answers/], lookAndEnter],
    items: [chose(1, 2), chose(2, 1)],
  },
  {
    does: "the second half of a double Enter answers no further question, and a line asks for it once more",
    pressed: [
      [enter + enter + enter, "Press Enter once more to confirm."],
      ["", "Which sizes?"],
      [tab, "Submit answers"],
      esc,
      esc,
    ],
    exitCode: DECLINED,
  },
  {
    does: "Ctrl-X leaves a choice out, and another answer counts in its place after all",
    pressed: [
      [ctrl("x"), "Which sizes?"],
      "1",
      [enter, /→ left out[\s\S]*→ S[\s\S]*Submit answers/],
      lookAndEnter,
    ],
    items: [{ question_id: "q1", selected: [], skipped: true }, chose(2, 1)],
  },
  {
    does: "Ctrl-X leaves out all but one: the page to review says that one is wanted",
    pressed: [
      [ctrl("x"), "Which sizes?"],
      [ctrl("x"), "Submit answers"],
      [lookAndEnter, "Answer at least one question, or decline."],
      [left, "Which sizes?"],
      "1",
      [enter, "Submit answers"],
      lookAndEnter,
    ],
    items: [{ question_id: "q1", selected: [], skipped: true }, chose(2, 1)],
  },
  {
    does: "→ and ← change the tab and stop at the ends",
    pressed: [
      left,
      [right, "Which sizes?"],
      right,
      [right, "Submit answers"],
      left,
      [left, "Which colour?"],
      esc,
    ],
    exitCode: DECLINED,
  },
  {
    does: "Tab and Shift-Tab go around, over the page to review",
    pressed: [[backTab, "Submit answers"], [tab, "Which colour?"], [tab, "Which sizes?"], esc],
    exitCode: DECLINED,
  },
  {
    does: "← and → change the tab from own text only while it is empty",
    asked: [colour, name],
    pressed: [[right, "What name?"], "ab", left, ["X", "aXb"], ctrl("u"), [left, "Which colour?"], esc],
    exitCode: DECLINED,
  },
  {
    does: "another choice after going back replaces the one before",
    pressed: [
      [enter, "Which sizes?"],
      [left, "Which colour?"],
      down,
      [enter, "Which sizes?"],
      space,
      [enter, "Submit answers"],
      lookAndEnter,
    ],
    items: [chose(1, 2), chose(2, 1)],
  },
  {
    does: "a change is marked, and sent as it stands when its question is left",
    asked: [sizes, colour],
    pressed: [
      space,
      [enter, "Which colour?"],
      [left, "Which sizes?"],
      [down + space, "◐"],
      [right, "Which colour?"],
      [enter, /Submit answers/],
      lookAndEnter,
    ],
    items: [chose(1, 1, 2), chose(2, 1)],
  },
  {
    does: "Submit is refused while a question is open",
    pressed: [
      [enter, "Which sizes?"],
      [right, "Submit answers"],
      enter,
      [left, "Which sizes?"],
      space,
      [enter, "Ready to submit"],
      lookAndEnter,
    ],
    items: [chose(1, 1), chose(2, 1)],
  },
  {
    does: "↓ and Enter on the page to review cancel, once more",
    pressed: [[enter, "Which sizes?"], [right, "Submit answers"], down, [enter, AGAIN], enter],
    exitCode: DECLINED,
  },
  {
    does: "2 and 1 on the page to review go to its rows, and do nothing",
    pressed: [
      [enter, "Which sizes?"],
      space,
      [enter, "Submit answers"],
      ["2", /❯ 2\. Cancel/],
      ["1", /❯ 1\. Submit/],
      down,
      up,
      enter,
    ],
    items: [chose(1, 1), chose(2, 1)],
  },
  {
    does: "Esc asks before it loses an answer, and the second one declines",
    pressed: [[enter, "Which sizes?"], [esc, AGAIN], esc],
    exitCode: DECLINED,
  },
  {
    does: "another key after the first Esc keeps all",
    pressed: [[enter, "Which sizes?"], [esc, AGAIN], space, [enter, "Submit answers"], lookAndEnter],
    items: [chose(1, 1), chose(2, 1)],
  },
  {
    does: "Ctrl-C ends at once, whatever was answered",
    pressed: [[enter, "Which sizes?"], ctrl("c")],
    exitCode: WITHDRAWN,
  },
  {
    does: "a label with a comma stays one choice when it is seen again",
    asked: [{ ...sizes, options: ["S, small", "M", "L"] }, colour],
    pressed: [
      space,
      [enter, "Which colour?"],
      [left, /\[✔\] S, small/],
      [enter, "Which colour?"],
      [lookAndEnter, "Submit answers"],
      lookAndEnter,
    ],
    items: [chose(1, 1), chose(2, 1)],
  },
];

const long = Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of the text.`).join("\n");

const pager: KeyRow[] = [
  {
    does: "Ctrl-E shows all there is to read, q comes back",
    asked: [{ question: `Agree?\n${long}`, options: ["Yes", "No"] }],
    pressed: [
      [ctrl("e"), "Line 5 of"],
      [key.end, "Line 40 of"],
      [key.home, "Agree?"],
      ["q", /❯ 1\. Yes/],
      down,
      up,
      enter,
    ],
    items: [chose(1, 1)],
  },
  {
    does: "Esc comes back too, and answers nothing",
    pressed: [
      [ctrl("e"), "Esc back"],
      [enter, "Esc decline"],
      [ctrl("e"), "Esc back"],
      [esc, /❯ 1\. Red/],
      down,
      down,
      enter,
    ],
    items: [chose(1, 3)],
  },
];

/** A row that waits for the clock on the wall. */
const timed: KeyRow[] = [
  {
    does: "after two seconds a second Esc asks again",
    pressed: [[enter, "Which sizes?"], [esc, AGAIN], ["", NOT_AGAIN], [esc, AGAIN], esc],
    exitCode: DECLINED,
  },
];

/** Presses every third row at a real terminal, and the others in this process. */
function pressed(asked: readonly AskedQuestion[], rows: readonly KeyRow[]): void {
  keys(
    asked,
    rows.filter((_, n) => n % 3 === 0),
  );
  keysInRoom(
    asked,
    rows.filter((_, n) => n % 3 !== 0),
  );
}

describe("the keys of one choice", () => pressed([colour], single));
describe("the keys of several choices", () => pressed([sizes], several));
describe("the keys of several questions", () => {
  pressed([colour, sizes], tabs);
  keys([colour, sizes], timed);
});
describe("the keys of all there is to read", () => pressed([colour], pager));
