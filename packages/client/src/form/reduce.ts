import type { FormAction } from "./actions.js";
import { closed, editedSide, opened, soughtRow } from "./side-field.js";
import {
  DECLINE_AGAIN_MS,
  type FormHint,
  type FormState,
  hasReview,
  hasWork,
  isBegun,
  itemOf,
  problemOf,
  type QuestionDraft,
  questionRows,
  questionsWith,
  type Row,
  type SideField,
  shownQuestion,
} from "./state.js";
import { editField, emptyField, type FieldEdit } from "./text-field.js";

/** The form after an action. A form with a result changes only by `refused`. */
export function reduceForm(state: FormState, action: FormAction): FormState {
  if (action.type === "refused") return reopened(state, action.issues);
  if (state.result !== undefined) return state;
  if (action.type === "tick") return ticked(state, action.at);
  const quiet = withoutHint(state);
  if (state.reading) return reduceReading(quiet, action);
  return reduceSide(quiet, action) ?? reduceRows(closed(quiet), action, state);
}

/** The form after an action on the open search or note. Undefined for another action, which ends both. */
function reduceSide(state: FormState, action: FormAction): FormState | undefined {
  const { side } = state;
  switch (action.type) {
    case "open_side":
      return opened(closed(state), action.is);
    case "edit_side":
      return side === undefined ? state : sideEdited(state, side, action.edit);
    case "seek":
      return focused(state, soughtRow(state, cursorRow(state), action.by) ?? cursorRow(state));
    case "escape":
      return side === undefined ? undefined : reduceSide(state, { type: "close_side", back: true });
    case "close_side":
      return action.back && side?.is === "search" ? focused(closed(state), side.back) : closed(state);
    default:
      return undefined;
  }
}

function sideEdited(state: FormState, before: SideField, edit: FieldEdit): FormState {
  const { side, cut } = editedSide(before, edit);
  const there = { ...state, side };
  const after =
    side.is === "search"
      ? focused(there, soughtRow(there, side.back, 0) ?? side.back)
      : withDraft(there, { note: side.field.text, isSkipped: false });
  return cut ? hinted(after, { why: "text_too_long" }) : after;
}

/** The form after an action on its rows. `before` has the hint that the action takes away. */
function reduceRows(quiet: FormState, action: FormAction, before: FormState): FormState {
  switch (action.type) {
    case "move":
      return moved(quiet, action);
    case "focus":
      return action.byName && shownQuestion(quiet)?.draft.row === action.row
        ? hinted(quiet, { why: "enter_confirms" })
        : focused(quiet, action.row);
    case "tab":
      return shown(quiet, tabFrom(quiet, action.by, action.wrap));
    case "show":
      return shown(quiet, action.tab);
    case "choose":
      return chosen(quiet, action.row);
    case "select":
      return selected(quiet, action.row);
    case "send":
      return shownQuestion(quiet) === undefined ? submitted(quiet) : settled(quiet);
    case "skip":
      return leftOut(quiet);
    case "note":
      return noted(quiet, action.text);
    case "attach":
      return withDraft(quiet, { attachments: action.attachments, isSkipped: false });
    case "set":
      return edited(quiet, action);
    case "confirm":
      return confirmed(withDraft(quiet, { isSkipped: false }));
    case "edit":
      return edited(quiet, action.edit);
    case "bring_back":
      return broughtBack(quiet);
    case "read":
      return action.reading ? read(quiet) : { ...quiet, reading: false };
    case "unread":
      return hinted(read(quiet), { why: "unread" });
    case "escape":
      return escaped(closed(before), action.at);
    case "discuss":
      return discussed(quiet);
    case "decline":
      return { ...quiet, result: "declined" };
    default:
      return quiet;
  }
}

const read = (state: FormState): FormState => ({ ...state, reading: true, wasRead: true });

/** The form after an action on the full text, where nothing answers. */
function reduceReading(state: FormState, action: FormAction): FormState {
  if (action.type === "decline") return { ...state, reading: false, result: "declined" };
  if (action.type === "escape") return { ...state, reading: false };
  return action.type === "read" ? { ...state, reading: action.reading } : state;
}

export function withoutHint(state: FormState): FormState {
  const { hint: _hint, declineUntil: _until, ...quiet } = state;
  return quiet;
}

/** The form with this hint, and with no second Escape awaited. */
export const hinted = (state: FormState, hint: FormHint): FormState => ({ ...withoutHint(state), hint });

function moved(state: FormState, { by, stops = false }: { by: number; stops?: boolean }): FormState {
  const count = rowCount(state);
  const row = cursorRow(state) + by;
  return focused(state, stops ? Math.max(0, Math.min(count - 1, row)) : ((row % count) + count) % count);
}

const cursorRow = ({ drafts, tab, reviewRow }: FormState) => drafts[tab]?.row ?? reviewRow;

function rowCount(state: FormState): number {
  return state.questions[state.tab] === undefined ? 2 : rowsHere(state).length;
}

/** The rows of the shown question; none on the page to review all. */
function rowsHere({ questions, tab, options }: FormState): Row[] {
  const question = questions[tab];
  return question === undefined ? [] : questionRows(question, options);
}

function focused(state: FormState, row: number): FormState {
  if (!isBelow(row, rowCount(state))) return state;
  return state.tab < state.questions.length ? withDraft(state, { row }) : { ...state, reviewRow: row };
}

const isBelow = (position: number, count: number) =>
  Number.isInteger(position) && position >= 0 && position < count;

const tabCount = (state: FormState) => state.questions.length + (hasReview(state) ? 1 : 0);

function tabFrom(state: FormState, by: number, wrap: boolean): number {
  const count = tabCount(state);
  const to = state.tab + by;
  return wrap ? ((to % count) + count) % count : Math.min(Math.max(to, 0), count - 1);
}

/** Shows a tab. The page to review all begins with its first row, so that Enter there submits. */
function shown(state: FormState, tab: number): FormState {
  if (!isBelow(tab, tabCount(state)) || tab === state.tab) return state;
  return { ...left(state), tab, reviewRow: 0 };
}

/**
 * The form as the person leaves its question: the words chosen or typed are the answer, and without any
 * there is none. A question that nobody has begun stays unchanged.
 */
function left(state: FormState): FormState {
  const here = shownQuestion(state);
  if (here === undefined) return state;
  const { question, draft } = here;
  if (draft.confirmed === undefined && !isBegun(question, draft)) return state;
  const item = problemOf(question, draft) === undefined ? itemOf(question, draft) : undefined;
  const { confirmed: _before, ...open } = draft;
  const now = item === undefined ? open : { ...open, confirmed: item };
  return { ...state, drafts: state.drafts.with(state.tab, now) };
}

/** The shown question with another draft, which remembers the option that the cursor left. */
function withDraft(state: FormState, changed: Partial<QuestionDraft>): FormState {
  const left = changed.row === undefined ? undefined : shownQuestion(state);
  const back = left?.row.is === "option" ? { optionRow: left.draft.row } : {};
  const drafts = state.drafts.map((draft, index) =>
    index === state.tab ? { ...draft, ...back, ...changed } : draft,
  );
  return { ...state, drafts };
}

function chosen(state: FormState, position: number): FormState {
  const question = state.questions[state.tab];
  if (question === undefined || rowsHere(state)[position]?.is !== "option") {
    const there = focused(state, position);
    return isBelow(position, rowCount(state)) ? confirmed(withDraft(there, { isSkipped: false })) : state;
  }
  const there = selected(state, position);
  return question.multi_select ? there : settled(withDraft(there, { text: emptyField, isTextAside: false }));
}

function selected(state: FormState, position: number): FormState {
  const question = state.questions[state.tab];
  const before = state.drafts[state.tab];
  const row = rowsHere(state)[position];
  if (question === undefined || before === undefined || row === undefined) return state;
  const here = { row: position, isSkipped: false };
  if (row.is === "confirm" || row.is === "discuss") return withDraft(state, here);
  const { options, multi_select } = question;
  if (row.is === "own_text")
    return withDraft(state, { ...here, isTextAside: false, ...(!multi_select && { chosen: [] }) });
  const id = options[row.index]?.id as string;
  if (!multi_select) {
    return withDraft(state, { ...here, chosen: [id], isTextAside: before.text.text.trim() !== "" });
  }
  const toggled = options
    .map((option) => option.id)
    .filter((other) => before.chosen.includes(other) !== (other === id));
  return withDraft(state, { ...here, chosen: toggled });
}

function confirmed(state: FormState): FormState {
  const here = shownQuestion(state);
  if (here === undefined) return state.reviewRow === 0 ? submitted(state) : state;
  const { question, draft, row } = here;
  if (row.is === "option" && !question.multi_select) return chosen(state, draft.row);
  if (row.is === "discuss") return discussed(state);
  if (row.is !== "own_text") return settled(state);
  const mayBeEmpty = question.field?.required === false;
  if (draft.text.text.trim() === "" && !mayBeEmpty) return hinted(state, { why: "blank_text" });
  const confirmRow = rowsHere(state).findIndex(({ is }) => is === "confirm");
  return confirmRow === -1
    ? settled(withDraft(state, { chosen: [], isTextAside: false }))
    : withDraft(state, { row: confirmRow });
}

/** Confirms the choice and text of the shown question, then shows the next unanswered question (K-35). */
function settled(state: FormState): FormState {
  const here = shownQuestion(state);
  const problem = here && problemOf(here.question, here.draft);
  if (problem !== undefined) return hinted(state, problem);
  const item = here && itemOf(here.question, here.draft);
  if (item === undefined) return hinted(state, { why: "nothing_chosen" });
  const after = withDraft(state, { confirmed: item });
  if (!hasReview(after)) return submitted(after);
  const open = questionsWith(after, "open");
  return shown(after, open.find((index) => index > after.tab) ?? open[0] ?? after.questions.length);
}

/** Asks to talk first. What was typed at any question goes along, since it would be lost. */
function discussed(state: FormState): FormState {
  if (!state.options.discusses) return state;
  const said = state.drafts.flatMap(({ text, note = "" }) => [text.text, note]);
  const words = said.filter((each) => each.trim() !== "").join("\n");
  const { field } = editField(emptyField, { type: "insert", text: words });
  const note = field.text === "" ? {} : { note: field.text };
  return { ...state, result: { declined: "discuss", ...note } };
}

/** Leaves the shown question out, but for a field that has to be answered (P-XFL-5). */
function leftOut(state: FormState): FormState {
  const here = shownQuestion(state);
  if (here === undefined) return state;
  const { field } = here.question;
  if (field !== undefined && field.required !== false) return hinted(state, { why: "nothing_chosen" });
  if (field === undefined && !hasReview(state)) return hinted(state, { why: "all_skipped" });
  return settled(withDraft(state, { isSkipped: true }));
}

/** Sends the confirmed answers, without later changes (L-33). */
function submitted(state: FormState): FormState {
  const questions = questionsWith(state, "open");
  if (questions.length > 0) return hinted(state, { why: "unanswered", questions });
  if (isAllLeftOut(state)) return hinted(state, { why: "all_skipped" });
  const items = state.drafts.flatMap(({ confirmed: item }) => (item === undefined ? [] : [item]));
  return { ...state, result: { items } };
}

/** True if no question has an answer, though one of them needs an answer. */
const isAllLeftOut = ({ drafts, questions }: FormState) =>
  drafts.every(({ confirmed }) => confirmed?.skipped === true) &&
  !questions.every(({ field }) => field?.required === false);

function noted(state: FormState, text: string): FormState {
  const { field, cut } = editField(emptyField, { type: "set", text, caret: text.length });
  const after = withDraft(state, { note: field.text, isSkipped: false });
  return cut ? hinted(after, { why: "text_too_long" }) : after;
}

function edited(state: FormState, edit: FieldEdit): FormState {
  const row = rowsHere(state).findIndex(({ is }) => is === "own_text");
  const draft = state.drafts[state.tab];
  if (row === -1 || draft === undefined) return state;
  const { field, cut } = editField(draft.text, edit);
  const after = withDraft(state, { row, text: field, isTextAside: false, isSkipped: false });
  return cut ? hinted(after, { why: "text_too_long" }) : after;
}

function broughtBack(state: FormState): FormState {
  const { cleared = "" } = state.drafts[state.tab] ?? {};
  if (cleared === "") return state;
  return withDraft(edited(state, { type: "insert", text: cleared }), { cleared: "" });
}

function escaped(state: FormState, at: number): FormState {
  const quiet = withoutHint(state);
  const here = shownQuestion(state);
  if (here?.row.is === "own_text" && here.draft.text.text !== "") {
    const cleared = here.draft.text.text;
    return hinted(withDraft(quiet, { text: emptyField, cleared }), { why: "cleared" });
  }
  const again = state.declineUntil !== undefined && at < state.declineUntil;
  if (again || !hasWork(state)) return { ...quiet, result: "declined" };
  return { ...hinted(quiet, { why: "decline_again" }), declineUntil: at + DECLINE_AGAIN_MS };
}

function ticked(state: FormState, at: number): FormState {
  return state.declineUntil !== undefined && at >= state.declineUntil ? withoutHint(state) : state;
}

/** Shows the first question that the server names. Named questions are open again, with their entries. */
function reopened(state: FormState, issues: Extract<FormAction, { type: "refused" }>["issues"]): FormState {
  const { result: _result, ...rest } = withoutHint(state);
  const named = new Set(issues.map(({ question_id }) => question_id));
  const first = state.questions.findIndex(({ id }) => named.has(id));
  const drafts = state.drafts.map((draft, index) => {
    const { confirmed: _confirmed, ...open } = draft;
    return named.has(state.questions[index]?.id ?? null) ? open : draft;
  });
  const tab = first === -1 ? tabCount(state) - 1 : first;
  const messages = issues.map(({ message }) => message);
  return { ...closed(rest), drafts, tab, reviewRow: 0, reading: false, hint: { why: "refused", messages } };
}
