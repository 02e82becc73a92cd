import type { FormAction } from "./actions.js";
import { type FormState, mayLeaveOut, questionRows, shownQuestion } from "./state.js";
import type { FieldEdit } from "./text-field.js";

/**
 * Keys with a name; every other key is text. `delete_to_start` (Ctrl-U) clears own text whole.
 * `leave_out` (Ctrl-X) leaves a question out, where `leavesOut` holds.
 * `bring_back` (Ctrl-Y) brings back own text that Escape has cleared.
 * `read` (Ctrl-E) shows the full text. The user interface scrolls it: `page_up` and `page_down` mean nothing here.
 */
export const keyNames = [
  "up",
  "down",
  "left",
  "right",
  "word_left",
  "word_right",
  "home",
  "end",
  "page_up",
  "page_down",
  "tab",
  "back_tab",
  "enter",
  "escape",
  "backspace",
  "delete",
  "delete_word",
  "delete_to_start",
  "delete_to_end",
  "bring_back",
  "read",
  "leave_out",
  "interrupt",
  "end_of_input",
] as const;

/**
 * The place of the cursor. O1, O2: an option, of a single choice or of several; T1, T2: its own text.
 * B: the row that confirms several choices; R: the page to review all; P: the full text to read.
 */
export type CursorPlace = "O1" | "O2" | "T1" | "T2" | "B" | "R" | "P";

/** The lines of the key table: a named key, or a kind of text. */
export type Column = (typeof keyNames)[number] | "shortcut" | "space" | "digit" | "text" | "paste";

/** The meaning of a key in one place. */
type Meaning = (state: FormState, pressed: { text: string; at: number }) => FormAction | undefined;
type Table = { readonly [C in Column]?: Meaning };

const move =
  (by: number): Meaning =>
  () => ({ type: "move", by });
const tab =
  (by: number): Meaning =>
  () => ({ type: "tab", by, wrap: false });
/** The next tab, the first after the last. With a single tab, switches between the options and own text. */
const tabAround =
  (by: number): Meaning =>
  (state) =>
    state.questions.length > 1 ? { type: "tab", by, wrap: true } : otherSide(state);
/**
 * Tab leaves own text, as everywhere. With `enterOnly` Tab stays in filled own text, since Enter ends the words
 * there.
 */
const tabFromText =
  (by: number): Meaning =>
  (state, pressed) =>
    state.options.enterOnly && !isEmpty(state) ? undefined : tabAround(by)(state, pressed);
const edit =
  (change: FieldEdit): Meaning =>
  () => ({ type: "edit", edit: change });
const insert: Meaning = (_state, { text }) =>
  text === "" ? undefined : { type: "edit", edit: { type: "insert", text } };
const read =
  (reading: boolean): Meaning =>
  () => ({ type: "read", reading });
const leaveOut: Meaning = (state) =>
  state.options.leavesOut && mayLeaveOut(state) ? { type: "skip" } : undefined;
const decline: Meaning = () => ({ type: "decline" });
const leave: Meaning = (_state, { at }) => ({ type: "escape", at });
const confirm: Meaning = () => ({ type: "confirm" });
const choose: Meaning = ({ drafts, tab }) => ({ type: "choose", row: drafts[tab]?.row ?? 0 });

const isEmpty = (state: FormState) => shownQuestion(state)?.draft.text.text === "";
/** Two meanings: one for an empty field, another for a filled field. */
const whenEmpty =
  (empty: Meaning, filled?: Meaning): Meaning =>
  (state, pressed) =>
    (isEmpty(state) ? empty : filled)?.(state, pressed);

/** Inserts typed or pasted text into own text. */
const insertThere: Meaning = (state, pressed) => {
  const question = shownQuestion(state)?.question;
  const takes = question !== undefined && questionRows(question).some(({ is }) => is === "own_text");
  return takes && state.options.typeAnywhere !== false ? insert(state, pressed) : undefined;
};

/** The row with this number: one of several options is toggled, unless `enterOnly` holds; else the cursor moves there. */
const pickRow: Meaning = (state, { text }) => {
  const question = shownQuestion(state)?.question;
  const row = Number(text) - 1;
  const found = question && questionRows(question)[row];
  const toggles = found?.is === "option" && question?.multi_select === true && !state.options.enterOnly;
  return found && { type: toggles ? "choose" : "focus", row };
};

/** A blank toggles one of several options, and answers nothing: only Enter does. */
const toggle: Meaning = (state, pressed) =>
  shownQuestion(state)?.question.multi_select && !state.options.enterOnly
    ? choose(state, pressed)
    : undefined;

const shortcut: Meaning = (state, { text }) => {
  const row = shortcutOf(state, text);
  return row === undefined ? undefined : { type: "focus", row };
};

/** The row of the option that a letter stands for, if that option exists. */
export function shortcutOf(state: FormState, text: string): number | undefined {
  const { shortcuts = {} } = state.options;
  const row = Object.hasOwn(shortcuts, text) ? shortcuts[text] : undefined;
  const question = shownQuestion(state)?.question;
  return row !== undefined && question?.options[row] !== undefined ? row : undefined;
}

/** Switches from an option to own text, and back. */
function otherSide(state: FormState): FormAction | undefined {
  const shown = shownQuestion(state);
  if (shown === undefined) return undefined;
  const { question, draft, row } = shown;
  const ownText = questionRows(question).findIndex(({ is }) => is === "own_text");
  if (row.is === "option") return ownText === -1 ? undefined : { type: "focus", row: ownText };
  return question.options.length === 0 ? undefined : { type: "focus", row: draft.optionRow ?? 0 };
}

const bringBack: Meaning = () => ({ type: "bring_back" });

const everywhere: Table = {
  tab: tabAround(1),
  back_tab: tabAround(-1),
  up: move(-1),
  down: move(1),
  escape: leave,
  read: read(true),
  interrupt: decline,
};

const options: Table = {
  ...everywhere,
  bring_back: bringBack,
  leave_out: leaveOut,
  left: tab(-1),
  right: tab(1),
  space: toggle,
  digit: pickRow,
  shortcut,
  text: insertThere,
  paste: insertThere,
  end_of_input: leave,
};

const ownText: Table = {
  ...everywhere,
  bring_back: bringBack,
  leave_out: leaveOut,
  tab: tabFromText(1),
  back_tab: tabFromText(-1),
  left: whenEmpty(tab(-1), edit({ type: "caret", to: "left" })),
  right: whenEmpty(tab(1), edit({ type: "caret", to: "right" })),
  word_left: edit({ type: "caret", to: "word_left" }),
  word_right: edit({ type: "caret", to: "word_right" }),
  home: edit({ type: "caret", to: "start" }),
  end: edit({ type: "caret", to: "end" }),
  enter: confirm,
  space: insert,
  digit: insert,
  text: insert,
  paste: insert,
  backspace: edit({ type: "delete", what: "back" }),
  delete: edit({ type: "delete", what: "forward" }),
  delete_word: edit({ type: "delete", what: "word_back" }),
  delete_to_start: edit({ type: "delete", what: "all" }),
  delete_to_end: edit({ type: "delete", what: "to_end" }),
  end_of_input: whenEmpty(leave),
};

/** The act of Enter on the page to review all: submit, or cancel as Escape does. */
const activate: Meaning = (state, pressed) => (state.reviewRow === 0 ? confirm : leave)(state, pressed);
/** Moves to Submit or Cancel. */
const submitOrCancel: Meaning = (_state, { text }) => {
  const row = Number(text) - 1;
  return row < 2 ? { type: "focus", row } : undefined;
};

/** A table for each place. A key without an entry means nothing there. */
export const keyTable: { readonly [P in CursorPlace]: Table } = {
  O1: { ...options, enter: choose },
  O2: {
    ...options,
    enter: (state, pressed) => (state.options.enterToggles ? choose : confirm)(state, pressed),
  },
  T1: ownText,
  T2: ownText,
  B: {
    ...everywhere,
    leave_out: leaveOut,
    left: tab(-1),
    right: tab(1),
    enter: confirm,
    digit: pickRow,
    shortcut,
    text: insertThere,
    paste: insertThere,
    end_of_input: leave,
  },
  R: {
    ...everywhere,
    left: tab(-1),
    right: tab(1),
    enter: activate,
    digit: submitOrCancel,
    end_of_input: leave,
  },
  P: {
    read: read(false),
    escape: read(false),
    enter: read(false),
    text: (_state, { text }) => (text === "q" ? { type: "read", reading: false } : undefined),
    interrupt: decline,
  },
};
