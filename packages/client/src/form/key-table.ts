import type { FormAction } from "./actions.js";
import { type FormState, mayLeaveOut, questionRows, shownQuestion } from "./state.js";
import type { FieldEdit } from "./text-field.js";

/**
 * Keys with a name; every other key is text. `delete_to_start` (Ctrl-U) clears own text whole.
 * `leave_out` (Ctrl-X) leaves a question out, where `leavesOut` holds.
 * `bring_back` (Ctrl-Y) brings back own text that Escape has cleared.
 * `read` (Ctrl-E) shows the full text, which the user interface scrolls.
 * `new_line` (Ctrl-J) ends a line of own text or of a note.
 * `find` (Ctrl-F) looks for words in the options. `note` (Ctrl-T) opens a note, where `takesNotes` holds.
 * `next_request`, `previous_request` and `put_aside` (Ctrl-O, Ctrl-R, Ctrl-G) are for the user interface: no form knows
 * what else waits.
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
  "new_line",
  "escape",
  "backspace",
  "delete",
  "delete_word",
  "delete_to_start",
  "delete_to_end",
  "bring_back",
  "read",
  "leave_out",
  "find",
  "note",
  "next_request",
  "previous_request",
  "put_aside",
  "interrupt",
  "end_of_input",
] as const;

/**
 * The place of the cursor. O1, O2: an option, of a single choice or of several; T1, T2: its own text.
 * B: the row that confirms several choices; D: the row that asks to talk first; R: the page to review all;
 * P: the full text to read; S: the words of a search; N: a note.
 */
export type CursorPlace = "O1" | "O2" | "T1" | "T2" | "B" | "D" | "R" | "P" | "S" | "N";

/** The places where all that is typed is text. */
export const isTextPlace = (place: CursorPlace): boolean =>
  place === "T1" || place === "T2" || place === "S" || place === "N";

/** The rows that `page_up` and `page_down` move by. */
export const PAGE_ROWS = 10;

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
  const found = question && questionRows(question, state.options)[row];
  const toggles = found?.is === "option" && question?.multi_select === true && !state.options.enterOnly;
  return found && (toggles ? { type: "choose", row } : { type: "focus", row, byName: true });
};

/** A blank toggles one of several options, and answers nothing: only Enter does. */
const toggle: Meaning = (state, pressed) =>
  shownQuestion(state)?.question.multi_select && !state.options.enterOnly
    ? choose(state, pressed)
    : undefined;

const shortcut: Meaning = (state, { text }) => {
  const row = shortcutOf(state, text);
  return row === undefined ? undefined : { type: "focus", row, byName: true };
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

/** Moves by many rows, or to an end, and stops there. */
const leap =
  (by: number): Meaning =>
  () => ({ type: "move", by, stops: true });
const toFirst: Meaning = () => ({ type: "focus", row: 0 });
const toLast: Meaning = (state) => {
  const question = state.questions[state.tab];
  return {
    type: "focus",
    row: (question === undefined ? 2 : questionRows(question, state.options).length) - 1,
  };
};

/** Ends a line of own text, unless its field has a value on one line. */
const newLine: Meaning = (state) => {
  const type = shownQuestion(state)?.question.field?.type ?? "text";
  return type === "text" ? { type: "edit", edit: { type: "insert", text: "\n" } } : undefined;
};

const open =
  (is: "search" | "note"): Meaning =>
  () => ({ type: "open_side", is });
const find: Meaning = (state, pressed) =>
  (shownQuestion(state)?.question.options.length ?? 0) > 1 ? open("search")(state, pressed) : undefined;
const note: Meaning = (state, pressed) =>
  state.options.takesNotes ? open("note")(state, pressed) : undefined;
const editSide =
  (change: FieldEdit): Meaning =>
  () => ({ type: "edit_side", edit: change });
const insertSide: Meaning = (_state, { text }) =>
  text === "" ? undefined : { type: "edit_side", edit: { type: "insert", text } };
const closeSide =
  (back: boolean): Meaning =>
  () => ({ type: "close_side", back });

const bringBack: Meaning = () => ({ type: "bring_back" });

const everywhere: Table = {
  tab: tabAround(1),
  back_tab: tabAround(-1),
  up: move(-1),
  down: move(1),
  page_up: leap(-PAGE_ROWS),
  page_down: leap(PAGE_ROWS),
  escape: leave,
  read: read(true),
  interrupt: decline,
};

/** The keys of every row of a question. */
const rows: Table = { ...everywhere, find, note, leave_out: leaveOut };

const options: Table = {
  ...rows,
  home: toFirst,
  end: toLast,
  bring_back: bringBack,
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
  ...rows,
  bring_back: bringBack,
  tab: tabFromText(1),
  back_tab: tabFromText(-1),
  left: whenEmpty(tab(-1), edit({ type: "caret", to: "left" })),
  right: whenEmpty(tab(1), edit({ type: "caret", to: "right" })),
  word_left: edit({ type: "caret", to: "word_left" }),
  word_right: edit({ type: "caret", to: "word_right" }),
  home: edit({ type: "caret", to: "line_start" }),
  end: edit({ type: "caret", to: "line_end" }),
  enter: confirm,
  new_line: newLine,
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

/** The row that confirms several choices, or another that no option is behind. */
const confirmRow: Table = {
  ...rows,
  home: toFirst,
  end: toLast,
  left: tab(-1),
  right: tab(1),
  enter: confirm,
  digit: pickRow,
  shortcut,
  text: insertThere,
  paste: insertThere,
  end_of_input: leave,
};

/** The text of a search or a note. No key there answers or declines, but `interrupt`. */
const sideText: Table = {
  left: editSide({ type: "caret", to: "left" }),
  right: editSide({ type: "caret", to: "right" }),
  word_left: editSide({ type: "caret", to: "word_left" }),
  word_right: editSide({ type: "caret", to: "word_right" }),
  home: editSide({ type: "caret", to: "line_start" }),
  end: editSide({ type: "caret", to: "line_end" }),
  space: insertSide,
  digit: insertSide,
  text: insertSide,
  paste: insertSide,
  backspace: editSide({ type: "delete", what: "back" }),
  delete: editSide({ type: "delete", what: "forward" }),
  delete_word: editSide({ type: "delete", what: "word_back" }),
  delete_to_start: editSide({ type: "delete", what: "all" }),
  delete_to_end: editSide({ type: "delete", what: "to_end" }),
  enter: closeSide(false),
  tab: closeSide(false),
  interrupt: decline,
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
  B: confirmRow,
  D: confirmRow,
  R: {
    ...everywhere,
    home: toFirst,
    end: toLast,
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
  S: {
    ...sideText,
    up: () => ({ type: "seek", by: -1 }),
    down: () => ({ type: "seek", by: 1 }),
    find: () => ({ type: "seek", by: 1 }),
    escape: closeSide(true),
  },
  N: {
    ...sideText,
    new_line: editSide({ type: "insert", text: "\n" }),
    note: closeSide(false),
    escape: closeSide(false),
  },
};
